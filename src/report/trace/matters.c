/* What of a counterexample matters: inputs and context switches, in words. */
#include "report/trace/replay.h"

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

static void print_order(const char *first, const char *second, uint64_t delta, text *out) {
    text_format(out, "  %s comes before %s in delta cycle %llu\n", first, second, (unsigned long long)delta);
}

static void print_switch(const trace_step *before, const trace_step *now, const char *file, text *out) {
    text_format(out, "  %s is interrupted", before->thread);
    if (before->to.line)
        text_format(out, " before %s:%u:%u", trace_short_file(before->to_file ? before->to_file : file),
                    before->to.line, before->to.column);
    text_format(out, " by %s\n", now->thread);
}

static size_t count_switches(const trace *t, switch_kind least, switch_kind most) {
    size_t count = 0;
    for (size_t i = 0; i < t->steps.size; i++)
        count += t->steps.data[i].switched >= least && t->steps.data[i].switched <= most;
    return count;
}

static size_t count_necessary(const trace *t) {
    return count_switches(t, SWITCH_NECESSARY, SWITCH_NECESSARY);
}

static bool somebody_looked_at_all(const trace *t) {
    return count_switches(t, SWITCH_FORCED, SWITCH_FREE) >= t->now.switches;
}

static void print_switches(const trace *t, const char *file, text *out) {
    size_t necessary = count_necessary(t);
    if (!t->now.switches || !somebody_looked_at_all(t)) return;
    text_format(out, "%zu of %zu context switches %s%s\n", necessary, t->now.switches,
                necessary == 1 ? "matters" : "matter", necessary ? ":" : ".");
    for (size_t i = 1; i < t->steps.size; i++)
        if (t->steps.data[i].switched == SWITCH_NECESSARY)
            print_switch(&t->steps.data[i - 1], &t->steps.data[i], file, out);
}

/* Of a design: those of neighbours, and of a step and whoever was ready but came later. Where there was
 * nothing to choose no order matters; where there was, several may together. */
static void print_orders(const trace *t, text *out) {
    size_t necessary = count_necessary(t), all = t->now.switches + t->orders_tried;
    bool chosen = t->orders_tried || count_switches(t, SWITCH_FREE, SWITCH_FREE);
    for (size_t i = 0; i < t->steps.size; i++) necessary += t->steps.data[i].first_of.size;
    if (!all || !somebody_looked_at_all(t) || (!necessary && !t->orders_known)) return;
    if (!necessary && chosen) {
        text_add(out, "No order of two processes decides alone.\n");
        return;
    }
    text_format(out, "%zu of %zu orders of two processes %s%s\n", necessary, all,
                necessary == 1 ? "matters" : "matter", necessary ? ":" : ".");
    for (size_t i = 0; i < t->steps.size; i++) {
        const trace_step *now = &t->steps.data[i];
        if (now->switched == SWITCH_NECESSARY)
            print_order(t->steps.data[i - 1].thread, now->thread, now->delta, out);
        for (size_t k = 0; k < now->first_of.size; k++)
            print_order(now->thread, now->first_of.data[k], now->delta, out);
    }
}

void trace_print_matters(const trace *t, const char *file, text *out) {
    if (!t->is_shrunk || !t->steps.size) return;
    if (!strcmp(t->steps.data[0].phase, "run"))
        print_switches(t, file, out);
    else
        print_orders(t, out);
    print_input_needs(t, out);
}
