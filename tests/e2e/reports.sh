#!/usr/bin/env bash
# What reports say: names of files and threads, texts, places.   reports.sh HEDDLE
. "$(dirname "$0")/shell.sh"

# --- names of files ---------------------------------------------------------------------------------------------------

mkdir -p there
cat >there/plain.c <<'END'
#include <assert.h>
int x;
int main(void) {
    x = 1;
    assert(x == 2);
}
END
cp there/plain.c -- -dash.c
cp there/plain.c ./@at.c
ln -s there link

for name in "$PWD/there/plain.c" "$PWD//there/./plain.c" ./there/plain.c link/plain.c ./-dash.c @at.c; do
    expect 1 check "$name"
    has out "  at $name:5:5 in main"
    has out '5 \| +assert\(x == 2\);$' # the text of the file that was given
done
expect 1 check -- -dash.c
has out '  at -dash.c:5:5 in main'
has out '5 \| +assert\(x == 2\);$'
cd link || exit 1 # a working directory that has two names
expect 1 check plain.c
has out '  at plain.c:5:5 in main'
has out '5 \| +assert\(x == 2\);$'
cd "$OLDPWD" || exit 1

# --- texts of all kinds -----------------------------------------------------------------------------------------------

# Letters of two bytes, ideographs of three; columns are those of a terminal, in SARIF those of UTF-16.
printf '#include <assert.h>\nint gr\xc3\xb6\xc3\x9fe;\nint main(void) {\n\t/* \xc3\xa9 \xe6\x97\xa5 */ assert(gr\xc3\xb6\xc3\x9fe == 1);\n}\n' >letters.c
expect 1 check --sarif letters.sarif letters.c
has out '  with größe = 0$'
has out "^        \| $(printf '\t')           \^$"
"$python" -c "import json; r = json.load(open('letters.sarif'))['runs'][0]['results'][0]; assert r['locations'][0]['physicalLocation']['region']['startColumn'] == 12" || fail "another column in SARIF"

# What would control a terminal is not handed on.
printf '#include <assert.h>\nint main(void) {\n    /* \033[31m \007 \xe2\x80\xae \xff */ assert(0);\n}\n' >control.c
expect 1 check control.c
lacks out "$(printf '\033')|$(printf '\007')|$(printf '\xe2\x80\xae')"
has out '\*/ assert\(0\);$'

# Of a long line the part with the violation.
{
    printf '#include <assert.h>\nint x;\nint main(void) { /* '
    printf 'é%.0s' {1..200}
    printf ' */ assert(x == 1); /* '
    printf 'é%.0s' {1..200}
    printf ' */ }\n'
} >long.c
expect 1 check long.c
has out '^      3 \| … é+ \*/ assert\(x == 1\); /\* é+ …$'
"$python" -c "open('out', encoding='utf-8').read()" || fail "a character is cut"

# --- headers ----------------------------------------------------------------------------------------------------------

mkdir -p headers
echo 'static int shared; static inline void bump(void) { shared++; }' >headers/bump.h
cat >in-header.c <<'END'
#include "headers/bump.h"
#include <assert.h>
#include <pthread.h>
void *run(void *unused) { bump(); return unused; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(shared == 2);
}
END
expect 1 check --html header.html --trace header.json in-header.c
has out 'bump.h:1:58  static int shared; static inline void bump'
has header.html '"file":"(\./)?headers/bump.h"|"file": "(\./)?headers/bump.h"'
expect 1 explain header.json in-header.c
has out '^still fails'
expect 1 check --json in-header.c
json "[f['file'] for f in r['inputs']] == ['in-header.c']" # no input of its own

cat >headers/draw.h <<'END'

static inline int draw(void) {
    return __VERIFIER_nondet_int();
}
static inline int *make(void) {
    return malloc(sizeof(int));
}
END
cat >draws.c <<'END'
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#include "headers/draw.h"
int main(void) {
    int a = draw(), b = __VERIFIER_nondet_int();
    int *new = make();
    *new = 1;
    assert(a != 5 || b < 7);
}
END
expect 1 check draws.c
has out '= 5  \(main, draw.h:3:12\)$'
has out '= 7  \(main, draws.c:6:'
has out 'allocated at draw.h:6:12$'
expect 1 check --json draws.c
json "[i['position']['file'].split('/')[-1] for s in r['trace']['steps'] for i in s['inputs']] == ['draw.h', 'draws.c']"

