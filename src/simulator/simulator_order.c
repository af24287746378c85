#include "simulator/simulator_order.h"

#include "machine/look.h"
#include "machine/watch.h"

typedef VEC(uint32_t) numbers;

typedef struct waiting { /* the processes that an event wakes */
    numbers always[2];   /* statically sensitive; by is_method */
    numbers now[2];      /* at present */
} waiting;

typedef struct timed { /* the heap's entry */
    uint64_t due;
    uint32_t target; /* NO_INDEX: cancelled */
} timed;

typedef enum { WAITS_NOT, WAITS_STATIC, WAITS_ANY, WAITS_ALL } wait_mode;

typedef struct process {
    wait_mode mode;
    numbers events; /* that it waits for at present */
    bool queued;
    bool suspended, disabled;
    bool due;   /* suspended, but it could run */
    bool begun; /* it has run */
} process;

typedef struct queue { /* filled behind while the other end is emptied, which is filled when it is empty */
    numbers pushed, popped;
    size_t next; /* of popped */
} queue;

struct simulator_order {
    machine *m;
    const program *p;
    uint32_t events, threads;
    waiting *waiting;   /* by event */
    process *processes; /* by thread */
    queue queues[2];    /* by is_method */
    bool runs_methods;
    bool evaluates;       /* a process of this evaluation phase has run */
    numbers delta;        /* targets, in the order of notification */
    VEC(timed) timed;     /* a heap with the earliest first; entry 0 is not used */
    numbers requested;    /* updates, in order */
    struct update_notes { /* targets that each update notified for the next delta cycle */
        uint32_t update;
        numbers targets;
    } * notes;
    size_t note_count;
    uint64_t now;
    bool updating, initialised, lost;
    uint32_t listener; /* the process whose events are changed at present */
    uint32_t ran;      /* the process whose step it was; NO_INDEX: none */
    numbers within;    /* those that ran within its step */
    bool scheduled;    /* it was the scheduler's own */
};

static uint32_t order_of(const simulator_order *o, uint32_t thread, uint32_t event) {
    const thread_info *info = &o->p->threads.data[thread];
    for (uint32_t k = 0; info->sensitivity_order && k < info->sensitivity_count; k++)
        if (info->sensitivity[k] == event) return info->sensitivity_order[k];
    return 0;
}

/* Behind those that are listed earlier. */
static void enlist(const simulator_order *o, numbers *list, uint32_t thread, uint32_t event) {
    size_t at = list->size;
    vec_push(list, thread);
    for (; at > 0 && order_of(o, list->data[at - 1], event) > order_of(o, thread, event); at--)
        list->data[at] = list->data[at - 1];
    list->data[at] = thread;
}

simulator_order *simulator_order_create(machine *m) {
    simulator_order *o = mem_zero(1, sizeof *o);
    o->m = m;
    o->p = machine_program(m);
    o->events = (uint32_t)o->p->events.size;
    o->threads = (uint32_t)o->p->threads.size;
    o->waiting = mem_zero(o->events + 1, sizeof *o->waiting);
    o->processes = mem_zero(o->threads, sizeof *o->processes);
    o->notes = mem_zero(o->p->updates.size + 1, sizeof *o->notes);
    o->ran = NO_INDEX;
    vec_push(&o->timed, ((timed){0, NO_INDEX}));
    for (uint32_t t = 1; t < o->threads; t++) {
        const thread_info *info = &o->p->threads.data[t];
        for (uint32_t k = 0; k < info->sensitivity_count; k++)
            enlist(o, &o->waiting[info->sensitivity[k]].always[info->is_method], t, info->sensitivity[k]);
    }
    return o;
}

