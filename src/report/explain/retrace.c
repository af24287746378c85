#include "machine/hangs.h"
#include "machine/setup.h"
#include "report/explain/retrace_course.h"

/* Where the recorded schedule ends without a violation, as far as the program is led on to see whether it
 * comes a little later. */
enum { MOST_STEPS_BEHIND = 1000 };

/* --- following ------------------------------------------------------------------------------------------ */

static bool stands_at(course *c, uint32_t thread, const recorded_step *step) {
    if (!course_has_operations(c)) {
        bool moved = thread < c->stopped.size && c->stopped.data[thread].function;
        return moved ? !step->first && standing_is_at(&c->stopped.data[thread], &step->stopped) : step->first;
    }
    standing s = standing_of(&c->view, c->wanted->files, c->wanted->file_count, c->at.now, thread);
    bool same = standing_is_at(&s, &step->place);
    standing_free(&s);
    return same;
}

/* The next step of this thread that was recorded and not made yet; NULL: there is none. */
static const recorded_step *next_recorded(const course *c, uint32_t id) {
    for (size_t i = 0; i < c->recorded->steps.size; i++)
        if (!c->done.data[i] && c->recorded->steps.data[i].place.id == id) return &c->recorded->steps.data[i];
    return NULL;
}

/* Whether the thread stands where it made a later step in the recording, so that the one expected is gone. */
static bool stands_at_later_step(course *c, uint32_t thread, size_t expected) {
    uint32_t id = c->recorded->steps.data[expected].place.id;
    standing s = standing_of(&c->view, c->wanted->files, c->wanted->file_count, c->at.now, thread);
    bool found = false;
    for (size_t i = expected + 1; i < c->recorded->steps.size && !found; i++) {
        const recorded_step *r = &c->recorded->steps.data[i];
        found = r->place.id == id && r->place.at.line && standing_is_at(&s, &r->place);
    }
    for (size_t i = 0; i < c->recorded->race.size && !found; i++)
        found = c->recorded->race.data[i].id == id && standing_is_at(&s, &c->recorded->race.data[i]);
    standing_free(&s);
    return found;
}

/* Somebody who stands before an operation that was not recorded makes it, so that a blocked thread may get
 * on. False: there is nobody. */
static bool let_another_go(course *c, const recorded_place *expected, uint32_t blocked, went *result) {
    transitions enabled = {0};
    bool found = false;
    transition chosen;
    machine_enabled(c->at.m, c->at.now, &enabled);
    for (size_t i = 0; i < enabled.size && !found; i++) {
        uint32_t t = enabled.data[i].thread;
        const recorded_step *next = next_recorded(c, course_recorded_id(c, t));
        found = t != blocked && !(next && stands_at(c, t, next));
        if (found) chosen = enabled.data[i];
    }
    vec_free(&enabled);
    if (found) *result = course_take_extra_step(c, expected, chosen);
    return found;
}

static went follow_scheduler(course *c, const recorded_step *step) {
    transition t = {MACHINE_KERNEL, step->choice};
    if (course_is_enabled(c, t)) return course_take_step(c, &step->place, t);
    return course_diverge(c, &step->place, NO_INDEX,
                          "it is not the scheduler's turn: some thread can still run");
}

/* In a loop that tells nobody anything, for these values: in the recording it went on nevertheless. */
static bool is_asleep(const course *c, uint32_t thread) {
    return program_kernel(c->view.p)->loops_can_wait &&
           status_of(thread_of(c->at.now, thread)) == THREAD_RUNNABLE &&
           machine_sleeps(c->at.m, c->at.now, thread);
}

static const char *why_it_is_gone(const course *c, uint32_t thread) {
    if (thread == NO_INDEX) return "there is no such thread yet";
    if (c->finished) return "the program has ended";
    if (status_of(thread_of(c->at.now, thread)) == THREAD_STUCK) return "the thread is held by an assumption";
    return status_of(thread_of(c->at.now, thread)) == THREAD_ENDED ? "the thread has ended before" : NULL;
}

