#!/bin/bash
# Tests a cluster of three Cairn nodes over a real object store: run.sh FAULT_TESTS CONTRACT_TESTS DIR. FAULT_TESTS is
# cairn_cluster_fault_tests, CONTRACT_TESTS is home_test. The files of the Ceph cluster (ceph.sh) are in DIR while this runs.
# It takes about two minutes; with CAIRN_TEST_FAULTS=n in the environment, as long as n faults need.
# If Ceph or HAProxy is not installed, it says so and exits with status 77.
set -u
here=$(cd "$(dirname "$0")" && pwd)
faults=$(realpath "$1") contract=$(realpath "$2")
mkdir -p "$3" && cd "$3" || exit 1

finish() {
  "$here/ceph.sh" stop ceph
  rm -rf ceph
}

# run WHAT PROGRAM ARGUMENT...: runs a program, and sets status to 1 if it fails.
run() {
  local what=$1
  shift
  "$@" --log_level=message || { echo "FAILED: $what"; status=1; }
}

[ -e ceph ] && finish # of a run that was killed
trap finish EXIT
"$here/ceph.sh" start ceph 3 3 2 || exit $?
. ceph/environment
echo "started in $SECONDS s"
export CAIRN_TEST_STORE=s3://cairn CAIRN_TEST_CEPH=$PWD/ceph
status=0
run "the contract of object stores" "$contract" --run_test=object_store
if [ -z "${CAIRN_TEST_FAULTS:-}" ]; then
  export CAIRN_TEST_FAULTS=1000 CAIRN_TEST_FAULT_SECONDS=$((SECONDS < 65 ? 85 - SECONDS : 20))
fi
run "the nodes under faults" "$faults" --run_test=cluster_faults
echo "ended after $SECONDS s"
exit $status
