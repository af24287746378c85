#!/usr/bin/env bash
# heddle explain: scripted sessions, and counterexamples on programs that have changed.   explain.sh HEDDLE
. "$(dirname "$0")/shell.sh"

# first_line PATTERN
first_line() { head -n 1 out | grep -qE -e "$1" || fail "the first line does not match '$1': $(head -n 3 out)"; }
# said LINES: the whole output
said() { [ "$(cat out)" = "$1" ] || fail "said '$(cat out)' instead of '$1'"; }
# session COMMANDS: steps through t.json; nothing is wrong
session() {
    expect 0 explain t.json --command "$1"
    is_empty err
}
# changed NAME SED: a version of prog.c
changed() { sed -e "$2" prog.c >"$1.c"; }

# --- where objects lie is an input ------------------------------------------------------------------------------------

cat >order.cpp <<'C'
#include <cassert>
int main() {
    int *p = new int, *q = new int;
    assert(p < q);
}
C
expect 1 check --quiet --trace order.json order.cpp
echo '// the same program' >>order.cpp
expect 1 explain order.json
first_line '^still fails at step 1'
sed -i -e 's|assert(p|int *r = new int; assert(r < q \|\| p|' order.cpp # it asks for more than was recorded
expect 3 explain order.json
first_line '^diverges behind step 1: which object lies first'

cat >reuse.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int *old;
void *frees(void *p) { free(old); return p; }
int main(void) {
    pthread_t t;
    int *kept = old = malloc(4);
    pthread_create(&t, 0, frees, 0);
    int *block = malloc(4);
    assert(block != kept);
    pthread_join(t, 0);
}
C
expect 1 check --trace reuse.json --html reuse.html reuse.c
has out 'input place of block = where old was'
has reuse.html 'place of block'
expect 1 explain reuse.json reuse.c
first_line '^still fails'

# --- a C program: two threads lose an update ---------------------------------------------------------------------------

