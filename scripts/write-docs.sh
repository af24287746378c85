#!/usr/bin/env bash
# write-docs.sh HEDDLE [--check]: puts the option tables into docs/manual.md and those of the engines into docs/engines.md;
# with --check only tells whether they are up to date.
set -euo pipefail
cd "$(dirname "$0")/.."
heddle=$1 only_check=${2:-}
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT

# What a page has no section for is not linked to it.
unlink_missing() { # unlink_missing FILE
    local name
    local -a without=()
    for name in $("$heddle" --help=engines | sed -n 's/^| \[`.*`\](#\(.*\)) | .*/\1/p'); do
        grep -qx "## $name" "$1" || without+=(-e "s/^| \[\(\`$name\`\)\](#$name) /| \1 /")
    done
    sed -e '' "${without[@]}"
}

put() { # put FILE NAME FORM: what --help=FORM prints, between the marks of NAME
    {
        sed "/^<!-- $2: /q" "$1"
        "$heddle" --help="$3" | unlink_missing "$1"
        echo
        sed -n "/^<!-- end of $2/,\$p" "$1"
    } >"$fresh"
    if [ "$only_check" = --check ]; then
        diff -u "$1" "$fresh" || {
            echo "$1 is out of date: run make docs" >&2
            exit 1
        }
    else
        cat "$fresh" >"$1"
    fi
}

put docs/manual.md options markdown
put docs/engines.md engines engines
