#!/usr/bin/env bash
# fuzz-long.sh BUILD-DIRECTORY SECONDS: every fuzzer of tests/fuzz for an equal share of the time; tests/README.md says what they are. Scripts get
# a new seed each time, which is printed so that a failure can be repeated.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1
mapfile -t programs < <(find "$build/tests" -name 'fuzz_*' -type f -executable)
mapfile -t scripts < <(find tests/fuzz -name 'fuzz_*.py')
mapfile -t models < <(find models -name '*.ivl' | sort)
count=$((${#programs[@]} + ${#scripts[@]}))
[ $count -gt 0 ] || {
    echo "no fuzzers found" >&2
    exit 1
}
share=$(($2 / count + 1))
failed=0

for program in "${programs[@]}"; do
    echo "$program for $share s"
    timeout "$share" "$program" 1000000000 "${models[@]}"
    [ $? -eq 124 ] || failed=1
done
for script in "${scripts[@]}"; do
    seed=$RANDOM$RANDOM
    echo "$script --seconds $share --seed $seed"
    HEDDLE=$build/heddle python3 "$script" --seconds "$share" --seed "$seed" || failed=1
done
exit $failed
