#!/usr/bin/env bash
# build.sh [--target TARGET] DIRECTORY [CMAKE-ARGUMENT...]: configures on first use and builds everything, or one target;
# prints only when something goes wrong.
set -euo pipefail
cd "$(dirname "$0")/.."
target=()
if [ "$1" = --target ]; then
    target=(--target "$2")
    shift 2
fi
directory=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ cmake -S . -B "$directory" "$@" && cmake --build "$directory" --parallel "$(nproc)" "${target[@]}"; } >"$log" 2>&1 || {
    cat "$log" >&2
    exit 1
}
grep -q 'Building C object' "$log" && echo "built $directory"
exit 0
