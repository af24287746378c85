#!/usr/bin/env bash
# Project files, compile commands, baselines, the cache of verdicts, --fail-on.   projects.sh HEDDLE
. "$(dirname "$0")/shell.sh"

mkdir include sub
cat >counter.c <<'END'
#include "least.h"
#include <assert.h>
#include <pthread.h>
int counter;
static void *increase(void *unused) {
    (void)unused;
    counter++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increase, 0);
    pthread_create(&b, 0, increase, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter >= LEAST);
    assert(counter <= 2);
    return 0;
}
END
printf '#ifndef LEAST\n#define LEAST 1\n#endif\n' >include/least.h
cat >sub/model.ivl <<'END'
int x = 0;
thread A { x = x + 1; }
main { start; assert x == 1; }
END

# --- the project file -------------------------------------------------------------------------------------------

cat >heddle.toml <<'END'
# every target
[target.model]
files = ["sub/model.ivl"]

[target.weak]   # one increment may be lost
files = [
    "counter.c", # the only one
]
include = ["include"]
expect = "safe"

[target.strong]
files = ["counter.c"]
define = ["LEAST=2"]
include = ["include"]
trace = "{target}.json"

[defaults]
property = ["assert", "memory"]
max-transitions = 100_000
time = "60s"
END
sed -i 's/100_000/100000/' heddle.toml
expect 1 check
has out '^=== model ===$'
has out '^=== strong ===$'
[ -s strong.json ] || fail "{target} is not filled in"
expect 1 check --quiet
[ "$(cat out)" = $'model: safe\nweak: safe\nstrong: unsafe' ] || fail "targets are not listed: $(cat out)"
expect 1 check --quiet --junit 'made/of/{target}.xml' --html /dev/null
for name in model weak strong; do [ -s "made/of/$name.xml" ] || fail "no result of target $name, whose folder was missing"; done
expect 2 check --quiet --junit one.xml # that of the first would be lost
has err 'heddle.toml: error: --junit of target weak: another target writes it: put \{target\} into its name'
has one.xml 'testsuite'
expect 0 check --quiet --junit two.xml --target weak
expect 0 check --quiet --target model,weak
[ "$(cat out)" = $'model: safe\nweak: safe' ] || fail "--target is not respected: $(cat out)"
expect 1 check --json
json "[t['name'] for t in r['targets']] == ['model', 'weak', 'strong']"
json "r['targets'][0]['result']['options']['time'] == 60 and r['targets'][2]['result']['verdict'] == 'unsafe'"
expect 3 check --quiet --target model --max-transitions 1
expect 2 check --target nobody
has err 'no such target'
(cd sub && "$heddle" check --quiet --project ../heddle.toml --target weak >../out) || fail "a project elsewhere cannot be checked"
sed 's/expect = "safe"/expect = "unsafe"/' heddle.toml >surprised.toml
expect 1 check --quiet --project surprised.toml --target weak
has err 'weak: safe, but unsafe is expected'
sed 's/^trace.*/expect = "unsafe"/' heddle.toml >wanted.toml
expect 0 check --quiet --project wanted.toml

# Defaults are for all targets, also where they mean nothing.
printf '[defaults]\njobs = 4\ninclude = ["include"]\ncontext-bound = 2\n[target.model]\nfiles = ["sub/model.ivl"]\nengine = "search"\n[target.weak]\nfiles = ["counter.c"]\n' >mixed.toml
expect 0 check --quiet --project mixed.toml
[ "$(head -n 1 out)" = 'model: safe' ] || fail "a default that means nothing spoils a target: $(cat out)"
has err "option 'include' changes nothing"

