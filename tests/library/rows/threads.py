"""Threads themselves and what each has of its own: attributes, keys, pthread_once, <threads.h>. What a row needs of threads
it creates itself."""

from rows.locks import time_over

HELPERS = """
static void *give_back(void *given) { return given; }
static void *exit_with(void *given) { pthread_exit(given); }
static void *give_identity(void *given) { return (void *)pthread_self(); }
static void *spoil_errno(void *given) { errno = 77; return 0; }
static int times_run;
static void run_once(void) { times_run++; }
static pthread_key_t own_key;
static int sum_of_ends;
static void add_to_sum(void *value) { sum_of_ends += (int)(long)value; }
static void *set_own_value(void *value) { pthread_setspecific(own_key, value); return pthread_getspecific(own_key); }
"""
C11_HELPERS = """
static int give_back_int(void *given) { return (int)(long)given; }
static int exit_with_int(void *given) { thrd_exit((int)(long)given); }
static int is_current(void *given) { return thrd_equal(*(thrd_t *)given, thrd_current()); }
static int times_called;
static void call_me(void) { times_called++; }
struct c11_meeting { mtx_t mutex; cnd_t changed; int is_set, to_all, result; };
static int c11_set_flag(void *given) {
    struct c11_meeting *meeting = given;
    mtx_lock(&meeting->mutex);
    meeting->is_set = 1;
    meeting->result = meeting->to_all ? cnd_broadcast(&meeting->changed) : cnd_signal(&meeting->changed);
    mtx_unlock(&meeting->mutex);
    return 0;
}
"""


# --- attributes -------------------------------------------------------------------------------------------------------


def fill_pair(row, type, name, values, mutants, kind="int", prepare=""):
    """pthread_TYPE_setNAME and ...getNAME: `values(c)` gives one to set."""

    def exchange(c):
        c.line(f"pthread_{type}_t a; {kind} value = {{7}}; pthread_{type}_init(&a); {prepare}")
        if not (name == "stacksize" and c.index % 2):  # the system decides what it is at first
            c.exact(f"pthread_{type}_set{name}(&a, {values(c)})")
        else:
            c.exact(f"pthread_{type}_setstacksize(&a, {c.number(16384, 99999)})")
            c.exact(f"pthread_{type}_setstacksize(&a, {values(c)})")
        read(c)
        c.line(f"pthread_{type}_set{name}(&a, {values(c)});")
        read(c)

    def read(c):
        look = c.possible if name == "stacksize" and c.index % 2 == 0 else c.exact
        c.exact(f"pthread_{type}_get{name}(&a, &value)")
        look("*(int *)&value" if kind == "struct sched_param" else "value")

    for way, mutant in zip(("set", "get"), mutants):
        row(f"pthread_{type}_{way}{name}", mutant, cases=8)(exchange)