# --- heap memory, locks, calls ----------------------------------------------------------------------------------------

cat >pool.h <<'END'
#include <pthread.h>
#include <semaphore.h>
struct job { int id; void (*run)(struct job *); struct job *next; };
typedef struct { short x, y; } point;
struct pool {
    pthread_mutex_t lock; /* its first member: the address of the whole is that of the lock */
    pthread_cond_t nonempty;
    struct job *head;
    int count;
    struct { unsigned long hits; point at[2]; } stats;
    union { int number; char letters[4]; } mixed;
};
struct job *pop(struct pool *pool);
END
cat >pool.c <<'END'
#include "pool.h"
static void take(struct pool *p, struct job *j) { p->head = j->next; }
struct job *pop(struct pool *pool) {
    pthread_mutex_lock(&pool->lock);
    while (!pool->head) pthread_cond_wait(&pool->nonempty, &pool->lock);
    struct job *j = pool->head;
    take(pool, j);
    pthread_mutex_unlock(&pool->lock);
    pool->count--; /* outside of the lock */
    pool->stats.hits++;
    return j;
}
END
cat >pool-main.c <<'END'
#include "pool.h"
#include <assert.h>
#include <stdlib.h>
static struct pool *shared;
static int *table;
static void work(struct job *j) { j->id *= 2; }
static void *worker(void *arg) {
    struct pool *pool = arg;
    struct job *j = pop(pool);
    j->run(j);
    free(j);
    return 0;
}
static void check(struct pool *pool, int k) { assert(pool->count == table[k]); }
int main(void) {
    shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->lock, 0);
    pthread_cond_init(&shared->nonempty, 0);
    shared->head = 0;
    shared->count = 0;
    shared->stats.hits = 0;
    shared->stats.at[1].y = 7;
    shared->mixed.number = 65;
    table = calloc(3, sizeof *table);
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        struct job *j = calloc(1, sizeof *j);
        j->id = i + 1;
        j->run = work;
        j->next = shared->head;
        shared->head = j;
        shared->count++;
    }
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, shared);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    check(shared, 2);
}
END
expect 1 check --vcd pool.vcd --sarif pool.sarif --trace pool.json --html pool.html pool-main.c pool.c
has out '^  called from main at pool-main\.c:36:5$'
has out '^  with pool->count = 1$' # what the assertion reads, as it is written there
has out '^       table\[k\] = 0$'
has out '^       shared->count: 2 -> 1$'
has out '^       shared->stats\.at\[1\]\.y = 7$'
has out '^       shared->mixed\.number = 65$'
has out '^       job#1\.next = null$'
has out '^       job#2\.next = &job#1$'
has out '^       table\[0\.\.2\] = 0$'
has out '^       reads job#2\.run = work$'
has out 'pthread_mutex_lock\(&shared->lock\)$'
has out '^       shared->lock: free -> locked by worker$'
has out '^       in pop, called from worker at 9:21$'
has out '^       in take, called from pop at pool\.c:7:5, called from worker at 9:21$'
has out '^       t\[1\] = thread worker#2$'
lacks out 'new[0-9]|\+[0-9]|__|[0-9]{7}'
lacks pool.vcd '__|lock'
has pool.vcd ' shared->count \$end' # members of heap memory, from when they have a value until they are freed
has pool.vcd '^.scope module job#2 '
lacks pool.vcd 'new[0-9]|nonempty'
"$python" - <<'END' || fail "values of shared->count in the waveform"
import re
text = open("pool.vcd").read()
name = re.search(r"\$var integer 32 (\S+) shared->count \$end", text).group(1)
values = re.findall(r"^b(\S+) " + re.escape(name) + "$", text, re.M)
number = re.search(r"\$var integer 32 (\S+) number \$end", text).group(1)
assert re.findall(r"^b(\S+) " + re.escape(number) + "$", text, re.M) == ["x", "1000001"]
assert values == ["x", "10", "1"], values  # main is alone at first: what it does is one step
END
for file in pool.json pool.sarif pool.html; do
    has "$file" 'shared->count'
    has "$file" 'locked by worker'
    lacks "$file" 'new[0-9]\+|__data'
