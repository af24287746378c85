#include "api/pictures.h"

#include "api/choice.h"
#include "program/dot.h"
#include "report/formats/picture.h"
#include "strategy/engine.h"

enum { MOST_PICTURED = 200 }; /* states, unless --max-states says otherwise */

static const char *source_line_of(void *data, const char *file, uint32_t line, size_t *length) {
    const inquiry *q = data;
    for (size_t i = 0; i < q->sources.size; i++) {
        const char *s = q->sources.data[i].text;
        if (strcmp(q->sources.data[i].name, file)) continue;
        for (uint32_t n = 1; s && *s && n < line; s++) n += *s == '\n';
        *length = s ? strcspn(s, "\r\n") : 0;
        return s;
    }
    return NULL;
}

static uint64_t most_states(const session *s) {
    const option_value *limit = &s->options->value[OPTION_MAX_STATES];
    return limit->given ? limit->number : MOST_PICTURED;
}

/* Runs the engine whose graph is wanted. */
static const char *dump_abstract_states(session *s, text *out) {
    text why = {0}; /* stays empty: the options were looked at before */
    const explorer *abstracting = choice_engine(s->options, s->program, &why);
    text_free(&why);
    outcome o = {0};
    picture p;
    explore_options how = session_explore_options(s);
    picture_begin(&p, s->machine, most_states(s), out);
    how.max_states = 0; /* the limit is that of the picture */
    how.node = picture_add_node;
    how.node_data = &p;
    engine_explore(s->machine, abstracting, &how, &o);
    outcome_free(&o);
    return picture_end(&p);
}

const char *pictures_dump(session *s, picture_kind what, text *out) {
    text drawn = {0};
    const char *trouble = NULL;
    switch (what) {
    case PICTURE_CONTROL_FLOW:
        dot_print_control_flow(s->program, source_line_of, (void *)(uintptr_t)s->inquiry, &drawn);
        break;
    case PICTURE_INSTRUCTIONS: dot_print_instructions(s->program, &drawn); break;
    case PICTURE_STATE_SPACE:
        trouble = picture_state_space(s->machine, most_states(s), control_should_stop, &s->control, &drawn);
        break;
    case PICTURE_ABSTRACT_STATES: trouble = dump_abstract_states(s, &drawn); break;
    }
    if (!trouble) text_add_bytes(out, text_cstr(&drawn), drawn.size);
    text_free(&drawn);
    return trouble;
}
