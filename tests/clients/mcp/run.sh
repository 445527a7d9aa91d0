#!/bin/bash
# The official MCP clients with `cairn mcp`: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# Exit status 77, and why, where there is no node of version 20, no npm, or no registry that has the packages.
set -u
cairn=$(realpath "$1")
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2" || exit 1
. "$source/../install.sh"

need_node
install_packages "$source"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CAIRN_PROGRAM=$cairn CAIRN_DATABASES=$work
node --test --test-reporter=spec --test-reporter-destination=stdout \
  --test-reporter=tap --test-reporter-destination="$work/results" ./*.test.mjs
status=$?
count() { sed -n "s/^# $1 //p" "$work/results" | tail -n 1; }
echo "passed / sent: $(count pass) / $(count tests)"
[ "$(count tests)" -ge 18 ] || { echo "fewer than 18 scenarios were run"; status=1; }
exit $status