/* WENT_NOWHERE: the thread is blocked and nobody can help. */
static went follow_thread(course *c, size_t index) {
    const recorded_step *step = &c->recorded->steps.data[index];
    for (;;) {
        uint32_t thread = course_thread(c, &step->place);
        const char *gone = why_it_is_gone(c, thread);
        if (gone) return course_diverge(c, &step->place, thread, gone);
        bool there = stands_at(c, thread, step);
        if (!there && course_has_operations(c) && !step->place.at.line) return WENT_ON; /* it did nothing */
        if (!there && (!course_has_operations(c) || stands_at_later_step(c, thread, index)))
            return course_diverge(c, &step->place, thread, "the thread stands elsewhere");
        went result;
        transition by = {thread, step->choice}; /* or, if it stands at another operation, as it can */
        if (there ? course_is_enabled(c, by) || is_asleep(c, thread) : course_finds_step(c, thread, &by))
            result =
                there ? course_take_step(c, &step->place, by) : course_take_extra_step(c, &step->place, by);
        else if (!course_has_operations(c))
            return course_diverge(c, &step->place, thread, "the thread cannot run now");
        else if (!let_another_go(c, &step->place, thread, &result))
            return WENT_NOWHERE;
        else
            there = false;
        if (result == WENT_ON && c->missing) {
            text why = {0};
            text_format(&why, "there is no value for input %s", c->missing);
            course_diverge(c, &step->place, thread, text_cstr(&why));
            text_free(&why);
            return WENT_TO_END;
        }
        if (result != WENT_ON || there) return result;
    }
}

static void note_put_off(course *c, size_t index) {
    const recorded_place *expected = &c->recorded->steps.data[index].place;
    uint32_t thread = course_thread(c, expected);
    standing s = standing_of(&c->view, c->wanted->files, c->wanted->file_count, c->at.now, thread);
    text_format(&c->notes, "  at step %zu it waits: ", index + 1);
    standing_print(&s, expected->thread, &c->notes);
    text_char(&c->notes, '\n');
    standing_free(&s);
}

/* Whether another step of the same thread is put off, among the first so many. */
static bool waits_for_its_turn(const course *c, size_t index, size_t first) {
    for (size_t i = 0; i < first; i++)
        if (c->recorded->steps.data[c->put_off.data[i]].place.id == c->recorded->steps.data[index].place.id)
            return true;
    return false;
}

/* Steps that were put off are made as soon as they can be. */
static went catch_up(course *c) {
    size_t i = 0;
    while (i < c->put_off.size) {
        size_t index = c->put_off.data[i];
        /* In the order of the recording. */
        assert(!c->done.data[index] && (!i || c->put_off.data[i - 1] < index));
        vec_remove(&c->put_off, i);
        c->following = index;
        went result = waits_for_its_turn(c, index, i) ? WENT_NOWHERE : follow_thread(c, index);
        if (result == WENT_TO_END) return result;
        if (result == WENT_ON) {
            c->done.data[index] = true;
            i = 0;
            continue;
        }
        vec_reserve(&c->put_off, c->put_off.size + 1);
        memmove(c->put_off.data + i + 1, c->put_off.data + i, (c->put_off.size - i) * sizeof(size_t));
        c->put_off.data[i++] = index;
        c->put_off.size++;
    }
    return WENT_ON;
}