void simulator_order_destroy(simulator_order *o) {
    for (uint32_t e = 0; e < o->events; e++)
        for (int k = 0; k < 2; k++) {
            vec_free(&o->waiting[e].always[k]);
            vec_free(&o->waiting[e].now[k]);
        }
    for (uint32_t t = 0; t < o->threads; t++) vec_free(&o->processes[t].events);
    for (size_t k = 0; k < o->p->updates.size; k++) vec_free(&o->notes[k].targets);
    for (int k = 0; k < 2; k++) {
        vec_free(&o->queues[k].pushed);
        vec_free(&o->queues[k].popped);
    }
    vec_free(&o->delta);
    vec_free(&o->timed);
    vec_free(&o->requested);
    vec_free(&o->within);
    mem_free(o->notes);
    mem_free(o->waiting);
    mem_free(o->processes);
    mem_free(o);
}

bool simulator_order_is_lost(const simulator_order *o) {
    return o->lost;
}

/* --- timed notifications: the simulator's heap, which decides among equal times ------------------------- */

/* No entry is due before the one above it. */
FOR_ASSERTIONS static bool is_heap(const simulator_order *o) {
    for (size_t i = 2; i < o->timed.size; i++)
        if (o->timed.data[i / 2].due > o->timed.data[i].due) return false;
    return true;
}

static void heap_insert(simulator_order *o, timed entry) {
    vec_push(&o->timed, entry);
    size_t i = o->timed.size - 1;
    for (; i > 1 && o->timed.data[i / 2].due > entry.due; i /= 2) o->timed.data[i] = o->timed.data[i / 2];
    o->timed.data[i] = entry;
    slow_assert(is_heap(o));
}

static timed heap_extract(simulator_order *o) {
    assert(o->timed.size > 1);
    timed *heap = o->timed.data, top = heap[1];
    heap[1] = heap[o->timed.size - 1];
    o->timed.size--;
    for (size_t i = 1, left; left = 2 * i, left < o->timed.size;) {
        size_t first = heap[left].due < heap[i].due ? left : i;
        if (left + 1 < o->timed.size && heap[left + 1].due < heap[first].due) first = left + 1;
        if (first == i) break;
        timed moved = heap[i];
        heap[i] = heap[first];
        heap[first] = moved;
        i = first;
    }
    slow_assert(is_heap(o));
    return top;
}

/* --- pending notifications ------------------------------------------------------------------------------ */

static size_t find(const numbers *list, uint32_t what) {
    size_t k = list->size;
    while (k-- > 0)
        if (list->data[k] == what) return k;
    return SIZE_MAX;
}

/* The last one takes its place. */
static void take_out(numbers *list, uint32_t what) {
    size_t k = find(list, what);
    if (k == SIZE_MAX) return;
    list->data[k] = vec_last(list);
    list->size--;
}

static void cancel(simulator_order *o, uint32_t target) {
    take_out(&o->delta, target);
    for (size_t k = 1; k < o->timed.size; k++)
        if (o->timed.data[k].target == target) o->timed.data[k].target = NO_INDEX;
}

static void notify_later(simulator_order *o, uint32_t target, const term *due) {
    assert(target < o->events + o->threads);
    assert(o->updating == (o->note_count > 0)); /* what an update notifies is noted as its own */
    if (find(&o->delta, target) != SIZE_MAX) return;
    cancel(o, target);
    if (!due && o->updating)
        vec_push(&o->notes[o->note_count - 1].targets, target);
    else if (!due)
        vec_push(&o->delta, target);
    else if (term_is_const(due))
        heap_insert(o, (timed){due->value, target});
    else
        o->lost = true;
}

/* --- waking --------------------------------------------------------------------------------------------- */

static int kind_of(const simulator_order *o, uint32_t thread) {
    return o->p->threads.data[thread].is_method;
}

static uint32_t timer_of(const simulator_order *o, uint32_t thread) {
    return o->events + thread;
}

static void enqueue(simulator_order *o, uint32_t thread) {
    process *p = &o->processes[thread];
    if (p->queued) return;
    p->due = p->suspended;
    if (p->suspended) return;
    p->queued = true;
    vec_push(&o->queues[kind_of(o, thread)].pushed, thread);
}

