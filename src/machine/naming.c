#include "machine/naming.h"

#include "base/hash.h"
#include "machine/internal.h"

static const uint64_t most_objects = (UINT64_C(1) << 27) - 1;

void machine_names_collect(const machine *m, machine_names *out) {
    size_t first = m->program->objects.size;
    vec_reserve(&out->threads, m->thread_births.size);
    vec_reserve(&out->objects, m->dynamic_names.size);
    vec_reserve(&out->sites, m->abstract_sites.size);
    for (size_t i = 0; i < m->thread_births.size; i++) vec_push(&out->threads, m->thread_births.data[i]);
    out->objects.size = m->dynamic_names.size;
    out->sites.size = m->abstract_sites.size;
    for (size_t i = 0; i < m->dynamic_names.capacity; i++) {
        map_slot s = m->dynamic_names.slots[i];
        if (s.value != MAP_NONE) out->objects.data[s.value - first] = s.key;
    }
    for (size_t i = 0; i < m->abstract_sites.capacity; i++) {
        map_slot s = m->abstract_sites.slots[i];
        if (s.value != MAP_NONE) out->sites.data[s.value] = s.key;
    }
}

static bool restore_thread(machine *m, const thread_birth *t) {
    size_t before = m->thread_numbers.size;
    if (t->function >= m->program->functions.size || t->creator > before) return false;
    return preemptive_thread_number(m, t->creator, t->count, t->function) == before + 1;
}

static bool restore_object(machine *m, uint64_t key) {
    size_t next = m->program->objects.size + m->dynamic_names.size;
    if (next >= most_objects) return false;
    return memory_name_by_key(m, (uint32_t)(key >> 32), (uint32_t)key) == next;
}

static bool restore_site(machine *m, uint64_t site) {
    if (map_get(&m->abstract_sites, site) != MAP_NONE) return false;
    map_put(&m->abstract_sites, site, m->abstract_sites.size);
    return true;
}

bool machine_names_restore(machine *m, const machine_names *names) {
    bool good = !m->thread_numbers.size && !m->dynamic_names.size && !m->abstract_sites.size;
    for (size_t i = 0; i < names->threads.size && good; i++)
        good = restore_thread(m, &names->threads.data[i]);
    for (size_t i = 0; i < names->objects.size && good; i++) good = restore_object(m, names->objects.data[i]);
    for (size_t i = 0; i < names->sites.size && good; i++) good = restore_site(m, names->sites.data[i]);
    return good;
}

void machine_names_free(machine_names *n) {
    vec_free(&n->threads);
    vec_free(&n->objects);
    vec_free(&n->sites);
}

static const char scheduler_name[] = "scheduler";

typedef VEC(uint32_t) counts;

/* The numbers of creations on the way to it, the last one first. */
static void list_ancestry(const machine *m, uint32_t thread, counts *out) {
    while (thread) {
        assert(thread <= m->thread_births.size);
        vec_push(out, m->thread_births.data[thread - 1].count);
        thread = m->thread_births.data[thread - 1].creator;
    }
}

void machine_print_thread(const machine *m, uint32_t thread, text *out) {
    counts ancestry = {0};
    if (thread == MACHINE_KERNEL) {
        text_add(out, scheduler_name);
        return;
    }
    bool is_own = thread < m->program->threads.size;
    text_format(out, "%u", is_own ? thread : 0);
    if (!is_own) list_ancestry(m, thread, &ancestry);
    for (size_t i = ancestry.size; i-- > 0;) text_format(out, ".%u", ancestry.data[i]);
    vec_free(&ancestry);
}

uint64_t machine_thread_key(const machine *m, uint32_t thread) {
    if (thread == MACHINE_KERNEL || thread < m->program->threads.size) return hash_mix(thread);
    counts ancestry = {0};
    uint64_t key = hash_mix(0); /* main */
    list_ancestry(m, thread, &ancestry);
    for (size_t i = ancestry.size; i-- > 0;) key = hash_pair(key, ancestry.data[i]);
    vec_free(&ancestry);
    return key;
}

static bool read_number(const char **from, uint32_t *number) {
    enum { MOST_DIGITS = 9 };
    const char *begin = *from;
    *number = 0;
    while (**from >= '0' && **from <= '9' && *from - begin < MOST_DIGITS)
        *number = *number * 10 + (uint32_t)(*(*from)++ - '0');
    return *from > begin;
}

bool machine_read_thread(const machine *m, const char **from, uint32_t *thread) {
    size_t length = strlen(scheduler_name);
    if (!strncmp(*from, scheduler_name, length)) {
        *from += length;
        *thread = MACHINE_KERNEL;
        return m->traits->scheduler_moves;
    }
    if (!read_number(from, thread) || *thread >= m->program->threads.size) return false;
    for (uint32_t count; **from == '.';) {
        ++*from;
        if (!read_number(from, &count)) return false;
        uint64_t known = map_get(&m->thread_numbers, (uint64_t)*thread << 32 | count);
        if (known == MAP_NONE) return false;
        *thread = (uint32_t)known;
    }
    return true;
}

uint32_t machine_number_of_thread(machine *m, thread_birth t) {
    return preemptive_thread_number(m, t.creator, t.count, t.function);
}

uint32_t machine_number_of_object(machine *m, uint32_t holder, uint32_t count) {
    return memory_name_by_key(m, holder, count);
}

uint32_t machine_number_of_site(machine *m, uint64_t site) {
    uint64_t known = map_get(&m->abstract_sites, site);
    if (known != MAP_NONE) return (uint32_t)known;
    map_put(&m->abstract_sites, site, m->abstract_sites.size);
    return (uint32_t)m->abstract_sites.size - 1;
}
