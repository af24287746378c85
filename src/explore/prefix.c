#include "explore/prefix.h"

#include "base/hash.h"
#include "machine/naming.h"

#include <ctype.h>
#include <stdlib.h>

/* --- ways ----------------------------------------------------------------------------------------------- */

static uint64_t key_of_mark(const machine *m, way_mark mark) {
    bool of_thread = mark.kind == WAY_THREAD;
    return hash_pair(mark.kind, of_thread ? machine_thread_key(m, (uint32_t)mark.number) : mark.number);
}

static uint64_t key_of_way(const machine *m, const successor *s) {
    uint64_t key = s->end;
    for (size_t i = 0; s->went && i < s->went->marks.size; i++)
        key = hash_pair(key, key_of_mark(m, s->went->marks.data[i]));
    return key;
}

/* Not everything that parts ways leaves a mark: some successors may have one key. */
typedef struct place_among_alike {
    size_t number, count; /* the how manyth, from 0, of how many */
} place_among_alike;

static place_among_alike place_of(const player *p, const successor *s) {
    place_among_alike a = {0};
    for (size_t i = 0; i < p->next.size; i++) {
        bool alike = key_of_way(p->m, &p->next.data[i]) == key_of_way(p->m, s);
        a.count += alike;
        a.number += alike && &p->next.data[i] < s;
    }
    return a;
}

/* The one of that number, if as many go that way as did where it was recorded. */
static const successor *choose(const player *p, place_among_alike wanted, uint64_t key) {
    for (size_t i = 0; i < p->next.size; i++) {
        const successor *s = &p->next.data[i];
        if (key_of_way(p->m, s) != key) continue;
        place_among_alike here = place_of(p, s);
        if (here.count != wanted.count) return NULL;
        if (here.number == wanted.number) return s;
    }
    return NULL;
}

/* --- writing -------------------------------------------------------------------------------------------- */

static void print_step(const player *p, const successor *s, text *out) {
    if (p->done.size) text_char(out, ' ');
    machine_print_thread(p->m, s->step.by.thread, out);
    place_among_alike a = place_of(p, s);
    text_format(out, ":%u/%zu/%zu@%llx", s->step.by.choice, a.number, a.count,
                (unsigned long long)key_of_way(p->m, s));
}

bool prefix_print(machine *m, const path *steps, const step_options *how, text *out) {
    step_options marked = *how;
    marked.record = true;
    bool follows = true, hurried = !solver_set_unhurried(machine_solver(m), true);
    player p = player_begin(m, &marked);
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
    solver_set_unhurried(machine_solver(m), !hurried);
    return follows;
}

/* --- reading -------------------------------------------------------------------------------------------- */

/* A number behind this character. */
static bool read_number(const char **from, char before, int base, uint64_t *number) {
    if (**from != before) return false;
    char *end;
    const char *digits = *from + 1;
    bool begins = base == 16 ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits);
    if (!begins || (*digits == '0' && digits[1] == 'x')) return false; /* strtoull takes more */
    *number = strtoull(digits, &end, base);
    *from = end;
    return end > digits;
}

typedef struct named_step {
    transition by;
    place_among_alike at;
    uint64_t key;
} named_step;

static bool read_step(const machine *m, const char **from, named_step *out) {
    uint64_t choice, number, count;
    bool good = machine_read_thread(m, from, &out->by.thread) && read_number(from, ':', 10, &choice) &&
                read_number(from, '/', 10, &number) && read_number(from, '/', 10, &count) &&
                read_number(from, '@', 16, &out->key) && choice < UINT32_MAX;
    if (!good) return false;
    out->by.choice = (uint32_t)choice;
    out->at = (place_among_alike){number, count};
    return true;
}

bool prefix_follow(player *p, const char *prefix) {
    bool marked = p->how.record, follows = true;
    bool hurried = !solver_set_unhurried(machine_solver(p->m), true);
    p->how.record = true;
    while (*prefix && follows) {
        named_step step;
        follows = read_step(p->m, &prefix, &step) && machine_can_step(p->m, p->now, step.by);
        if (!follows) break;
        player_look(p, step.by);
        const successor *s = choose(p, step.at, step.key);
        bool last = !*prefix;
        follows = s && (last || (s->end == STEP_STOPPED && *prefix++ == ' ' && *prefix));
        if (follows) player_take(p, s);
    }
    p->how.record = marked;
    solver_set_unhurried(machine_solver(p->m), !hurried);
    return follows;
}
