#!/usr/bin/env bash
# demo.sh HEDDLE: verifies one bundled model and shows counterexamples of two others. Fails if a verdict is not the expected one.
set -uo pipefail
cd "$(dirname "$0")/.."
heddle=$1

show() { # show EXPECTED-STATUS ARGUMENT...
    local expected=$1 status
    shift
    printf '\n$ %s %s\n' "$heddle" "$*"
    "$heddle" "$@"
    status=$?
    [ $status -eq "$expected" ] || {
        echo "demo: exit status $status instead of $expected" >&2
        exit 1
    }
}

show 0 check --set N=6 models/ivl/token-ring.ivl
show 1 check models/ivl/listing-2-2.ivl
show 1 check models/c/lost-update.c