static void remove_from(numbers *list, size_t first, uint32_t thread) {
    for (size_t k = first; k < list->size; k++) {
        if (list->data[k] != thread) continue;
        memmove(list->data + k, list->data + k + 1, (list->size - k - 1) * sizeof *list->data);
        list->size--;
        return;
    }
}

/* Whether it was in a queue. */
static bool dequeue(simulator_order *o, uint32_t thread) {
    process *p = &o->processes[thread];
    queue *q = &o->queues[kind_of(o, thread)];
    if (!p->queued) return false;
    p->queued = false;
    remove_from(&q->pushed, 0, thread);
    remove_from(&q->popped, q->next, thread);
    return true;
}

static void stop_waiting(simulator_order *o, uint32_t thread) {
    process *p = &o->processes[thread];
    for (size_t k = 0; k < p->events.size; k++)
        take_out(&o->waiting[p->events.data[k]].now[kind_of(o, thread)], thread);
    vec_clear(&p->events);
    p->mode = WAITS_NOT;
    cancel(o, timer_of(o, thread));
}

static void make_runnable(simulator_order *o, uint32_t thread) {
    stop_waiting(o, thread);
    enqueue(o, thread);
}

static void wake_static(simulator_order *o, const numbers *list) {
    for (size_t k = list->size; k-- > 0;) {
        const process *p = &o->processes[list->data[k]];
        if (p->mode == WAITS_STATIC && !p->disabled) make_runnable(o, list->data[k]);
    }
}

/* Whoever leaves the list of those that wait for the event is replaced by its last. */
static void wake_dynamic(simulator_order *o, uint32_t event, int kind) {
    numbers *list = &o->waiting[event].now[kind];
    for (size_t k = 0; k < list->size;) {
        uint32_t thread = list->data[k];
        process *p = &o->processes[thread];
        k += p->disabled;
        if (p->disabled) continue;
        list->data[k] = vec_last(list);
        list->size--;
        take_out(&p->events, event);
        if (p->mode == WAITS_ANY || !p->events.size) make_runnable(o, thread);
    }
}

static void trigger(simulator_order *o, uint32_t target) {
    assert(target < o->events + o->threads);
    if (target >= o->events) {
        make_runnable(o, target - o->events);
        return;
    }
    for (int kind = 1; kind >= 0; kind--) {
        wake_static(o, &o->waiting[target].always[kind]);
        wake_dynamic(o, target, kind);
    }
}

/* --- asynchronous resets -------------------------------------------------------------------------------- */

static const process_reset *reset_of(const simulator_order *o, uint32_t thread, uint32_t event) {
    const thread_info *info = &o->p->threads.data[thread];
    for (uint32_t k = 0; k < info->reset_count; k++)
        if (info->resets[k].event == event) return &info->resets[k];
    return NULL;
}

static void enqueue_in_front(simulator_order *o, uint32_t thread) {
    queue *q = &o->queues[0];
    dequeue(o, thread);
    stop_waiting(o, thread);
    o->processes[thread].queued = true;
    vec_push(&q->popped, thread);
    memmove(q->popped.data + q->next + 1, q->popped.data + q->next,
            (q->popped.size - 1 - q->next) * sizeof *q->popped.data);
    q->popped.data[q->next] = thread;
}

static bool has_ended(const simulator_order *o, uint32_t thread) {
    const process *p = &o->processes[thread];
    return o->initialised && p->mode == WAITS_NOT && !p->queued;
}

/* Whoever ends leaves its place in the list of a signal to the last of it, which is not followed here. */
static bool lists_are_mixed(const simulator_order *o, uint32_t event) {
    size_t reset = 0, ended = 0;
    for (uint32_t t = 1; t < o->threads; t++) {
        reset += reset_of(o, t, event) && !has_ended(o, t);
        ended += o->p->threads.data[t].reset_count && has_ended(o, t);
    }
    return reset > 1 && ended;
}

