#!/usr/bin/env bash
# Hostile input: broken, huge, deep, binary, endless. Every run must end by itself, in time, with status 2 or 3.   hostile.sh HEDDLE
. "$(dirname "$0")/shell.sh"
seconds=$((20 * ${HEDDLE_SLOW:-1}))

# ends STATUS ARGUMENT...: heddle ends with this status, says why, and is not killed for memory or time.
ends() {
    local wanted=$1 status
    shift
    timeout "$seconds" "$heddle" "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq "$wanted" ] || fail "heddle $*: status $status instead of $wanted: $(head -c 300 err)"
    if [ "$wanted" -eq 2 ]; then
        [ ! -s out ] || fail "heddle $*: bad input, but output: $(head -c 100 out)"
        [ -s err ] || fail "heddle $*: no message"
    fi
    grep -qE 'Sanitizer|runtime error' err && fail "heddle $*: $(grep -E 'Sanitizer|runtime error' err | head -n 1)"
}

# repeated COUNT TEXT
repeated() { "$python" -c 'import sys; sys.stdout.write(sys.argv[2] * int(sys.argv[1]))' "$1" "$2"; }

# --- files that are no programs ------------------------------------------------------------------------------------

head -c 1000 /dev/zero >zeros.ivl
head -c 5000 "$heddle" >binary.ivl
printf '\xef\xbb\xbf\xff\xfe main { }' >bytes.ivl
printf 'main { /* ' >comment.ivl
printf 'main { assert 1' >cut.ivl
mkdir folder.ivl
for file in zeros.ivl binary.ivl bytes.ivl comment.ivl cut.ivl folder.ivl missing.ivl missing/file.ivl /dev/zero /dev/null /proc/self/mem; do
    ends 2 check "$file"
done
ends 2 check cut.ivl cut.ivl
ends 2 check ""

# --- too deep, too long, too large -----------------------------------------------------------------------------------

{ printf 'main { int x = '; repeated 100000 '('; printf 1; repeated 100000 ')'; printf '; }'; } >parentheses.ivl
{ printf 'main '; repeated 100000 '{'; repeated 100000 '}'; } >blocks.ivl
{ printf 'main { '; repeated 100000 'if (1) '; printf '; }'; } >ifs.ivl
{ printf 'main { bool x = '; repeated 100000 '!'; printf 'true; }'; } >negations.ivl
{ printf 'main { int x = 1'; repeated 200000 '+1'; printf '; }'; } >sum.ivl
{ printf 'int '; repeated 10000 '*'; printf 'p; main { }'; } >stars.ivl
{ printf 'int a'; repeated 1000 '[1]'; printf '; main { }'; } >dimensions.ivl
{ printf 'main { } //'; repeated 5000000 'x'; } >long.ivl
printf 'int a[1000001]; main { }' >array.ivl
printf 'int a[1000000]; int b[1000000]; main { }' >arrays.ivl
printf 'thread t[i : 10001] { } main { }' >threads.ivl
printf 'main { int x = 99999999999999999999999; }' >number.ivl
printf 'struct s { struct s inner; }; main { }' >struct.ivl
python3 - >structs.ivl <<'END'
print("struct s0 { int x; };")
for k in range(1, 40):
    print(f"struct s{k} {{ struct s{k - 1} a; struct s{k - 1} b; }};")
print("struct s39 all; main { }")
END
for file in parentheses blocks ifs negations sum stars dimensions long array arrays threads number struct structs; do
    ends 2 check $file.ivl
    ends 2 dump --what ivl $file.ivl
done

# --- programs without end --------------------------------------------------------------------------------------------

cat >count.ivl <<'END'
int x;
main { while (true) x = x + 1; }
END
cat >recursion.ivl <<'END'
int f(int x) { int a[100]; a[x & 63] = x; return f(x + 1) + a[1]; }
main { int y = f(0); }
END
cat >waiting-recursion.ivl <<'END'
void f(int x) { wait_time 1; f(x + 1); }
thread t { f(0); }
main { start; }
END
cat >clock.ivl <<'END'
int x;
thread t { while (true) { x = x + 1; wait_time 1; } }
main { start; }
END
cat >leak.ivl <<'END'
struct node { struct node *next; };
struct node *head;
thread t { while (true) { struct node *n = new struct node; n->next = head; head = n; wait_time 1; } }
main { start; }
END
python3 - >jumps.ivl <<'END'
print("main {")
for k in range(5000):
    print(f"L{k}: goto L{(k + 1) % 5000};")
