/* What of a counterexample matters: inputs and context switches, in words. */
#include "report/replay.h"

/* --- inputs --------------------------------------------------------------------------------------------- */

static const input_need *find_need(const shrunk *known, uint64_t name) {
    for (size_t i = 0; i < known->needs.size; i++)
        if (known->needs.data[i].symbol->value == name) return &known->needs.data[i];
    return NULL;
}

static char *number_text(replay *r, const state *s, const input_need *n, uint64_t number, scalar_type type) {
    type.width = n->symbol->width;
    return value_text(r, s, (value){term_const(machine_terms(r->m), type.width, number), 0}, type);
}

static void print_need(replay *r, const state *s, const input_need *n, scalar_type type, text *out) {
    uint64_t sign = n->is_signed ? UINT64_C(1) << (n->symbol->width - 1) : 0,
             all = term_mask(n->symbol->width);
    bool from_least = (n->low ^ sign) == 0, to_greatest = (n->high ^ sign) == all;
    char *low = number_text(r, s, n, n->low, type), *high = number_text(r, s, n, n->high, type);
    switch (n->kind) {
    case NEED_UNKNOWN: break;
    case NEED_NOTHING: text_add(out, "any value"); break;
    case NEED_NOT: text_format(out, "anything but %s", low); break;
    case NEED_AMONG: text_format(out, "some values from %s to %s", low, high); break;
    case NEED_RANGE:
        if (n->low == n->high)
            text_format(out, "exactly %s", low);
        else if (from_least)
            text_format(out, "at most %s", high);
        else if (to_greatest)
            text_format(out, "at least %s", low);
        else
            text_format(out, "from %s to %s", low, high);
        break;
    }
    mem_free(low);
    mem_free(high);
}

void describe_need(replay *r, const state *s, uint64_t name, scalar_type type, trace_input *out) {
    if (!r->shrunk || !r->shrunk->needs_known) return;
    const input_need *n = find_need(r->shrunk, name);
    text said = {0};
    if (n)
        print_need(r, s, n, type, &said);
    else
        text_add(&said, "any value"); /* no condition of the path mentions it */
    out->any = !n || n->kind == NEED_NOTHING;
    out->need = said.size ? take_text(&said) : NULL;
    text_free(&said);
}

static void print_input_needs(const trace *t, text *out) {
    size_t shown = 0, any = 0;
    for (size_t i = 0; i < t->steps.size; i++)
        for (size_t k = 0; k < t->steps.data[i].inputs.size; k++) {
            const trace_input *input = &t->steps.data[i].inputs.data[k];
            any += input->need && input->any;
            if (!input->need || input->any) continue;
            text_format(out, "%s%s = %s (%s)", shown++ ? ", " : "Inputs that matter: ", input->name,
                        input->value, input->need);
        }
    if (shown) text_add(out, ".\n");
    if (any && shown)
        text_format(out, "All other inputs may have any value.\n");
    else if (any)
        text_format(out, "No input matters: any values will do.\n");
}

/* --- context switches ----------------------------------------------------------------------------------- */

const char *trace_short_file(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void print_switch(const trace_step *before, const trace_step *now, const char *file, text *out) {
    if (strcmp(now->phase, "run")) {
        text_format(out, "  %s comes before %s in delta cycle %llu\n", before->thread, now->thread,
                    (unsigned long long)now->delta);
        return;
    }
    text_format(out, "  %s is interrupted", before->thread);
    if (before->to.line)
        text_format(out, " before %s:%u:%u", trace_short_file(before->to_file ? before->to_file : file),
                    before->to.line, before->to.column);
    text_format(out, " by %s\n", now->thread);
}

static void print_switches(const trace *t, const char *file, text *out) {
    size_t necessary = 0, looked_at = 0;
    for (size_t i = 0; i < t->steps.size; i++) {
        necessary += t->steps.data[i].switched == SWITCH_NECESSARY;
        looked_at += t->steps.data[i].switched > SWITCH_UNKNOWN;
    }
    if (!t->now.switches || looked_at < t->now.switches) return;
    bool preemptive = !strcmp(t->steps.data[0].phase, "run");
    text_format(
        out, preemptive ? "%zu of %zu context switches %s%s\n" : "%zu of %zu orders of two processes %s%s\n",
        necessary, t->now.switches, necessary == 1 ? "matters" : "matter", necessary ? ":" : ".");
    for (size_t i = 1; i < t->steps.size; i++)
        if (t->steps.data[i].switched == SWITCH_NECESSARY)
            print_switch(&t->steps.data[i - 1], &t->steps.data[i], file, out);
}

void trace_print_matters(const trace *t, const char *file, text *out) {
    if (!t->is_shrunk || !t->steps.size) return;
    print_switches(t, file, out);
    print_input_needs(t, out);
}
