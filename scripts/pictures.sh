#!/usr/bin/env bash
# pictures.sh HEDDLE: draws docs/pictures anew, from models of the repository.
set -euo pipefail
heddle=$(realpath "$1")
cd "$(dirname "$0")/.."
mkdir -p docs/pictures

draw() { # draw NAME ARGUMENTS OF DUMP...
    local name=$1
    shift
    "$heddle" dump --what "$@" | dot -Tsvg >"docs/pictures/$name.svg"
}

draw control-flow cfg models/c/lost-update.c
draw instructions ir-dot models/ivl/counter.ivl
draw state-space state-space models/c/lost-update.c
draw abstract-states arg --property assert models/c/unbounded-loop.c
