#!/bin/bash
# Checks that the first error of a program that is compiled as older C++ names C++20, whichever header it includes first.
# language_version.sh COMPILER INCLUDE
set -u
compiler=$1
include=$2
failed=0
cd "$include" || exit 1
for header in cairn/*.hpp cairn/memory/*.hpp; do
  told=$(printf '#include <%s>\n' "$header" | "$compiler" -std=c++17 -fsyntax-only -Wfatal-errors -I . -x c++ - 2>&1 | grep -m1 'error')
  case $told in
    *"need C++20"*) ;;
    *) echo "$header compiled as C++17 says first: $told"; failed=1 ;;
  esac
done
exit $failed