# refuse LINE:COLUMN MESSAGE CONTENT: a project file that is wrong there
refuse() {
    printf '%b' "$3" >wrong.toml
    expect 2 check --project wrong.toml
    has err "^wrong\.toml:$1: error: $2"
}
refuse 1:1 'only \[defaults\]' 'x = 1\n'
refuse 2:1 'only \[defaults\]' '\n[other]\n'
refuse 2:1 'heddle check has no such option' '[target.a]\nfilez = ["x"]\n'
refuse 2:7 'this string does not end' '[target.a]\nstd = "c99\n'
refuse 2:8 'a string in quotes' '[target.a]\nfiles= x\n'
refuse 2:11 'only plain values' '[target.a]\nfiles = [ [ "x" ] ]\n'
refuse 1:1 'arrays of tables' '[[target]]\n'
refuse 3:1 'this table stands here twice' '[target.a]\nfiles = ["x"]\n[target.a]\n'
refuse 2:1 'safe, unsafe or unknown' '[target.a]\nexpect = "perhaps"\nfiles = ["x.c"]\n'
refuse 2:1 "'soon' is not a value of option 'time'" '[target.a]\ntime = "soon"\nfiles = ["x.c"]\n'
refuse 1:10 "'=' should stand here" 'something\n'
printf '[target.a]\n' >wrong.toml
expect 2 check --project wrong.toml
has err 'names no files'
head -c 3000000 /dev/zero >wrong.toml
expect 2 check --project wrong.toml
head -c 3000 /dev/urandom >wrong.toml
expect 2 check --project wrong.toml
rm heddle.toml
expect 2 check
has err "'check' needs a file"

# What would be checked less, or otherwise than it was meant, is refused.
refuse 3:1 'a zero byte' '[target.a]\nfiles = ["sub/model.ivl"]\n\0[target.b]\nfiles = ["no.ivl"]\n'
refuse 4:1 'this key stands here twice' '[target.a]\nfiles = ["sub/model.ivl"]\nexpect = "unsafe"\nexpect = "safe"\n'
refuse 4:1 'this table stands here twice' '[defaults]\n[target.a]\nfiles = ["sub/model.ivl"]\n[defaults]\n'
refuse 3:13 'names have no control characters' '[target.a]\nfiles = ["sub/model.ivl"]\n["target.\\n"]\n'
printf '\xef\xbb\xbf[target.a]\r\nfiles = ["sub/model.ivl"]\r\n[target.b]\r\nfiles = []\r\n' >broken.toml
expect 0 check --project broken.toml --target a
expect 2 check --project broken.toml --target a,c
has err 'no such target: c'
expect 2 check --project broken.toml --json
json "[t['name'] for t in r['targets'] if t['result']] == ['a'] and len(r['targets']) == 2"

# --- compile commands -------------------------------------------------------------------------------------------

cat >compile_commands.json <<END
[
  {"directory": "$work/sub", "file": "../other.c", "arguments": ["cc", "-DLEAST=7", "-c", "../other.c"]},
  {"directory": "$work/sub", "file": "../counter.c", "command": "cc -O2 -I ../include -DLEAST=\"(1 + 1)\" -o counter.o -c ../counter.c"}
]
END
expect 2 check --quiet counter.c
expect 1 check --quiet --compile-commands compile_commands.json counter.c
sed -i 's/(1 + 1)/(0 + 1)/' compile_commands.json
expect 0 check --quiet --compile-commands compile_commands.json counter.c
expect 2 check --quiet --compile-commands compile_commands.json sub/../include/../nobody.c
echo '{}' >broken.json
expect 2 check --quiet --compile-commands broken.json counter.c
has err 'no list'
has err '^broken.json: error: '
expect 2 check --quiet --compile-commands none.json counter.c
# What -include names need not be in the folder; precompiled headers, as CMake hands them to clang, are left out.
cat >included.json <<END
[{"directory": "$work/sub", "file": "../counter.c", "arguments": ["clang", "-I../include", "--std=gnu17", "-DLEAST=2", "-include", "stdbool.h",
  "-Xclang", "-include-pch", "-Xclang", "none.pch", "-Xclang", "-include", "-Xclang", "here.h", "-c", "../counter.c"]}]
END
echo '#undef LEAST' >sub/here.h
echo '#define LEAST (true ? 2 : 0)' >>sub/here.h
expect 1 check --quiet --compile-commands included.json counter.c

# Flags that change what a program means are honoured, or refused by their names; others change nothing.
cat >flags.c <<'END'
#include <assert.h>
#include <limits.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
#if defined WIDE
    assert(sizeof(long) == 8);
#elif defined SIGNED
    assert((char)-1 < 0);
#elif defined ADDED
    if (x + 1 < x) return 1;
#elif defined SHORT
    enum { ONE } e = ONE;
    assert(sizeof e == 4);
#elif defined MACRO
    assert(MACRO == 1);