done
"$python" - <<'END' || fail "call stacks"
import json
steps = json.load(open("pool.json"))["trace"]
assert [(f["function"], f["position"]["line"]) for f in steps["stack"]] == [("main", 36)], steps["stack"]
deep = [s for s in steps["steps"] if s["function"] == "take"]
assert deep and [f["function"] for f in deep[0]["stack"]] == ["pop", "worker"], deep[:1]
assert deep[0]["stack"][0]["position"]["file"].endswith("pool.c")
run = json.load(open("pool.sarif"))["runs"][0]["results"][0]
assert len(run["stacks"][0]["frames"]) == 2
assert any(len(l.get("stack", {}).get("frames", [])) == 3 for f in run["codeFlows"][0]["threadFlows"] for l in f["locations"])
END
expect 1 explain pool.json pool-main.c pool.c
has out '^still fails'

# What a type is not known of stays bytes; a pointer that is used for several objects names none of them.
cat >bytes.c <<'END'
#include <assert.h>
#include <stdlib.h>
struct pair { int a, b; };
int main(void) {
    void *raw = malloc(8);
    *((int *)raw + 1) = 5;
    struct pair *p = malloc(sizeof *p);
    p->a = 1;
    p = malloc(3 * sizeof *p);
    p[2].b = 4;
    int *one = malloc(sizeof *one);
    *one = 6;
    assert(*one + p[2].b == 0);
}
END
expect 1 check bytes.c
has out '^       new1\+4 = 5$'
has out '^       pair#1\.a = 1$'
has out '^       pair#2\[2\]\.b = 4$'
has out '^       \*one = 6$'
has out '^  with \*one = 6$'
has out '^       p\[2\]\.b = 4$'

# Locks of all kinds, in words.
cat >locks.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
sem_t slots;
pthread_barrier_t gate;
pthread_mutex_t twice;
int x;
void *run(void *p) {
    pthread_rwlock_rdlock(&rw);
    pthread_spin_lock(&spin);
    sem_wait(&slots);
    pthread_mutex_lock(&twice);
    pthread_mutex_lock(&twice);
    x = 1;
    pthread_barrier_wait(&gate);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&twice, &kind);
    pthread_spin_init(&spin, 0);
    sem_init(&slots, 0, 2);
    pthread_barrier_init(&gate, 0, 2);
    pthread_create(&t, 0, run, 0);
    pthread_barrier_wait(&gate);
    pthread_rwlock_wrlock(&rw);
    assert(0);
}
END
expect 1 check --property deadlock locks.c
has out '^  main waits in pthread_rwlock_wrlock\(&rw\) at locks\.c:31:5 for rw, which is locked for reading by 1 thread since locks\.c:11:5$'
has out '^       spin: free -> locked by run$'
has out '^       slots: 2 -> 1$'
has out '^       twice: locked by run -> locked by run, 2 times$'
has out '^       gate: 0 of 2 arrived -> 1 of 2 arrived$'

# Memory that is accessed otherwise than its type says, and what the C++ library is made of inside.
cat >cut.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct item { struct item *next; int size; };
static struct item *first;
static void *fill(void *p) {
    struct item *made = malloc(sizeof *made);
    made->size = 1;
    first = made; /* before its member is set */
    made->next = 0;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, fill, 0);
    if (first) assert(first->next != first->next->next);
    pthread_join(t, 0);
}
END
expect 1 check --property memory cut.c
has out '^       (first|made)->next = null$'
lacks out '(first|made)\+[0-9]'
cat >queue.cpp <<'END'
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
struct Queue {
    std::mutex m;
    std::condition_variable cv;
    int size = 0;
    void push() { { std::lock_guard<std::mutex> g(m); size++; } cv.notify_one(); }
};
int main() {
    Queue *q = new Queue;
    std::thread t([&] { q->push(); });
    t.join();
    assert(q->size == 2);
}
END
expect 1 check queue.cpp
has out '^  with q->size = 1$'
has out '^       q->m: free -> locked by main::lambda@13$'
has out 'notify_one\(&q->cv\)$'
lacks out '_M_|q\+'

