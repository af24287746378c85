#!/usr/bin/env bash
# C programs, dlang, task definitions and property files on the command line: exit statuses, messages, reports.   c.sh HEDDLE
. "$(dirname "$0")/shell.sh"

last_line_is() { [ "$(tail -n 1 out)" = "$1" ] || fail "last line is '$(tail -n 1 out)' instead of '$1'"; }
refuse() { # refuse PATTERN ARGUMENT...: status 2, a message, nothing on standard output
    local pattern=$1
    shift
    expect 2 check "$@"
    is_empty out
    has err "$pattern"
}

# --- programs ------------------------------------------------------------------------------------------------------

cat >race.c <<'END'
#include <pthread.h>
int shared;
void *writer(void *unused) { shared = 1; return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int seen = shared;
    pthread_join(t, 0);
    return seen;
}
END
cat >input.c <<'END'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == LIMIT)
        reach_error();
    return 0;
}
END
cat >overflow.c <<'END'
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    return n + 1;
}
END
cat >width.c <<'END'
#include <assert.h>
int main(void) { assert(sizeof(long) == 8); return 0; }
END
cat >weak.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag; void *set_flag(void *unused) { atomic_store_explicit(&flag, 1, memory_order_relaxed); return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set_flag, 0);
    pthread_join(t, 0);
    return 0;
}
END
cat >weak-alone.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
void *set_flag(void *unused) { flag = 1; return unused; }
int main(void) {
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    pthread_t t;
    pthread_create(&t, 0, set_flag, 0);
    if (flag == 3) atomic_store_explicit(&flag, 4, memory_order_relaxed);
    pthread_join(t, 0);
    return 0;
}
END
cat >strong.cpp <<'END'
#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> flag;
int main() {
    std::thread t([] { flag.store(1); });
    int seen = flag.load();
    t.join();
    assert(seen == 0 || seen == 1);
}
END
cat >endless.c <<'END'
#include <pthread.h>
volatile unsigned long long x, y;
void *count(void *unused) { for (;;) x = x + 1; return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    for (;;) y = y + x;
}
END
cat >half.c <<'END'
int other(void);
int main(void) { return other(); }
END
echo 'int other(void) { return 0; }' >rest.c
echo 'int start(void) { return 0; }' >entry.c
echo 'int main(void) { return x; }' >broken.c
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >unreach-call.prp
echo 'CHECK( init(main()), LTL(G ! data-race) )' >no-data-race.prp
echo 'CHECK( init(main()), LTL(G ! overflow) )' >no-overflow.prp
echo 'CHECK( init(main()), LTL(F end) )' >termination.prp
task() { # task FILE PROPERTY VERDICT [MODEL]
    printf "format_version: '2.0'\ninput_files: '%s'\nproperties:\n  - property_file: termination.prp\n    expected_verdict: true\n" "$1"
    printf '  - property_file: %s\n    expected_verdict: %s\n' "$2" "$3"
    [ -z "${4:-}" ] || printf 'options:\n  language: C\n  data_model: %s\n' "$4"
}

# --- verdicts ------------------------------------------------------------------------------------------------------

expect 0 check race.c
expect 0 check --set N=3 race.c
has err "^heddle: warning: option 'set' changes nothing: it is for programs in IVL and dlang$"
expect 1 check --property race race.c
has out 'Data race'
has out 'main reads shared at race\.c:7:[0-9]+: int seen = shared;'
has out 'writer writes shared at race\.c:3:[0-9]+: '
expect 1 check --json --property race race.c
fits_schema
json "sorted(a['thread'] for a in r['trace']['race']) == ['main', 'writer'] and r['svcomp'] == 'false(no-data-race)'"
expect 1 check -DLIMIT=41 input.c
has out '= 41  \(main, input\.c:4:'
has out 'input\.c:6:9 in main'
expect 1 check -D LIMIT=41 --verdict-line --quiet input.c
last_line_is 'Verdict: false(unreach-call)'
expect 0 check -DLIMIT=41LL+__INT_MAX__ --verdict-line input.c
last_line_is 'Verdict: true'
expect 0 check overflow.c
expect 1 check --property overflow overflow.c
has out '= 2147483647'
expect 0 check --64 width.c
expect 1 check --32 width.c
expect 3 check weak.c
has out '^unknown: memory model \(weak\.c:3:'
expect 0 check --memory-model sc weak.c
expect 0 check weak-alone.c
expect 0 check strong.cpp
sed 's/flag.load()/flag.load(std::memory_order_acquire)/' strong.cpp >weak.cpp
expect 3 check weak.cpp
has out '^unknown: memory model \(weak\.cpp:7:'
expect 3 check --unwind 3 endless.c
has out '^unknown: loop bound \(--unwind\) \(endless\.c:'
expect 3 check --engine dpor --max-depth 50 endless.c
has out '^unknown: depth limit'
sed 's/y = y + x;/{ y = y + x; assert(y != 0xfedcba9876543210ull); }/' endless.c | sed '1i#include <assert.h>' >hopeless.c
expect 0 check --time 20s endless.c
expect 3 check --time 2s --json hopeless.c
fits_schema
# Nothing but the name of the group is known of members that were ended before they could report.
json "r['reason'] == 'time limit' and r['engine'].startswith('search') and r['attempts'][0]['engine'] == 'dpor'"
json "r['attempts'][0]['reason'] in ('depth limit', 'time limit')"
expect 0 check half.c rest.c
expect 0 check --stubs rest.c half.c
expect 0 check --entry start entry.c
expect 1 check --property deadlock "$models/c/lock-order.c"
has out 'a_then_b waits in pthread_mutex_lock\(&b\) at lock-order\.c:13:5 for b, which is locked by b_then_a since lock-order\.c:20:5$'
lacks out '__lock'
expect 1 check --json "$models/c/lost-update.c"
json "[n for s in r['trace']['steps'] for n in s['joined']] == ['increase', 'increase#2']"
json "all(c['local'] == (c['name'] in 'ab') for s in r['trace']['steps'] for c in s['changes'])"
json "sum(r['shape']['explored']) <= sum(r['shape']['enabled']) and r['shape']['states'][0] >= 1"
expect 1 check "$models/c/lost-update.c"
has out '^  increase#2$'

