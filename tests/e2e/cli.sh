#!/usr/bin/env bash
# The command line: exit statuses, bad input, JSON, signals, pipes.   cli.sh HEDDLE
. "$(dirname "$0")/shell.sh"

first_line_is() { [ "$(head -n 1 out)" = "$1" ] || fail "first line is '$(head -n 1 out)' instead of '$1'"; }

# --- models ----------------------------------------------------------------------------------------------------

cat >safe.ivl <<'END'
param N = 2;
int x = 0;
thread A { x += N; }
thread B { x += 1; }
main { start; assert x == N + 1; }
END
cat >unsafe.ivl <<'END'
int x = ?(int);
event go;
thread A { wait go; assert x != 42; }
thread B { notify go, 0; }
main { start; }
END
cat >two.ivl <<'END'
int x = ?(int);
thread A { assert x != 1; }
thread B { assert x != 2; assert x == x; }
main { start; }
END
cat >vacuous.ivl <<'END'
int x = ?(int);
thread A { assume x < 0; assume x > 0; assert x == 7; }
main { start; }
END
cat >unreached.ivl <<'END'
int x = 0;
main { assert x == 0; if (x > 0) { assert x == 2; } }
END
cat >deadlock.ivl <<'END'
event never;
thread A { wait never; }
main { start; }
END
cat >cubes.ivl <<'END'
u32 x = ?(u32);
thread A { assert x * x * x != 27 || x % 7 == 3; }
main { start; }
END
cat >endless.ivl <<'END'
int x = 0;
thread A { while (true) { x = x + 1; wait_time 1; } }
thread B { while (true) { assert x >= 0; wait_time 1; } }
main { start; }
END
cat >stuck.ivl <<'END'
int x = 0;
thread A { while (true) { x = x + 1; } }
main { start; }
END

# --- help and usage ---------------------------------------------------------------------------------------------

expect 0 --help
has out '^Usage: heddle COMMAND'
has out '^  explain .*TRACE'
has out "^'heddle --help=all' shows all options"
grep -q -e '--no-slicing' out && fail "the short help shows an option that hardly anybody needs"
is_empty err
expect 0 check --help
has out '^Usage: heddle check'
[ "$(grep -cE '^  --[a-z-]+ |^  --[a-z-]+$' out)" -eq 10 ] || fail "the short help of check does not show ten options"
has out "^'heddle check --help=all' shows all options"
expect 0 dump --help
has out '^  --what'
expect 0 --help=all
has out '--no-slicing'
has out '--what'
expect 0 check --help=all
has out '--no-slicing'
grep -q -e '--what' out && fail "help of check shows an option of dump"
"$heddle" --help=markdown | grep -oE '^\| `--[a-z0-9-]+' | sed 's/.*`//' | sort >of_manual
"$heddle" --help=all | grep -oE '^  --[a-z0-9-]+( |$)' | tr -d ' ' | sort >of_help
cmp of_manual of_help || fail "--help=all and the manual show different options"
expect 0 --version
has out '^heddle [0-9]+\.[0-9]+\.[0-9]+$'
expect 0 --help=man
has out '^\.TH HEDDLE 1'
has out 'one file in IVL \(\.ivl\), .* \.ii .*which are linked\. A'

for arguments in "" "frobnicate" "check" "check --frobnicate safe.ivl" "check -x safe.ivl" "check --por safe.ivl" \
    "check --por=sideways safe.ivl" "check --time=soon safe.ivl" "check --what ir safe.ivl" "check safe.ivl --set" \
    "check --set N safe.ivl" "check --set N=x safe.ivl" "check --max-states=-1 safe.ivl" \
    "check --deterministic --time 1s safe.ivl" "check --deterministic --z3 safe.ivl" "check --order bfs --visited-memory 1M safe.ivl" \
    "check --visited compact --visited-memory 1M safe.ivl" "check --visited compact-unconfirmed --match ess safe.ivl" \
    "check --no-all=on safe.ivl" "compare --por=sideways safe.ivl"; do
    # shellcheck disable=SC2086
    expect 2 $arguments
    is_empty out
    has err '^heddle: '
done
expect 2 check --match=es safe.ivl
has err 'expected one of .*ess'
expect 2 check --prperty=assert safe.ivl
has err "did you mean '--property'"

# Options that mean nothing here are told; they do not keep anything from being checked.
expect 0 check --jobs 7 --engine search --define X=1 safe.ivl
has err "^heddle: warning: option 'jobs' changes nothing: engine search runs alone$"
has err "^heddle: warning: option 'define' changes nothing: it is for programs in C or C\+\+$"
expect 0 check --jobs 7 safe.ivl
is_empty err
expect 0 compare --engine search,cegar safe.ivl
is_empty err

