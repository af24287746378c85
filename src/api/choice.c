#include "api/choice.h"

static engine chosen_engine(const options *o) {
    return (engine)o->value[OPTION_ENGINE].choice;
}

static por_kind chosen_por(const options *o) {
    por_kind por = POR_AUTO;
    por_from_name(o->value[OPTION_POR].written, &por);
    return por;
}

static match_kind chosen_match(const options *o) {
    match_kind match = MATCH_AUTO;
    match_from_name(o->value[OPTION_MATCH].written, &match);
    return match;
}

/* --- what goes together --------------------------------------------------------------------------------- */

static bool abstracts(engine e) {
    return e == ENGINE_CEGAR || e == ENGINE_ESST;
}

static bool is_of_dpor(por_kind por) {
    return por == POR_PERSISTENT || por == POR_SOURCE || por == POR_OPTIMAL;
}

static bool is_of_abstraction(por_kind por) {
    return por == POR_SLEEP || por == POR_PERSISTENT_SLEEP || por == POR_AWARE;
}

static bool wants_certificate(const options *o) {
    return o->value[OPTION_CERTIFY].on || *o->value[OPTION_CERTIFICATE].written;
}

static bool stops_at_statements(const options *o) {
    return !strcmp(o->value[OPTION_STOPS].written, "statements");
}

static bool stops_inside_steps(const options *o) {
    return !strcmp(o->value[OPTION_STOPS].written, "loops") || stops_at_statements(o);
}

static bool explores_executions(engine e) {
    return e == ENGINE_DPOR || e == ENGINE_LAZYPOR;
}

static bool places_matter(const options *o) {
    return strcmp(o->value[OPTION_HEAP].written, "exact") != 0;
}

/* What only engine search stores, and how. */
static bool stores_otherwise(const options *o) {
    return strcmp(o->value[OPTION_VISITED].written, "full") != 0 || o->value[OPTION_CHAIN].number;
}

/* The engine that the given reduction or matcher belongs to; ENGINE_AUTO if they leave it open. */
static engine implied_engine(const options *o) {
    if (wants_certificate(o)) return ENGINE_CEGAR;
    if (is_of_dpor(chosen_por(o))) return ENGINE_DPOR;
    if (is_of_abstraction(chosen_por(o)) || o->value[OPTION_ORDER].choice == ORDER_ERROR_DISTANCE)
        return ENGINE_CEGAR;
    bool matching = chosen_match(o) != MATCH_AUTO || o->value[OPTION_VISITED_MEMORY].given ||
                    places_matter(o) || stops_at_statements(o) || stores_otherwise(o);
    bool ordered = o->value[OPTION_ORDER].given || o->value[OPTION_CHECK_REDUCTION].on;
    return chosen_por(o) != POR_AUTO || matching || ordered ? ENGINE_SEARCH : ENGINE_AUTO;
}

/* Limits in states and transitions are those of search. */
static bool is_bounded(const options *o) {
    return o->value[OPTION_MAX_TRANSITIONS].number || o->value[OPTION_MAX_STATES].number ||
           o->value[OPTION_MAX_DEPTH].number || *o->value[OPTION_DUMP_TRACES].written ||
           o->value[OPTION_DETERMINISTIC].on;
}

engine choice_engine(const options *o, const program *p) {
    engine e = chosen_engine(o) == ENGINE_AUTO ? implied_engine(o) : chosen_engine(o);
    bool search = !program_kernel(p)->preempts && is_bounded(o);
    return e == ENGINE_AUTO && search ? ENGINE_SEARCH : e;
}

const char *choice_misfit(const options *o, const program *p) {
    engine e = choice_engine(o, p);
    por_kind por = chosen_por(o);
    if (abstracts(e) && por != POR_AUTO && por != POR_NONE && por != POR_PERSISTENT &&
        !is_of_abstraction(por))
        return "engines cegar and esst have the reductions none, persistent, sleep, persistent+sleep and "
               "aware";
    if (!abstracts(e) && is_of_abstraction(por)) return "this reduction belongs to engines cegar and esst";
    if (!abstracts(e) && o->value[OPTION_ORDER].choice == ORDER_ERROR_DISTANCE)
        return "the order error-distance belongs to engines cegar and esst";
    if (e != ENGINE_SEARCH && o->value[OPTION_ORDER].choice == ORDER_ASTAR)
        return "the order astar belongs to engine search";
    if (!program_kernel(p)->preempts && explores_executions(e))
        return "engines dpor and lazypor explore programs with preemptive threads (C, dlang), not SystemC "
               "and IVL";
    if (explores_executions(e) && o->value[OPTION_ORDER].choice == ORDER_BFS)
        return "engines dpor and lazypor go depth first";
    if (explores_executions(e) && stops_inside_steps(o))
        return "engines dpor and lazypor stop at scheduling points only";
    if (e == ENGINE_SEARCH && is_of_dpor(por)) return "this reduction belongs to engine dpor";
    bool preempts = program_kernel(p)->preempts;
    if (e == ENGINE_SEARCH && preempts && por != POR_AUTO && por != POR_NONE && por != POR_AMPLE)
        return "engine search has the reduction ample for programs with preemptive threads (C, dlang)";
    if (!preempts && por == POR_AMPLE)
        return "the reduction ample is for programs with preemptive threads (C, dlang)";
    if (e == ENGINE_DPOR && por != POR_AUTO && por != POR_NONE && !is_of_dpor(por))
        return "engine dpor has the reductions none, persistent, source and optimal";
    if (e == ENGINE_LAZYPOR && por != POR_AUTO) return "engine lazypor has one reduction, its own";
    bool matches = !explores_executions(e) && !abstracts(e);
    if (!matches && chosen_match(o) != MATCH_AUTO && chosen_match(o) != MATCH_NONE)
        return "engines dpor, lazypor, cegar and esst match no states";
    if (e != ENGINE_SEARCH && stops_at_statements(o)) return "stops at statements belong to engine search";
    if (e != ENGINE_SEARCH && places_matter(o)) return "places of heap objects belong to engine search";
    if (e != ENGINE_SEARCH && stores_otherwise(o)) return "visited and chain belong to engine search";
    bool guides = o->value[OPTION_WEIGHT].given || o->value[OPTION_GUIDE].given;
    if (guides && o->value[OPTION_ORDER].choice != ORDER_ASTAR)
        return "weight and guide belong to order astar";
    if (stops_at_statements(o) && por != POR_AUTO && por != POR_NONE)
        return "there is no reduction for stops at statements";
    if (o->value[OPTION_CHECK_REDUCTION].on && e != ENGINE_SEARCH)
        return "check-reduction belongs to engine search, whose reductions rest on declared independence";
    if (o->value[OPTION_STATE_TRACKING].on && e != ENGINE_LAZYPOR)
        return "state-tracking belongs to engine lazypor";
    if (!abstracts(e) && wants_certificate(o)) return "certificates come from engines cegar and esst";
    bool about_abstraction = o->value[OPTION_DOMAIN].choice || o->value[OPTION_PRUNE].choice ||
                             o->value[OPTION_SCOPE].choice || o->value[OPTION_BLOCKS].choice;
    if (about_abstraction && !abstracts(e))
        return "domain, prune, scope and blocks belong to engines cegar and esst";
    return NULL;
}
