#!/bin/bash
# Which commit a build names: that of its checkout, or none. Skipped without git.
set -u
command -v git >/dev/null || exit 77
cmake=$1
script=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export HOME=$dir GIT_CEILING_DIRECTORIES=$dir
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
git config --global user.name test && git config --global user.email test@localhost || exit 1
failed=0

# expect NAME WANTED ROOT: compares the commit that the header names for ROOT
expect() {
  local got
  "$cmake" "-DROOT=$3" "-DOUTPUT=$dir/commit_generated.h" -P "$script" || failed=1
  got=$(sed -n 's/.*built_commit = "\(.*\)";/\1/p' "$dir/commit_generated.h")
  if [ "$2" != "$got" ]; then
    printf 'FAILED %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$got"
    failed=1
  fi
}

mkdir -p "$dir/checkout/unpacked"
expect "a directory without git has no commit" "" "$dir/checkout"
cd "$dir/checkout" && git init -q . && echo 1 >file && git add file || exit 1
expect "nor has a checkout before its first one" "" "$dir/checkout"
git commit -qm first || exit 1
first=$(git rev-parse HEAD)
expect "a checkout has its commit" "$first" "$dir/checkout"
expect "what lies inside a checkout has not" "" "$dir/checkout/unpacked"
echo 2 >file
expect "changes are told" "$first, with changes" "$dir/checkout"
git commit -qam second || exit 1
expect "the next commit is another one" "$(git rev-parse HEAD)" "$dir/checkout"

touch -d 2001-01-01 "$dir/commit_generated.h"
expect "the same commit is the same" "$(git rev-parse HEAD)" "$dir/checkout"
if [ "$(date -r "$dir/commit_generated.h" +%Y)" != 2001 ]; then
  echo "FAILED a header that says the same keeps its time"
  failed=1
fi
exit $failed