# --- verdicts ------------------------------------------------------------------------------------------------------

expect 0 check safe.ivl
first_line_is safe
is_empty err
expect 0 check --set N=40 safe.ivl
expect 1 check unsafe.ivl
first_line_is unsafe
has out 'x != 42'
has out 'unsafe\.ivl:3:[0-9]+ in A'
has out 'with x = 42'
has out '^ +3 \| thread A'
has out '^ +\|  *\^$'
has out 'input x = 42'
has out 'Inputs that matter: x = 42 \(exactly 42\)'
has out 'notifies go'
expect 1 check --quiet unsafe.ivl
[ "$(cat out)" = unsafe ] || fail "--quiet prints more than the verdict"
expect 1 check --color always unsafe.ivl
has out $'\033\\[1;31munsafe'

# Colours of their own accord on a terminal alone, and not where people do not want them.
coloured() { grep -q $'\033\\[1;31munsafe' <<<"$1"; }
on_terminal() { "$python" -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@" </dev/null 2>&1; }
coloured "$("$heddle" check unsafe.ivl)" && fail "a pipe gets colours"
export TERM=xterm
coloured "$(on_terminal "$heddle" check unsafe.ivl)" || fail "a terminal gets no colours"
coloured "$(NO_COLOR=1 on_terminal "$heddle" check unsafe.ivl)" && fail "NO_COLOR is not respected"
coloured "$(TERM=dumb on_terminal "$heddle" check unsafe.ivl)" && fail "a dumb terminal gets colours"
coloured "$(on_terminal "$heddle" check --color never unsafe.ivl)" && fail "--color never is not respected"

# Completion offers what the table of options has.
"$heddle" --help=bash >completion.bash
# completes WORD... : what bash offers for the last of them
completes() {
    bash -c 'source ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; echo "${COMPREPLY[@]}"' - "$@"
}
[ "$(completes heddle check --property assert,me)" = assert,memory ] || fail "completion of a list"
mkdir blanks
touch 'blanks/two words.c'
[ "$(bash -c 'source ./completion.bash; COMP_WORDS=(heddle check blanks/); COMP_CWORD=2; _heddle; echo "${#COMPREPLY[@]} ${COMPREPLY[0]}"')" = '1 blanks/two words.c' ] || fail "completion of a name with a blank"
[ "$(completes heddle che)" = check ] || fail "commands are not completed"
[ "$(completes heddle check --max-s)" = --max-states ] || fail "options are not completed"
[ "$(completes heddle check --engine ceg)" = cegar ] || fail "values are not completed"
[ "$(completes heddle simulate --prun)" = "" ] || fail "options of other commands are offered"
[[ " $(completes heddle check unsa) " == *" unsafe.ivl "* ]] || fail "files are not completed"
expect 0 --help=zsh
has out '^#compdef heddle'
has out "'--order=\[.*:ORDER:\(dfs bfs"
expect 0 check --help=man
has out '^\.TH HEDDLE\\-check 1'
expect 1 check --verbose unsafe.ivl
has out '^Counters'
expect 0 check deadlock.ivl
expect 1 check --property deadlock deadlock.ivl
has out 'A waits for never'
expect 3 check --max-states 20 endless.ivl
first_line_is 'unknown: state limit'
expect 3 check --max-transitions 20 endless.ivl
first_line_is 'unknown: transition limit'
expect 3 check --max-depth 20 endless.ivl
first_line_is 'unknown: depth limit'
expect 3 check --time 300ms endless.ivl
first_line_is 'unknown: time limit'
expect 3 check --engine search stuck.ivl --step-limit 5000
has out '^unknown: step limit \(stuck\.ivl:2:[0-9]+\)'
expect 0 check vacuous.ivl
has out 'note: every execution ends in a failed assumption'
expect 0 check unreached.ivl
has out 'note: assertion unreached\.ivl:2:[0-9]+ is never reached: x == 2'

expect 1 check --all --json two.ivl
fits_schema
json "[p['verdict'] for p in r['properties']] == ['unsafe', 'unsafe', 'safe']"
json "all((p['trace'] is not None) == (p['verdict'] == 'unsafe') for p in r['properties'])"
expect 1 check --json two.ivl
json "sorted(p['verdict'] for p in r['properties'])[0] == 'unknown'"

# --- JSON ----------------------------------------------------------------------------------------------------------

for run in "0 check safe.ivl" "1 check unsafe.ivl" "3 check --max-states 20 endless.ivl" "0 check vacuous.ivl" \
    "1 check --property=deadlock deadlock.ivl" "1 check --order bfs unsafe.ivl" "3 simulate endless.ivl"; do
    # shellcheck disable=SC2086
    expect $run --json
    fits_schema
done
expect 0 check --json vacuous.ivl
json "r['vacuous'] and not r['properties'][0]['reached']"
expect 0 check --json --set N=7 safe.ivl
json "r['verdict'] == 'safe' and r['reason'] == '' and r['trace'] is None and not r['vacuous']"
json "r['options']['set'] == {'N': 7} and r['options']['all'] is False"
json "r['inputs'][0]['sha256'] == '$(sha256sum <safe.ivl | cut -d' ' -f1)'"
expect 1 check --json --trace trace.json unsafe.ivl
json "r['trace']['values'] == [{'name': 'x', 'value': '42'}]"
json "json.load(open('trace.json'))['trace'] == r['trace']"
expect 1 check --json --deterministic unsafe.ivl
grep -vE 'seconds|memory' out >first
expect 1 check --json --deterministic unsafe.ivl
grep -vE 'seconds|memory' out >second
cmp -s first second || fail "two deterministic runs differ"

rm -f trace.json
expect 0 check --trace trace.json safe.ivl
[ ! -e trace.json ] || fail "a trace was written for a safe program"
expect 2 check --trace missing/trace.json unsafe.ivl
expect 2 check --trace . unsafe.ivl

# --- certificates ----------------------------------------------------------------------------------------------------

expect 0 check --engine cegar --certify --certificate proof.json safe.ivl
has out '^certified: certificate of [0-9]+ states?, '
expect 0 check --certify --json safe.ivl proof.json
fits_schema
json "r['certified'] and r['certificate']['confirmed'] and r['engine'] == 'certificate'"
json "any(i['file'] == 'proof.json' for i in r['inputs'])"
expect 0 check --json safe.ivl
json "r['certified'] is None and r['certificate'] is None"
expect 3 check --certify unsafe.ivl proof.json
first_line_is 'unknown: certificate could not be confirmed'
has out '^not certified'
expect 1 check --certify --json unsafe.ivl
json "r['certified'] is None"
echo '{' >broken.json
expect 3 check --certify safe.ivl broken.json
has out 'it is no JSON'
for arguments in "safe.ivl proof.json" "--certify --engine search safe.ivl" "--cross-check safe.ivl" "--certify proof.json" \
    "--certify safe.ivl proof.json broken.json"; do
    # shellcheck disable=SC2086
    expect 2 check $arguments
    is_empty out
    has err 'error: '
done

# --- other commands ---------------------------------------------------------------------------------------------------

expect 0 simulate safe.ivl
first_line_is 'unknown: one schedule only'
has out '^One schedule:'
expect 1 simulate deadlock.ivl --property deadlock
expect 3 simulate --seed 1 --max-transitions 10 endless.ivl
cp out first
expect 3 simulate --seed 1 --max-transitions 10 endless.ivl
[ "$(grep -v ' MB' first)" = "$(grep -v ' MB' out)" ] || fail "the same seed gives another schedule"
expect 0 dump safe.ivl
has out '^program safe\.ivl'
expect 0 dump --what segments safe.ivl
expect 0 dump --what ivl safe.ivl
cp out again.ivl
expect 0 dump --what ivl again.ivl
cmp -s out again.ivl || fail "printed IVL does not print as itself"
expect 0 check again.ivl
expect 0 dump --smtlib cubes.ivl
has out '^\(check-sat\)'
if command -v z3 >/dev/null; then
    [ "$(sed -n 's/^; expected: //p' out)" = "$(z3 -in <out)" ] || fail "Z3 disagrees with the dumped queries"
fi
expect 0 compare --por none,stub --match ceq,ess safe.ivl
[ "$(grep -c ' safe ' out)" -eq 4 ] || fail "compare does not print four rows"
expect 1 compare --json --por none --match esm unsafe.ivl
json "r['rows'][0]['verdict'] == 'unsafe'"

# --- bad input ------------------------------------------------------------------------------------------------------------

refuse() { # refuse FILE [OPTION...]: status 2, a message naming the file, nothing on standard output
    expect 2 check "$@"
    is_empty out
    has err "^$(printf '%s' "$1" | sed 's/[.]/\\./g'):.*error: "
}

refuse missing.ivl
mkdir folder.ivl
refuse folder.ivl
: >empty.txt
refuse empty.txt
printf 'int x = ;\n' >syntax.ivl
refuse syntax.ivl
has err '^syntax\.ivl:1:9: error: '
has err '^    int x = ;$'
printf 'main { y = 1; start; }\n' >name.ivl
refuse name.ivl
refuse safe.ivl --set M=1
head -c 10000000 /dev/urandom >garbage.ivl
refuse garbage.ivl
head -c 10000000 /dev/zero >zeros.ivl
refuse zeros.ivl
printf '\xff\xfe\x00int' >utf16.ivl
refuse utf16.ivl
"$python" -c "print('main { int x = ' + '(' * 200000 + '1' + ')' * 200000 + '; start; }')" >deep.ivl
refuse deep.ivl
"$python" -c "print('main { ' + '{' * 200000 + '}' * 200000 + ' start; }')" >blocks.ivl
refuse blocks.ivl
"$python" -c "print('main { int x = ' + '-' * 200000 + '1; start; }')" >unary.ivl
refuse unary.ivl
"$python" -c "print('main { int x = ' + '1+' * 100000 + '1; start; }')" >long.ivl
"$heddle" check long.ivl >out 2>err
[ $? -le 3 ] || fail "a long sum gives status $?"
expect 2 check safe.ivl unsafe.ivl
: >empty.ivl
"$heddle" check empty.ivl >out 2>err
status=$?
[ $status -eq 0 ] || [ $status -eq 2 ] || fail "an empty file gives status $status"
if [ "$(id -u)" -ne 0 ]; then
    cp safe.ivl secret.ivl
    chmod 000 secret.ivl
    refuse secret.ivl
fi

# --- several explorers at the same time -------------------------------------------------------------------------------------

# No state comes back, and no execution ends: only abstraction can tell.
cat >counts.ivl <<'X'
int x = 0;
thread A { while (true) { assert x % 2 == 0; x = x + 2; wait_time 1; } }
main { start; }
X
for jobs in 1 2 4; do # abstraction gets its share of the time
    expect 0 check --json --jobs $jobs --time $((${HEDDLE_SLOW:-1} > 1 ? 240 : 15))s counts.ivl
    json "r['verdict'] == 'safe' and r['engine'] == 'cegar'"
done
expect 3 check --deterministic --max-transitions 1000 counts.ivl

# --- signals and pipes -------------------------------------------------------------------------------------------------------

for signal in INT TERM; do
    "$heddle" check --json endless.ivl >out 2>err &
    child=$!
    sleep 0.5
    kill -$signal $child
    wait $child
    status=$?
    [ $status -eq 3 ] || fail "after SIG$signal the status is $status"
    json "r['verdict'] == 'unknown' and r['reason'] == 'interrupted' and r['statistics']['transitions'] > 0"
done

expect 0 check --progress always safe.ivl
expect 3 check --progress always --time 1s endless.ivl
has err 'of 1s  [a-z, ]+: states [0-9]+'
# The time is that of the whole run, whichever engine's turn it is.
cat >turns.c <<'END'
#include <assert.h>
#include <pthread.h>
unsigned a, b;
static void *one(void *p) {
    for (;;) a = a * 3 + b;
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    for (;;) b = b * 5 + a + 1, assert(b != 123456789u);
}
END
expect 3 check --progress always --time 3s --jobs 1 turns.c
tr '\r' '\n' <err | grep -oE '[0-9]+ s of 3s  [a-z, ]+:' >turns
[ "$(sed 's/.*  //' turns | sort -u | wc -l)" -gt 1 ] || fail "progress does not say which engine is at work: $(sort -u turns)"
sort -c -s -n turns || fail "the time of the whole run goes back"
# A line that wraps could not be wiped.
longest=$("$python" -c '
import fcntl, os, pty, struct, sys, termios
child, fd = pty.fork()
if not child:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
said = b""
try:
    while more := os.read(fd, 4096):
        said += more
except OSError:
    pass
lines = [l for l in said.split(b"\r\x1b[K") if b" s of 1s" in l]
print(max(len(l.split(b"\r")[0]) for l in lines) if lines else 0)' "$heddle" check --time 1s endless.ivl)
[ "$longest" -gt 20 ] && [ "$longest" -lt 40 ] || fail "a line of progress with $longest letters on a terminal with 40"
expect 3 check --progress always --time 1s --order bfs endless.ivl
has err 'waiting [0-9]+'
expect 3 check --time 1s endless.ivl
is_empty err

"$heddle" check --help | head -n 1 >/dev/null
[ "${PIPESTATUS[0]}" -ne 4 ] || fail "a closed pipe is called an internal error"
"$heddle" check safe.ivl >/dev/full 2>err
[ $? -eq 4 ] || fail "a full disk goes unnoticed"
has err 'cannot write'

finish "the command line"