#elif defined INCLUDED
    assert(INCLUDED == FROM_HEADER);
#elif defined INLINE
    assert(__STDC_VERSION__ >= 201112L);
#endif
    return x == x + 0 ? 0 : 1;
}
END
mkdir -p system
echo '#define FROM_HEADER 2' >system/given.h
for case in "-DWIDE:-m32" "-DSIGNED:-funsigned-char" "-DSHORT:-fshort-enums" "-DINLINE:-std=c99"; do
    define=${case%%:*} flag=${case#*:}
    expect 0 check --quiet $define -O2 -g -Wall -Wextra -pthread -fPIC -c flags.c
    expect 1 check --quiet $define $flag flags.c
    printf '[{"directory": "%s", "file": "flags.c", "command": "cc -O3 -g -fPIC -MD -MF x.d %s %s -o flags.o -c flags.c"}]' "$work" $define $flag >flags.json
    expect 1 check --quiet --compile-commands flags.json flags.c
    sed -i "s/ $flag//" flags.json
    expect 0 check --quiet --compile-commands flags.json flags.c
done
expect 1 check --quiet --property overflow -DADDED flags.c
expect 0 check --quiet --property overflow -DADDED -fwrapv flags.c # every sum has a value
expect 1 check --json -DWIDE -m32 flags.c
json "r['options']['data-model'] == 'ILP32'"
expect 0 check --quiet -DMACRO=1 flags.c
expect 2 check --quiet -DMACRO=1 -U MACRO -DMACRO flags.c -DMACRO=
expect 0 check --quiet -DMACRO=2 -UMACRO flags.c # the last one counts, whatever it says
expect 1 check --quiet -UMACRO -DMACRO=2 flags.c
expect 2 check --quiet -DINCLUDED=2 flags.c
expect 0 check --quiet -DINCLUDED=2 -include system/given.h flags.c
sed '1i #include <given.h>' flags.c >angled.c
expect 0 check --quiet -DINCLUDED=2 -isystem system angled.c
expect 1 check --quiet -DINCLUDED=3 -isystem system --trace flags-trace.json angled.c
expect 1 explain flags-trace.json --quiet # the flags are part of what was recorded
for flag in -ffast-math -Ofast -fopenmp -ftrapv -fplugin=x.so -mfpmath=387 -x -fno-such-thing; do
    expect 2 check $flag flags.c
    has err "unknown option '$flag'"
    printf '[{"directory": "%s", "file": "flags.c", "arguments": ["cc", "%s", "c++", "-c", "flags.c"]}]' "$work" $flag >flags.json
    expect 2 check --compile-commands flags.json flags.c
    has err "^flags.json: error: flag $flag .*flags.c is not supported"
done
expect 2 check --flag -fopenmp flags.c
has err 'flag -fopenmp is not supported'
expect 2 check -o out.json flags.c # not what one would think
printf '[{"directory": "%s", "file": "flags.c", "command": "cc -m32 -c flags.c"}, {"directory": "%s", "file": "angled.c", "command": "cc -c angled.c"}]' "$work" "$work" >flags.json
expect 2 check --compile-commands flags.json flags.c angled.c
has err 'some files are compiled with -m32'

# --- baselines --------------------------------------------------------------------------------------------------

expect 1 check --quiet -Iinclude -DLEAST=2 --write-baseline accepted.json counter.c
expect 0 check --quiet -Iinclude -DLEAST=2 --baseline accepted.json counter.c
sed '1i // a line more' counter.c >moved.c && mv moved.c counter.c
expect 0 check -Iinclude -DLEAST=2 --baseline accepted.json counter.c
has out '^1 accepted by accepted.json, 0 not$'
sed -i 's/counter <= 2/counter <= 1/' counter.c
expect 1 check -Iinclude -DLEAST=2 --baseline accepted.json counter.c
has out '^1 accepted by accepted.json, 1 not$'
cat >twice.c <<'END'
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1) assert(x > 5);
#ifdef TWICE
    if (x == 2) assert(x > 5);
#endif
    return 0;
}
END
expect 1 check --write-baseline once.json twice.c
expect 0 check --baseline once.json twice.c
expect 1 check --baseline once.json -DTWICE twice.c # it looks the same and is another one
has out '^1 accepted by once.json, 1 not$'
expect 1 check --write-baseline twice.json -DTWICE twice.c
expect 0 check --baseline twice.json -DTWICE twice.c
expect 0 check --baseline twice.json twice.c
expect 2 check -Iinclude --baseline broken.json counter.c
has err 'not a baseline'

