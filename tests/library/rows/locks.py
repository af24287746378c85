"""Mutexes, conditions, read-write locks, semaphores, barriers and spin locks of pthreads, in sequences of calls. What is
held is kept track of, so that no call blocks; where a thread has to help, the case creates it."""

LOCK_KINDS = {
    "NORMAL": "PTHREAD_MUTEX_INITIALIZER",
    "RECURSIVE": "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    "ERRORCHECK": "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    "ADAPTIVE_NP": "PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP",
}
WRITER_KINDS = {
    "READER": "PTHREAD_RWLOCK_INITIALIZER",
    "WRITER": None,
    "WRITER_NONRECURSIVE": "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP",
}

HELPERS = """
struct meeting { pthread_mutex_t mutex; pthread_cond_t changed; pthread_barrier_t barrier; int is_set, to_all, result; };
static void *set_flag(void *given) {
    struct meeting *meeting = given;
    pthread_mutex_lock(&meeting->mutex);
    meeting->is_set = 1;
    meeting->result = meeting->to_all ? pthread_cond_broadcast(&meeting->changed) : pthread_cond_signal(&meeting->changed);
    pthread_mutex_unlock(&meeting->mutex);
    return 0;
}
static void *meet(void *given) {
    struct meeting *meeting = given;
    meeting->result = pthread_barrier_wait(&meeting->barrier);
    return 0;
}
"""


def time_over(c):
    """Long ago by each clock, or no time at all; returns whether it is one."""
    part = c.pick(0, 1, 999999999, c.number(0, 999999999), 1000000000, -1, "LONG_MAX", "LONG_MIN")
    c.line(f"struct timespec until = {{{c.pick(-7, -1, 0, 1)}, {part}}};")
    return isinstance(part, int) and 0 <= part < 1000000000


class Mutex:
    """Of a random kind, with the number of times that the thread has locked it."""

    def __init__(self, c, kind=None):
        self.c, self.held = c, 0
        self.kind = kind or c.pick(*LOCK_KINDS)
        if c.pick(True, False):
            c.line(f"pthread_mutex_t m = {LOCK_KINDS[self.kind]};")
        else:
            c.line("pthread_mutex_t m; pthread_mutexattr_t a; pthread_mutexattr_init(&a);")
            c.line(f"pthread_mutexattr_settype(&a, PTHREAD_MUTEX_{self.kind});")
            c.line(f"pthread_mutexattr_setprotocol(&a, {c.pick('PTHREAD_PRIO_NONE', 'PTHREAD_PRIO_INHERIT')});")
            c.exact("pthread_mutex_init(&m, &a)")

    def knows_owner(self):
        return self.kind in ("RECURSIVE", "ERRORCHECK")

    def unlock(self):
        if self.held or self.knows_owner():
            self.c.exact("pthread_mutex_unlock(&m)")
            self.held = max(self.held - 1, 0)

    def take(self, call):
        if self.held and call == "lock" and not self.knows_owner():
            call = "trylock"
        arguments = "&m" if call in ("lock", "trylock") else f"&m, {self.clock()}&until" if call == "clocklock" else "&m, &until"
        self.c.exact(f"pthread_mutex_{call}({arguments})")
        if self.held == 0 or self.kind == "RECURSIVE":
            self.held += 1

    def clock(self):
        return f"{self.c.pick('CLOCK_REALTIME', 'CLOCK_MONOTONIC')}, "

    def anything(self, calls, steps):
        for _ in range(steps):
            if self.c.number(0, 2) == 0:
                self.unlock()
            else:
                self.take(self.c.pick(*calls))


