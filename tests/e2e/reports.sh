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

finish "reports"
