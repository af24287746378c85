#!/usr/bin/env bash
# run.sh HEDDLE: the tests of the HTML report. Status 77, "skipped", without chromium, node or playwright-core, which
# scripts/install-deps.sh --tests installs.
set -euo pipefail
export HEDDLE
HEDDLE=$(realpath "$1")
cd "$(dirname "$0")"
for tool in node "${CHROMIUM:-chromium}"; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool" && exit 77; }
done
[ -d node_modules/playwright-core ] || { echo "skipped: no playwright-core; scripts/install-deps.sh --tests installs it" && exit 77; }
CHROMIUM=$(command -v "${CHROMIUM:-chromium}")
export CHROMIUM
exec node --test model.test.js report.test.js