# --- what reports say ------------------------------------------------------------------------------------------------

expect 1 check --property deadlock --engine search --memory-model sc "$models/c/lock-order-spin.c"
has out '^Deadlock: no thread can go on, and these are blocked for ever:'
has out '^  a_then_b waits in pthread_mutex_lock\(&b\) at lock-order-spin\.c:19:5'
has out '^  watch spins for ever at lock-order-spin\.c:38:.* for a change of stop'
expect 1 check --json --property deadlock "$models/c/lock-order-spin.c"
fits_schema
json "any('a_then_b waits' in b for b in r['trace']['blocked'])"
expect 1 check --property deadlock -DHOLDS_LOCK -DSILENT "$models/c/polling-server.c"
has out '^  serve goes round in a loop for ever at polling-server\.c:'
expect 0 check --property deadlock "$models/c/worker-at-exit.c"
has out '^note: work is still blocked when the program ends, at .*worker-at-exit\.c:16:'
expect 0 check --property assert "$models/c/worker-at-exit.c"
lacks out 'still blocked'
expect 0 check --json --property deadlock "$models/c/worker-at-exit.c"
fits_schema
json "r['blocked_at_exit'] == 'work'"
expect 1 check --property deadlock --blocked-at-exit "$models/c/worker-at-exit.c"
has out '^  main ends the program at worker-at-exit\.c:'

# --- what stands beside the verdict --------------------------------------------------------------------------------

cat >unreached.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int mode;
atomic_int go;
void forgotten(void) { assert(mode != 1); }
void *wait_for_go(void *unused) {
    while (!go) ;
    return unused;
}
int main(void) {
    pthread_t t;
    if (mode)
        assert(mode == 2);
    for (int i = 0; i < 2; i++)
        assert(i < 2);
    switch (mode) {
    case 0: break;
    default: assert(mode == 3); assert(0);
    }
#ifdef JOIN
    pthread_create(&t, 0, wait_for_go, 0);
    pthread_join(t, 0);
    assert(go);
#endif
    return 0;
}
END
expect 0 check unreached.c
has out '^note: assertion unreached\.c:14:9 is never reached: mode == 2\.$'
has out '^note: assertion unreached\.c:19:14 is never reached: mode == 3\.$'
has out '^note: assertion unreached\.c:6:24 is never reached, as nobody calls its function: mode != 1\.$'
[ "$(grep -c '^note:' out)" = 3 ] || fail "other notes than these three: $(cat out)"
for jobs in 1 2; do
    expect 0 check -DJOIN --jobs $jobs unreached.c
    has out '^note: assertion unreached\.c:24:5 is never reached: go\.$'
    has out '^note: no execution reaches the end of the program; in one, main waits for ever, at unreached\.c:23:5\.$'
done
expect 0 check --json -DJOIN unreached.c
fits_schema
json "r['vacuous'] and len(r['notes']) == 5 and sum(not p['reached'] for p in r['properties']) == 3"
expect 3 check --unwind 1 -DJOIN unreached.c
lacks out '^note:' # after a bound nobody knows
expect 0 check "$models/c/lock-order.c" --property assert
lacks out 'no execution reaches the end' # some do

# --- livelocks -----------------------------------------------------------------------------------------------------