/* A method runs in the midst of the updates there, which it does not here. */
static void reset_process(simulator_order *o, uint32_t thread) {
    const process *p = &o->processes[thread];
    if (has_ended(o, thread)) return;
    if (kind_of(o, thread) || p->suspended || p->disabled)
        o->lost = true;
    else
        enqueue_in_front(o, thread);
}

/* Those that have named the signal are listed as they were made, behind them those that have named a port, in
 * the reverse order. */
static void reset_by(simulator_order *o, uint32_t event) {
    if (lists_are_mixed(o, event)) o->lost = true;
    for (uint32_t t = 1; t < o->threads; t++) {
        const process_reset *r = reset_of(o, t, event);
        if (r && !r->by_port) reset_process(o, t);
    }
    for (uint32_t t = o->threads; t-- > 1;) {
        const process_reset *r = reset_of(o, t, event);
        if (r && r->by_port) reset_process(o, t);
    }
}

/* What an asynchronous reset starts again is in front before any notification comes. */
static void reset_after_updates(simulator_order *o) {
    for (size_t k = 0; k < o->delta.size && !o->initialised; k++) /* updated before the simulation */
        reset_by(o, o->delta.data[k]);
    for (size_t k = o->requested.size; k-- > 0;)
        for (size_t n = 0; n < o->note_count; n++) {
            const struct update_notes *of = &o->notes[n];
            for (size_t t = 0; t < of->targets.size && of->update == o->requested.data[k]; t++)
                reset_by(o, of->targets.data[t]);
        }
}

/* A reset is not what the process waits for: its edge wakes it in another way. */
static void wait_for(simulator_order *o, uint32_t thread, uint32_t event) {
    if (reset_of(o, thread, event)) return;
    vec_push(&o->processes[thread].events, event);
    vec_push(&o->waiting[event].now[kind_of(o, thread)], thread);
}

/* --- what the machine tells ----------------------------------------------------------------------------- */

static void begin_update(simulator_order *o, uint32_t update) {
    struct update_notes *n = &o->notes[o->note_count++];
    n->update = update;
    vec_clear(&n->targets);
    o->updating = true;
}

void simulator_order_note(void *data, seen_kind what, uint32_t number, const term *due) {
    simulator_order *o = data;
    switch (what) {
    case SEEN_NOTIFY:
        cancel(o, number);
        trigger(o, number);
        break;
    case SEEN_NOTIFY_LATER: notify_later(o, number, due); break;
    case SEEN_CANCEL: cancel(o, number); break;
    case SEEN_WAIT: o->processes[number].mode = WAITS_ANY; break; /* the events are read behind the step */
    case SEEN_WAIT_STATIC: o->processes[number].mode = WAITS_STATIC; break;
    case SEEN_LISTEN:
        o->processes[number].mode = WAITS_ANY;
        o->listener = number;
        break;
    case SEEN_LISTEN_TO: wait_for(o, o->listener, number); break;
    case SEEN_REQUEST:
        if (find(&o->requested, number) == SIZE_MAX) vec_push(&o->requested, number);
        break;
    case SEEN_UPDATE:
        if (o->note_count < o->p->updates.size)
            begin_update(o, number);
        else
            o->lost = true;
        break;
    case SEEN_SUSPEND:
        o->processes[number].suspended = true;
        o->processes[number].due = dequeue(o, number) || number == o->ran;
        break;
    case SEEN_RESUME:
        o->processes[number].suspended = false;
        if (o->processes[number].due) enqueue(o, number);
        break;
    case SEEN_DISABLE:
    case SEEN_ENABLE: o->processes[number].disabled = what == SEEN_DISABLE; break;
    case SEEN_RUN_NOW: /* one that has not begun is killed or reset in another way there */
        if (!o->processes[number].begun ||
            (o->p->threads.data[number].is_spare && o->processes[number].queued))
            o->lost = true;
        dequeue(o, number);
        stop_waiting(o, number);
        vec_push(&o->within, number);
        break;
    }
}

