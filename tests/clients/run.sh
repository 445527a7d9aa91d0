#!/bin/bash
# Runs the scenarios of the official JavaScript driver: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# run.sh CAIRN DIR rows instead measures how the driver gets 100,000 rows; run.sh CAIRN DIR storm runs only the storm, with 200
# kills if CAIRN_MODEL_LONG is set. CAIRN_ATTACH_HOST and CAIRN_DYING_HOST name the C++ programs of the storm.
# Without npm, Node 20 or later, or a registry that has the packages, it says so and exits with status 77.
set -u
. "$(dirname "$0")/session.sh"
begin_session "$0" "$1" "$2"
export CAIRN_PROGRAM=$cairn
[ -n "${CAIRN_ATTACH_HOST:-}" ] && [ -n "${CAIRN_DYING_HOST:-}" ] ||
  printf '\nNO C++ PROGRAM TAKES PART IN THE STORM: CAIRN_ATTACH_HOST and CAIRN_DYING_HOST are not set.\n\n'
[ "${3:-}" = storm ] && { node --test --test-reporter=spec storm.test.mjs; exit; }
make_database
for role in read write forget admin; do
  make_token "CAIRN_TOKEN_${role^^}" "$role" --role "$role" --namespace '*'
done
make_token CAIRN_TOKEN_HOME home --role write --home home
start_server "$cairn" "$work/db" "$work/served"
[ "${3:-}" = rows ] && { node rows.bench.mjs; exit; }
run_scenarios 190
end_session