expect 1 check --property deadlock "$models/c/spin-for-ever.c"
has out '^Livelock: nobody is left to change what these wait for:'
has out '^  work(#2)? spins for ever at spin-for-ever\.c:.* for a change of taken \(1\)'
expect 1 check --json --property deadlock "$models/c/spin-for-ever.c"
fits_schema
json "any('spins for ever' in b for b in r['trace']['blocked'])"
json "[(p['kind'], p['verdict']) for p in r['properties']] == [('deadlock', 'unknown'), ('livelock', 'unsafe')]"
echo 'CHECK( init(main()), LTL(G ! deadlock) )' >no-deadlock.prp
expect 0 check --spec no-deadlock.prp "$models/c/spin-for-ever.c"
expect 3 check --property deadlock --no-sleep-spins --engine search "$models/c/spin-for-ever.c"
has out '^unknown: livelocks are not looked for with --no-sleep-spins'

expect 1 check --property leak "$models/c/leak-at-exit.c"
has out '^  scratch: 4 bytes allocated by worker at leak-at-exit\.c:11:20$'
expect 1 check --json --property leak "$models/c/leak-at-exit.c"
fits_schema
json "len(r['trace']['lost']) == 1"
cat >fork.c <<'END'
#include <unistd.h>
int main(void) {
    return fork();
}
END
expect 3 check fork.c
has out '^unknown: call of `fork`, which is not modelled \(fork\.c:3:'
has out 'no check of the selected kinds was met'
cat >many.c <<'END'
#include <pthread.h>
void *nothing(void *unused) { return unused; }
void start(void) {
    pthread_t t;
    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
}
END
printf 'void start(void);\nint main(void) { for (;;) start(); }\n' >loop.c
expect 3 check --engine dpor --threads 5 loop.c many.c
has out '^unknown: too many threads \(--threads\) \(many\.c:5:'
# With few threads something was found, which says nothing about the rest.
cat >ever_more.c <<'END'
#include <assert.h>
#include <pthread.h>
int x, y;
pthread_t t;
void *adds(void *unused) {
    x++;
    return unused;
}
int main(void) {
    for (;;) {
        pthread_create(&t, 0, adds, 0);
        assert(x < 2);
        assert(y == 0);
    }
}
END
expect 1 check --all --deterministic --max-transitions 30000 --jobs 1 ever_more.c
has out '^unsafe'
has out 'There may be further violations'
has out 'too many threads'
echo 'int main(void) { for (;;) ; }' >silent.c
expect 0 check silent.c
lacks out 'assumption'
cat >again.c <<'END'
#include <assert.h>
#include <pthread.h>
int a, b;
void *same(void *unused) { a = 0; b = 1; return unused; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, same, 0);
    pthread_join(t, 0);
    assert(!b);
}
END
expect 1 check again.c
has out '^ +a: 0 -> 0$'
has out '1 solver query,'
[ "$(grep -oE '^ +[0-9]+\.' out | tr -d ' .' | tr '\n' ' ')" = "$(seq "$(grep -cE '^ +[0-9]+\.' out)" | tr '\n' ' ')" ] ||
    fail "steps are not numbered one by one: $(grep -E '^ +[0-9]+\.' out)"
expect 0 check --engine dpor --por none --json -DLOCKED "$models/c/lost-update.c"
json "r['por'] == 'none'"

cat >worker.c <<'END'
#include <assert.h>
int shared;
void *work(void *argument) {
    int mine = shared;
    shared = mine + 1;
    assert(shared == mine + 1);
    return argument;
}
END
cat >starter.c <<'END'
#include <pthread.h>

