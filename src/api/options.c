#include "api/options.h"

#include "report/json_text.h"
#include "strategy/explorers.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum {
    CHECK = HEDDLE_FOR_CHECK,
    SIMULATE = HEDDLE_FOR_SIMULATE,
    DUMP = HEDDLE_FOR_DUMP,
    COMPARE = HEDDLE_FOR_COMPARE,
    EXPLAIN = HEDDLE_FOR_EXPLAIN,
    EXPLORING = CHECK | DUMP | COMPARE, /* `dump --smtlib` runs the search whose queries it prints */
    EVERY = CHECK | SIMULATE | DUMP | COMPARE | EXPLAIN
};

#define MODEL  "Model and properties"
#define C      "C and C++ programs"
#define SEARCH "Search"
#define LIMITS "Limits (a limit that is hit makes the verdict unknown)"
#define OUTPUT "Output"
#define CI     "Projects and continuous integration"
#define STUDY  "Experiments (they change cost, never the meaning of a verdict)"

/* What explorers know, as values of options, each behind a bar. */
static const char properties[] =
#define PROPERTY(number, name) "|" name
#include "explore/choices.def"
    ;
static const char reductions[] =
#define REDUCTION(number, name) "|" name
#include "explore/choices.def"
    ;
static const char matchers[] =
#define MATCHER(number, name) "|" name
#include "explore/choices.def"
    ;
static const char orders[] =
#define ORDER(number, name) "|" name
#include "explore/choices.def"
    ;
static const char stops[] =
#define STOPS(number, name) "|" name
#include "explore/choices.def"
    ;
static const char memory_models[] =
#define MEMORY_MODEL(number, name) "|" name
#include "explore/choices.def"
    ;

