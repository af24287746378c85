#!/usr/bin/env bash
# test.sh [--long] BUILD-DIRECTORY: checks, one line each; the output of a check is shown only when it fails.
# Without --long what everybody runs before a commit; with it what takes longer: sanitizers, long oracles, valgrind.
set -uo pipefail
cd "$(dirname "$0")/.."
long=
if [ "$1" = --long ]; then
    long=yes
    shift
fi
build=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0

check() { # check NAME COMMAND...
    local name=$1 begin=$SECONDS
    shift
    if "$@" >"$log" 2>&1; then
        printf 'ok    %-55s %4d s\n' "$name" $((SECONDS - begin))
        grep -E '^[0-9]+% tests passed' "$log"
    else
        printf 'FAIL  %-55s %4d s\n' "$name" $((SECONDS - begin))
        grep -vE '^ +Start +[0-9]+:|Test +#[0-9]+: .* Passed ' "$log" | tail -n 200
        failed=1
    fi
}

run_ctest() { # run_ctest DIRECTORY ARGUMENT...
    (cd "$1" && ctest --output-on-failure --parallel "$(nproc)" "${@:2}") # elsewhere it leaves a folder Testing behind
}

# Some models of every kind, with every allocation watched. Verdicts are checked elsewhere: here 0, 1 and 3 are all fine.
run_valgrind() {
    local model status
    for model in "${valgrind_models[@]}"; do
        valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
            "$build/heddle" check --quiet --max-transitions 300 "$model"
        status=$?
        case $status in 0 | 1 | 3) ;; *)
            echo "$model: status $status"
            return 1
            ;;
        esac
    done
}

# 99 is no verdict: without it a sanitizer would end the program with 1, "unsafe".
export ASAN_OPTIONS=detect_stack_use_after_return=1:exitcode=99 UBSAN_OPTIONS=print_stacktrace=1:exitcode=99

if [ -z "$long" ]; then
    check "format" make --no-print-directory check-format
    check "comments: columns, places" scripts/check-comments.py
    check "pages: columns, links, files, pictures" scripts/check-markdown.py
    check "manual has the present options" scripts/write-docs.sh "$build/heddle" --check
    check "build with clang, warnings as errors" \
        scripts/build.sh "$build-clang" -DCMAKE_C_COMPILER=clang -DHEDDLE_WERROR=ON -DCMAKE_BUILD_TYPE=Debug
    check "unit, fuzz and end-to-end tests" run_ctest "$build" --label-exclude long
else
    check "build with gcc, sanitizers, warnings as errors" \
        scripts/build.sh "$build-sanitize" -DHEDDLE_SANITIZE=address,undefined -DHEDDLE_WERROR=ON
    check "long oracles and comparisons" run_ctest "$build" --label-regex long
    HEDDLE_SLOW=10 check "all tests under address and undefined sanitizers" run_ctest "$build-sanitize"
    mapfile -t valgrind_models < <(find models/ivl -name '*.ivl' | sort | awk 'NR % 12 == 1' | head -n 5)
    check "valgrind on ${#valgrind_models[@]} models" run_valgrind
fi

exit $failed