void *work(void *argument);

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    return pthread_join(b, 0);
}
END
expect 1 check --json worker.c starter.c # places are in the file in which they are, also where a step ends
json "all(s[at]['file'] == ('starter.c' if s['thread'] == 'main' else 'worker.c') for s in r['trace']['steps'] for at in ('from', 'to') if s[at])"
json "'pthread_join' in r['trace']['steps'][0]['to_source']"
expect 1 check --json -DBUG "$models/c/growing-string.cpp" # what happens inside the library is told where it was called
json "all(p['position']['file'].endswith('growing-string.cpp') for p in r['properties'] if p['verdict'] == 'unsafe' and p['position'])"
json "all(s[at]['file'].endswith('growing-string.cpp') for s in r['trace']['steps'] for at in ('from', 'to') if s[at])"
json "not any('_ZTV' in c['after'] or c['name'][0] == '\"' for s in r['trace']['steps'] for c in s['changes'])"
expect 1 check "$models/systemc/shared-variable.cpp"
has out '1\. main to 40:' # begins in a header of the library
has out 'race.read at time 10 ns, delta 1, from 26:13'
has out 'waits for time 20 ns$'
cat >counter.cpp <<'END'
#include <systemc.h>
SC_MODULE(Counter) {
    sc_in<bool> clk;
    sc_signal<int> level{"level"};
    sc_event full;
    sc_fifo<int> queue{"queue", 2};
    int m_count = 0;
    struct { int low, high; } limits{0, 2};
    void run() {
        for (;;) {
            wait();
            m_count++;
            level = m_count;
            queue.nb_write(m_count);
            if (m_count == 2) full.notify(SC_ZERO_TIME);
            assert(m_count <= limits.high);
        }
    }
    void once() { wait(1, SC_NS); }
    SC_CTOR(Counter) {
        SC_THREAD(run);
        sensitive << clk.pos();
        SC_THREAD(once);
    }
};
int sc_main(int, char *[]) {
    sc_clock clk("clk", 10, SC_NS);
    Counter *c = new Counter("counter"); // names of what lies in it come from its class
    c->clk(clk);
    sc_start(100, SC_NS);
    return 0;
}
END
expect 1 check --vcd counter.vcd counter.cpp
has out '^  with m_count = 3$'
has out '^       clk: false -> true$'
has out '^       waits for clk.posedge_event$'
has out '^       notifies clk.value_changed_event, clk.posedge_event$'
has out '^       counter.level.next: 0 -> 1$'
has out '^       counter.level: 0 -> 1$'
has out '^       counter.m_count: 1 -> 2$'
has out '^       counter.queue.buffer\+0 = 1$'
has out '^       notifies counter.full$'
lacks out 'm_now|m_new|m_writer|event_[0-9]|terminated_event|\[[0-9]+\]:|new\('
has counter.vcd ' m_count \$end'
lacks counter.vcd 'next'
cat >members.c <<'END'
#include <assert.h>
#include <pthread.h>
struct queue {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int slots[4], count;
} q = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0};
void *put(void *p) {
    pthread_mutex_lock(&q.lock);
    q.count++;
    pthread_cond_signal(&q.change);
    pthread_mutex_unlock(&q.lock);
    return p;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, put, 0);
    pthread_join(a, 0);
    assert(q.count < 1);
}
END
expect 1 check members.c # of a large object, the member that the assertion names; of a lock, not how it is made
has out '^  with q.count = 1$'
has out 'pthread_mutex_lock\(&q.lock\)$'
has out '^       q.lock: free -> locked by put$'
has out 'pthread_cond_signal\(&q.change\)$'
lacks out '__data|slots'
expect 1 check --quiet --trace members.json members.c
expect 0 explain members.json --command 'find pthread_mutex_lock; find pthread_cond_signal'
lacks out '__data'
expect 0 explain members.json --command 'find pthread_mutex_lock; changes'
has out 'q.lock: free -> locked by put$'
lacks out '__data'
cat >made.cpp <<'END'
#include <cassert>
struct Node { int value; Node *next; };
struct Guard { int level; ~Guard() { level = 0; } };
int main() {
    Node *n = new Node{1, nullptr};
    int *row = new int[3]{7, 8, 9};
    Guard *guards = new Guard[2]{{3}, {4}}; // how many there are stands in front of them
    assert(n->value + row[1] + guards[1].level == 0);
}
END
expect 1 check made.cpp
has out '^       n->value = 1$'
has out '^       row\[1\] = 8$'
has out '^       new1\+12 = 4$'
lacks out 'new1.*level'
cat >impatient.c <<'END'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t change = PTHREAD_COND_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&change, &lock);
    assert(0);
}
END
expect 1 check impatient.c # a question of yes or no
has out '^Inputs that matter: spurious wake-up = true \(exactly true\)\.$'
echo 'thread A { wait_time 3; assert false; } main { start; }' >timed.ivl
expect 1 check --json timed.ivl # no unit there
json "r['trace']['steps'][-1]['when'] == '3'"

# --- native replay ---------------------------------------------------------------------------------------------------

for run in "lost-update.c" "bounded-queue-if-bug.c" "data-race.c --property race" "lock-order.c --property deadlock" \
    "lock-order-spin.c --property deadlock --engine search -DBUSY" \
    "use-after-free.c --property memory" "memory-reused.c -DABA" "freed-by-another.c" "freed-by-another.c -DGROWN" "freed-by-another.c -DMOVED"; do
    # shellcheck disable=SC2086
    expect 1 check --json --replay-binary $(printf '%s/c/%s' "$models" "$run")
    fits_schema
    json "r['native']['failed'] and r['native']['followed'] <= r['native']['operations']"
