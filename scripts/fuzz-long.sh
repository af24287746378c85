#!/usr/bin/env bash
# fuzz-long.sh BUILD-DIRECTORY SECONDS: every fuzzer for an equal share of the time, each with a new seed, which is printed so that a
# failure can be repeated. A fuzzer is a program tests/fuzz/fuzz_*.c or tests/fuzz/fuzz_*.py that takes --seconds and --seed.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1
fuzzers=()
for candidate in "$build"/tests/fuzz_* tests/fuzz/fuzz_*.py; do
    [ -x "$candidate" ] && fuzzers+=("$candidate")
done
[ ${#fuzzers[@]} -gt 0 ] || {
    echo "no fuzzers found" >&2
    exit 1
}
share=$(($2 / ${#fuzzers[@]} + 1))
status=0
for fuzzer in "${fuzzers[@]}"; do
    seed=$RANDOM$RANDOM
    echo "$fuzzer --seconds $share --seed $seed"
    HEDDLE=$build/heddle "$fuzzer" --seconds "$share" --seed "$seed" || status=1
done
exit $status
