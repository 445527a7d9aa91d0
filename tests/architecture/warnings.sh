#!/bin/bash
# A warning ends a build with the presets of ./tools/test, and with none that users build by: a newer compiler must not stop a user.
# warnings.sh CMAKE PROJECT
set -u
cmake=$1
cd "$2" || exit 1
failed=0
strict() { "$cmake" -N --preset "$1" | grep -c 'CAIRN_WERROR="ON"'; }
for preset in release asan tsan; do
  [ "$(strict $preset)" = 1 ] || { echo "warnings do not end a build with the preset $preset"; failed=1; }
done
[ "$(strict dev)" = 0 ] || { echo "warnings end a build with the preset dev"; failed=1; }
grep -qE '^option\(CAIRN_WERROR .* OFF\)$' CMakeLists.txt ||
  { echo "warnings end a build unless CAIRN_WERROR is off"; failed=1; }
exit $failed