done
expect 1 check --replay-binary --property overflow overflow.c
has out 'Native replay: the compiled program fails with this schedule and these inputs'
cat >fed.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
static int failures;
static void *worker(void *unused) {
    unsigned seed = 7;
    int drawn = rand_r(&seed);
    if (drawn == 5 && seed == 9) failures++;
    return unused;
}
int main(void) {
    struct timespec now;
    struct timeval day;
    time_t seconds, given = time(&seconds);
    pthread_t t;
    if (given != 4 || seconds != 4) return 0;
    if (clock_gettime(CLOCK_MONOTONIC, &now) || now.tv_sec != 17 || now.tv_nsec != 23) return 0;
    gettimeofday(&day, NULL);
    if (day.tv_sec != 5 || day.tv_usec != 6) return 0;
    srand(3);
    int first = rand(), second = rand();
    if (first != 12 || second != 34 || random() != 56) return 0;
    srand(3);
    if (rand() != 12) return 0;
    if (clock() != 99 || getenv("PATH") || __VERIFIER_nondet_int() != -3) return 0;
    char a = seconds > 3 ? 1 : 2, c = 3;
    if (memcmp(&a, &c, 1) != -77 || puts("printed") != 41 || printf("printed, too\n") != 43) return 0;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(!failures);
    return 0;
}
END
expect 1 check --replay-binary fed.c # natively none of these numbers would come
has out 'Native replay: the compiled program fails with this schedule and these inputs'
cat >later.c <<'END'
#include <assert.h>
#include <time.h>
static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
int main(void) {
    long a = now(), b = now(), c = now(), d = now(), e = now();
    if (a != 1999999999 || b != 3000000005 || c != b || d != 4000000001) return 0;
    assert(e != 5000000002);
    return 0;
}
END
for engine in search cegar; do # times are sums at first; cegar gives steps in pieces
    expect 1 check --engine $engine --replay-binary later.c
    has out 'Native replay: the compiled program fails with this schedule and these inputs'
done
cat >pieces.c <<'END'
#include <assert.h>
#include <pthread.h>
int a[4], sum;
static void *add(void *unused) {
    int most = 0;
    for (int i = 0; i < 4; i++) a[i] += i; /* others see each of these */
    for (int i = 0; i < 3; i++) most = most > i ? most : i + 1; /* of this nobody sees anything */
    sum += most;
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(sum == 6 && a[3] == 6);
    return 0;
}
END
for engine in 'cegar' 'search --stops loops'; do
    # shellcheck disable=SC2086 # two words
    expect 1 check --engine $engine --no-shrink --replay-binary pieces.c
    has out 'Native replay: the compiled program fails with this schedule and these inputs'
done
cat >gone.c <<'END'
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_mutex_init(m, NULL);
    pthread_mutex_destroy(m);
    if (FREED) free(m);
    pthread_mutex_lock(m);
    return 0;
}
END
for freed in 0 1; do # glibc itself says nothing
    expect 1 check --replay-binary -DFREED=$freed gone.c
    has out 'Native replay: the compiled program fails with this schedule and these inputs'
done
# C++: threads, locks and clocks of its library; SymC++.
cat >queue.cpp <<'END'
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
std::condition_variable change;
std::vector<int> queue;
long long now;
void take() {
    std::unique_lock<std::mutex> guard(m);
    if (queue.empty()) change.wait(guard);
    assert(!queue.empty() || now != 77);
    queue.pop_back();
}
int main() {
    now = std::chrono::system_clock::now().time_since_epoch().count();
    std::thread a(take), b(take);
    {
        std::lock_guard<std::mutex> guard(m);
        queue.push_back(1);
        change.notify_all();
    }
    a.join();
    b.join();
}
END
cat >sensor.cpp <<'END'
#include <cassert>
#include <symcpp.h>
int full, buffer;
class Sensor : public Thread {
    void Run() override {
        buffer = symcpp_nondet(10, 1000);
        full = 1;
    }
};
class Reader : public Thread {
    void Run() override {
        await(&full);
        int taken = buffer + symcpp_choose(0, 3);
        assert(taken != 502);
    }
};
Sensor sensor;
Reader reader;
int main() {
    sensor.Start();
    reader.Start();
}
END
for run in queue.cpp sensor.cpp; do
    expect 1 check --replay-binary $run
    has out 'Native replay: the compiled program fails with this schedule and these inputs'
done
expect 1 check --32 --replay-binary width.c # on a system without a 32-bit library it says so
has out 'Native replay: the compiled program (fails with this schedule and these inputs|did not fail.*compiled for 64 bits)'
printf 'int x;\nint main(void) { x = 3; return 0; }\n' >reached.c
expect 1 check --replay-binary --property reach:x==3 reached.c
has out 'Native replay: nothing fails in the compiled program'
expect 0 check --replay-binary --json race.c
json "r['native'] is None"

# --- engines -------------------------------------------------------------------------------------------------------

