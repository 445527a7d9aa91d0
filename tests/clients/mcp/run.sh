#!/bin/bash
# The official MCP clients with `cairn mcp`: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# Exit status 77, and why, where there is no node of version 20, no npm, or no registry that has the packages.
set -u
cairn=$(realpath "$1")
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2" || exit 1

skip() { printf '\nSKIPPED: %s. No client of another maker was run.\n\n' "$1"; exit 77; }

command -v node >/dev/null && command -v npm >/dev/null || skip "node or npm is not installed"
[ "$(node -p 'parseInt(process.versions.node) >= 20')" = true ] || skip "node is older than version 20"
if ! cmp -s "$source/package-lock.json" installed.json; then
  cp "$source"/package.json "$source"/package-lock.json .
  # A registry that does not answer is none.
  timeout 180 npm ci --no-audit --no-fund --ignore-scripts --fetch-retries=1 \
    --fetch-retry-mintimeout=1000 --fetch-timeout=30000 >install.log 2>&1 ||
    { cat install.log; skip "npm cannot install the packages"; }
  cp package-lock.json installed.json
fi
# Modules are found from where a file lies.
rm -f ./*.mjs
cp "$source"/*.mjs .

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CAIRN_PROGRAM=$cairn CAIRN_DATABASES=$work
node --test --test-reporter=spec --test-reporter-destination=stdout \
  --test-reporter=tap --test-reporter-destination="$work/results" ./*.test.mjs
status=$?
count() { sed -n "s/^# $1 //p" "$work/results" | tail -n 1; }
echo "passed / sent: $(count pass) / $(count tests)"
[ "$(count tests)" -ge 12 ] || { echo "fewer than 12 scenarios were run"; status=1; }
exit $status