def fill_mutexes(row):
    ways = ("lock", "trylock", "timedlock", "clocklock")

    def sequence(c, *calls):
        m = Mutex(c)
        time_over(c)
        m.anything(calls or ways, 5)
        return m

    @row("pthread_mutex_lock", ("int error = take(m, mine, EBUSY)", "int error = take(m, mine, EBUSY) ? EBUSY : 0"), cases=10)
    def lock(c):
        sequence(c, "lock")

    @row("pthread_mutex_trylock", ("error == EDEADLK && ", "0 && "), cases=10)
    def trylock(c):
        sequence(c, "lock", "trylock")

    @row("pthread_mutex_timedlock", ("if (error == ETIMEDOUT) error", "error"), cases=12)
    def timedlock(c):
        sequence(c, "timedlock")

    @row("pthread_mutex_unlock", ("return error", "return 0"), cases=10, misuse=True)
    def unlock(c):
        m = sequence(c)
        for _ in range(m.held + 1):
            c.exact("pthread_mutex_unlock(&m)")
        c.exact("pthread_mutex_trylock(&m)")
        c.exact("pthread_mutex_unlock(&m)")
        if c.index < 3:  # either may be, so that paths part
            c.possible("pthread_mutex_destroy(&m)")

    @row("pthread_mutex_clocklock", ("is_clock_to_wait_by(clock)", "clock"), cases=12)
    def clocklock(c):
        m = Mutex(c)
        time_over(c)
        c.exact(f"pthread_mutex_clocklock(&m, {c.pick(-1, 2, 3, 4, 5, 7, 11, 99)}, &until)")
        m.anything(["clocklock"], 3)

    @row("pthread_mutex_init", ("m->kind = kind", "m->kind = NORMAL"), cases=8)
    def init(c):
        m = Mutex(c)
        m.take("lock")
        m.take("trylock")
        c.exact("pthread_mutex_init(&m, 0)")
        c.exact("pthread_mutex_lock(&m)")
        c.exact("pthread_mutex_trylock(&m)")

    @row("pthread_mutex_destroy", ("m->kind = DESTROYED", ";"), cases=10, misuse=True)
    def destroy(c):
        m = sequence(c)
        c.exact("pthread_mutex_destroy(&m)")
        while m.held:
            m.unlock()
        c.exact("pthread_mutex_destroy(&m)")
        for call in ("lock(&m)", "trylock(&m)", "unlock(&m)", "timedlock(&m, &until)", "destroy(&m)"):
            c.exact(f"pthread_mutex_{call}")

    @row("pthread_mutex_consistent", ("return EINVAL", "return 0"), cases=3)
    def consistent(c):
        Mutex(c)
        c.exact("pthread_mutex_consistent(&m)")


def fill_conditions(row):
    def condition(c, kinds=()):
        m = Mutex(c, c.pick(*kinds) if kinds else None)
        c.line("pthread_cond_t condition = PTHREAD_COND_INITIALIZER;")
        return m

    def hold(m):
        for _ in range(m.c.number(0 if m.knows_owner() else 1, 2 if m.kind == "RECURSIVE" else 1)):
            m.take("lock")

    def release(m):
        while m.held:
            m.unlock()
        if m.knows_owner():
            m.unlock()

    @row("pthread_cond_timedwait", ("pthread_mutex_lock(m)", ";"), cases=16)
    def timedwait(c):
        m = condition(c)
        time_over(c)
        hold(m)
        c.exact("pthread_cond_timedwait(&condition, &m, &until)")
        release(m)

    @row("pthread_cond_clockwait", ("is_clock_to_wait_by(clock)", "clock == 0"), cases=16)
    def clockwait(c):
        m = condition(c)
        time_over(c)
        hold(m)
        c.exact(f"pthread_cond_clockwait(&condition, &m, {c.pick(0, 1, 1, -1, 2, 4, 7, 99)}, &until)")
        release(m)

    @row("pthread_cond_init", ("c->state = 0", "return 1"), cases=2)
    def init(c):
        c.line("pthread_cond_t condition; pthread_condattr_t a; pthread_condattr_init(&a);")
        c.exact(f"pthread_cond_init(&condition, {c.pick('0', '&a')})")
        c.exact("pthread_cond_signal(&condition)")
        c.exact("pthread_cond_broadcast(&condition)")

    @row("pthread_cond_destroy", ("return 0", "return EBUSY"), cases=2)
    def destroy(c):
        c.line("pthread_cond_t condition = PTHREAD_COND_INITIALIZER;")
        c.exact("pthread_cond_destroy(&condition)")

    @row("pthread_cond_wait", ("return error", "return 0"), cases=4)
    def wait_without_mutex(c):
        m = condition(c, ("RECURSIVE", "ERRORCHECK"))
        c.exact("pthread_cond_wait(&condition, &m)")
        c.exact("pthread_mutex_unlock(&m)")

    def wait_for_flag(c, to_all):
        c.line(f"static struct meeting meeting; pthread_t thread; meeting.to_all = {to_all};")
        c.line("pthread_cond_init(&meeting.changed, 0); pthread_mutex_init(&meeting.mutex, 0); pthread_mutex_lock(&meeting.mutex);")
        c.line("pthread_create(&thread, 0, set_flag, &meeting);")
        c.line("int result = 0; while (!meeting.is_set) result |= pthread_cond_wait(&meeting.changed, &meeting.mutex);")
        c.exact("result")
        c.exact("meeting.is_set")
        c.exact("pthread_mutex_unlock(&meeting.mutex)")
        c.line("pthread_join(thread, 0);")
        c.exact("meeting.result")

    @row("pthread_cond_signal", ("__model_wake(32 * word + chosen)", "return 1"), HELPERS, cases=1)
    def signal(c):
        wait_for_flag(c, 0)

    @row("pthread_cond_broadcast", ("c->waiters[word] = 0", "return 1"), HELPERS, cases=1)
    def broadcast(c):
        wait_for_flag(c, 1)


