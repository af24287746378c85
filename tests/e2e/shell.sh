# What the shell tests share; to be sourced with the path of heddle as the first argument, as in
#     . "$(dirname "$0")/shell.sh"
# They run in a folder of their own, and end with `finish "what they are about"`.
# shellcheck shell=bash
set -uo pipefail
heddle=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
models=$(realpath "$here/../../models")
python=$(python3 -c 'import sys; print(sys.executable)') # what python3 stands for may take long to find out
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# expect STATUS ARGUMENT...: runs heddle; its output is then in `out` and `err`.
expect() {
    local wanted=$1 status
    shift
    "$heddle" "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq "$wanted" ] || {
        fail "heddle $*: status $status instead of $wanted"
        head -c 400 err
        head -c 800 out
    }
}

# has FILE PATTERN: some line matches.
has() { grep -qE -e "$2" "$1" || fail "$1 does not contain '$2': $(head -c 600 "$1")"; }
lacks() { ! grep -qE -e "$2" "$1" || fail "$1 contains '$2'"; }
is_empty() { [ ! -s "$1" ] || fail "$1 is not empty: $(head -c 300 "$1")"; }

# json EXPRESSION: holds for the JSON object r in `out`.
json() {
    "$python" -c "import json; r = json.load(open('out')); assert $1" 2>/dev/null || fail "not true of the JSON result: $1: $(head -c 200 out)"
}
fits_schema() { "$python" "$here/schema.py" "$here/../../docs/result.schema.json" <out || fail "JSON does not fit the schema"; }

finish() {
    [ $failures -eq 0 ] && echo "all tests of $1 passed"
    exit $((failures > 0))
}