cat >two.ivl <<'END'
int x = 0;
thread A { x = 1; }
thread B { x = 2; }
main { start; assert x == 1; assert x == 2; }
END
expect 1 check --quiet --engine search --write-baseline two.json two.ivl
"$python" -c "import json; b = json.load(open('two.json')); assert len(b['accepted']) == 2; del b['accepted'][1]; json.dump(b, open('one.json', 'w'))" ||
    fail "both violations should be listed: $(cat two.json)"
for engine in search cegar dpor; do # some of them stop at the first violation: that is no proof of the rest
    "$heddle" check --quiet --engine $engine --baseline one.json two.ivl >out 2>err && fail "$engine: a violation that nobody accepted passes"
done
expect 0 check --quiet --engine search --baseline two.json two.ivl

cat >races.c <<'END'
#include <pthread.h>
int first, second;
static void *touch(void *unused) {
    (void)unused;
    first = 1;
    second = 1;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, touch, 0);
    pthread_create(&b, 0, touch, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
sed '/second = 1/d' races.c >race.c
expect 1 check --quiet --property race --write-baseline raced.json race.c
sed -i 's/race\.c/races.c/g' raced.json
expect 1 check --quiet --property race --baseline raced.json races.c # the one of `second` is new
expect 1 check --json --property race --all races.c
json "len([p for p in r['properties'] if p['kind'] == 'race' and p['verdict'] == 'unsafe']) == 2"
expect 1 check --quiet --property race --write-baseline raced.json races.c
expect 3 check --property race --baseline raced.json races.c # no proof that there is no third
has out 'may be others'
expect 0 check --quiet --fail-on unsafe --property race --baseline raced.json races.c

# What comes behind an accepted assertion counts, whatever it is written with.
cat >behind.c <<'END'
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void), elsewhere(void);
void reach_error(void) {}
int seen;
static void require(int ok) { assert(ok); }
static void *worker(void *unused) {
    seen = 1;
    assert(0);
    seen = 2;
    return unused;
}
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0, *nowhere = 0;
    pthread_t t;
    if (x == 1) reach_error();
    if (x == 2) require(x != 2 && (x < 9 || !y));
    assert(x != 3 && (x < 9 || !y));
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
#if defined CALLED
    if (x == 1) elsewhere();
#elif defined ASSERTED
    if (x == 2) assert(seen == 0);
#elif defined JOINED
    assert(seen != 2);
#elif defined WRITTEN
    if (x == 3) *nowhere = 1;
#endif
    return 0;
}
END
expect 1 check --write-baseline behind.json behind.c
"$python" -c "
import json
said = {(e['text'], e['expression']) for e in json.load(open('behind.json'))['accepted']}
wanted = {('0', 'assert(0)'), ('ok', 'assert(ok)'), ('reach_error() is never called', 'if (x == 1) reach_error()'),
          ('x != 3 && (x < 9 || !y)', 'assert(x != 3 && (x < 9 || !y))')}
assert said == wanted, said" || fail "entries do not name what was violated: $(cat behind.json)"
expect 0 check --baseline behind.json behind.c
has out '^4 accepted by behind.json, 0 not$'
expect 3 check --baseline behind.json -DCALLED behind.c
has out 'elsewhere'
for bug in ASSERTED JOINED WRITTEN; do
    expect 1 check --baseline behind.json -D$bug behind.c
    has out '^4 accepted by behind.json, 1 not$'
    expect 1 check --trace behind-trace.json --all -D$bug behind.c
    expect 1 explain behind-trace.json --quiet # followed through what was passed
done
sed 's/assert(0)/assert(!seen)/' behind.c >preprocessed.c
clang-19 -E -P -DWRITTEN preprocessed.c -o behind.i # here <assert.h> has had its say: calls that do not return
expect 1 check --json --all behind.i
json "{p['kind'] for p in r['properties'] if p['verdict'] == 'unsafe'} == {'assert', 'null'}"