static const heddle_option table[OPTION_COUNT + 1] = {
    [OPTION_PROPERTY] =
        {"property", HEDDLE_OPTION_CHOICES, EVERY, "LIST", properties + 1, "assert,memory", MODEL,
         "What to verify: assertions and calls of reach_error; that no thread is blocked for ever, with "
         "livelock unless --no-livelock; that none goes round for ever in a loop that waits (livelock); safe "
         "memory (null, freed, bounds, invalid free, division by zero; with it misuse); no signed overflow; "
         "no data race; no memory still allocated at the end; that an expression is never true (reach:EXPR, "
         "the last of the list; C and C++: over what is visible at the end of the first file, or fail, or "
         "deadlock); no misuse of threads and locks, such as joining twice."},
    [OPTION_SPEC] = {"spec", HEDDLE_OPTION_FILE, EVERY, "FILE", NULL, "", MODEL,
                     "Verify the properties of an SV-COMP property file (.prp) instead. A task definition "
                     "(.yml) names its own; of several the first that can be verified counts."},
    [OPTION_ALL] = {"all", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "off", MODEL,
                    "Go on after the first violation and report the first one of every property, "
                    "and every two places that race."},
    [OPTION_SET] = {"set", HEDDLE_OPTION_ASSIGNMENT, EVERY, "NAME=VALUE", NULL, "", MODEL,
                    "Gives a parameter of the model another value. May be repeated."},
    [OPTION_DATA_MODEL] =
        {"data-model", HEDDLE_OPTION_CHOICE, EVERY, "MODEL", "LP64|ILP32", "LP64", C,
         "Widths of long and pointers; --32 and --64 for short. A task definition says its own, and 32 bit "
         "is meant where an old one does not."},
    [OPTION_DEFINE] = {"define", HEDDLE_OPTION_TEXTS, EVERY, "NAME[=VALUE]", NULL, "", C,
                       "Defines a macro; -D for short. May be repeated."},
    [OPTION_INCLUDE] = {"include", HEDDLE_OPTION_TEXTS, EVERY, "FOLDER", NULL, "", C,
                        "Looks for headers there; -I for short. May be repeated."},
    [OPTION_STD] = {"std", HEDDLE_OPTION_TEXT, EVERY, "STANDARD", NULL, "", C,
                    "Language standard as clang calls it, such as c99 or gnu17."},
    [OPTION_FLAG] =
        {"flag", HEDDLE_OPTION_TEXTS, EVERY, "WORD", NULL, "", C,
         "A flag for the compiler that changes what the program means, such as -funsigned-char or "
         "-fwrapv (signed numbers wrap around: no overflow is one). Flags that compilers have can be "
         "given as they are: -m32, -U, -include and -isystem are understood; -O2, -g, -Wall, "
         "-pthread change nothing; one that is not known is refused. May be repeated."},
    [OPTION_STUBS] =
        {"stubs", HEDDLE_OPTION_TEXTS, EVERY, "FILE", NULL, "", C,
         "A further source file, with bodies of functions that the program lacks. May be repeated."},
    [OPTION_ENTRY] = {"entry", HEDDLE_OPTION_TEXT, EVERY, "FUNCTION", NULL, "", C,
                      "Where the program begins: main unless given."},
    [OPTION_COMPILE_COMMANDS] =
        {"compile-commands", HEDDLE_OPTION_FILE, EVERY, "FILE", NULL, "", C,
         "Macros, header folders, standard and other flags that change the meaning of each source file, as "
         "this compile_commands.json has them. A flag that is not known is refused."},
    [OPTION_MEMORY_MODEL] =
        {"memory-model", HEDDLE_OPTION_CHOICE, EVERY, "MODEL", memory_models + 1, "declared", C,
         "Programs run sequentially consistent. With declared, one that uses weaker atomics is never called "
         "safe, but unknown; sc takes every atomic access as sequentially consistent."},
    [OPTION_ATOMICITY] =
        {"atomicity", HEDDLE_OPTION_CHOICE, EVERY, "WHAT", "operations|statements", "operations", C,
         "What nobody can interrupt: one access to shared memory, as in C, or one statement, as in SymC++, "
         "where x = x + 1 loses no update."},
    [OPTION_SPURIOUS_WAKEUPS] =
        {"spurious-wakeups", HEDDLE_OPTION_SWITCH, EVERY, NULL, NULL, "on", C,
         "Waits for condition variables may also return without a signal, as POSIX allows, and a weak "
         "compare-and-exchange may fail for no reason."},
    [OPTION_BLOCKED_AT_EXIT] =
        {"blocked-at-exit", HEDDLE_OPTION_SWITCH, EVERY, NULL, NULL, "off", C,
         "A thread that is blocked for ever when the program ends is a deadlock, too. Off: a note says so, "
         "if deadlocks are asked for."},
    [OPTION_LIVELOCK] =
        {"livelock", HEDDLE_OPTION_SWITCH, EVERY, NULL, NULL, "on", C,
         "Who asks for deadlocks asks for livelocks, too: threads that go round for ever in "
         "a loop that could only be left if shared memory changed, with nobody left to change it."},
    [OPTION_CORES] =
        {"cores", HEDDLE_OPTION_NUMBER, EVERY, "N", NULL, "", C,
         "What std::thread::hardware_concurrency, get_nprocs and sysconf say of the computer. Without it any "
         "number, small ones tried first."},
    [OPTION_ENGINE] =
        {"engine", HEDDLE_OPTION_CHOICE, EXPLORING, "ENGINE", explorer_names, "auto", SEARCH,
         "Explorer: states and matching (search), executions without stored states (dpor), whole executions "
         "planned ahead (lazypor), or states of which only what matters is known, refined as needed (cegar; "
         "esst: with a region for each thread). auto: those that promise most, in turns and then at the same "
         "time (--jobs)."},
    [OPTION_POR] =
        {"por", HEDDLE_OPTION_CHOICE, EXPLORING, "KIND", reductions + 1, "auto", SEARCH,
         "Partial order reduction. Of engine search for IVL: persistent sets by conflicting transitions "
         "(ct); stubborn sets with either necessary enabling set (stub, stub2) or the smallest of all "
         "(stub-min); dynamic (dpor), with happens-before (dpor-hbr), or combined with static sets "
         "(dpor-stub). Of engine search for C and dlang: one thread that no other can disturb (ample). Of "
         "engine dpor: persistent sets, source sets, or wakeup trees, which explore each trace once "
         "(optimal). Of engines cegar and esst: persistent sets, sleep sets, both, or persistent sets for "
         "which objects do not matter while nothing is known of them (aware). Of all: none, which means "
         "search unless --engine says otherwise. compare takes a comma-separated list."},
    [OPTION_MATCH] =
        {"match", HEDDLE_OPTION_CHOICE, EXPLORING, "KIND", matchers + 1, "auto", SEARCH,
         "How visited states are recognised: not at all (none), identical (ceq, pesm), equal up to "
         "renaming of inputs (esm, esm-hash), by the solver under an equality assumption (sbc-eq, "
         "sbc-cv), exact subsumption (ess); or all unknown values taken for the same (approximate), after "
         "which safe becomes unknown. compare takes a comma-separated list."},
    [OPTION_ORDER] =
        {"order", HEDDLE_OPTION_CHOICE, EXPLORING, "ORDER", orders + 1, "dfs", SEARCH,
         "Depth first, or breadth first, which finds a shortest counterexample; engines cegar "
         "and esst: or what is nearest to a check first (error-distance). Engine search: or by the "
         "steps so far and the steps that are still needed in an abstraction of the program "
         "(astar). bfs and astar exclude --dump-traces and --visited-memory."},
    [OPTION_WEIGHT] =
        {"weight", HEDDLE_OPTION_NUMBER, EXPLORING, "N", NULL, "100", SEARCH,
         "Order astar: how much a step that is still needed counts against one that was taken. 0 is breadth "
         "first; 1 finds shortest counterexamples; the more, the straighter to a violation."},
    [OPTION_GUIDE] =
        {"guide", HEDDLE_OPTION_CHOICE, EXPLORING, "DETAIL", "auto|coarse|fine", "auto", SEARCH,
         "Order astar: an abstraction that knows what the property is about (coarse), also what that depends "
         "on (fine), made while the search goes on, with weight 1 before it; or finer and finer ones, and "
         "estimates for reach properties until one is finished (auto)."},
    [OPTION_STOPS] =
        {"stops", HEDDLE_OPTION_CHOICE, EXPLORING, "WHERE", stops + 1, "auto", SEARCH,
         "Where states are matched: at scheduling points (visible), or also at loop heads inside steps "
         "(loops), or behind every statement of a C or C++ program, where threads may interrupt each other "
         "(statements; engine search, without reduction). auto tries loop heads after a step that split into "
         "too many paths, and takes them at once for breadth-first and guided search of a program without "
         "threads, unless a reduction is asked for that excludes them. Engines dpor and lazypor have "
         "scheduling points only."},
    [OPTION_HEAP] =
        {"heap", HEDDLE_OPTION_CHOICE, EXPLORING, "HOW", "exact|typed|none", "exact", SEARCH,
         "When states with objects made in another order are the same: always (exact), if each object has "
         "the same place among those of its type (typed), or only if it has the same address, the lowest "
         "free ones being taken first (none)."},
    [OPTION_VISITED] =
        {"visited", HEDDLE_OPTION_CHOICE, EXPLORING, "HOW", "full|compact|compact-unconfirmed", "full",
         SEARCH,
         "Engine search: how visited states are kept: as they are, or as signatures and differences, from "
         "which states are restored to be compared (compact). compact-unconfirmed believes signatures, so "
         "safe becomes unknown. Both exclude --visited-memory."},
    [OPTION_CHAIN] =
        {"chain", HEDDLE_OPTION_NUMBER, EXPLORING, "N", NULL, "0", SEARCH,
         "Engine search: states from which there is only one way to go on are passed without being stored. "
         "Such a chain is cut where a thread jumps back, once it has N transitions. 0: all are stored. "
         "Excludes dynamic reductions, --match none and --dump-traces."},
    [OPTION_STATE_TRACKING] =
        {"state-tracking", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "off", SEARCH,
         "Engine lazypor: give up executions that come to a visited state. It may miss violations, so safe "
         "becomes unknown."},
    [OPTION_DOMAIN] =
        {"domain", HEDDLE_OPTION_CHOICE, EXPLORING, "KIND", "product|explicit|cartesian|boolean", "product",
         SEARCH,
         "Engines cegar and esst: what is known of the data: constants of some variables (explicit), "
         "predicates one by one (cartesian) or in all combinations (boolean), or constants and predicates "
         "(product)."},
    [OPTION_PRUNE] =
        {"prune", HEDDLE_OPTION_CHOICE, EXPLORING, "HOW", "lazy|full", "lazy", SEARCH,
         "Engines cegar and esst: a refinement throws away what lies behind it (lazy) or everything "
         "(full)."},
    [OPTION_SCOPE] = {"scope", HEDDLE_OPTION_CHOICE, EXPLORING, "WHERE", "auto|global|thread|location",
                      "auto", SEARCH,
                      "Engines cegar and esst: predicates count everywhere (global), after steps of one "
                      "thread (thread), or at one location of the whole program. auto: location for programs "
                      "without threads, else global. Engine esst has a scope for each thread instead, with "
                      "location for each location of it."},
    [OPTION_BLOCKS] = {"blocks", HEDDLE_OPTION_CHOICE, EXPLORING, "SIZE", "joins|large|small", "joins",
                       SEARCH,
                       "Engines cegar and esst: states are abstracted where branches come together (joins), "
                       "only at loop heads and scheduling points (large), or after every instruction "
                       "(small)."},
    [OPTION_SEED] = {"seed", HEDDLE_OPTION_NUMBER, SIMULATE, "N", NULL, "0", SEARCH,
                     "Chooses the schedule and the branches of a simulation."},
    [OPTION_SCHEDULE] = {"schedule", HEDDLE_OPTION_CHOICE, SIMULATE, "ORDER", "random|simulator", "random",
                         SEARCH,
                         "Which schedule a simulation takes: any, or that of Accellera's simulator (SystemC "
                         "designs in C++)."},
    [OPTION_INPUTS] =
        {"inputs", HEDDLE_OPTION_FILE, SIMULATE, "FILE", NULL, "", SEARCH,
         "With --schedule simulator: inputs, one `name value` a line as --stimulus writes them; "
         "all others are 0."},
    [OPTION_DETERMINISTIC] =
        {"deterministic", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "off", SEARCH,
         "Never look at the clock: the same input gives the same verdict, trace and counts on "
         "every machine. Excludes --time, --query-time and --z3."},
    [OPTION_JOBS] = {"jobs", HEDDLE_OPTION_NUMBER, CHECK, "N", NULL, "", SEARCH,
                     "How many explorers engine auto may run at the same time, each in a process of its own. "
                     "Default: one for each core."},
    [OPTION_TIME] =
        {"time", HEDDLE_OPTION_DURATION, EXPLORING | SIMULATE | EXPLAIN, "DURATION", NULL, "", LIMITS,
         "Wall-clock time, such as 500ms, 60s, 2m or 1h; for each run of compare (there 10s unless given)."},
    [OPTION_MEMORY] = {"memory", HEDDLE_OPTION_SIZE, EXPLORING, "SIZE", NULL, "", LIMITS,
                       "Resident memory, such as 512M or 4G."},
    [OPTION_MAX_TRANSITIONS] = {"max-transitions", HEDDLE_OPTION_NUMBER, EXPLORING | SIMULATE, "N", NULL, "",
                                LIMITS, "Executed steps; simulate stops after 100 unless told otherwise."},
    [OPTION_MAX_STATES] = {"max-states", HEDDLE_OPTION_NUMBER, EXPLORING, "N", NULL, "", LIMITS,
                           "Stored states."},
    [OPTION_MAX_DEPTH] = {"max-depth", HEDDLE_OPTION_NUMBER, EXPLORING, "N", NULL, "", LIMITS,
                          "Length of one execution."},
    [OPTION_UNWIND] = {"unwind", HEDDLE_OPTION_NUMBER, EXPLORING | SIMULATE, "N", NULL, "", LIMITS,
                       "Iterations of a loop, for each call of its function."},
    [OPTION_CONTEXT_BOUND] =
        {"context-bound", HEDDLE_OPTION_NUMBER, EXPLORING | SIMULATE, "N", NULL, "", LIMITS,
         "Switches away from a thread that could have gone on, in one execution of a C or dlang program."},
    [OPTION_SIM_TIME] = {"sim-time", HEDDLE_OPTION_NUMBER, EXPLORING | SIMULATE, "N", NULL, "", LIMITS,
                         "Simulated time of a SystemC design (in its resolution, picoseconds unless it says "
                         "otherwise) or of an IVL model."},
    [OPTION_THREADS] = {"threads", HEDDLE_OPTION_NUMBER, EXPLORING | SIMULATE | EXPLAIN, "N", NULL, "1000",
                        LIMITS, "Threads that one execution may create."},
    [OPTION_VISITED_MEMORY] =
        {"visited-memory", HEDDLE_OPTION_SIZE, EXPLORING, "SIZE", NULL, "", LIMITS,
         "Size of the set of visited states. Older ones are forgotten beyond it, which costs "
         "time but never a verdict."},
    [OPTION_QUERY_TIME] = {"query-time", HEDDLE_OPTION_DURATION, EXPLORING | SIMULATE, "DURATION", NULL,
                           "10s", LIMITS, "Budget of one solver query; 0 for none."},
    [OPTION_STEP_LIMIT] =
        {"step-limit", HEDDLE_OPTION_NUMBER, EXPLORING | SIMULATE | EXPLAIN, "N", NULL, "1000000", LIMITS,
         "Instructions between two scheduling points: how endless loops without a wait are noticed."},
    [OPTION_PATH_LIMIT] = {"path-limit", HEDDLE_OPTION_NUMBER, EXPLORING | SIMULATE, "N", NULL, "2000",
                           LIMITS, "Paths that one step may split into on unknown inputs."},
    [OPTION_JSON] = {"json", HEDDLE_OPTION_SWITCH, CHECK | SIMULATE | EXPLAIN | COMPARE, NULL, NULL, "off",
                     OUTPUT, "Print one JSON object instead of text."},
    [OPTION_TRACE] = {"trace", HEDDLE_OPTION_FILE, CHECK | SIMULATE | EXPLAIN, "FILE", NULL, "", OUTPUT,
                      "Write the counterexample as JSON to FILE; nothing is written when there is none."},
    [OPTION_WITNESS] = {"witness", HEDDLE_OPTION_FILE, CHECK, "FILE", NULL, "", OUTPUT,
                        "Write an SV-COMP witness of the verdict on a C program to FILE; none of an unknown "
                        "one. See docs/formats.md."},
    [OPTION_WITNESS_FORMAT] =
        {"witness-format", HEDDLE_OPTION_CHOICE, CHECK, "FORMAT", "yaml|graphml", "yaml", OUTPUT,
         "YAML (version 2.2 for executions of several threads, else 2.0) or GraphML (1.0)."},
    [OPTION_SARIF] = {"sarif", HEDDLE_OPTION_FILE, CHECK | SIMULATE, "FILE", NULL, "", OUTPUT,
                      "Write violations as SARIF 2.1.0 to FILE, for code hosts and editors."},
    [OPTION_JUNIT] =
        {"junit", HEDDLE_OPTION_FILE, CHECK | SIMULATE, "FILE", NULL, "", OUTPUT,
         "Write JUnit XML to FILE: a test case for each property, an error for what is unknown."},
    [OPTION_VCD] = {"vcd", HEDDLE_OPTION_FILE, CHECK | SIMULATE, "FILE", NULL, "", OUTPUT,
                    "Write the counterexample as waveforms (VCD) to FILE; nothing is written when there is "
                    "none."},
    [OPTION_HTML] = {"html", HEDDLE_OPTION_FILE, CHECK | SIMULATE, "FILE", NULL, "", OUTPUT,
                     "Write a report to FILE that a browser shows: the counterexample step by step with the "
                     "source, or what was explored. One file, without network. See docs/report.md."},
    [OPTION_CERTIFICATE] =
        {"certificate", HEDDLE_OPTION_FILE, CHECK, "FILE", NULL, "", OUTPUT,
         "Write the proof of a safe answer as JSON to FILE, if there is one: the "
         "invariant that engine cegar or esst found, which auto means here. See docs/certificates.md."},
    [OPTION_CERTIFY] =
        {"certify", HEDDLE_OPTION_SWITCH, CHECK, NULL, NULL, "off", OUTPUT,
         "Confirm the proof of a safe answer independently of who found it, over all "
         "transitions; without that the verdict is unknown. If a certificate is among the files (NAME.json) "
         "nothing is explored and it is confirmed instead. Engines cegar and esst; auto means cegar."},
    [OPTION_CROSS_CHECK] = {"cross-check", HEDDLE_OPTION_SWITCH, CHECK, NULL, NULL, "off", OUTPUT,
                            "With --certify: Z3 must agree with every answer of the solver."},
    [OPTION_VERDICT_LINE] =
        {"verdict-line", HEDDLE_OPTION_SWITCH, CHECK, NULL, NULL, "off", OUTPUT,
         "End the text with the verdict as BenchExec spells it, such as Verdict: false(unreach-call)."},
    [OPTION_SHRINK] =
        {"shrink", HEDDLE_OPTION_SWITCH, CHECK, NULL, NULL, "on", OUTPUT,
         "Make a counterexample smaller before it is shown: fewer context switches, fewer steps, "
         "small inputs; and say which of them matter. Takes no longer than the search, or two seconds."},
    [OPTION_REPLAY_BINARY] =
        {"replay-binary", HEDDLE_OPTION_SWITCH, CHECK, NULL, NULL, "off", OUTPUT,
         "Compile a C program with the schedule and inputs of its counterexample "
         "enforced, run it, and show how it fails. A SystemC design is run by Accellera's "
         "simulator with these inputs: does it fail in that order of processes, too?"},
    [OPTION_STIMULUS] = {"stimulus", HEDDLE_OPTION_FILE, CHECK, "FILE", NULL, "", OUTPUT,
                         "Write the inputs of the counterexample, one `name value` a line, as "
                         "heddle_stimulus.h reads them in a simulator."},
    [OPTION_PRINTED] = {"printed", HEDDLE_OPTION_SWITCH, SIMULATE, NULL, NULL, "off", OUTPUT,
                        "Show what a SystemC design prints, and nothing else."},
    [OPTION_COMMAND] =
        {"command", HEDDLE_OPTION_TEXTS, EXPLAIN, "COMMANDS", NULL, "", OUTPUT,
         "What to do with the trace, separated by semicolons, instead of reading it from standard "
         "input: 'step 3; print x'. Repeatable; 'help' lists the commands."},
    [OPTION_QUIET] = {"quiet", HEDDLE_OPTION_SWITCH, CHECK | SIMULATE | EXPLAIN, NULL, NULL, "off", OUTPUT,
                      "Print the verdict line only."},
    [OPTION_VERBOSE] = {"verbose", HEDDLE_OPTION_SWITCH, CHECK | SIMULATE | EXPLAIN, NULL, NULL, "off",
                        OUTPUT, "Also list every property and every counter."},
    [OPTION_PROGRESS] = {"progress", HEDDLE_OPTION_CHOICE, EXPLORING, "WHEN", "auto|always|never", "auto",
                         OUTPUT, "Progress line on standard error; auto: when it is a terminal."},
    [OPTION_COLOR] = {"color", HEDDLE_OPTION_CHOICE, CHECK | SIMULATE | COMPARE | EXPLAIN, "WHEN",
                      "auto|always|never", "auto", OUTPUT,
                      "Colours in the text; auto: when it goes to a terminal and NO_COLOR is not set."},
    [OPTION_WHAT] =
        {"what", HEDDLE_OPTION_CHOICE, DUMP, "WHAT",
         "ir|segments|ivl|smtlib|source|cfg|ir-dot|state-space|arg|stubs", "ir", OUTPUT,
         "What dump prints: the program representation, its static transitions with their dependences "
         "(SystemC and IVL), the source formatted anew (source or ivl; IVL and dlang), or the solver queries "
         "of a check. As graphs for graphviz: the control flow with source lines (cfg) or instructions "
         "(ir-dot), all states of a small program (state-space; at most --max-states, 200 unless given), or "
         "the abstract states that engine cegar or esst ends with (arg). A file with a body to be filled in "
         "for every function that a C or C++ program calls and lacks, for option stubs (stubs)."},
    [OPTION_SMTLIB] = {"smtlib", HEDDLE_OPTION_SWITCH, DUMP, NULL, NULL, "off", OUTPUT,
                       "The same as --what smtlib."},
    [OPTION_FAIL_ON] = {"fail-on", HEDDLE_OPTION_CHOICES, CHECK, "LIST", "unsafe|unknown", "unsafe,unknown",
                        CI, "Which verdicts give their exit status (1 and 3); the other one gives 0."},
    [OPTION_BASELINE] =
        {"baseline", HEDDLE_OPTION_FILE, CHECK, "FILE", NULL, "", CI,
         "Violations that FILE lists are accepted: if there are no others, and nothing else stays "
         "unknown, the exit status is 0. Implies --all."},
    [OPTION_WRITE_BASELINE] =
        {"write-baseline", HEDDLE_OPTION_FILE, CHECK, "FILE", NULL, "", CI,
         "Write the violations that were found to FILE, as --baseline reads it. Implies --all."},
    [OPTION_CACHE] =
        {"cache", HEDDLE_OPTION_TEXT, CHECK, "FOLDER", NULL, "", CI,
         "Keep verdicts there, and take them from there if program, options and Heddle are the same."},
    [OPTION_PROJECT] = {"project", HEDDLE_OPTION_FILE, CHECK, "FILE", NULL, "heddle.toml", CI,
                        "The project file, whose targets are checked when no program is given."},
    [OPTION_TARGET] = {"target", HEDDLE_OPTION_TEXT, CHECK, "LIST", NULL, "", CI,
                       "Check these targets of the project file alone, separated by commas."},
    [OPTION_MATRIX] =
        {"matrix", HEDDLE_OPTION_FILE, COMPARE, "FILE", NULL, "", STUDY,
         "Run the programs below a folder with the configurations, parameters and repetitions that FILE "
         "lists (docs/laboratory.md); lines that NAME.csv has already are not run again."},
    [OPTION_OUT] =
        {"out", HEDDLE_OPTION_TEXT, COMPARE, "NAME", NULL, "compare", STUDY,
         "With --matrix: where results go: NAME.csv, NAME.tex, NAME-quantile.svg, NAME-scatter.svg and "
         "NAME-scaling.svg."},
    [OPTION_CHECK_REDUCTION] =
        {"check-reduction", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "off", STUDY,
         "Engine search: execute pairs of steps declared independent in both orders and compare the states."},
    [OPTION_DUMP_TRACES] = {"dump-traces", HEDDLE_OPTION_FILE, CHECK, "FILE", NULL, "", STUDY,
                            "Write one hash per explored class of equivalent executions to FILE, sorted."},
    [OPTION_SLEEP_SPINS] = {"sleep-spins", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                            "a loop that changes nothing waits until what it reads has changed."},
    [OPTION_SLICING] = {"slicing", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                        "a query looks only at the part of the path condition it is connected with."},
    [OPTION_MODEL_REUSE] = {"model-reuse", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                            "recent solutions are tried before the solver is asked."},
    [OPTION_QUERY_CACHE] = {"query-cache", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                            "answers of earlier queries are remembered."},
    [OPTION_INCREMENTAL] = {"incremental", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                            "the solver keeps its encoding from query to query."},
    [OPTION_Z3] = {"z3", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                   "Z3, if installed, is asked when the built-in procedure gives up on a query."},
    [OPTION_SIMPLIFY] = {"simplify", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                         "expressions are simplified as they are built."},
    [OPTION_PATH_GC] = {"path-gc", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                        "conditions on inputs that no live value depends on are forgotten."},
    [OPTION_DEAD_CLEARING] = {"dead-clearing", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
                              "local variables that will not be read again are forgotten."},
    [OPTION_TIME_ABSTRACTION] =
        {"time-abstraction", HEDDLE_OPTION_SWITCH, EXPLORING, NULL, NULL, "on", STUDY,
         "states are compared by relative time where absolute time cannot be observed."},
};