/* --- behind a step -------------------------------------------------------------------------------------- */

/* Of the process that has just stopped. */
static void read_waits(simulator_order *o, const state *s, uint32_t thread) {
    const thread_part *t = thread_of(s, thread);
    process *p = &o->processes[thread];
    if (status_of(t) == THREAD_ENDED) p->mode = WAITS_NOT;
    if (p->mode != WAITS_ANY) return;
    if (wait_all_of(t)) p->mode = WAITS_ALL;
    for (uint32_t k = 0; k < wait_count_of(t); k++) wait_for(o, thread, waits_of(t)[k].event);
}

static void initialise(simulator_order *o) {
    o->initialised = true;
    for (uint32_t t = 1; t < o->threads; t++) {
        if (o->p->threads.data[t].dont_initialize)
            o->processes[t].mode = WAITS_STATIC;
        else
            make_runnable(o, t);
    }
}

static void notify_after_updates(simulator_order *o) {
    for (size_t k = o->requested.size; k-- > 0;)
        for (size_t n = 0; n < o->note_count; n++) {
            const struct update_notes *of = &o->notes[n];
            if (of->update != o->requested.data[k]) continue;
            for (size_t t = 0; t < of->targets.size; t++) vec_push(&o->delta, of->targets.data[t]);
        }
    vec_clear(&o->requested);
    o->note_count = 0;
    o->updating = false;
    numbers due = o->delta;
    o->delta = (numbers){0};
    for (size_t k = due.size; k-- > 0;) trigger(o, due.data[k]);
    vec_free(&due);
}

/* Cancelled entries stay in the heap, and shape it, until time goes on. */
static void advance_to(simulator_order *o, uint64_t now) {
    if (now == o->now) return;
    assert(now > o->now);
    o->now = now;
    while (o->timed.size > 1) {
        timed top = o->timed.data[1];
        if (top.target != NO_INDEX && top.due > now) return;
        heap_extract(o);
        if (top.target != NO_INDEX) trigger(o, top.target);
    }
}

/* Whether the queues have exactly those that the machine would let run. */
static bool agrees(const simulator_order *o, const state *s) {
    for (uint32_t t = 1; t < o->threads; t++) {
        const thread_part *part = thread_of(s, t);
        bool runs = status_of(part) == THREAD_RUNNABLE && !suspended_of(part);
        if (runs != o->processes[t].queued) return false;
    }
    return true;
}

FOR_ASSERTIONS static size_t count_in(const numbers *list, size_t first, uint32_t thread) {
    size_t count = 0;
    for (size_t k = first; k < list->size; k++) count += list->data[k] == thread;
    return count;
}

/* Whoever is queued is in the queue of its kind, once. */
FOR_ASSERTIONS static bool queues_are_sound(const simulator_order *o) {
    for (uint32_t t = 1; t < o->threads; t++) {
        const queue *own = &o->queues[kind_of(o, t)], *other = &o->queues[!kind_of(o, t)];
        size_t here = count_in(&own->pushed, 0, t) + count_in(&own->popped, own->next, t);
        size_t there = count_in(&other->pushed, 0, t) + count_in(&other->popped, other->next, t);
        if (here != o->processes[t].queued || there) return false;
    }
    return true;
}

/* Whoever waits for an event is on its list, and the other way round. */
FOR_ASSERTIONS static bool lists_agree(const simulator_order *o) {
    size_t listed = 0, waited_for = 0;
    for (uint32_t e = 0; e < o->events; e++) listed += o->waiting[e].now[0].size + o->waiting[e].now[1].size;
    for (uint32_t t = 1; t < o->threads; t++) {
        const process *p = &o->processes[t];
        waited_for += p->events.size;
        for (size_t k = 0; k < p->events.size; k++)
            if (find(&o->waiting[p->events.data[k]].now[kind_of(o, t)], t) == SIZE_MAX) return false;
    }
    return listed == waited_for;
}

