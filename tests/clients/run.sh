#!/bin/bash
# The scenarios of the official JavaScript driver: run.sh CAIRN DIR. Packages are installed into DIR and stay there.
# run.sh CAIRN DIR rows measures 100,000 rows to the driver instead; run.sh CAIRN DIR storm runs the storm alone, of 200
# kills if CAIRN_MODEL_LONG is set. CAIRN_ATTACH_HOST and CAIRN_DYING_HOST name the C++ programs of the storm.
# Exit status 77, and why, where there is no npm, no node of version 20, or no registry that has the packages.
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
run_scenarios 86
end_session
