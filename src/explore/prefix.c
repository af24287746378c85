#include "explore/prefix.h"

#include "base/hash.h"
#include "machine/naming.h"

#include <stdlib.h>

/* --- ways ----------------------------------------------------------------------------------------------- */

static uint64_t key_of_way(const successor *s) {
    uint64_t key = s->end;
    for (size_t i = 0; s->went && i < s->went->marks.size; i++)
        key = hash_pair(key, hash_pair(s->went->marks.data[i].kind, s->went->marks.data[i].number));
    return key;
}

/* As it was recorded if that went this way, else the only one that did. */
static const successor *choose(const player *p, uint32_t index, uint64_t key) {
    const successor *recorded = index < p->next.size ? &p->next.data[index] : NULL, *found = NULL;
    if (recorded && key_of_way(recorded) == key) return recorded;
    for (size_t i = 0; i < p->next.size; i++) {
        const successor *s = &p->next.data[i];
        if (key_of_way(s) != key) continue;
        if (found) return NULL;
        found = s;
    }
    return found;
}

/* --- writing -------------------------------------------------------------------------------------------- */

static void print_step(const player *p, const successor *s, text *out) {
    if (p->done.size) text_char(out, ' ');
    machine_print_thread(p->m, s->step.by.thread, out);
    text_format(out, ":%u/%u@%llx", s->step.by.choice, s->step.successor, (unsigned long long)key_of_way(s));
}

bool prefix_print(machine *m, const path *steps, const step_options *how, text *out) {
    step_options marked = *how;
    marked.record = true;
    player p = player_begin(m, &marked);
    bool follows = true;
    for (size_t i = 0; i < steps->size && follows; i++) {
        path_step step = steps->data[i];
        const successor *s = NULL;
        if (machine_can_step(m, p.now, step.by)) {
            player_look(&p, step.by);
            s = player_recorded(&p, step);
        }
        follows = s && (s->end == STEP_STOPPED || i + 1 == steps->size);
        if (!follows) break;
        print_step(&p, s, out);
        player_take(&p, s);
    }
    player_end(&p);
    return follows;
}

/* --- reading -------------------------------------------------------------------------------------------- */

/* A number behind this character. */
static bool read_number(const char **from, char before, int base, uint64_t *number) {
    char *end;
    const char *digits = *from + 1;
    if (**from != before || strchr("+- \t\n", *digits))
        return false; /* strtoull would take these, or nothing */
    *number = strtoull(digits, &end, base);
    *from = end;
    return end > digits;
}

typedef struct named_step {
    transition by;
    uint32_t successor;
    uint64_t key;
} named_step;

static bool read_step(const machine *m, const char **from, named_step *out) {
    uint64_t choice, successor;
    bool good = machine_read_thread(m, from, &out->by.thread) && read_number(from, ':', 10, &choice) &&
                read_number(from, '/', 10, &successor) && read_number(from, '@', 16, &out->key) &&
                choice < UINT32_MAX && successor < UINT32_MAX;
    if (!good) return false;
    out->by.choice = (uint32_t)choice;
    out->successor = (uint32_t)successor;
    return true;
}

bool prefix_follow(player *p, const char *prefix) {
    bool marked = p->how.record, follows = true;
    p->how.record = true;
    while (*prefix && follows) {
        named_step step;
        follows = read_step(p->m, &prefix, &step) && machine_can_step(p->m, p->now, step.by);
        if (!follows) break;
        player_look(p, step.by);
        const successor *s = choose(p, step.successor, step.key);
        bool last = !*prefix;
        follows = s && (last || (s->end == STEP_STOPPED && *prefix++ == ' ' && *prefix));
        if (follows) player_take(p, s);
    }
    p->how.record = marked;
    return follows;
}
