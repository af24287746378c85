#!/usr/bin/env bash
# fuzz-long.sh BUILD-DIRECTORY SECONDS: a quarter of the time each for the two differential oracles (random programs in IVL and in C, every
# explorer against brute force), the rest in equal shares for the fuzzers of tests/fuzz; tests/README.md says what they are. Everything gets a new seed each time, which
# is printed so that a failure can be repeated.
set -uo pipefail
cd "$(dirname "$0")/.."
build=$1
mapfile -t programs < <(find "$build/tests" -name 'fuzz_*' -type f -executable)
mapfile -t scripts < <(find tests/fuzz -name 'fuzz_*.py')
count=$((${#programs[@]} + ${#scripts[@]}))
[ $count -gt 0 ] || {
    echo "no fuzzers found" >&2
    exit 1
}
share=$(($2 / 2 / count + 1))
failed=0

for oracle in differential differential_threads; do
    seed=$RANDOM$RANDOM
    found=$(mktemp -d)
    echo "$build/tests/$oracle --seed $seed --time $(($2 / 4)) --output $found"
    if "$build/tests/$oracle" --seed "$seed" --time $(($2 / 4)) --keep-going --output "$found"; then
        rmdir "$found"
    else
        failed=1
    fi
done

for program in "${programs[@]}"; do
    echo "$program for $share s"
    mapfile -t models < <(find "models/${program##*fuzz_}" -type f ! -name 'README*' | sort)
    timeout "$share" "$program" 1000000000 "${models[@]}"
    [ $? -eq 124 ] || failed=1
done
for script in "${scripts[@]}"; do
    seed=$RANDOM$RANDOM
    echo "$script --seconds $share --seed $seed"
    HEDDLE=$build/heddle python3 "$script" --seconds "$share" --seed "$seed" || failed=1
done
exit $failed