# Nothing comes behind a violation of memory: what would have is not known, unless the entry accepts that.
cat >ends.c <<'END'
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int a[4], b[4];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 5) {
#ifdef OTHER
        b[i] = 1;
#else
        a[i] = 1;
#endif
        if (i == 4) a[7] = 1;
    }
    return 0;
}
END
expect 1 check --write-baseline ends.json ends.c
expect 3 check --baseline ends.json ends.c
has out 'accept_rest'
sed 's/"accept_rest": false/"accept_rest": true/' ends.json >rest.json
expect 0 check --baseline rest.json ends.c
expect 1 check --baseline rest.json -DOTHER ends.c # the same check of the same function, but of another array
cat >added.c <<'END'
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x + 1;
    if (y < x) *(int *)0 = y;
    return 0;
}
END
expect 1 check --property overflow,memory --write-baseline added.json added.c
expect 3 check --property overflow,memory --baseline added.json added.c

# --- the cache --------------------------------------------------------------------------------------------------

sed -i 's/counter <= 1/counter <= 2/' counter.c
expect 0 check --json -Iinclude --cache kept counter.c
json "not r['cached']"
expect 0 check --json -Iinclude --cache kept counter.c
json "r['cached'] and r['verdict'] == 'safe' and r['statistics']['transitions'] > 0"
expect 0 check --json -Iinclude --cache kept --por none counter.c
json "not r['cached']"
printf '#define LEAST 2\n' >include/least.h # a header counts
expect 1 check --json -Iinclude --cache kept counter.c
json "not r['cached']"
expect 1 check --json -Iinclude --cache kept counter.c
json "r['cached'] and r['verdict'] == 'unsafe'"
expect 1 check -Iinclude --cache kept --trace again.json counter.c # a file that only a run can write
[ -s again.json ] || fail "the cache keeps a file from being written"
expect 3 check --json -Iinclude --cache kept --max-transitions 2 counter.c
expect 3 check --json -Iinclude --cache kept --max-transitions 2 counter.c
json "not r['cached']"
for file in kept/*; do echo '{"verdict": 0' >"$file"; done
expect 1 check --json -Iinclude --cache kept counter.c
json "not r['cached']"
for file in kept/*; do echo '{"verdict": 0, "reason": "", "svcomp": "true", "text": "safe", "json": "[]"}' >"$file"; done
expect 1 check --json -Iinclude --cache kept counter.c
json "not r['cached']"
mkdir moved
cp "$heddle" "$(dirname "$heddle")"/heddle-llvm-*.so moved
for again in False True False; do # another front end is another program
    moved/heddle check --json -Iinclude --cache kept counter.c >out
    json "r['cached'] == $again"
    [ $again = False ] || touch moved/heddle-llvm-*.so
done
python3 - kept/* <<'END' # the two places that say the verdict disagree
import json, sys
for name in sys.argv[1:]:
    kept = json.load(open(name))
    json.dump(kept | {"verdict": 0}, open(name, "w"))
END
expect 1 check --json -Iinclude --cache kept counter.c
json "not r['cached']"
sed 's/pthread_t a, b;/&\n    int input;\n    assert(input != 7);/' counter.c >two_bugs.c
expect 1 check --json -Iinclude --cache part --all --max-transitions 3 two_bugs.c # not all there are
json "len(r['doubts']) > 0"
expect 1 check --json -Iinclude --cache part --all --max-transitions 3 two_bugs.c
json "not r['cached']"
expect 1 check --json -Iinclude --cache part --all two_bugs.c
expect 1 check --json -Iinclude --cache part --all two_bugs.c
json "r['cached']"
touch blocked
expect 4 check -Iinclude --cache blocked/cache counter.c
has out '^unsafe'

# --- which verdicts fail ----------------------------------------------------------------------------------------

expect 0 check --quiet -Iinclude --fail-on unknown counter.c
expect 1 check --quiet -Iinclude --fail-on unsafe counter.c
expect 0 check --quiet -Iinclude --fail-on unsafe --max-transitions 2 counter.c
expect 3 check --quiet -Iinclude --fail-on unsafe,unknown --max-transitions 2 counter.c
expect 2 check --quiet --fail-on maybe counter.c

touch nowhere
expect 2 check --cache nowhere counter.c # before anything is explored
has err "nowhere: error: Not a directory"

finish "projects"
