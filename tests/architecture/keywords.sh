#!/bin/bash
# Checks that the list of keywords and the grammar have the same words.
# keywords.sh SYNTAX: the folder query/syntax
set -u
syntax=$1
failed=0
listed=$(grep -oE '"[A-Z]+"' "$syntax/lexical.hpp" | tr -d '"' | sort)
for word in $(grep -hoE '"[A-Z]+"_kw' "$syntax"/*.cpp | grep -oE '[A-Z]+' | sort -u); do
  grep -qx "$word" <<<"$listed" || { echo "$word is in the grammar and not in lexical.hpp"; failed=1; }
done
for word in $listed; do
  grep -q "\"$word\"" "$syntax"/*.cpp || { echo "$word is in lexical.hpp and nowhere else"; failed=1; }
done
for word in $(uniq -d <<<"$listed"); do
  echo "$word is in lexical.hpp twice"; failed=1
done
exit $failed