print("}")
END
cat >loop.ivl <<'END'
main { while (true) { } }
END
ends 3 check --engine search --step-limit 100000 count.ivl
ends 3 check recursion.ivl
ends 3 check --time 500ms waiting-recursion.ivl
ends 3 check --engine search --time 500ms clock.ivl
ends 3 check --time 500ms --match none clock.ivl
ends 3 check --time 500ms --order bfs clock.ivl
ends 3 check --max-transitions 2000 leak.ivl
ends 3 check --engine search --memory 40M --time 10s clock.ivl
ends 3 check --engine search jumps.ivl
ends 3 check --engine search loop.ivl
for file in count clock jumps loop; do
    ends 0 check --time 20s $file.ivl # abstraction sees that nothing new comes
done
ends 3 simulate clock.ivl

# --- absurd options --------------------------------------------------------------------------------------------------

cat >small.ivl <<'END'
param N = 2;
int x[N];
thread t[i : N] { x[i] = i; }
main { start; assert x[0] == 0; }
END
for set in N N= =1 N=x N=1.5 N=0 N=-1 N=10001 N=2147483648 N=99999999999999999999 M=1; do
    ends 2 check --set "$set" small.ivl
done
for option in '--time -1s' '--time nan' '--memory -1' '--memory 99999999999999999999G' '--max-depth 18446744073709551616' \
    '--por foo' '--por none,ct' '--match stub' '--property none' '--property ,' '--engine foo' '--trace /missing/file' '--trace .' \
    '--seed 1' '--what ir' '--deterministic --time 1s' '--no-time' '-x' '--por' '--set'; do
    # shellcheck disable=SC2086
    ends 2 check small.ivl $option
done
for option in '--memory 1M' '--time 1ms' '--max-depth 1' '--max-states 1' '--max-transitions 1' '--step-limit 1'; do
    # shellcheck disable=SC2086
    ends 3 check small.ivl $option --set N=300
done

# --- traces that are none ----------------------------------------------------------------------------------------------

printf 'int x = 0;\nthread A { x = ?(int); }\nthread B { assert(x < 9); }\nmain { start; }\n' >failing.ivl
"$heddle" check --trace trace.json failing.ivl >out 2>err
for cut in 0 1 100 1000; do head -c $cut trace.json >cut.json; ends 2 explain cut.json; done
repeated 100000 '[' >deep.json
repeated 100000 '{"trace":' >deeper.json
printf '{"trace": null}' >null.json
printf '{"trace": {"steps": 1}}' >number.json
{ printf '{"trace": {"steps": ['; repeated 300000 '{"thread": "A"},'; printf '{}]}}'; } >huge.json
for file in deep.json deeper.json null.json number.json huge.json zeros.ivl binary.ivl folder.ivl missing.json /dev/zero /dev/null; do
    ends 2 explain "$file"
    ends 2 explain "$file" failing.ivl
    ends 2 explain "$file" --command 'goto end'
done
ends 2 explain
ends 2 explain trace.json missing.ivl
ends 2 explain trace.json cut.ivl
{ printf '{"trace": {"steps": ['; repeated 100000 '{"thread": "A", "id": 1, "drawn": []},'; printf '{"thread": "B", "id": 2, "drawn": []}]}}'; } >long.json
ends 0 explain long.json --command 'goto 50000; switch; threads; print x; back 7'
ends 3 explain long.json failing.ivl

# Every value of a good trace in turn is replaced: it may be followed or not, but nothing crashes.
python3 - "$heddle" <<'END' || fail "a trace with a wrong value"
import copy, json, subprocess, sys
good = json.load(open("trace.json"))
def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, path + (key,))
chosen = [p for p in places(good["trace"], ("trace",))] + [("property",), ("inputs",), ("options",), ("options", "property")]
chosen += [("property", "kind"), ("inputs", 0, "file"), ("inputs", 0, "sha256"), ("options", "set"), ("options", "threads")]
wrong = [None, -1, 2**62, "\u001b[2J", [[]], {"line": -5, "file": 3}, []]
status = 0
for number, path in enumerate(chosen[:: max(1, len(chosen) // 60)]):
    bad = copy.deepcopy(good)
    at = bad
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = wrong[number % len(wrong)]
    json.dump(bad, open("wrong.json", "w"))
    for arguments in (["failing.ivl"], ["--command", "goto end; threads; print *; list; inputs; changes; back; find x"]):
        run = subprocess.run([sys.argv[1], "explain", "wrong.json", *arguments], capture_output=True, timeout=60)
        if run.returncode not in (0, 1, 2, 3) or b"Sanitizer" in run.stderr or b"\x1b" in run.stdout:
            print(path, wrong[number % len(wrong)], arguments, run.returncode, run.stderr[:300])
            status = 1
sys.exit(status)
END

finish "hostile input"