const heddle_option *heddle_options(void) {
    return table;
}

option_id option_find(const char *name) {
    unsigned id = 0;
    while (id < OPTION_COUNT && strcmp(table[id].name, name)) id++;
    return (option_id)id;
}

/* --- one value ------------------------------------------------------------------------------------------ */

/* Index of the word [s, s + length) in "a|b|c", or -1. */
static int find_choice(const char *values, const char *s, size_t length) {
    for (int i = 0;; i++) {
        size_t word = strcspn(values, "|");
        if (word == length && !memcmp(values, s, length)) return i;
        if (!values[word]) return -1;
        values += word + 1;
    }
}

static void forget_list(option_value *value) {
    for (size_t i = 0; i < value->list.size; i++) mem_free(value->list.data[i]);
    vec_free(&value->list);
}

/* Index of the word in "a|b:TEXT" that begins with [s, s + length), a colon at its end, or -1. */
static int find_prefix(const char *values, const char *s, size_t length) {
    for (int i = 0;; i++) {
        if (!strncmp(values, s, length)) return i;
        values += strcspn(values, "|");
        if (!*values++) return -1;
    }
}

/* "a,b,c:text": what comes behind the colon is taken as it is, to the end. */
static bool parse_choices(const char *values, const char *s, option_value *value) {
    unsigned bits = 0;
    for (const char *rest = NULL;; s += strcspn(s, ",") + 1) {
        size_t word = strcspn(s, ","), colon = strcspn(s, ":");
        if (colon < word) rest = s + colon + 1;
        int i = rest ? find_prefix(values, s, colon + 1) : find_choice(values, s, word);
        if (i < 0 || (rest && !*rest)) return false;
        bits |= 1u << i;
        if (!rest && s[word]) continue;
        value->choices = bits;
        forget_list(value);
        if (rest) vec_push(&value->list, mem_copy_string(rest));
        return true;
    }
}

