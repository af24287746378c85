#!/bin/sh
# Compiles every test of this directory with the types of include/systemc and with those of the library of
# Accellera, and compares what the two programs print. COMPILERS="g++ clang++-19" takes several
# compilers, TESTS some files instead of all.
# Exit status: 0 all agree, 1 some do not, 77 there is no library to compare with.
set -u
here=$(cd "$(dirname "$0")" && pwd)
include=$here/../../include/systemc
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags="-std=c++17 -Wall -Wextra -Werror"

printf '#include <systemc>\nint sc_main(int, char **) { return 0; }\n' >"$work/probe.cpp"
if ! c++ -std=c++17 "$work/probe.cpp" -o "$work/probe" -lsystemc >/dev/null 2>&1; then
    echo "no SystemC library to compare with: skipped"
    exit 77
fi

status=0
for test in ${TESTS:-"$here"/*.cpp}; do
    name=$(basename "$test" .cpp)
    if ! c++ -std=c++17 -w -DWITH_ACCELLERA "$test" -o "$work/theirs" -lsystemc; then
        echo "$name: does not compile with the library"
        status=1
        continue
    fi
    if ! SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 timeout 60 "$work/theirs" >"$work/theirs.out" 2>"$work/theirs.err"; then
        echo "$name: does not run to its end with the library"
        status=1
        continue
    fi
    for compiler in ${COMPILERS:-c++}; do
        if ! $compiler $flags -I "$include" "$test" -o "$work/ours"; then
            echo "$name: does not compile with $compiler"
            status=1
            continue
        fi
        if ! timeout 60 "$work/ours" >"$work/ours.out" 2>"$work/ours.err"; then
            echo "$name ($compiler): does not run to its end: $(tail -1 "$work/ours.out")"
            status=1
        elif cmp -s "$work/ours.out" "$work/theirs.out"; then
            echo "$name ($compiler): $(wc -l <"$work/ours.out") lines agree"
        else
            echo "$name ($compiler): differs, < here, > Accellera"
            diff "$work/ours.out" "$work/theirs.out" | head -${DIFF_LINES:-20}
            status=1
        fi
    done
done
exit $status
