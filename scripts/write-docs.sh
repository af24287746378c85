#!/usr/bin/env bash
# write-docs.sh HEDDLE [--check]: puts the option tables into docs/manual.md; with --check only tells whether they are up to date.
set -euo pipefail
cd "$(dirname "$0")/.."
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
{
    sed '/^<!-- options: /q' docs/manual.md
    "$1" --help=markdown
    echo
    sed -n '/^<!-- end of options/,$p' docs/manual.md
} >"$fresh"
if [ "${2:-}" = --check ]; then
    diff -u docs/manual.md "$fresh" || {
        echo "docs/manual.md is out of date: run make docs" >&2
        exit 1
    }
else
    cat "$fresh" >docs/manual.md
fi