/* A decimal number at s; leaves the rest in *end. Refuses signs, blanks and overflow, which
 * strtoull would take. */
static bool parse_digits(const char *s, uint64_t *value, const char **end) {
    if (!isdigit((unsigned char)*s)) return false;
    errno = 0;
    char *stop;
    *value = strtoull(s, &stop, 10);
    *end = stop;
    return errno == 0 && *value <= INT64_MAX;
}

static bool parse_duration(const char *s, double *seconds) {
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}};
    if (!isdigit((unsigned char)*s)) return false;
    char *unit;
    errno = 0;
    double number = strtod(s, &unit);
    if (errno || !isfinite(number) || memchr(s, 'x', (size_t)(unit - s))) return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].name)) {
            *seconds = number * units[i].seconds;
            return true;
        }
    return false;
}

static bool parse_size(const char *s, uint64_t *bytes) {
    static const char letters[] = "KMGT";
    const char *unit;
    if (!parse_digits(s, bytes, &unit)) return false;
    if (!*unit) return true;
    const char *letter = strchr(letters, toupper((unsigned char)*unit));
    const char *rest = unit[1] == 'i' ? unit + 2 : unit + 1; /* 4G, 4GB and 4GiB are the same */
    if (!letter || (strcmp(rest, "") && strcmp(rest, "B"))) return false;
    unsigned shift = 10 * (unsigned)(letter - letters + 1);
    if (*bytes > (uint64_t)INT64_MAX >> shift) return false;
    *bytes <<= shift;
    return true;
}

