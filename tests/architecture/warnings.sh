#!/bin/bash
# Checks that warnings are errors with the presets of ./tools/test, but not in the builds of users, whose compiler may be newer.
# warnings.sh CMAKE PROJECT
set -u
cmake=$1
cd "$2" || exit 1
failed=0
strict() { "$cmake" -N --preset "$1" | grep -c 'CAIRN_WERROR="ON"'; }
for preset in release asan tsan; do
  [ "$(strict $preset)" = 1 ] || { echo "warnings are not errors with the preset $preset"; failed=1; }
done
[ "$(strict dev)" = 0 ] || { echo "warnings are errors with the preset dev"; failed=1; }
grep -qE '^option\(CAIRN_WERROR .* OFF\)$' CMakeLists.txt ||
  { echo "warnings are errors unless CAIRN_WERROR is off"; failed=1; }
exit $failed