for engine in "search" "dpor" "dpor --por source" "dpor --por persistent" "lazypor"; do
    # shellcheck disable=SC2086
    expect 1 check --engine $engine --json "$models/dlang/lost-update.dl"
    fits_schema
    json "r['engine'] == '${engine%% *}' and r['trace']['followed']"
    for model in behind-an-assertion behind-a-violation; do # --all finds what comes behind a violation, and what others do after it
        # shellcheck disable=SC2086
        expect 1 check --all --engine $engine "$models/c/$model.c"
        [ "$(grep -c 'violated:' out)" = 2 ] || fail "$model with $engine: not two violations"
        lacks out 'not proved'
    done
done
expect 0 check --json --engine dpor --set N=4 "$models/dlang/readers-writers.dl"
json "r['statistics']['executions'] == 16"
expect 3 check --engine lazypor --state-tracking "$models/dlang/readers-writers.dl"
expect 0 dump --what source "$models/dlang/readers-writers.dl"
cp out again.dl
expect 0 check again.dl
echo 'main { start; }' >tiny.ivl
for chosen in "--chain 100" "--visited compact" "--heap typed" "--stops statements" "--order astar"; do # of search alone, never passed over
    expect 0 check --json $chosen -DLOCKED "$models/c/lost-update.c"
    json "r['engine'] == 'search'"