static bool parse_integer(const char *s, int64_t *value) {
    const char *digits = *s == '-' ? s + 1 : s;
    if (!isdigit((unsigned char)*digits)) return false;
    errno = 0;
    char *end;
    int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
    *value = strtoll(s, &end, base);
    return errno == 0 && !*end;
}

static bool parse_switch(const char *s, bool *on) {
    static const char *const yes[] = {"on", "true", "yes", "1"}, *const no[] = {"off", "false", "no", "0"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
        if (!strcmp(s, yes[i])) return *on = true;
        if (!strcmp(s, no[i])) return *on = false, true;
    }
    return false;
}

static bool is_name(const char *s, size_t length) {
    if (!length || isdigit((unsigned char)*s)) return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_') return false;
    return true;
}

/* What a wrong value should have looked like. */
static void explain_kind(const heddle_option *option, text *error) {
    switch (option->kind) {
    case HEDDLE_OPTION_SWITCH: text_add(error, "on or off"); break;
    case HEDDLE_OPTION_CHOICE: text_format(error, "one of %s", option->values); break;
    case HEDDLE_OPTION_CHOICES: text_format(error, "a comma-separated list of %s", option->values); break;
    case HEDDLE_OPTION_NUMBER: text_add(error, "a whole number, 0 or more"); break;
    case HEDDLE_OPTION_DURATION: text_add(error, "a duration such as 500ms, 60s, 2m or 1h"); break;
    case HEDDLE_OPTION_SIZE: text_add(error, "a size such as 512M or 4G"); break;
    case HEDDLE_OPTION_FILE: text_add(error, "a file name"); break;
    case HEDDLE_OPTION_ASSIGNMENT: text_add(error, "NAME=VALUE with an integer value"); break;
    case HEDDLE_OPTION_TEXT:
    case HEDDLE_OPTION_TEXTS: text_add(error, "some text"); break;
    }
}