# --- names of threads -------------------------------------------------------------------------------------------------

# The same thread of main has another function on another path.
cat >either.c <<'END'
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *alpha(void *a) { x = 1; return a; }
void *beta(void *a) { x = 2; return a; }
int main(void) {
    pthread_t t;
    if (__VERIFIER_nondet_int()) pthread_create(&t, 0, alpha, 0);
    else pthread_create(&t, 0, beta, 0);
    pthread_join(t, 0);
    assert(x == WANTED);
}
END
for engine in search dpor; do
    expect 1 check --engine $engine -DWANTED=1 either.c
    has out '^  beta$'
    lacks out '^  alpha$'
    expect 1 check --engine $engine -DWANTED=2 --trace either.json either.c
    has out '^  alpha$'
    lacks out '^  beta$'
    expect 1 explain either.json either.c
    has out '^still fails'
done

cat >c11.c <<'END'
#include <assert.h>
#include <threads.h>
int x;
int increase(void *unused) { x++; return 0; }
int main(void) {
    thrd_t a, b;
    thrd_create(&a, increase, 0);
    thrd_create(&b, increase, 0);
    thrd_join(a, 0);
    thrd_join(b, 0);
    assert(x == 2);
}
END
expect 1 check c11.c
has out 'creates increase, increase#2$'

cat >key.c <<'END'
#include <assert.h>
#include <pthread.h>
pthread_key_t key;
int x;
void *set(void *argument) { pthread_setspecific(key, argument); x = 1; return 0; }
int main(void) {
    pthread_t a;
    pthread_key_create(&key, 0);
    pthread_create(&a, 0, set, 0);
    pthread_join(a, 0);
    assert(x == 2);
}
END
expect 1 check key.c
has out 'creates set$'

cat >threads.cpp <<'END'
#include <cassert>
#include <functional>
#include <thread>
int counter;
struct worker {
    int n;
    void run() { counter += n; }
    void operator()(void (*given)()) { given(); }
    void start() {
        std::thread t([this] { counter += n; });
        t.join();
    }
};
void plain(int k) { counter += k; }
template <typename T> void generic(T k) { counter += k; }
void once() { counter++; }
int main() {
    worker w{2};
    w.start();
    std::function<void()> kept = [] { counter++; };
    std::thread a([] { counter++; }), b(plain, 3), c(&worker::run, &w), d(w, once), e(kept), f(generic<int>, 1);
    a.join(), b.join(), c.join(), d.join(), e.join(), f.join();
    assert(counter == 0);
}
END
expect 1 check --json threads.cpp
json "[t['name'] for p in r['properties'] if p['trace'] for t in p['trace']['threads']] == ['worker::start::lambda@10', 'main::lambda@21', 'plain', 'worker::run', 'worker', 'main::lambda@20', 'generic<int>']"

# --- values that a class of the C++ library holds ---------------------------------------------------------------------

cat >held.cpp <<'END'
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
std::atomic<bool> flag{false};
struct pair { std::atomic<long> first; int second; } p;
std::unique_ptr<int> owned;
int main() {
    std::thread t([] { flag = true; });
    p.first = 3;
    owned = std::make_unique<int>(4);
    t.join();
    assert(flag && p.first == 4 && !owned);
}
END
expect 1 check held.cpp
has out '^  with flag = true$'
has out '^       p.first = 3$'
has out '^       owned = &new'
has out '^       flag: false -> true$'
lacks out '_M_'

# --- calls that take several steps ------------------------------------------------------------------------------------