done
for meant in "lazypor --state-tracking" "cegar --domain explicit" "dpor --por persistent" "cegar --por persistent --order bfs" "search --stops statements --por none"; do
    # shellcheck disable=SC2086
    "$heddle" check --json --time 5s ${meant#* } -DLOCKED "$models/c/lost-update.c" >out 2>err || true
    json "r['engine'] == '${meant%% *}'"
done
for order in dfs bfs astar; do
    expect 0 check --json --check-reduction --order $order -DLOCKED "$models/c/lost-update.c"
    json "r['engine'] == 'search' and r['statistics']['reduction_checks'] > 0"
done
for wrong in "--engine dpor --check-reduction race.c" "--engine lazypor --check-reduction race.c" "--engine cegar --check-reduction race.c" \
    "--engine esst --check-reduction race.c" "--por optimal --check-reduction race.c" "--engine dpor --chain 5 race.c" "--engine cegar --visited compact race.c" "--guide fine race.c" "--order bfs --weight 2 race.c" \
    "--engine dpor tiny.ivl" "--por optimal tiny.ivl" "--engine search --por source race.c" "--engine dpor --por stub race.c" \
    "--engine dpor --match esm race.c" "--engine dpor --state-tracking race.c" "--por stub race.c" "--por ample tiny.ivl" \
    "--por dpor --order bfs tiny.ivl" "--por dpor-stub --chain 3 tiny.ivl" "--chain 3 --match none race.c" "--por ample --stops statements race.c" \
    "--engine cegar --stops visible race.c" "--engine cegar --dump-traces classes race.c" "--engine dpor --visited-memory 1M race.c"; do
    # shellcheck disable=SC2086
    refuse '^heddle: error: ' $wrong
done

# Loop heads are stops by themselves in a queue of a program without threads, but no reason to run without the reduction that was asked for.
for order in bfs astar; do
    for por in ample none; do
        expect 0 check --json --order $order --por $por width.c
        json "r['por'] == '$por' and r['engine'] == 'search'"
    done
    expect 0 check --json --order $order width.c
    json "r['por'] == 'none'"
    refuse 'a queue does not know where a step began' --order $order --por ample --stops loops width.c
done

# Turns of auto are for those who have what was asked for.
expect 0 check --json race.c
json "r['engine'] == 'dpor'"
expect 0 check --json --stops loops race.c
json "r['engine'] != 'dpor' and not any(g['engine'] == 'dpor' for g in r['attempts'])"

cat >both.c <<'END'
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int a, b;
void *work(void *unused) {
    for (int i = 0; i < 3; i++) a = a + 1, b = b + a;
    return unused;
}
int main(void) {
    pthread_t t[2];
    assert(__VERIFIER_nondet_int() != 7);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(a != 6);
    return 0;
}
END
expect 1 check --json --all --deterministic both.c # the first one is found at once: no reason to stop looking
json "r['complete'] and r['attempts'] and [p['verdict'] for p in r['properties']] == ['unsafe', 'unsafe']"
expect 1 check --json --all --max-transitions 3000 both.c # broken off: what was found stays found
json "not r['complete'] and 'unsafe' in [p['verdict'] for p in r['properties']]"

# --- property files and tasks ----------------------------------------------------------------------------------------

expect 1 check --spec no-data-race.prp --verdict-line race.c
last_line_is 'Verdict: false(no-data-race)'
expect 1 check --spec no-overflow.prp --verdict-line overflow.c
last_line_is 'Verdict: false(no-overflow)'
cat >two.c <<'END'
extern int __VERIFIER_nondet_int(void);
int x, *p;
int main(void) { if (__VERIFIER_nondet_int() == 0) return *p; return 1 / x; }
END
echo 'CHECK( init(main()), LTL(G valid-deref) )' >valid-deref.prp
expect 1 check --spec valid-deref.prp --verdict-line two.c # what is not asked about is no answer
last_line_is 'Verdict: false(valid-deref)'
task race.c no-data-race.prp false LP64 >race.yml
expect 1 check --json race.yml
fits_schema
json "r['expected'] == 'false' and r['svcomp'] == 'false(no-data-race)' and len(r['inputs']) == 3"
task width.c unreach-call.prp true LP64 >wide.yml
task width.c unreach-call.prp true >narrow.yml
expect 0 check --spec unreach-call.prp --64 width.c
expect 0 check wide.yml
expect 0 check --spec unreach-call.prp --32 width.c # that is no call of reach_error
expect 0 check narrow.yml
expect 1 check --property assert narrow.yml
expect 0 check --64 --property assert narrow.yml
mkdir sub
cp wide.yml width.c unreach-call.prp termination.prp sub/
(cd / && "$heddle" check --quiet "$work/sub/wide.yml" >/dev/null) || fail "files of a task are not found beside it"
refuse "termination\.prp:1:1: error: the property 'Fend' cannot be verified" --spec termination.prp race.c
refuse "no\.prp: error: " --spec no.prp race.c
refuse "exclude each other" --spec no-overflow.prp --property race race.c
task missing.c unreach-call.prp true >missing.yml
refuse 'missing\.c: error: ' missing.yml
task race.c nowhere.prp true >nowhere.yml
refuse 'nowhere\.prp: error: ' nowhere.yml
echo 'input_files: race.c' >empty.yml
refuse 'empty\.yml: error: .*format_version' empty.yml
refuse 'stands alone' wide.yml race.c

# --- bad input -------------------------------------------------------------------------------------------------------

refuse "broken\.c:1:[0-9]+: error: .*'x'" broken.c
refuse 'error' entry.c
refuse '^broken\.c: error: clang refuses it' race.c broken.c
lacks err '^race\.c'
refuse 'different languages' race.c tiny.ivl
: >text.txt
refuse 'unknown language' text.txt
refuse "error: " missing.c
expect 2 check -D
has err "needs a value"
refuse "error: .*nosuch" --std nosuch race.c
head -c 1000 /dev/urandom >noise.bc
refuse 'noise\.bc' noise.bc
expect 2 dump --what source race.c
expect 2 dump --what segments race.c
has err '^heddle: error: only programs in SystemC and IVL have segments$'
expect 0 dump race.c
has out 'preemptive kernel'

# --- why the answer is unknown -------------------------------------------------------------------------------------

cat >far.c <<'X'
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
atomic_int flag;


static int look(void) { return atomic_load_explicit(&flag, memory_order_acquire); }
void *watch(void *unused) {
    return look() ? unused : 0;
}
int unlocked(int n) { return n ? other(n) : 0; }
X
sed -i '1i int other(int);' far.c
cat >near.c <<'X'
#include <pthread.h>
void *watch(void *);
int unlocked(int);
int main(int argc, char **argv) {
    pthread_t t;
#ifdef MISSING
    return unlocked(argc);
#else
    pthread_create(&t, 0, watch, 0);
    pthread_join(t, 0);
    return 0;
#endif
}
X
expect 3 check --json near.c far.c # the file and line of the access, what it is, who called, what to do
fits_schema
json "[(d['reason'], d['position']['file'], d['position']['line']) for d in r['doubts']] == [('memory model', 'far.c', 8)]"
json "'read of flag' in r['doubts'][0]['about'] and 'called from watch at far.c:10:' in r['doubts'][0]['about'] and '--memory-model sc' in r['doubts'][0]['hint']"
expect 3 check --json -DMISSING near.c far.c
json "r['doubts'][0]['position']['file'] == 'far.c' and 'called from main at near.c:7:' in r['doubts'][0]['about']"

cat >lacks.c <<'X'
struct pair { long a, b, c; };
int first(const char *);
void second(int, double);
void *third(unsigned long);
long fourth(void);
struct pair fifth(struct pair);
static int callback(void) { return fourth() > 3; }
int main(void) {
    int (*f)(void) = callback;
    if (first("x")) {
        second(1, 2.0);
        return f();
    }
    return third(8) ? 1 : (int)fifth((struct pair){0}).a;
}
X
expect 3 check --json lacks.c # all of them at once, also behind the first one
fits_schema
json "sorted(m['name'] for m in r['missing_functions']) == ['fifth', 'first', 'fourth', 'second', 'third']"
expect 3 check lacks.c
has out '5 functions that it may call have no body: '
expect 0 dump --what stubs lacks.c
cp out stubs.c
expect 0 check --json lacks.c --stubs stubs.c
json "not r['missing_functions']"
printf 'namespace n { int over(int); int over(long); struct T { int go(); }; }\nint main() { n::T t; return t.go() + n::over(1) + n::over(2L); }\n' >lacks.cpp
expect 3 check --json lacks.cpp
json "[m['name'] for m in r['missing_functions']] == ['n::T::go', 'n::over', 'n::over'] and 'n::T::go' in r['reason']"
expect 0 dump --what stubs lacks.cpp
cp out stubs.c
expect 0 check --quiet lacks.cpp --stubs stubs.c
cp stubs.c stubs.cpp # in either language
expect 0 check --quiet lacks.cpp --stubs stubs.cpp
cat >busy.c <<'X'
#include <assert.h>
#include <pthread.h>
int x;
void *count(void *unused) {
    for (int i = 0; i < 200; i++) x++;
    return unused;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, count, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    assert(x >= 0);
    return 0;
}
X
expect 3 check --json --engine dpor --time 3s busy.c
fits_schema
json "r['reason'] == 'time limit' and '4 threads' in r['doubts'][0]['about'] and 'busy.c:5:' in r['doubts'][0]['about'] and r['doubts'][0]['hint']"

# --- smaller counterexamples -------------------------------------------------------------------------------------------

cat >shrink.c <<'END'
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int shared, noise;
static void *set(void *unused) {
    shared = 1;
    shared = 0;
    return unused;
}
static void *babble(void *unused) {
    for (int i = 0; i < 20; i++) noise = i;
    return unused;
}
int main(void) {
    pthread_t a, b;
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    pthread_create(&b, 0, babble, 0);
    pthread_create(&a, 0, set, 0);
    noise = y;
    assert(x < 100 || x > 200 || shared == 0);
    return 0;
}
END
expect 1 check shrink.c
has out '^2 of 2 context switches matter:$' # main must not assert before, the writer must not go on
has out '^  set is interrupted before shrink\.c:7:12 by main$'
has out '= 100 \(from 100 to 200\)'
has out '^All other inputs may have any value'
lacks out '^  babble$'
expect 1 check --json --engine search --por none shrink.c
fits_schema
json "r['trace']['shrunk']['to']['context_switches'] == 2" # main, the writer between its writes, main
json "all(s['thread'] != 'babble' for s in r['trace']['steps'])"
json "[s['thread'] for s in r['trace']['steps'] if s['switch'] == 'necessary'] == ['set', 'main']"
json "[(i['value'], i['matters'], i['any']) for s in r['trace']['steps'] for i in s['inputs']][0] == ('100', True, False)"
expect 1 check --json --no-shrink --engine search --por none shrink.c
fits_schema
json "r['trace']['shrunk'] is None and all(s['switch'] is None for s in r['trace']['steps'])"
expect 1 check --json "$models/c/peterson-bug.c"
json "r['trace']['shrunk']['to']['context_switches'] == 3" # main, one up to its second assignment, the other, the first
expect 1 check --json --no-shrink --engine search --order bfs -DINVARIANT -DBUG "$models/symcpp/elevator.cpp"
shortest=$("$python" -c 'import json; print(len(json.load(open("out"))["trace"]["steps"]))')
expect 1 check --json --deterministic --engine search -DINVARIANT -DBUG "$models/symcpp/elevator.cpp"
json "r['trace']['shrunk']['from']['steps'] > 4 * $shortest and r['trace']['shrunk']['to']['steps'] == $shortest"

# --- many changes of one kind are one line ------------------------------------------------------------------------------
cat >runs.c <<'END'
#include <assert.h>
int cells[6], apart[4];
int main(void) {
    for (int k = 0; k < 6; k++) cells[k] = 7;
    apart[0] = apart[1] = apart[3] = 1;
    assert(!cells[0]);
}
END
expect 1 check runs.c
has out '^ *cells\[0\.\.5\]: 0 -> 7$'
has out '^ *apart\[1\]: 0 -> 1$'
lacks out 'apart\[0\.\.'

# --- the C front end as a module --------------------------------------------------------------------------------------

module=$(basename "$(dirname "$heddle")"/heddle-llvm-*.so)
cp "$heddle" alone
heddle=./alone
expect 0 check --quiet tiny.ivl
"$heddle" check --quiet race.c >out 2>err
case $? in
1) ;; # there is an installed one
2) has err "the C front end is missing: $module" ;;
*) fail "a missing module is not told" ;;
esac
echo noise >"$module"
refuse 'the C front end cannot be loaded' race.c
expect 0 check --quiet tiny.ivl

finish "C programs"