def fill_attributes(row):
    def few(c):
        return c.pick(0, 1, 1, 1, 2, 3, 4, -1, c.integer())

    invalid = ("return EINVAL", "return 0")
    fill_pair(row, "mutexattr", "type", few, (("kind > ADAPTIVE", "kind >= ADAPTIVE"), ("KIND_BITS", "1")))
    fill_pair(row, "mutexattr", "pshared", few, (invalid, ("!= 0", "== 0")))
    fill_pair(row, "mutexattr", "protocol", few, (("> PROTECT", ">= PROTECT"), (">> PROTOCOL_SHIFT", ">> 1")))
    fill_pair(row, "mutexattr", "prioceiling", lambda c: c.pick(0, 1, 2, 50, 98, 99, 100, -1, c.integer()), (("> MOST_CEILING", ">= MOST_CEILING"), (": 1", ": 0")))
    fill_pair(row, "mutexattr", "robust", lambda c: c.pick(0, 2, -1, 3), (invalid, ("*robust = 0", "*robust = 1")))
    fill_pair(row, "condattr", "clock", few, (invalid, (">> 1", "& 1")))
    fill_pair(row, "condattr", "pshared", few, (invalid, ("SHARED_BIT", "0")))
    fill_pair(row, "rwlockattr", "pshared", few, (invalid, ("a->shared", "a->kind")))
    fill_pair(row, "rwlockattr", "kind_np", lambda c: c.pick(0, 1, 2, 3, 3, 4, -1), (("kind >= KINDS", "kind > KINDS"), ("a->kind", "a->shared")))
    fill_pair(row, "barrierattr", "pshared", few, (invalid, ("(int)*attributes", "0")))
    fill_pair(row, "attr", "detachstate", few, (invalid, ("(int)a->detached", "0")))
    fill_pair(row, "attr", "scope", few, (("EOPNOTSUPP", "EINVAL"), ("*scope = 0", "*scope = 1")))
    fill_pair(row, "attr", "inheritsched", few, (invalid, ("(int)a->is_explicit", "0")))
    fill_pair(row, "attr", "schedpolicy", lambda c: c.pick(0, 1, 2, 3, 4, 5, 6, -1, 1 << 30, c.integer()), (invalid, ("a->policy", "0")))
    fill_pair(
        row, "attr", "schedparam", lambda c: f"&(struct sched_param){{{c.pick(0, 1, 50, 99, 100, -1, c.integer())}}}",
        (invalid, ("a->priority", "0")), "struct sched_param", "pthread_attr_setschedpolicy(&a, SCHED_FIFO);")
    fill_pair(row, "attr", "guardsize", lambda c: c.pick(0, 1, 4096, 4097, c.number(0, 99999)), (("a->guard = size", ";"), ("a->guard", "PAGE")), "size_t")
    fill_pair(
        row, "attr", "stacksize", lambda c: c.pick(0, 1, 16383, 16384, 16385, c.number(16384, 9999999)),
        (("size < SMALLEST_STACK", "size <= SMALLEST_STACK"), ("*size = present", "*size = present + 1")), "size_t")

    @row("pthread_attr_setstack", ("size < SMALLEST_STACK", "size <= SMALLEST_STACK"), cases=8)
    def setstack(c):
        c.line("pthread_attr_t a; size_t size = 7; pthread_attr_init(&a); static char stack[16386]; pthread_attr_setstacksize(&a, 20000);")
        c.exact(f"pthread_attr_setstack(&a, stack + {c.pick(0, 1)}, {c.pick(0, 16383, 16384, 16384, 16385)})")
        c.exact("pthread_attr_getstacksize(&a, &size)")
        c.exact("size")

    @row("pthread_attr_init", ("a->guard = PAGE", "a->guard = 0"), cases=1)
    def init(c):
        c.line("pthread_attr_t a; int value[4] = {7, 7, 7, 7}; size_t size = 7; struct sched_param priority = {7};")
        c.exact("pthread_attr_init(&a)")
        for name, place in (("detachstate", "value"), ("scope", "value + 1"), ("inheritsched", "value + 2"), ("schedpolicy", "value + 3"), ("guardsize", "&size"), ("schedparam", "&priority")):
            c.exact(f"pthread_attr_get{name}(&a, {place})")
        c.exact("value[0] + 10 * value[1] + 100 * value[2] + 1000 * value[3]")
        c.exact("size")
        c.exact("priority.sched_priority")

    def fill_life(type, start, getters):
        """What init leaves, and that destroy succeeds."""

        def live(c):
            c.line(f"pthread_{type}_t a; int value = 7;")
            c.exact(f"pthread_{type}_init(&a)")
            for getter in getters:
                c.exact(f"pthread_{type}_get{getter}(&a, &value)")
                c.exact("value")
            c.exact(f"pthread_{type}_destroy(&a)")

        if start:
            row(f"pthread_{type}_init", start, cases=1)(live)
        row(f"pthread_{type}_destroy", ("return 0", "return EINVAL"), cases=1)(live)

    fill_life("attr", None, ["detachstate"])
    fill_life("mutexattr", ("= NORMAL", "= RECURSIVE"), ["type", "pshared", "protocol", "prioceiling", "robust"])
    fill_life("condattr", ("= 0", "= 1"), ["clock", "pshared"])
    fill_life("rwlockattr", ("shared = 0", "shared = 1"), ["kind_np", "pshared"])
    fill_life("barrierattr", ("= 0", "= 1"), ["pshared"])


# --- threads ----------------------------------------------------------------------------------------------------------