cat >prog.c <<'C'
#include <assert.h>
#include <pthread.h>
int x;
int __VERIFIER_nondet_int(void);
void *worker(void *p) {
    int t = x;
    x = t + LIMIT;
    return 0;
}
int main(void) {
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    if (n != 7) return 0;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
C
expect 1 check --trace t.json -DLIMIT=1 prog.c
expect 1 check --json -DLIMIT=1 prog.c
fits_schema
cp out whole.json

steps=$("$python" -c 'import json; print(len(json.load(open("t.json"))["trace"]["steps"]))')
session 'where'
said "before step 1 of $steps"
session 'step; inputs'
has out "^step 1 of $steps  main  begins"
has out 'input n = 7'
has out 'step 1  main  n = 7'
has out 'creates worker, worker#2'
session 'ste; st 2 ;; ba; wh'
has out '^step 2 of'
session 'until x; changes; print x; print t'
has out '^  x: 0 -> 1$'
has out '^  x = 1$'
has out '^  t = 0  \(worker, in worker\)$'
has out '^  t = 0  \(worker#2, in worker\)$'
session 'print x'
said '  x = 0'
session 'until-value x 1; list 1'
has out '^prog\.c$'
has out '^ +6  +int t = x;$'
has out '^> +7  +x = t \+ LIMIT;$'
lacks out '^ +9 '
session 'goto end; threads; print ?'
has out 'violated: assert: x == 2 at prog\.c:18:5'
has out '^\* main  at prog\.c:18:5'
has out 'worker#2  has ended'
has out '^  n = 7  \(main, in main\)$'
session 'goto 2; where; switch; next; back 100; find pthread_join; goto 0; until nobody; until-value x 99'
has out '^it does not change any more$'
has out '^it does not get this value any more$'
has out '^before step 1'
has out 'pthread_join\(thread worker, null\)$'
session 'step 1000000; step'
has out '^the trace ends here$'
session 'help; q; nonsense'
has out 'until-value NAME VALUE'

# Every step that is made forwards is the one that comes backwards.
session "$(for ((i = 1; i <= steps; i++)); do printf 'step;'; done)"
grep '^step' out >forwards
session "goto end; $(for ((i = 1; i < steps; i++)); do printf 'back;'; done)"
grep '^step' out | tac >backwards
cmp -s forwards backwards || fail "backwards is not forwards: $(diff forwards backwards | head -n 5)"

# A whole result has the same trace; commands come from a pipe just as well, without a prompt.
expect 0 explain whole.json --command 'goto end'
has out 'violated: assert: x == 2'
printf 'step\n\nuntil x; print x\nquit\nnonsense\n' | "$heddle" explain t.json >out 2>err || fail "commands from a pipe: status $?"
has out '^  x = 1$'
lacks out '\(heddle\)'
is_empty err

for wrong in nonsense 's' 'print' 'until' 'until-value x' 'goto 1000' 'goto x' 'step -1' 'step 0' 'find' 'list x'; do
    expect 2 explain t.json --command "where; $wrong; where"
    [ -s err ] || fail "'$wrong': no message"
    [ "$(wc -l <out)" -eq 1 ] || fail "'$wrong': commands behind it were executed"
    printf '%s\n' "$wrong" | "$heddle" explain t.json >out 2>err
    [ "${PIPESTATUS[1]}" -eq 2 ] || fail "'$wrong' from a pipe is no error"
done

# Steps have the numbers that they have in the report, where those without anything to tell are left out.
cat >numbers.cpp <<'END'
#include <cassert>
#include <thread>
int x;
int main() {
    std::thread a([] { x++; }), b([] { x++; });
    a.join();
    b.join();
    assert(x == 2);
}
END
expect 1 check --trace numbers.json numbers.cpp
shown=$(grep -cE '^ *[0-9]+\. ' out)
raw=$("$python" -c 'import json; print(len(json.load(open("numbers.json"))["trace"]["steps"]))')
[ "$shown" -lt "$raw" ] || fail "the report leaves out nothing"
expect 0 explain numbers.json --command 'goto end'
has out "^step $shown of $shown  main"
expect 1 explain numbers.json numbers.cpp
has out "^still fails at step $shown of $shown"
for ((k = 1; k <= shown; k++)); do
    line=$("$heddle" check numbers.cpp | grep -oE "^ *$k\. (numbers.cpp:[0-9:]+|begins|goes on)" | sed 's/^ *[0-9]*\. //')
    expect 0 explain numbers.json --command "goto $k"
    has out "^step $k of $shown  .*  $line"
done

# Threads are known by what they are to run, also if the C++ library starts them.
cat >tasks.cpp <<'END'
#include <cassert>
#include <thread>
int x;
void twice() { x *= 2; }
void log() {}
struct more { void operator()() { x += 1; } };
int main() {
    std::thread a(twice), b(more{});
    a.join();
    b.join();
    assert(x == 2);
}
END
expect 1 check --trace tasks.json tasks.cpp
sed -e 's/std::thread a/std::thread z(log), a/' -e 's/    assert/    z.join();\n    assert/' tasks.cpp >tasks-more.cpp
expect 1 explain tasks.json tasks-more.cpp
has out '^still fails'
sed 's/a(twice), b(more{})/b(more{}), a(twice)/' tasks.cpp >tasks-other.cpp
expect 1 explain tasks.json tasks-other.cpp
has out '^still fails'

# --- the same trace on changed programs: -D is remembered ---------------------------------------------------------------

expect 1 explain t.json prog.c
first_line "^still fails at step $steps of $steps: assert: x == 2"
has out 'How it happens'

changed shifted '1i // a comment\n/* and\nanother */\n
s/    int t = x;/  int   t = x; \/\/ here/'
expect 1 explain t.json shifted.c --quiet
said "still fails at step $steps of $steps: assert: x == 2"

changed locked 's/int x;/int x; pthread_mutex_t m;/
s/    int t = x;/    pthread_mutex_lock(\&m);\n&/
s/    x = t.*/&\n    pthread_mutex_unlock(\&m);/'
expect 0 explain t.json locked.c
first_line '^fixed along this schedule'
has out 'no proof'
has out 'it waits: worker.* pthread_mutex_lock'
lacks out '^safe'

changed without 's/    x = t.*//'
expect 3 explain t.json without.c
first_line '^diverges at step [0-9]+: the thread has ended before'
has out 'expected: worker.* at prog\.c:7:7 in worker: x = t \+ LIMIT;'
changed shorter 's/.*pthread_join(a, 0);//'
expect 3 explain t.json shorter.c
first_line '^diverges at step [0-9]+: the thread stands elsewhere'
has out 'expected: main at prog\.c:16:5 in main: pthread_join'
has out 'there is: main at shorter\.c:17:5 in main: pthread_join'
changed alone 's/.*pthread_create(&b.*//; s/.*pthread_join(b.*//'
expect 3 explain t.json alone.c
first_line 'there is no such thread yet'
changed asking 's/    if (n/    int k = __VERIFIER_nondet_int();\n    if (k == 5) return 0;\n&/'
expect 3 explain t.json asking.c
first_line 'there is no value for input k'
changed otherwise 's/    int t = x;/&\n    int *q = 0;\n    if (t == 0) return (void *)(long)*q;/'
expect 1 explain t.json otherwise.c
first_line '^fails otherwise at step [0-9]+ of [0-9]+: null'
expect 3 explain t.json otherwise.c --property assert --quiet # nobody asks for memory: it is in the way
changed broken 's/int x;/int x/'
expect 2 explain t.json broken.c
is_empty out
has err 'broken\.c:.*error'

expect 3 explain t.json without.c --json
fits_schema
"$python" -c 'import json; r = json.load(open("out")); e = r["explanation"]
assert e["answer"] == "diverges" and e["step"] > 1 and r["verdict"] == "unknown" and r["command"] == "explain"' || fail "JSON of explain"
expect 1 explain t.json shifted.c --quiet --trace again.json
expect 1 explain again.json shifted.c --quiet

# Without a file it is the hash that decides between stepping and following.
cp prog.c kept.c
expect 0 explain t.json
is_empty out
cp locked.c prog.c
expect 0 explain t.json
first_line '^fixed along this schedule'
expect 0 explain t.json --command 'goto 2; list 0'
has out 'changed since'
rm prog.c
expect 2 explain t.json
has err 'prog\.c'
expect 0 explain t.json --command 'goto 2; list'
has out '^no source here$'
cp kept.c prog.c

# --- deadlocks and races --------------------------------------------------------------------------------------------------

cat >order.c <<'C'
#include <pthread.h>
pthread_mutex_t a, b;
void *other(void *p) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
C
expect 1 check --property deadlock --trace d.json order.c
sed '1i // moved' order.c >order2.c
expect 1 explain d.json order2.c --quiet
first_line '^still fails at step .*deadlock'
sed '4s/&b/\&a/; 5s/&a/\&b/' order.c >order3.c
expect 0 explain d.json order3.c --quiet
first_line '^fixed along this schedule'
expect 0 explain d.json --command 'goto end; threads'
has out 'waits for pthread_mutex_lock'
has out 'violated: deadlock'

expect 1 check --property race --trace r.json -DLIMIT=1 prog.c
expect 1 explain r.json shifted.c --quiet
first_line '^still fails at step .*race'
expect 0 explain r.json locked.c --quiet
first_line '^fixed along this schedule'
has out 'is blocked while .* stands at its access'

# --- IVL, dlang and SystemC -------------------------------------------------------------------------------------------------

cp "$models/ivl/listing-2-6.ivl" m.ivl
expect 1 check --trace t.json m.ivl
session 'until x; print x; find A; goto end'
has out 'x: 0 -> 1'
has out 'evaluate, time 0'
has out 'violated: assert: x == 0'
sed '1i // moved\n//' m.ivl >m2.ivl
expect 1 explain t.json m2.ivl --quiet
sed 's/x = 1;/x = 0;/' m.ivl >m3.ivl
expect 0 explain t.json m3.ivl --quiet
first_line '^fixed along this schedule'
sed 's/notify e;//' m.ivl >m4.ivl
expect 3 explain t.json m4.ivl --quiet
first_line '^diverges at step [0-9]+: the thread cannot run now'
sed '/^thread D/,/^}/d' m.ivl >m5.ivl
expect 3 explain t.json m5.ivl --quiet
first_line 'there is no such thread yet'

cat >inputs.ivl <<'I'
int x = ?(int);
event e;
thread A {
    int y = ?(int);
    wait_time 1;
    assert(x + y != 12345);
}
main { start; }
I
expect 1 check --trace t.json inputs.ivl
expect 1 explain t.json inputs.ivl --quiet

cp "$models/dlang/lost-update.dl" p.dl
expect 1 check --trace t.json p.dl
sed '1i // moved' p.dl >p2.dl
expect 1 explain t.json p2.dl --quiet

cp "$models/systemc/late-process.cpp" s.cpp
expect 1 check --trace t.json s.cpp
session 'goto end; threads'
has out 'violated: assert'
sed '1i // moved' s.cpp >s2.cpp
expect 1 explain t.json s2.cpp --quiet
expect 3 explain t.json s.cpp -DLATER --quiet
first_line '^diverges'
sed 's/done = 1;/done = 0;/' s.cpp >s3.cpp
expect 0 explain t.json s3.cpp --quiet
first_line '^fixed along this schedule'

# --- from any directory --------------------------------------------------------------------------------------------------

mkdir -p project/src project/out elsewhere
cp prog.c project/src/prog.c
(cd project && "$heddle" check --quiet --trace out/t.json -DLIMIT=1 src/prog.c >/dev/null)
cd elsewhere || exit 1
expect 0 explain ../project/out/t.json --command 'goto end' # nothing has changed
sed -i '1i // moved' ../project/src/prog.c
expect 1 explain ../project/out/t.json --quiet --trace new.json
first_line '^still fails'
[ -s new.json ] || fail "the new trace is not where it was asked for"
cd .. && mv project moved # now only the way from the trace to its sources is known
cd elsewhere && expect 1 explain ../moved/out/t.json --quiet
first_line '^still fails'
cd ..

finish "explain"
