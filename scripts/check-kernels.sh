#!/bin/sh
# check-kernels.sh [--self-test]: kernels are told apart by their traits (src/program/kernel.h): only who makes a program, or
# guesses which one it will be, and the two tables, may name one. --self-test plants mistakes in a folder of its own, and
# fails if one goes unnoticed.
set -u

names_in() { # names_in FOLDER: the lines below it that name a kernel and may not
    (cd "$1" && grep -rnE 'KERNEL_(IVL|SYSTEMC|PREEMPTIVE)\b' --include='*.[ch]' . |
        grep -vE '^\./(program/kernel\.[ch]|machine/kernel\.c):|program_create\(|^\./frontend/.*return .*KERNEL_')
}

self_test() {
    tree=$(mktemp -d)
    trap 'rm -rf "$tree"' EXIT
    mkdir -p "$tree/program" "$tree/machine" "$tree/frontend/new" "$tree/search"
    echo 'typedef enum { KERNEL_IVL, KERNEL_SYSTEMC } kernel_kind;' >"$tree/program/kernel.h"
    echo '[KERNEL_IVL] = &systemc_kernel' >"$tree/machine/kernel.c"
    echo 'program *p = program_create(KERNEL_PREEMPTIVE, name);' >"$tree/frontend/new/new.c"
    echo 'return KERNEL_SYSTEMC;' >"$tree/frontend/new/frontend.c"
    echo 'bool preempts = kernel->preempts; enum { KERNEL_KINDS };' >"$tree/search/search.c"
    failed=0
    if names_in "$tree"; then
        echo "noticed without need"
        failed=1
    fi
    for place in search/search.c machine/machine.h program/program.c frontend/new/code.c; do
        touch "$tree/$place"
        cp "$tree/$place" "$tree/before"
        echo 'if (p->kernel == KERNEL_PREEMPTIVE) wait();' >>"$tree/$place"
        names_in "$tree" >"$tree/found"
        grep -q "^\./$place:" "$tree/found" || {
            echo "not noticed: a kernel that is named in $place"
            failed=1
        }
        mv "$tree/before" "$tree/$place"
    done
    echo 'return KERNEL_SYSTEMC;' >"$tree/search/guess.c"
    names_in "$tree" >"$tree/found" || {
        echo "not noticed: one who is no front end and guesses"
        failed=1
    }
    exit $failed
}

[ "${1:-}" = --self-test ] && self_test
found=$(names_in "$(dirname "$0")/../src")
[ -z "$found" ] && exit 0
echo "These name a kernel instead of asking for a trait:"
echo "$found"
exit 1
