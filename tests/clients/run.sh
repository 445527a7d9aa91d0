#!/bin/bash
# The scenarios of the official JavaScript driver: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# run.sh CAIRN DIR rows measures 100,000 rows to the driver instead.
# Exit status 77, and why, where there is no node of version 20, no npm, or no registry that has the packages.
set -u
cairn=$(realpath "$1")
export CAIRN_PROGRAM=$cairn
source=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2" || exit 1
. "$source/install.sh"
. "$source/serve.sh"

need_node
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
for role in read write forget admin; do
  secret=$("$cairn" token create "$work/db" "$role" --role "$role" --namespace '*' 2>/dev/null) || exit 1
  export "CAIRN_TOKEN_${role^^}=$secret"
done
CAIRN_TOKEN_HOME=$("$cairn" token create "$work/db" home --role write --home home 2>/dev/null) || exit 1
export CAIRN_TOKEN_HOME

start_server "$cairn" "$work/db" "$work/served"

[ "${3:-}" = rows ] && { node rows.bench.mjs; exit; }

node --test --test-reporter=spec --test-reporter-destination=stdout \
  --test-reporter=tap --test-reporter-destination="$work/results" ./*.test.mjs
status=$?
end_server || status=1
"$cairn" check "$work/db" || status=1
count() { sed -n "s/^# $1 //p" "$work/results" | tail -n 1; }
echo "passed / sent: $(count pass) / $(count tests)"
[ "$(count tests)" -ge 80 ] || { echo "fewer than 80 scenarios were run"; status=1; }
exit $status