class ReadWriteLock:
    """Of a random kind; how many readers and writers the thread is."""

    def __init__(self, c):
        self.c, self.readers, self.writes = c, 0, False
        kind = c.pick(*WRITER_KINDS)
        if WRITER_KINDS[kind] and c.pick(True, False):
            c.line(f"pthread_rwlock_t l = {WRITER_KINDS[kind]};")
        else:
            c.line("pthread_rwlock_t l; pthread_rwlockattr_t a; pthread_rwlockattr_init(&a);")
            c.line(f"pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_{kind}_NP);")
            c.exact("pthread_rwlock_init(&l, &a)")
        self.is_time = time_over(c)

    def take(self, call):
        c = self.c
        if call == "wrlock" and self.readers:
            call = "trywrlock"
        more = "" if not call.startswith(("timed", "clock")) else ", &until" if call.startswith("timed") else f", {c.pick(0, 1)}, &until"
        c.exact(f"pthread_rwlock_{call}(&l{more})")
        if self.writes or (more and not self.is_time):
            return
        if "rd" in call:
            self.readers += 1
        else:
            self.writes = self.readers == 0

    def unlock(self):
        if self.writes or self.readers:
            self.c.exact("pthread_rwlock_unlock(&l)")
            self.readers -= not self.writes
            self.writes = False

    def anything(self, calls, steps):
        for _ in range(steps):
            if self.c.number(0, 3) == 0:
                self.unlock()
            else:
                self.take(self.c.pick(*calls))


def fill_read_write_locks(row):
    ways = ("rdlock", "tryrdlock", "timedrdlock", "clockrdlock", "wrlock", "trywrlock", "timedwrlock", "clockwrlock")
    mutants = {
        "rdlock": ("error = EDEADLK", "error = EBUSY"),
        "tryrdlock": ("EBUSY, EBUSY", "EBUSY, EDEADLK"),
        "timedrdlock": ("ETIMEDOUT, EDEADLK", "ETIMEDOUT, EBUSY"),
        "clockrdlock": ("? pthread_rwlock_timedrdlock(l, until) : EINVAL", "? pthread_rwlock_timedrdlock(l, until) : 0"),
        "wrlock": ("error = EDEADLK", "error = EBUSY"),
        "trywrlock": ("EBUSY, EBUSY", "EBUSY, EDEADLK"),
        "timedwrlock": ("ETIMEDOUT, EDEADLK", "EBUSY, EDEADLK"),
        "clockwrlock": ("? pthread_rwlock_timedwrlock(l, until) : EINVAL", "? pthread_rwlock_timedwrlock(l, until) : 0"),
    }

    def add(way):
        @row(f"pthread_rwlock_{way}", mutants[way], cases=12)
        def call(c):
            lock = ReadWriteLock(c)
            if way.startswith("clock"):
                c.exact(f"pthread_rwlock_{way}(&l, {c.pick(-1, 2, 4, 7, 99)}, &until)")
            lock.take(c.pick("rdlock", "wrlock"))
            lock.anything((way, way, c.pick(*ways)), 4)

    for way in ways:
        add(way)

    @row("pthread_rwlock_unlock", ("l->holders = 0", ";"), cases=8)
    def unlock(c):
        lock = ReadWriteLock(c)
        for _ in range(2):
            lock.anything(ways, 3)
            while lock.readers or lock.writes:
                lock.unlock()
        c.exact("pthread_rwlock_trywrlock(&l)")

    @row("pthread_rwlock_init", ("l->holders = 0", ";"), cases=4)
    def init(c):
        lock = ReadWriteLock(c)
        lock.take("rdlock")
        c.exact("pthread_rwlock_init(&l, 0)")
        c.exact("pthread_rwlock_trywrlock(&l)")

    @row("pthread_rwlock_destroy", ("return 0", "return EBUSY"), cases=4, misuse=True)
    def destroy(c):
        ReadWriteLock(c).anything(ways, 3)
        c.exact("pthread_rwlock_destroy(&l)")