def fill_life_of_threads(row):
    def run(c, start, argument):
        c.line("pthread_t thread = 0; void *result = 0;")
        c.exact(f"pthread_create(&thread, 0, {start}, (void *){argument})")
        c.exact("pthread_join(thread, &result)")

    def give_back(c):
        run(c, "give_back", c.number(1, 99))
        c.exact("(long)result")
        c.exact("thread != 0")

    row("pthread_create", ("return 0", "return EAGAIN"), HELPERS, cases=2)(give_back)
    row("__errno_location", ("&errors[running_thread()]", "&errors[0]"), HELPERS, cases=1)(
        lambda c: (c.line("errno = 5;"), run(c, "spoil_errno", 0), c.exact_errno()))

    @row("pthread_join", ("*result = returned", ";"), HELPERS, cases=2)
    def join(c):
        give_back(c)
        c.exact("pthread_join(pthread_self(), 0)")

    @row("pthread_exit", ("__heddle_thread_exit(result)", "__heddle_thread_exit(NULL)"), HELPERS, cases=2)
    def leave(c):
        run(c, "exit_with", c.number(1, 99))
        c.exact("(long)result")

    @row("pthread_self", ("__heddle_self()", "0"), HELPERS, cases=1)
    def self(c):
        run(c, "give_identity", 0)
        c.exact("(pthread_t)result == thread")

    @row("pthread_equal", ("a == b", "a != b"), HELPERS, cases=1)
    def equal(c):
        run(c, "give_back", 0)
        c.exact("pthread_equal(thread, thread)")
        c.exact("pthread_equal(pthread_self(), pthread_self())")
        c.exact("pthread_equal(thread, pthread_self())")

    @row("pthread_detach", ("result_of_second_claim() : 0", "0 : EINVAL"), HELPERS, cases=1)
    def detach(c):
        c.line("pthread_t thread; pthread_create(&thread, 0, give_back, 0);")
        c.exact("pthread_detach(thread)")

    @row("pthread_once", ("once, 2", "once, 0"), HELPERS, cases=1)
    def once(c):
        c.line("static pthread_once_t once = PTHREAD_ONCE_INIT; times_run = 0;")
        for _ in range(3):
            c.exact("pthread_once(&once, run_once)")
            c.exact("times_run")


def fill_settings_of_threads(row):
    @row("pthread_setschedparam", ("return EINVAL", "return 0"), cases=16)
    def setschedparam(c):
        policy = c.pick(0, 1, 2, 3, 4, 5, 6, 7, -1, 1 << 30, (1 << 30) + 1, (1 << 30) + 4)
        priority = c.pick(-1, 0, 0, 1, 50, 99, 100, c.integer())
        look = c.possible if priority in (1, 50, 99) and policy & 3 in (1, 2) else c.exact
        c.line(f"struct sched_param other = {{0}}, p = {{{priority}}};")
        look(f"pthread_setschedparam(pthread_self(), {policy}, &p)")
        c.line("pthread_setschedparam(pthread_self(), SCHED_OTHER, &other);")

    @row("pthread_setschedprio", ("EPERM : EINVAL", "EPERM : EPERM"), cases=4)
    def setschedprio(c):
        c.possible(f"pthread_setschedprio(pthread_self(), {c.pick(0, 1, -1, 100) if c.index else 100})")

    def concurrency(c):
        c.line("pthread_setconcurrency(0);")
        c.exact(f"pthread_setconcurrency({c.integer()})")
        c.exact("pthread_getconcurrency()")

    row("pthread_setconcurrency", ("level < 0", "level < 1"))(concurrency)
    row("pthread_getconcurrency", ("return", "return 1 +"))(concurrency)

    @row("pthread_setname_np", ("length == 16", "length == 15"), cases=8)
    def setname(c):
        c.string("name", "n" * c.pick(0, 1, 14, 15, 16, 17, 30))
        c.exact("pthread_setname_np(pthread_self(), name)")

    @row("pthread_setaffinity_np", ("some == 0", "some != 0"), cases=8)
    def setaffinity(c):
        size = c.pick(0, 1, 3, 8, 16, 24)
        c.line(f"unsigned char set[24] = {{0}}; set[{c.pick(0, 1, 7, 20)}] = {c.pick(0, 1, 255)};")
        c.line(f"int some = 0; for (int k = 0; k < {size}; k++) some |= set[k];")
        c.line(f"int result = pthread_setaffinity_np(pthread_self(), {size}, (cpu_set_t *)set);")
        c.possible("result")
        c.promise("some != 0 || result == EINVAL")

    def cancel(c, what):
        c.line(f"int old = 7; pthread_set{what}(0, 0);")
        for _ in range(4):
            c.exact(f"pthread_set{what}({c.pick(0, 1, 1, 2, -1, c.integer())}, {c.pick('0', '&old', '&old')})")
            c.exact("old")
        c.line(f"pthread_set{what}(0, 0);")

    row("pthread_setcancelstate", ("&cancel_state", "&cancel_type"))(lambda c: (c.line("int type; pthread_setcanceltype(0, 0);"), cancel(c, "cancelstate"), c.line("pthread_setcancelstate(1, 0);"), c.exact("(pthread_setcanceltype(0, &type), type)"), c.line("pthread_setcancelstate(0, 0);")))
    row("pthread_setcanceltype", ("&cancel_type, type, old", "&cancel_type, type, NULL"))(lambda c: cancel(c, "canceltype"))