void simulator_order_go_on(simulator_order *o, const state *s) {
    for (size_t k = 0; k < o->within.size; k++) read_waits(o, s, o->within.data[k]);
    vec_clear(&o->within);
    if (o->ran != NO_INDEX) {
        read_waits(o, s, o->ran);
    } else if (initialised_of(scheduler_of(s))) {
        bool begins = !o->initialised;
        bool phase_over = (begins || o->scheduled) && phase_of(scheduler_of(s)) != PHASE_UPDATE;
        if (phase_over) o->evaluates = false;
        if (phase_over && !stopping_of(scheduler_of(s))) reset_after_updates(o);
        if (begins) initialise(o);
        if (phase_over && !stopping_of(scheduler_of(s))) notify_after_updates(o);
        if (phase_over && term_is_const(time_of(scheduler_of(s))))
            advance_to(o, time_of(scheduler_of(s))->value);
    }
    if (initialised_of(scheduler_of(s)) && phase_of(scheduler_of(s)) == PHASE_EVALUATE && !agrees(o, s))
        o->lost = true;
    slow_assert(queues_are_sound(o));
    slow_assert(lists_agree(o));
}

/* --- choosing ------------------------------------------------------------------------------------------- */

static bool pop(simulator_order *o, int kind, uint32_t *thread) {
    queue *q = &o->queues[kind];
    if (q->next == q->popped.size) return false;
    *thread = q->popped.data[q->next++];
    assert(o->processes[*thread].queued && kind_of(o, *thread) == kind);
    o->processes[*thread].queued = false;
    o->processes[*thread].begun = true;
    return true;
}

static void refill(queue *q) {
    if (q->next < q->popped.size) return;
    numbers empty = q->popped;
    vec_clear(&empty);
    q->popped = q->pushed;
    q->pushed = empty;
    q->next = 0;
}

/* All methods that are there, then all threads, and so on. */
static bool next_process(simulator_order *o, uint32_t *thread) {
    if (!o->evaluates) {
        o->evaluates = o->runs_methods = true;
        refill(&o->queues[1]);
    }
    for (int turns = 0; turns < 4; turns++) {
        if (pop(o, o->runs_methods, thread)) return true;
        o->runs_methods = !o->runs_methods;
        refill(&o->queues[o->runs_methods]);
    }
    return false;
}

/* Of several orders of channel updates: what was requested last comes first. */
static size_t choose_update(const simulator_order *o, const state *s, const transitions *enabled) {
    for (size_t k = o->requested.size; k-- > 0 && enabled->size > 1;)
        for (size_t e = 0; e < enabled->size; e++)
            if (updates_of(scheduler_of(s))[enabled->data[e].choice] == o->requested.data[k]) return e;
    return 0;
}

bool simulator_order_choose(simulator_order *o, const state *s, transition *out) {
    transitions enabled = {0};
    machine_enabled(o->m, s, &enabled);
    o->ran = NO_INDEX;
    bool found = enabled.size > 0 && !o->lost;
    bool of_processes = found && phase_of(scheduler_of(s)) == PHASE_EVALUATE &&
                        enabled.data[0].thread != MACHINE_KERNEL && running_of(scheduler_of(s)) == NO_INDEX;
    if (of_processes) {
        o->lost = !next_process(o, &o->ran) || !transitions_find(&enabled, o->ran, out);
        found = !o->lost;
    } else if (found) {
        *out = enabled.data[choose_update(o, s, &enabled)];
    }
    o->scheduled = found && out->thread == MACHINE_KERNEL;
    vec_free(&enabled);
    return found;
}
