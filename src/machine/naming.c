#include "machine/naming.h"

#include "machine/internal.h"

static const uint64_t most_objects = (UINT64_C(1) << 27) - 1;

void machine_names_collect(const machine *m, machine_names *out) {
    size_t first = m->program->objects.size;
    vec_reserve(&out->threads, m->thread_numbers.size);
    vec_reserve(&out->objects, m->dynamic_names.size);
    vec_reserve(&out->sites, m->abstract_sites.size);
    out->threads.size = m->thread_numbers.size;
    out->objects.size = m->dynamic_names.size;
    out->sites.size = m->abstract_sites.size;
    for (size_t i = 0; i < m->thread_numbers.capacity; i++) {
        map_slot s = m->thread_numbers.slots[i];
        if (s.value == MAP_NONE) continue;
        out->threads.data[s.value - 1] =
            (thread_birth){(uint32_t)(s.key >> 32), (uint32_t)s.key, m->thread_functions.data[s.value - 1]};
    }
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
    return memory_dynamic_name(m, (uint32_t)(key >> 32), (uint32_t)key) == next;
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

uint32_t machine_number_of_thread(machine *m, thread_birth t) {
    return preemptive_thread_number(m, t.creator, t.count, t.function);
}

uint32_t machine_number_of_object(machine *m, uint32_t holder, uint32_t count) {
    return memory_dynamic_name(m, holder, count);
}

uint32_t machine_number_of_site(machine *m, uint64_t site) {
    uint64_t known = map_get(&m->abstract_sites, site);
    if (known != MAP_NONE) return (uint32_t)known;
    map_put(&m->abstract_sites, site, m->abstract_sites.size);
    return (uint32_t)m->abstract_sites.size - 1;
}

void machine_tell_apart(machine *m, uint32_t objects) {
    m->told_apart = objects;
}

uint32_t machine_told_apart(const machine *m) {
    return m->told_apart;
}