static bool parse_value(const heddle_option *option, const char *s, option_value *value, assignment *pair) {
    const char *end;
    switch (option->kind) {
    case HEDDLE_OPTION_SWITCH: return parse_switch(s, &value->on);
    case HEDDLE_OPTION_CHOICE: {
        int i = find_choice(option->values, s, strlen(s));
        if (i >= 0) value->choice = (unsigned)i;
        return i >= 0;
    }
    case HEDDLE_OPTION_CHOICES: return parse_choices(option->values, s, value);
    case HEDDLE_OPTION_NUMBER: return parse_digits(s, &value->number, &end) && !*end;
    case HEDDLE_OPTION_DURATION: return parse_duration(s, &value->seconds);
    case HEDDLE_OPTION_SIZE: return parse_size(s, &value->number);
    case HEDDLE_OPTION_FILE: return *s != 0;
    case HEDDLE_OPTION_ASSIGNMENT: {
        size_t length = strcspn(s, "=");
        if (!s[length] || !is_name(s, length) || !parse_integer(s + length + 1, &pair->value)) return false;
        pair->name = mem_duplicate(s, length + 1);
        pair->name[length] = 0;
        return true;
    }
    case HEDDLE_OPTION_TEXT: return *s != 0;
    case HEDDLE_OPTION_TEXTS:
        if (*s)
            vec_push(&value->list, mem_copy_string(s));
        else
            forget_list(value);
        return true;
    }
    return false;
}

