#!/bin/bash
# tools/reliability says FAILED where a step of a row fails: configuring, building or testing. Stubs stand for cmake and
# ctest, in a tree that has only the script.
#
#   reliability_test.sh SCRIPT
set -u
script=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

mkdir -p "$dir/tree/tools" "$dir/tree/build/release/tests" "$dir/bin"
cp "$script" "$dir/tree/tools/reliability"
printf '#!/bin/sh\n' >"$dir/tree/tools/setup"

# Each stub fails if its command line contains $FAILING. Programs of an earlier build are there, and succeed.
for name in cmake ctest; do
  cat >"$dir/bin/$name" <<'STUB'
#!/bin/sh
case "${0##*/} $*" in
  *"$FAILING"*) exit 1 ;;
esac
STUB
done
for program in engine_damage_test disk_test; do
  printf '#!/bin/sh\n' >"$dir/tree/build/release/tests/$program"
done
for program in engine_concurrency_test query_snapshot_sums_test; do
  mkdir -p "$dir/tree/build/reliability/tsan/tests"
  printf '#!/bin/sh\n' >"$dir/tree/build/reliability/tsan/tests/$program"
done
chmod -R u+x "$dir/tree" "$dir/bin"

# expect WANTED FAILING ROW
expect() {
  local got
  got=$(PATH="$dir/bin:$PATH" FAILING=$2 "$dir/tree/tools/reliability" "$3" | grep -Eo 'passed|FAILED')
  if [ "$1" != "$got" ]; then
    printf 'FAILED row %s with the failing step "%s"\n  wanted: %s\n  got:    %s\n' "$3" "$2" "$1" "$got"
    failed=1
  fi
}

for row in R2 C3 F1 F2 F3; do
  expect passed nothing "$row"
done
expect FAILED '--target engine_damage_test' R2
expect FAILED '--target disk_test' R2
for tree in 'C3 tsan' 'F2 asan'; do
  read -r row preset <<<"$tree"
  expect FAILED "cmake --preset $preset" "$row"
  expect FAILED 'cmake --build' "$row"
  expect FAILED ctest "$row"
done
for row in F1 F3; do
  expect FAILED 'cmake --preset fuzz' "$row"
  expect FAILED 'cmake --build' "$row"
  expect FAILED ctest "$row"
done
exit "$failed"
