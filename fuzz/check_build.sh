#!/bin/bash
# check_build.sh NAME...: checks that build.sh builds exactly the targets of these names, that each target has seeds,
# and that each dictionary has a target.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
status=0
fail() {
  echo "check_build: $1" >&2
  status=1
}

bash -n "$here/build.sh" || fail "build.sh does not parse"
listed=$("$here/build.sh" --list)
known=$(printf '%s\n' "$@" | sort)
[ "$listed" = "$known" ] || fail "build.sh and CMake differ (<: build.sh, >: CMake):
$(diff <(echo "$listed") <(echo "$known"))"

for name in "$@"; do
  [ -n "$(ls "$here/corpus/$name" 2>/dev/null)" ] || fail "corpus/$name has no seed"
done
for words in "$here"/dictionaries/*.dict; do
  name=$(basename "$words" .dict)
  printf '%s\n' "$@" | grep -qx "$name" || fail "dictionaries/$name.dict belongs to no target"
  ! grep -nvE '^(#.*|([A-Za-z0-9_]+=)?"([^"\\]|\\["\\]|\\x[0-9a-fA-F]{2})+")?$' "$words" ||
    fail "dictionaries/$name.dict has lines that libFuzzer cannot read"
done
exit "$status"
