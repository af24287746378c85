/* Which objects have lived at the same time, on a path with fixed inputs.
 *
 * Concrete executions alone have one order of everything; elsewhere nothing is noted. A state has what
 * happened on the way to it, so that two who follow different paths know nothing of each other. */
#include "machine/internal.h"

typedef enum life_kind { LIFE_BEGAN, LIFE_ENDED, LAY_WHERE_OTHERS_DID } life_kind;

struct life_event {
    uint32_t refs;
    uint32_t object;
    life_kind kind;
    uint64_t position;  /* LAY_WHERE_OTHERS_DID: according to an answer */
    uint64_t moment;    /* of the path */
    life_event *before; /* the last one before it; NULL: none */
};

life_event *lives_share(life_event *last) {
    assert(last->refs);
    last->refs++;
    return last;
}

void lives_release(life_event *last) {
    while (last && !--last->refs) {
        life_event *before = last->before;
        mem_free(last);
        last = before;
    }
}

static void note(state *s, life_kind kind, uint32_t object, uint64_t position) {
    assert(s->refs == 1);
    life_event *now = mem_alloc(sizeof *now);
    *now = (life_event){1, object, kind, position, s->lives ? s->lives->moment + 1 : 1, s->lives};
    s->lives = now;
}

void note_birth(const machine *m, state *s, uint32_t object) {
    if (fixed_inputs(m)) note(s, LIFE_BEGAN, object, 0);
}

void note_death(const machine *m, state *s, uint32_t object) {
    if (fixed_inputs(m)) note(s, LIFE_ENDED, object, 0);
}

/* From when to when there was an object of this name; 0: it was made before anybody noted, or is still there. A
 * local of which nobody knew has the same name when its block is entered again. */
static void life_of(const state *s, uint32_t object, uint64_t *began, uint64_t *ended) {
    *began = *ended = 0;
    for (const life_event *e = s->lives; e; e = e->before) {
        if (e->object != object || e->kind == LAY_WHERE_OTHERS_DID) continue;
        if (!*began && e->kind == LIFE_ENDED && !*ended) *ended = e->moment;
        if (e->kind == LIFE_BEGAN) *began = e->moment;
    }
}

static bool ended_before(const state *s, uint32_t one, uint32_t other) {
    uint64_t began[2], ended[2];
    life_of(s, one, &began[0], &ended[0]);
    life_of(s, other, &began[1], &ended[1]);
    return ended[0] && began[1] && ended[0] < began[1];
}

static bool lived_together(const state *s, uint32_t one, uint32_t other) {
    return one != other && !ended_before(s, one, other) && !ended_before(s, other, one);
}

/* Whether both lay at the same place, together with all that did so according to earlier answers. */
static bool could_lie_there(const state *s, uint64_t position, uint32_t one, uint32_t other) {
    if (lived_together(s, one, other)) return false;
    for (const life_event *e = s->lives; e; e = e->before) {
        bool there = e->kind == LAY_WHERE_OTHERS_DID && e->position == position;
        if (there && (lived_together(s, e->object, one) || lived_together(s, e->object, other))) return false;
    }
    return true;
}

bool did_lie_there(machine *m, state *s, uint64_t position, uint32_t one, uint32_t other) {
    if (!could_lie_there(s, position, one, other)) {
        NOTE_FACT(m, reuse_refuted);
        return false;
    }
    note(s, LAY_WHERE_OTHERS_DID, one, position);
    note(s, LAY_WHERE_OTHERS_DID, other, position);
    return true;
}
