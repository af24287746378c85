#!/usr/bin/env bash
# Installs what Heddle needs to be built and tested on Debian, and only what is missing. Says nothing when all is there.
set -euo pipefail

packages=(build-essential cmake clang clang-format clang-19 llvm-19-dev libcadical-dev libz3-dev z3 libcmocka-dev libjansson-dev valgrind python3 libsystemc-dev pkg-config
    python3-jsonschema python3-yaml python3-networkx python3-junitparser libxml2-utils jq gtkwave graphviz)
command -v npm >/dev/null || packages+=(nodejs npm)

# What tests/e2e/formats.py validates SARIF with.
install_node_modules() {
    local folder
    folder=$(dirname "$0")/../tests/formats
    [ -d "$folder/node_modules/@microsoft/sarif-multitool" ] && return
    echo "installing the SARIF validator"
    npm install --prefix "$folder" --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >&2
}

missing_packages() {
    local package
    for package in "${packages[@]}"; do
        dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
    done
}

if ! command -v dpkg-query >/dev/null; then
    echo "install-deps: not a Debian system; please install: ${packages[*]}" >&2
    exit 0
fi

mapfile -t missing < <(missing_packages)
if [ ${#missing[@]} -eq 0 ]; then
    install_node_modules
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "install-deps: missing packages and no sudo: ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi

export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT

install_missing() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}" >"$log" 2>&1
}

echo "installing ${missing[*]}"
# The package lists may be absent or old: update them only when the installation fails without.
install_missing || { "${as_root[@]}" apt-get update >"$log" 2>&1 && install_missing; } || {
    cat "$log" >&2
    exit 1
}
install_node_modules