cat >wait.c <<'END'
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *produce(void *unused) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, produce, 0);
    while (!ready) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    assert(ready == 2);
}
END
expect 1 check --no-spurious-wakeups wait.c
has out 'pthread_cond_wait\(&c, &m\): gives the lock away and waits$'
has out 'pthread_cond_wait\(&c, &m\): is woken$'
has out 'pthread_cond_wait\(&c, &m\): takes the lock again$'

# --- SystemC designs --------------------------------------------------------------------------------------------------

cat >design.cpp <<'END'
#include <cassert>
#include <memory>
#include <systemc.h>
struct channel {
    sc_event ready[2];
    int n;
};
channel channels[2];
sc_event alone[3];
SC_MODULE(cell) {
    sc_event go;
    sc_signal<int> level;
    int seen = 0;
    void work() {
        wait(go);
        level = ++seen;
    }
    void react() {
        assert(level.read() < 1);
    }
    SC_CTOR(cell) {
        SC_THREAD(work);
        SC_METHOD(react); sensitive << level; dont_initialize();
    }
};
SC_MODULE(top) {
    sc_vector<cell> many;
    cell both[2];
    std::unique_ptr<cell> made;
    void drive() {
        wait(10, SC_NS);
        many[1].go.notify();
        both[1].go.notify();
        made->go.notify();
        channels[1].ready[1].notify();
        alone[2].notify();
    }
    SC_CTOR(top) : many("many", 2), both{{"b0"}, {"b1"}}, made(std::make_unique<cell>("made")) { SC_THREAD(drive); }
};
cell outside[2] = {{"o0"}, {"o1"}};
int sc_main(int, char **) {
    top t("top");
    sc_start(100, SC_NS);
    return 0;
}
END
expect 1 check design.cpp
has out 'notifies top.many_1.go, top.both\[1\].go, top.made.go, channels\[1\].ready\[1\], alone\[2\]$'
has out 'top.many_1.work .*, from 14:1 to 15:'
has out 'react at time 10 ns, delta 2, from 18:1'
has out '^ *void react\(\) \{$'
lacks out 'event_[0-9]'
expect 1 check --trace design.json --html design.html design.cpp
expect 1 explain design.json --property assert # followed, not stepped through
has out '^still fails'

# Notes speak of what the user has written: not of checks of the headers, nor of errors that are not reported.
cat >beside.cpp <<'END'
#include <cassert>
#include <systemc.h>
SC_MODULE(reader) {
    sc_in<int> in;
    sc_fifo<int> kept;
    SC_CTOR(reader) : kept("kept", 2) { SC_THREAD(run); }
    void run() {
        wait(1, SC_NS);
        kept.write(in.read());
        assert(kept.num_free() == 1);
        if (in.read() == 7) {
            sc_assert(in.read() != 1);
            SC_REPORT_ERROR("reader", "seven");
        }
    }
};
int sc_main(int argc, char *argv[]) {
    reader r("r");
    sc_signal<int> s;
    r.in(s);
    sc_start(5, SC_NS);
#ifdef ASK
    return argc > 2;
#elif defined ASK_LIBRARY
    return sc_core::sc_argc() > 2;
#else
    (void)argc, (void)argv;
    return 0;
#endif
}
END
expect 0 check beside.cpp
has out '^note: assertion beside\.cpp:12:13 is never reached: in\.read\(\) != 1\.$'
[ "$(grep -cE '^(note|assumes):' out)" = 1 ] || fail "other notes than that one: $(cat out)"
expect 0 check -DASK beside.cpp
has out '^assumes: main has one argument, .*; beside\.cpp:17 asks\.$'
expect 0 check -DASK_LIBRARY beside.cpp
has out '^assumes: main has one argument, .*; beside\.cpp:25 asks\.$'
{
    echo 'int x = 0;'
    echo 'main { if (x == 1) { assert x == 2; assert x == 3; assert x == 4; assert x == 5; assert x == 6; assert x == 7; } }'
} >six.ivl
expect 0 check six.ivl
has out '^note: 1 more is never reached\.$'

# --- orders of processes ----------------------------------------------------------------------------------------------