# --- values of threads ------------------------------------------------------------------------------------------------


def fill_keys(row):
    def keys(c):
        c.line("pthread_key_t keys[3];")
        for k in range(3):
            c.exact(f"pthread_key_create(&keys[{k}], 0)")
        c.exact("keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]")
        there = {0, 1, 2}
        for _ in range(8):
            k, what = c.number(0, 2), c.pick("set", "set", "delete", "create")
            if what == "set":
                c.exact(f"pthread_setspecific(keys[{k}], (void *){c.number(0, 99)})")
            elif what == "delete":
                c.exact(f"pthread_key_delete(keys[{k}])")
                there.discard(k)
            elif k not in there and len(there) == 2:
                c.exact(f"pthread_key_create(&keys[{k}], 0)")
                there.add(k)
            c.exact(f"(long)pthread_getspecific(keys[{k}])")
            if len(there) < 2:
                break
        for k in there:
            c.line(f"pthread_key_delete(keys[{k}]);")
        far = c.pick(1024, 5000, "UINT_MAX")
        c.exact(f"pthread_key_delete({far})")
        c.exact(f"pthread_setspecific({far}, 0)")
        c.exact(f"(long)pthread_getspecific({far})")

    row("pthread_getspecific", ("return NULL", "return (void *)1"))(keys)
    row("pthread_setspecific", ("known ? 0 : EINVAL", "0"))(keys)
    row("pthread_key_delete", ("used[key] = 0", ";"))(keys)

    @row("pthread_key_create", ("make_key(destructor)", "make_key(NULL)"), HELPERS, cases=2)
    def create(c):
        c.line("pthread_t thread; void *result; sum_of_ends = 0;")
        c.exact("pthread_key_create(&own_key, add_to_sum)")
        c.line(f"pthread_create(&thread, 0, set_own_value, (void *){c.number(1, 99)}); pthread_join(thread, &result);")
        c.exact("(long)result")
        c.exact("sum_of_ends")
        c.exact("(long)pthread_getspecific(own_key)")
        c.line("pthread_key_delete(own_key);")


# --- <threads.h> ------------------------------------------------------------------------------------------------------