def fill_semaphores(row):
    most = 0x7FFFFFFF

    class Semaphore:
        def __init__(self, c, *values):
            self.c = c
            self.value = c.pick(*(values or (0, 1, 2, 7, most - 1, most)))
            c.line("sem_t s; int value = 5;")
            c.exact(f"sem_init(&s, {c.pick(0, 1)}, {self.value}u)")

        def call(self, name):
            if name == "wait" and self.value == 0:
                name = "trywait"
            arguments = {"timedwait": ", &until", "clockwait": f", {self.c.pick(0, 1)}, &until"}.get(name, "")
            self.c.line("errno = 0;")
            self.c.exact(f"sem_{name}(&s{arguments})")
            self.c.exact_errno()
            if name == "post":
                self.value = min(self.value + 1, most)
            elif self.value and (not arguments or self.is_time):
                self.value -= 1

        def anything(self, *names):
            self.is_time = time_over(self.c)
            for _ in range(5):
                self.call(self.c.pick(*names))
            self.c.exact("sem_getvalue(&s, &value)")
            self.c.exact("value")

    @row("sem_init", ("value > MOST", "value > MOST + 1u"), cases=10)
    def init(c):
        c.line("sem_t s; int value = 5;")
        c.exact(f"sem_init(&s, {c.pick(0, 1)}, {c.pick(0, 1, most - 1, most, most + 1, most + 1, most + 2, 2 * most + 1)}u)")
        c.exact_errno()

    def add(name, mutant, *others):
        @row(f"sem_{name}", mutant, cases=8)
        def call(c):
            Semaphore(c).anything(name, name, *others)

    add("post", ("fail(error)", "0"), "wait")
    add("wait", ("s->value -= 1", ";"), "post")
    add("trywait", ("EAGAIN", "EBUSY"), "post")
    add("timedwait", ("ETIMEDOUT", "EAGAIN"), "post")

    @row("sem_clockwait", ("fail(EINVAL)", "EINVAL"), cases=8)
    def clockwait(c):
        s = Semaphore(c)
        s.anything("clockwait", "post")
        c.exact(f"sem_clockwait(&s, {c.pick(-1, 2, 4, 7, 99)}, &until)")
        c.exact_errno()

    @row("sem_getvalue", ("(int)present_value(s)", "0"), cases=8)
    def getvalue(c):
        Semaphore(c).anything("post", "wait")

    @row("sem_destroy", ("return 0", "return 1"), cases=2)
    def destroy(c):
        Semaphore(c)
        c.exact("sem_destroy(&s)")


def fill_barriers_and_spin_locks(row):
    @row("pthread_barrier_init", ("count >= too_many", "count > too_many"), cases=16)
    def barrier_init(c):
        c.line("pthread_barrier_t b; pthread_barrierattr_t a; pthread_barrierattr_init(&a);")
        c.exact(f"pthread_barrier_init(&b, {c.pick('0', '&a')}, {c.pick(0, 1, 2, 0x7FFFFFFD, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, c.number(1, 0x7FFFFFFE))}u)")

    @row("pthread_barrier_wait", ("return SERIAL_THREAD", "return 0"), HELPERS, cases=2)
    def barrier_wait(c):
        if c.index == 0:
            c.line("pthread_barrier_t b; pthread_barrier_init(&b, 0, 1);")
            for _ in range(3):
                c.exact("pthread_barrier_wait(&b)")
            return
        c.line("static struct meeting meeting; pthread_t thread; pthread_barrier_init(&meeting.barrier, 0, 2);")
        c.line("pthread_create(&thread, 0, meet, &meeting);")
        c.line("int mine = pthread_barrier_wait(&meeting.barrier); pthread_join(thread, 0);")
        c.exact("mine + meeting.result")
        c.possible("mine")

    @row("pthread_barrier_destroy", ("return 0", "return EBUSY"), cases=2)
    def barrier_destroy(c):
        c.line(f"pthread_barrier_t b; pthread_barrier_init(&b, 0, {c.number(1, 9)});")
        c.exact("pthread_barrier_destroy(&b)")

    def spin(c):
        c.line("pthread_spinlock_t s;")
        c.exact(f"pthread_spin_init(&s, {c.pick(0, 1, 7)})")
        held = False
        for _ in range(6):
            call = c.pick("unlock", "trylock") if held else c.pick("lock", "trylock")
            c.exact(f"pthread_spin_{call}(&s)")
            held = call != "unlock"
        if held:
            c.exact("pthread_spin_unlock(&s)")
        c.exact("pthread_spin_destroy(&s)")
        c.exact("pthread_spin_init(&s, 0)")

    row("pthread_spin_init", ("lock, 0", "lock, 4096"), cases=3)(spin)
    row("pthread_spin_lock", ("*lock = mine;\n    __heddle", ";\n    __heddle"))(spin)
    row("pthread_spin_trylock", ("EBUSY", "EAGAIN"))(spin)
    row("pthread_spin_unlock", ("*lock = 0", ";"))(spin)
    row("pthread_spin_destroy", ("return 0", "return EBUSY"), cases=2)(spin)


def fill(table):
    table.include("pthread.h", "semaphore.h", "time.h", "limits.h")
    fill_mutexes(table.row)
    fill_conditions(table.row)
    fill_read_write_locks(table.row)
    fill_semaphores(table.row)
    fill_barriers_and_spin_locks(table.row)
    table.leave_out("called by models only", "__model_mutex_release", "__model_stop_waiting", "__model_wait_to_be_woken", "__model_wake")
