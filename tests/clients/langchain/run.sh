#!/bin/bash
# LangChain's graph and vector store for Neo4j with `cairn serve`: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# Exit status 77, and why, where there is no node of version 20, no npm, or no registry that has the packages.
set -u
cairn=$(realpath "$1")
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2" || exit 1
. "$source/../install.sh"
. "$source/../serve.sh"

need_node
# The two classes import nothing of the package's 115 peers, nor of @langchain/classic and @langchain/openai: package.json
# puts a small package in their place.
export npm_config_legacy_peer_deps=true
install_packages "$source"

work=$(mktemp -d)
server=
finish() {
  [ -n "$server" ] && kill "$server" 2>/dev/null
  wait
  rm -rf "$work"
}
trap finish EXIT
"$cairn" "$work/db" --create -c 'RETURN 1' >/dev/null || exit 1
CAIRN_TOKEN=$("$cairn" token create "$work/db" langchain --role admin --namespace '*' 2>/dev/null) || exit 1
export CAIRN_TOKEN
start_server "$cairn" "$work/db" "$work/served"

node --test --test-reporter=spec --test-reporter-destination=stdout \
  --test-reporter=tap --test-reporter-destination="$work/results" ./*.test.mjs
status=$?
end_server || status=1
"$cairn" check "$work/db" || status=1
count() { sed -n "s/^# $1 //p" "$work/results" | tail -n 1; }
echo "passed / sent: $(count pass) / $(count tests)"
[ "$(count tests)" -ge 20 ] || { echo "fewer than 20 scenarios were run"; status=1; }
exit $status