def fill_c11_threads(row):
    def run(c, start, argument):
        c.line("thrd_t thread; int result = 0;")
        c.exact(f"thrd_create(&thread, {start}, (void *){argument})")
        c.exact("thrd_join(thread, &result)")
        c.exact("result")

    row("thrd_create", ("return SUCCESS", "return ERROR"), C11_HELPERS, cases=2)(lambda c: run(c, "give_back_int", c.number(-99, 99)))
    row("thrd_join", ("return result_of(error)", "return error"), C11_HELPERS, cases=2)(
        lambda c: (run(c, "give_back_int", c.number(-99, 99)), c.exact("thrd_join(thrd_current(), 0)")))
    row("thrd_exit", ("(long)result", "(long)result + 1"), C11_HELPERS, cases=2)(lambda c: run(c, "exit_with_int", c.number(-99, 99)))
    row("thrd_current", ("return pthread_self()", "return pthread_self() + 1"), C11_HELPERS, cases=1)(
        lambda c: (c.line("thrd_t mine = thrd_current();"), run(c, "is_current", "&mine"), c.exact("thrd_equal(thread, mine)"), c.exact("pthread_equal(mine, pthread_self())")))
    row("thrd_equal", ("a == b", "a != b"), C11_HELPERS, cases=1)(
        lambda c: (run(c, "give_back_int", 0), c.exact("thrd_equal(thread, thread)"), c.exact("thrd_equal(thread, thrd_current())")))

    @row("thrd_detach", ("result_of(pthread_detach(thread))", "1 + result_of(pthread_detach(thread))"), C11_HELPERS, cases=1)
    def detach(c):
        c.line("thrd_t thread; thrd_create(&thread, give_back_int, 0);")
        c.exact("thrd_detach(thread)")

    @row("thrd_sleep", ("-2", "-1"), cases=12)
    def sleep(c):
        c.line(f"struct timespec t = {{{c.pick(0, 0, -1)}, {c.pick(0, 1, 99, 1000000000, -1)}}}, left = {{5, 6}};")
        c.exact(f"thrd_sleep(&t, {c.pick('0', '&left')})")
        c.exact("left.tv_sec * 10 + left.tv_nsec")
        c.exact_errno()

    @row("call_once", ("pthread_once(once, routine)", "routine()"), C11_HELPERS, cases=1)
    def once(c):
        c.line("static once_flag once = ONCE_FLAG_INIT; times_called = 0;")
        for _ in range(3):
            c.exact("(call_once(&once, call_me), times_called)")


def fill_c11_locks(row):
    def mutex(c, calls):
        kind = c.pick("mtx_plain", "mtx_timed", "mtx_recursive", "mtx_recursive | mtx_timed", -1, 4, 5, 7)
        c.line("mtx_t m;")
        time_over(c)
        c.exact(f"mtx_init(&m, {kind})")
        held, recursive = 0, "recursive" in str(kind)
        for _ in range(5):
            call = c.pick(*calls, "unlock")
            if call == "unlock" and not held:
                call = calls[0]
            if call == "lock" and held and not recursive:
                call = "trylock"
            c.exact(f"mtx_{call}(&m{', &until' if call == 'timedlock' else ''})")
            held += -1 if call == "unlock" else 1 if recursive or not held else 0
        for _ in range(held):
            c.exact("mtx_unlock(&m)")

    row("mtx_init", ("== MUTEX_RECURSIVE", "!= 0"), cases=12)(lambda c: mutex(c, ["lock", "trylock"]))
    row("mtx_lock", ("return result_of(pthread_mutex_lock(m))", "return 0"))(lambda c: mutex(c, ["lock"]))
    row("mtx_trylock", ("return result_of(pthread_mutex_trylock(m))", "return pthread_mutex_trylock(m)"))(lambda c: mutex(c, ["trylock"]))
    row("mtx_timedlock", ("return result_of(pthread_mutex_timedlock(m, until))", "return pthread_mutex_timedlock(m, until)"), cases=10)(lambda c: mutex(c, ["timedlock"]))
    row("mtx_unlock", ("return result_of(pthread_mutex_unlock(m))", "return 0"))(lambda c: mutex(c, ["lock", "trylock"]))

    @row("mtx_destroy", ("pthread_mutex_destroy(m)", ";"), cases=2, misuse=True)
    def destroy(c):
        mutex(c, ["lock"])
        c.exact("(mtx_destroy(&m), mtx_lock(&m))")

    @row("cnd_timedwait", ("return result_of(pthread_cond_timedwait(c, m, until))", "return pthread_cond_timedwait(c, m, until)"), cases=8)
    def timedwait(c):
        c.line("mtx_t m; cnd_t condition; mtx_init(&m, mtx_plain); mtx_lock(&m);")
        time_over(c)
        c.exact("cnd_init(&condition)")
        c.exact("cnd_timedwait(&condition, &m, &until)")
        c.exact("mtx_trylock(&m)")

    def wait_for_flag(c, to_all):
        c.line(f"static struct c11_meeting meeting; thrd_t thread; meeting.to_all = {to_all};")
        c.line("mtx_init(&meeting.mutex, mtx_plain); mtx_lock(&meeting.mutex);")
        c.exact("cnd_init(&meeting.changed)")
        c.line("thrd_create(&thread, c11_set_flag, &meeting);")
        c.line("int result = 0; while (!meeting.is_set) result |= cnd_wait(&meeting.changed, &meeting.mutex);")
        c.exact("result")
        c.exact("mtx_unlock(&meeting.mutex)")
        c.line("thrd_join(thread, 0);")
        c.exact("meeting.result")

    row("cnd_init", ("result_of(", "1 + result_of("), C11_HELPERS, cases=1)(lambda c: wait_for_flag(c, 0))
    row("cnd_wait", ("result_of(", "1 + result_of("), C11_HELPERS, cases=1)(lambda c: wait_for_flag(c, 0))
    row("cnd_signal", ("result_of(", "1 + result_of("), C11_HELPERS, cases=1)(lambda c: wait_for_flag(c, 0))
    row("cnd_broadcast", ("result_of(", "1 + result_of("), C11_HELPERS, cases=1)(lambda c: wait_for_flag(c, 1))

    def key(c):
        c.line("tss_t key;")
        c.exact("tss_create(&key, 0)")
        c.exact("(long)tss_get(key)")
        c.exact(f"tss_set(key, (void *){c.number(1, 99)})")
        c.exact("(long)tss_get(key)")
        c.exact("(tss_delete(key), tss_set(key, 0))")
        c.exact("(long)tss_get(key)")

    row("tss_create", ("result_of(", "1 + result_of("), cases=2)(key)
    row("tss_delete", ("pthread_key_delete(key)", ";"), cases=2)(key)
    row("tss_get", ("return pthread_getspecific(key)", "return NULL"), cases=2)(key)
    row("tss_set", ("result_of(pthread_setspecific(key, value))", "pthread_setspecific(key, value)"), cases=2)(key)