static went follow_steps(course *c) {
    for (size_t i = 0; i < c->recorded->steps.size; i++) {
        const recorded_step *step = &c->recorded->steps.data[i];
        if (catch_up(c) == WENT_TO_END) return WENT_TO_END;
        c->following = i;
        went result = WENT_NOWHERE;
        if (step->place.id == MACHINE_KERNEL)
            result = follow_scheduler(c, step);
        else if (!waits_for_its_turn(c, i, c->put_off.size))
            result = follow_thread(c, i);
        if (result == WENT_TO_END) return result;
        c->done.data[i] = result == WENT_ON;
        if (result == WENT_ON) continue;
        if (!waits_for_its_turn(c, i, c->put_off.size)) note_put_off(c, i);
        vec_push(&c->put_off, i);
    }
    if (catch_up(c) == WENT_TO_END) return WENT_TO_END;
    if (!c->put_off.size) return WENT_ON;
    c->following = c->put_off.data[0];
    const recorded_place *expected = &c->recorded->steps.data[c->following].place;
    return course_diverge(c, expected, course_thread(c, expected), "the thread is blocked");
}

/* --- behind the last recorded step ---------------------------------------------------------------------- */

/* Leads a racing thread to its access, past operations that are new. */
static went lead_to_access(course *c, const recorded_place *access, uint32_t thread) {
    for (;;) {
        const char *gone = why_it_is_gone(c, thread);
        if (gone) return course_diverge(c, access, thread, gone);
        standing s = standing_of(&c->view, c->wanted->files, c->wanted->file_count, c->at.now, thread);
        bool there = standing_is_at(&s, access);
        standing_free(&s);
        if (there) return WENT_THERE;
        transition by;
        if (!course_finds_step(c, thread, &by)) return WENT_NOWHERE;
        went result = course_take_extra_step(c, access, by);
        if (result != WENT_ON) return result;
    }
}

static bool races_now(course *c, const uint32_t threads[2]) {
    access racing[2];
    seen_place places[2];
    bool alive = threads[0] < state_thread_count(c->at.now) && threads[1] < state_thread_count(c->at.now);
    return alive && state_races(c->at.m, c->at.now, &(step_options){.inputs = c->out->inputs, .replay = true},
                                threads, racing, places);
}

static went judge_race(course *c) {
    uint32_t threads[2];
    for (int k = 0; k < 2; k++) threads[k] = course_thread(c, &c->recorded->race.data[k]);
    for (int k = 0; k < 2 && !races_now(c, threads); k++) {
        went result = lead_to_access(c, &c->recorded->race.data[k], threads[k]);
        if (result == WENT_TO_END) return result;
        if (result == WENT_NOWHERE)
            text_format(&c->notes, "  %s is blocked while %s stands at its access\n",
                        c->recorded->race.data[k].thread, c->recorded->race.data[1 - k].thread);
    }
    if (!races_now(c, threads)) return WENT_ON;
    memcpy(c->out->racing, threads, sizeof threads);
    return course_fail(c, true, VIOLATION_RACE, "race",
                       "two threads access the same memory at the same time");
}

/* The access of the first thread was made on the way: nothing may order the one of the second behind it. */
static went judge_late_race(course *c) {
    uint32_t threads[2];
    for (int k = 0; k < 2; k++) threads[k] = course_thread(c, &c->recorded->race.data[k]);
    went result = lead_to_access(c, &c->recorded->race.data[1], threads[1]);
    if (result != WENT_THERE) return result == WENT_TO_END ? result : WENT_ON;
    effect next = {0};
    happens_races races = {0};
    transition by;
    if (course_finds_step(c, threads[1], &by))
        state_collect_next(c->at.m, c->at.now, &(step_options){.inputs = c->out->inputs, .replay = true},
                           threads[1], &next);
    happens_add(c->happens, threads[1], next.data, next.size, &races);
    for (size_t i = 0; i < races.size && !c->out->earlier; i++)
        if (races.data[i].thread == threads[0]) c->out->earlier = races.data[i].step + 1;
    effect_free(&next);
    vec_free(&races);
    if (!c->out->earlier) return WENT_ON;
    memcpy(c->out->racing, threads, sizeof threads);
    return course_fail(c, true, VIOLATION_RACE, "race", "nothing orders two accesses to the same memory");
}

