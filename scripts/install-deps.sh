#!/usr/bin/env bash
# Installs what Heddle needs to be built and tested on Debian, and only what is missing. Says nothing when all is there.
# With --tests also what only `make test` needs: a browser, and from npm what drives it.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(build-essential cmake clang clang-format clang-19 llvm-19-dev libcadical-dev libz3-dev z3 libcmocka-dev libjansson-dev valgrind python3 libsystemc-dev pkg-config)
for_tests=
if [ "${1:-}" = --tests ]; then
    for_tests=yes
    packages+=(python3-jsonschema python3-yaml python3-networkx python3-junitparser libxml2-utils jq gtkwave graphviz chromium fonts-dejavu-core)
    command -v npm >/dev/null || packages+=(nodejs npm)
fi

# What drives the browser, which comes from Debian: none is fetched. And what validates SARIF.
install_from_npm() {
    [ -n "$for_tests" ] || return 0
    if [ ! -d tests/browser/node_modules/playwright-core ]; then
        echo "installing playwright-core"
        (cd tests/browser && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --no-audit --no-fund --loglevel=error >/dev/null) ||
            echo "install-deps: npm could not install playwright-core: the tests in a browser will be skipped" >&2
    fi
    if [ ! -d tests/formats/node_modules/@microsoft/sarif-multitool ]; then
        echo "installing the SARIF validator"
        npm install --prefix tests/formats --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null ||
            echo "install-deps: npm could not install the SARIF validator" >&2
    fi
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
[ ${#missing[@]} -eq 0 ] && install_from_npm && exit 0

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
install_from_npm