# --- atomic operations on objects that no instruction can do ------------------------------------------------------------


def fill_large_atomics(row):
    prelude = "struct large { int a, b, c, d, e; };\n"

    def wrong(result, name, arguments, body):
        head = f"{result} wrong({arguments})"
        return f'{head} __asm__("__atomic_{name}");\n{head} {{ {body} }}\n'

    def numbers(c):
        return f"{{{', '.join(str(c.number(0, 1)) for _ in range(2))}, {c.number(-99, 99)}, 4, {c.number(0, 1)}}}"

    def look(c, *names):
        for name in names:
            c.exact(f"{name}.a + 2 * {name}.b + 4 * {name}.e + 8 * {name}.c + 4096 * {name}.d")

    def objects(c):
        first = numbers(c)
        c.line(f"_Atomic struct large cell = (struct large){first}; struct large seen = {c.pick(first, numbers(c))}, next = {numbers(c)}, now = {{9}};")

    def all_of_them(c):
        objects(c)
        for _ in range(2):
            c.exact("__c11_atomic_compare_exchange_strong(&cell, &seen, next, 5, 5)")
            look(c, "seen")
        c.line(f"now = __c11_atomic_load(&cell, 5); seen = (struct large){numbers(c)};")
        look(c, "now")
        c.line("next = __c11_atomic_exchange(&cell, seen, 5);")
        look(c, "next")
        c.line("seen.d = 1; __c11_atomic_store(&cell, seen, 5); now = __c11_atomic_load(&cell, 5);")
        look(c, "now")

    spoil = "for (unsigned long k = 0; k < n; k++) ((char *)to)[k] = 1;"
    row("__atomic_load", prelude=prelude, own=wrong("void", "load", "unsigned long n, const void *from, void *to, int order", spoil), cases=2)(all_of_them)
    row("__atomic_store", prelude=prelude, own=wrong("void", "store", "unsigned long n, void *to, const void *from, int order", ""), cases=2)(all_of_them)
    row("__atomic_exchange", prelude=prelude, own=wrong("void", "exchange", "unsigned long n, void *cell, const void *new, void *to, int order", spoil), cases=2)(all_of_them)
    row("__atomic_compare_exchange", prelude=prelude, own=wrong("_Bool", "compare_exchange", "unsigned long n, void *cell, void *seen, const void *new, int yes, int no", "return 1;"), cases=6)(all_of_them)

    @row("__atomic_is_lock_free", own=wrong("_Bool", "is_lock_free", "unsigned long n, const void *cell", "return n > 16;"), cases=8)
    def is_lock_free(c):
        size = c.pick(0, 1, 2, 4, 8, 17, 32, 3, 16)
        c.line(f"volatile size_t size = {size};")
        (c.possible if size in (3, 16) else c.exact)("__atomic_is_lock_free(size, 0)")