/* A step of the thread that failed, or of any other if the failure was that nobody could go on. */
static bool find_step_behind(const course *c, bool anybody, transition *out) {
    const recorded_step *last = c->recorded->steps.size ? &vec_last(&c->recorded->steps) : NULL;
    uint32_t thread = last ? course_thread(c, &last->place) : NO_INDEX;
    if (thread != NO_INDEX && course_finds_step(c, thread, out)) return true;
    if (!anybody || c->finished) return false;
    transitions enabled = {0};
    machine_enabled(c->at.m, c->at.now, &enabled);
    bool found = enabled.size;
    if (found) *out = enabled.data[0];
    vec_free(&enabled);
    return found;
}

static went go_on(course *c) {
    static const recorded_place behind = {.thread = "the end of the trace"};
    bool anybody = course_is_kind(c, "deadlock") || course_is_kind(c, "livelock");
    for (size_t k = 0; k < MOST_STEPS_BEHIND && !c->finished && !c->missing; k++) {
        transition by;
        if (!find_step_behind(c, anybody, &by)) break;
        size_t steps = c->at.done.size;
        if (course_take_step(c, &behind, by) == WENT_ON) continue;
        if (c->out->answer != RETRACE_DIVERGES) return WENT_TO_END;
        c->answered = false; /* nothing was promised of what lies behind */
        c->out->said.size = 0;
        c->at.done.size = steps;
        break;
    }
    return WENT_ON;
}

static void say_fixed(course *c) {
    const recorded_trace *r = c->recorded;
    text *out = &c->out->said;
    course_answer(c, RETRACE_FIXED);
    c->out->step = 0;
    size_t steps = recorded_number(r, r->steps.size + 1);
    text_format(out, "fixed along this schedule: the trace was followed to its end (%zu step%s), and ", steps,
                steps == 1 ? "" : "s");
    if (r->kind)
        text_format(out, "this is not violated: %s: %s\n", r->kind, r->text);
    else
        text_add(out, "nothing failed\n");
    text_add(out,
             "  This is one schedule with one choice of inputs, and no proof: 'heddle check' looks at all of "
             "them.\n");
}

/* The program asks for places that the recorded execution did not ask for. */
static void say_unclear(course *c) {
    course_answer(c, RETRACE_DIVERGES);
    text_format(
        &c->out->said,
        "diverges behind step %zu: which object lies first in memory is not recorded, and the program "
        "asks for it\n",
        recorded_number(c->recorded, c->out->step));
}

void retrace_follow(machine *m, const retrace_request *wanted, retrace *out) {
    *out = (retrace){.check = NO_INDEX};
    course c = {.wanted = wanted, .recorded = wanted->recorded, .out = out};
    c.view = (replay){.m = m, .p = machine_program(m), .stops = wanted->recorded->stops};
    course_open(&c, m);
    went result = course_judge_deadlock(&c);
    if (result == WENT_ON) result = follow_steps(&c);
    size_t extra = c.extra;
    c.following = c.recorded->steps.size;
    if (result == WENT_ON && c.recorded->race.size)
        result = c.recorded->raced_before ? judge_late_race(&c) : judge_race(&c);
    if (result == WENT_ON && course_has_operations(&c) && !c.recorded->race.size) go_on(&c);
    if (!c.answered && c.lacks_place) say_unclear(&c);
    if (!c.answered) say_fixed(&c);
    text_add(&out->said, text_cstr(&c.notes));
    if (extra)
        text_format(&out->said, "  %zu operation%s that the trace does not have %s executed on the way\n",
                    extra, extra == 1 ? "" : "s", extra == 1 ? "was" : "were");
    assert(out->said.size && (c.done.size == c.recorded->steps.size));
    course_close(&c);
}

void retrace_free(retrace *r) {
    text_free(&r->said);
    vec_free(&r->path);
    valuation_destroy(r->inputs);
}
