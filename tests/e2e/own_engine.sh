#!/usr/bin/env bash
# The engine of docs/own-engine.md, in a program that was built with it.   own_engine.sh HEDDLE
. "$(dirname "$0")/shell.sh"

# --- verdicts ------------------------------------------------------------------------------------------------------

cat >safe.ivl <<'END'
int x = 0;
event e;
thread A { x = 1; notify e; }
thread B { wait e; assert x == 1; }
main { start; }
END
expect 0 check --json --engine mine --time 60s safe.ivl
json "r['engine'] == 'mine' and r['por'] == 'none' and r['match'] == 'ceq' and r['statistics']['states'] > 3"
expect 0 check --json --engine mine --time 60s -DLOCKED "$models/c/lost-update.c"
expect 1 check --json --engine mine --time 60s "$models/c/lost-update.c"
json "r['engine'] == 'mine' and r['trace']"
expect 1 check --json --engine mine --time 60s "$models/dlang/lost-update.dl"
expect 3 check --json --engine mine --max-states 3 "$models/c/peterson.c"
json "r['reason'] and r['engine'] == 'mine'"
expect 3 check --engine mine --property deadlock -DLOCKED "$models/c/lost-update.c"
has out '^unknown: engine mine looks for no deadlocks'
cat >endless.ivl <<'END'
int x = 0;
thread A { while (true) { x += 1; wait_time 1; } }
main { start; }
END
expect 3 check --engine mine --max-transitions 500 endless.ivl

# --- the page of engines has no section about it ---------------------------------------------------------------------

mkdir -p tree/scripts
cp -r "$models/../docs" tree/
cp "$models/../scripts/write-docs.sh" tree/scripts/
tree/scripts/write-docs.sh "$heddle" || fail "make docs"
grep -q '^| `mine` | states, each once, without reduction |' tree/docs/engines.md || fail "no row of engine mine, or a link to nowhere"
grep -q '^| \[`search`\](#search) |' tree/docs/engines.md || fail "a row lost its link"

# --- what it says of itself ----------------------------------------------------------------------------------------

expect 0 --help=engines
has out '^\| \[`mine`\]\(#mine\) \| states, each once, without reduction \| yes \| yes \| yes \| no \| `unknown` \| `unknown` \| yes \| `unknown` \|$'
expect 2 check --engine mine --por ample "$models/c/peterson.c"
has err "engine mine has no reduction 'ample' for C, C\+\+ and dlang: it has the reduction none; engine search has it"
expect 2 check --engine mine --order dfs "$models/c/peterson.c"
has err 'it has the order bfs'
expect 2 check --engine other "$models/c/peterson.c"
has err 'mine'
expect 0 check --json --engine search -DLOCKED "$models/c/lost-update.c" # the others are there as before
json "r['engine'] == 'search'"

finish "the template of an engine"