/* --- all values ----------------------------------------------------------------------------------------- */

static void assign_parameter(options *o, assignment pair) {
    for (size_t i = 0; i < o->parameters.size; i++)
        if (!strcmp(o->parameters.data[i].name, pair.name)) {
            mem_free(o->parameters.data[i].name);
            o->parameters.data[i] = pair;
            return;
        }
    vec_push(&o->parameters, pair);
}

static bool set_by_id(options *o, option_id id, const char *value, text *error) {
    const heddle_option *option = &table[id];
    option_value parsed = o->value[id];
    assignment pair = {0};
    if (!parse_value(option, value, &parsed, &pair)) {
        text_format(error, "'%s' is not a value of option '%s': expected ", value, option->name);
        explain_kind(option, error);
        return false;
    }
    if (pair.name) assign_parameter(o, pair);
    const char *canonical = option->kind != HEDDLE_OPTION_SWITCH ? value : parsed.on ? "on" : "off";
    char *written = mem_copy_string(canonical); /* before the old one goes: value may be it */
    mem_free(o->value[id].written);
    parsed.written = written;
    parsed.given = true;
    o->value[id] = parsed;
    return true;
}

bool options_set(options *o, const char *name, const char *value, text *error) {
    option_id id = option_find(name);
    if (id != OPTION_COUNT) {
        if (!value && table[id].kind == HEDDLE_OPTION_SWITCH) value = "on";
        if (value) return set_by_id(o, id, value, error);
        text_format(error, "option '%s' needs a value", name);
        return false;
    }
    if (!strncmp(name, "no-", 3)) {
        id = option_find(name + 3);
        if (id != OPTION_COUNT && table[id].kind == HEDDLE_OPTION_SWITCH) {
            if (!value) return set_by_id(o, id, "off", error);
            text_format(error, "option '%s' takes no value", name);
            return false;
        }
    }
    text_format(error, "unknown option '%s'", name);
    return false;
}