def fill_sized_atomics(row):
    """Compilers call these for objects that are not aligned; here they are called by their names."""
    types = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long"}
    fetches = {"exchange": "operand + 1", "fetch_add": "before - operand", "fetch_sub": "before + operand", "fetch_and": "before | operand",
               "fetch_or": "before ^ operand", "fetch_xor": "before | operand", "fetch_nand": "before & operand"}

    def declaration(result, name, size, arguments):
        return f'{result} called_{name}_{size}({arguments}) __asm__("__atomic_{name}_{size}");\n'

    def pattern(c, size):
        return hex(c.random.getrandbits(8 * size)) + "ull"

    def look(c, *names):
        """Between others that must stay as they are."""
        for name in names:
            c.exact(f"(long long){name}.value")
            c.exact(f"{name}.before * 16 + {name}.behind")

    def add(name, size, result, arguments, wrong, write):
        head = declaration(result, name, size, arguments)
        body = f"{head}{result} called_{name}_{size}({arguments}) {{ {wrong} }}\n"

        def all_of_it(c):
            c.line(f"struct {{ {types[size]} before, value, behind; }} cell = {{1, {pattern(c, size)}, 2}}, seen = {{3, {c.pick('cell.value', pattern(c, size))}, 4}};")
            write(c)
            look(c, "cell", "seen")

        row(f"__atomic_{name}_{size}", prelude=head, own=body, cases=2)(all_of_it)

    def fill_size(size, type):
        for name, after in fetches.items():
            def fetch(c, name=name):
                c.exact(f"(long long)called_{name}_{size}(&cell.value, {pattern(c, size)}, 5)")

            wrong = f"{type} before = *({type} *)cell; *({type} *)cell = {after}; return before;"
            add(name, size, type, f"void *cell, {type} operand, int order", wrong, fetch)

        def load(c):
            c.exact(f"(long long)called_load_{size}(&cell.value, 5)")

        def store(c):
            c.line(f"called_store_{size}(&cell.value, {pattern(c, size)}, 5);")

        def exchange(c):
            for _ in range(2):
                c.exact(f"called_compare_exchange_{size}(&cell.value, &seen.value, {pattern(c, size)}, 5, 5)")

        add("load", size, type, "const void *cell, int order", f"return *(const {type} *)cell ^ 1;", load)
        add("store", size, "void", f"void *cell, {type} value, int order", "", store)
        add("compare_exchange", size, "_Bool", f"void *cell, void *expected, {type} value, int yes, int no", f"*({type} *)cell = value; return 1;", exchange)

    for size, type in types.items():
        fill_size(size, type)


def fill(table):
    table.include("pthread.h", "threads.h", "sched.h", "time.h", "limits.h", "stddef.h")
    fill_attributes(table.row)
    fill_life_of_threads(table.row)
    fill_settings_of_threads(table.row)
    fill_keys(table.row)
    fill_c11_threads(table.row)
    fill_c11_locks(table.row)
    table.leave_out("called by models only", "__model_asks_for_detached", "__model_is_priority", "__model_join", "__model_run_destructors", "__heddle_threads")
    table.leave_out("has no result, and nothing that one thread could see happens", "pthread_testcancel", "thrd_yield", "cnd_destroy")
    table.leave_out("glibc's header makes sched_yield of it, and no program can be linked with it", "pthread_yield")
    fill_large_atomics(table.row)
    fill_sized_atomics(table.row)
