#!/bin/bash
# Compares what a shared library would export with the public headers. Reads the objects of the static library, which
# are compiled in the same way:
#
#   visible_symbols.sh LIBRARY HEADERS USER...
#
# Each visible symbol of namespace cairn is declared with the macro in HEADERS, each name that is declared so is
# visible, and so is each symbol that the USERs (objects that use only public headers) take from the library.
set -euo pipefail
export LC_ALL=C
library=$1 headers=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

# fail_on MESSAGE: reports a failure for each line of the input
fail_on() {
  while read -r line; do
    printf 'FAILED %s: %s\n' "$1" "$line"
    failed=1
  done
}

# names_of <DEMANGLED: prints the names that the macro would mark, as "CLASS FUNCTION" or "FUNCTION FUNCTION"
names_of() {
  sed -E 's/^(typeinfo name|typeinfo|vtable) for //; s/\[abi:[a-z0-9]+\]//g; s/\(.*//; s/<.*//
    s/^cairn::((memory|detail)::)?//; s/::/ /g' | awk '{ print $1, $NF }' | sort -u
}

# For a class its name; for a function the last word before the first parenthesis after the macro.
find "$headers" -name '*.hpp' -exec cat {} + | grep -v '#define CAIRN_EXPORT' | sed 's|//.*||' | tr '\n' ' ' |
  awk -v RS='CAIRN_EXPORT' '
    { is_next_class = /(class|struct) $/ }
    NR > 1 && is_class { match($0, /[A-Za-z_]+/); print substr($0, RSTART, RLENGTH) }
    NR > 1 && !is_class { sub(/\(.*/, ""); sub(/ +$/, ""); print $NF }
    { is_class = is_next_class }' | sort -u >"$dir/declared"

readelf -sW "$library" | awk '$5 != "LOCAL" && $7 != "UND" && $8 ~ /^_Z(T[IVS])?N[VKRO]*5cairn/ { print $6, $8 }' |
  sort -u >"$dir/defined"
awk '$1 == "DEFAULT" { print $2 }' "$dir/defined" | c++filt | names_of >"$dir/visible"
[ -s "$dir/visible" ] && [ -s "$dir/declared" ] || { echo "FAILED nothing was read"; exit 1; }

fail_on "visible, but not declared so in a public header" < <(
  awk 'NR == FNR { declared[$1]; next } !($1 in declared) && !($2 in declared)' "$dir/declared" "$dir/visible")
fail_on "declared as visible, but hidden or undefined" < <(
  tr ' ' '\n' <"$dir/visible" | sort -u | comm -13 - "$dir/declared")

awk '$1 == "HIDDEN" { print $2 }' "$dir/defined" | sort >"$dir/hidden"
readelf -sW "$@" | awk '$7 == "UND" && $8 != "" { print $8 }' | sort -u >"$dir/used"
[ -s "$dir/used" ] || { echo "FAILED nothing was read"; exit 1; }
fail_on "used through public headers, but hidden" < <(comm -12 "$dir/hidden" "$dir/used" | c++filt)
exit $failed