void options_init(options *o) {
    memset(o, 0, sizeof *o);
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        o->value[id].written = mem_copy_string(table[id].preset);
        FOR_ASSERTIONS bool good =
            !*table[id].preset || parse_value(&table[id], table[id].preset, &o->value[id], NULL);
        assert(good && option_find(table[id].name) == id); /* presets are values, and no two have one name */
    }
}

void options_free(options *o) {
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        mem_free(o->value[id].written);
        forget_list(&o->value[id]);
    }
    for (size_t i = 0; i < o->parameters.size; i++) mem_free(o->parameters.data[i].name);
    vec_free(&o->parameters);
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static json_t *choice_json(const char *word, size_t length, const option_value *value) {
    const char *colon = memchr(word, ':', length);
    if (!colon || !value->list.size) return json_stringn(word, length);
    text whole = {0};
    text_format(&whole, "%.*s:%s", (int)(colon - word), word, value->list.data[0]);
    json_t *result = json_safe_string(text_cstr(&whole));
    text_free(&whole);
    return result;
}

static json_t *list_choices(const char *values, const option_value *value) {
    json_t *list = json_array();
    for (unsigned i = 0;; i++) {
        size_t word = strcspn(values, "|");
        if (value->choices >> i & 1) json_array_append_new(list, choice_json(values, word, value));
        if (!values[word]) return list;
        values += word + 1;
    }
}

static json_t *list_parameters(const options *o) {
    json_t *object = json_object();
    for (size_t i = 0; i < o->parameters.size; i++)
        json_object_set_new(object, o->parameters.data[i].name, json_integer(o->parameters.data[i].value));
    return object;
}

static json_t *list_texts(const option_value *value) {
    json_t *list = json_array();
    for (size_t i = 0; i < value->list.size; i++)
        json_array_append_new(list, json_safe_string(value->list.data[i]));
    return list;
}

static json_t *value_json(const options *o, option_id id) {
    const option_value *value = &o->value[id];
    switch (table[id].kind) {
    case HEDDLE_OPTION_SWITCH: return json_boolean(value->on);
    case HEDDLE_OPTION_CHOICE: return json_safe_string(value->written);
    case HEDDLE_OPTION_CHOICES: return list_choices(table[id].values, value);
    case HEDDLE_OPTION_NUMBER:
    case HEDDLE_OPTION_SIZE: return *value->written ? json_integer((json_int_t)value->number) : json_null();
    case HEDDLE_OPTION_DURATION: return *value->written ? json_real(value->seconds) : json_null();
    case HEDDLE_OPTION_TEXT:
    case HEDDLE_OPTION_FILE: return *value->written ? json_safe_string(value->written) : json_null();
    case HEDDLE_OPTION_TEXTS: return list_texts(value);
    case HEDDLE_OPTION_ASSIGNMENT: return list_parameters(o);
    }
    return json_null();
}

json_t *options_json(const options *o) {
    json_t *object = json_object();
    for (unsigned id = 0; id < OPTION_COUNT; id++)
        json_object_set_new(object, table[id].name, value_json(o, (option_id)id));
    assert(json_object_size(object) == OPTION_COUNT);
    return object;
}