# The deciding one is not of neighbours: B is suspended before it has run, and runs four units of time later.
cat >early.ivl <<'END'
int x = 0;
event e;
thread A { suspend B; wait_time 1; notify e; wait_time 4; resume B; }
thread B { wait e; x = 1; }
main { start; assert x == 1; }
END
expect 1 check early.ivl
has out '^1 of [0-9]+ orders of two processes matters:$'
has out '^  A comes before B in delta cycle 0$'
echo 'int x = 0; thread A { assert x == 1; } thread B { x = 1; } main { start; }' >never.ivl # B does not come at all
expect 1 check never.ivl
has out '^  A comes before B in delta cycle 0$'
cat >both.ivl <<'END'
int x = 0, y = 0;
thread A { assert x == 1 && y == 1; }
thread B { x = 1; }
thread C { y = 1; }
main { start; }
END
expect 1 check both.ivl # each of two must come later
has out '^No order of two processes decides alone\.$'
lacks out '[0-9]+ of [0-9]+ orders'

# --- files that are written -------------------------------------------------------------------------------------------

cp there/plain.c kept.c
ln kept.c other-name.c
for option in html sarif junit vcd trace witness write-baseline; do
    for file in kept.c ./kept.c other-name.c; do
        expect 2 check --$option $file kept.c
        has err "$file: error: --$option would write over an input"
        cmp -s kept.c there/plain.c || fail "--$option has written over the program"
    done
done
echo 'CHECK( init(main()), LTL(G ! call(reach_error())) )' >kept.prp
expect 2 check --html kept.prp --spec kept.prp kept.c
expect 2 check --html same.out --sarif ./same.out kept.c
has err 'write to the same file'
[ ! -e same.out ] || fail "one of two results was written"
expect 1 check --html /dev/null --sarif /dev/null kept.c
expect 2 check --write-baseline none/accepted.json kept.c # before anything is explored
is_empty out
expect 1 check --write-baseline accepted.json kept.c
expect 0 check --baseline accepted.json --write-baseline accepted.json kept.c
ln -s accepted.json link.json # nothing but the content is replaced
mkfifo pipe.json
cat pipe.json >piped.json &
expect 1 check --write-baseline pipe.json kept.c
wait $!
expect 1 check --write-baseline link.json kept.c
[ -L link.json ] && [ -p pipe.json ] && cmp -s piped.json accepted.json || fail "a baseline takes the place of a link or a device"
expect 4 check --write-baseline /dev/full kept.c
has err '^/dev/full: error: '
echo '{"version": 2, "accepted": []}' >newer.json
expect 2 check --baseline newer.json kept.c
has err 'not a baseline'

# --- where the time went -------------------------------------------------------------------------------------------------

cat >factors.c <<'END'
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a > 1 && b > 1 &&
        a * b == 9345208821757322069ul)
        assert(a <= b);
    return 0;
}
END
for engine in search dpor auto; do
    expect 3 check --engine $engine --time 3s factors.c
    has out '^    1 thread; [0-9]+ % of the time in queries of the solver, most of it in [0-9]+ at factors.c:5:9, the longest of [0-9.]+ s with [0-9]+ conditions of [0-9]+ terms'
    has out 'smaller ranges of inputs'
done

# --- the order of the simulator ---------------------------------------------------------------------------------------

# Accellera's library runs a thread that is killed before its first run; IEEE 1666 does not. Nothing is said of its order then.
cat >killed.cpp <<'END'
#include <systemc.h>
#include <cassert>
SC_MODULE(killing) {
    sc_process_handle victim;
    int runs = 0;
    void work() { runs++; }
    void kill() { victim.kill(); }
    SC_CTOR(killing) {
        SC_THREAD(kill);
        SC_THREAD(work);
        victim = sc_get_current_process_handle();
    }
};
int sc_main(int, char **) {
    killing k("k");
    sc_start();
    assert(k.runs == 1);
    return 0;
}
END
expect 1 check killed.cpp
has out "^In the order of Accellera's simulator: not known"

finish "reports"
