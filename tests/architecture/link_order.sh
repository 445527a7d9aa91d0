#!/bin/bash
# Compares the symbols that objects need of each other with the order of the folders:
#
#   link_order.sh SOURCE_DIR OBJECT...
#
# Includes do not show a function that one folder declares and a later one defines. The objects of the library do: a
# folder uses no symbol that a later folder defines, and defines no member of a class that another one declares.
set -euo pipefail
export LC_ALL=C
root=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

grep -v '^#' "$root/tests/architecture/folder_order.txt" | grep . >"$dir/order"
printf '%s\n' "$@" | grep '[.]o$' | grep -v '/generated/' | sed 's|/[.]/|/|g' >"$dir/objects"

# The folder of an object: ".../Unity/unity_engine_store_0_cxx.cxx.o", or ".../cairn.dir/engine/store/cursor.cpp.o".
awk 'NR == FNR { folder = $0; gsub("/", "_"); of[$0] = folder; known[folder]; next }
  { name = $0
    if (sub(/.*\/Unity\/unity_/, "", name)) { sub(/_[0-9]+_cxx[.]cxx[.]o$/, "", name); folder = of[name] }
    else { sub(/.*cairn[.]dir\//, "", name); sub(/\/[^\/]*$/, "", name); folder = name }
    if ($0 ~ /generated_query/) folder = "query/syntax"  # the grammar as a text
    if (folder in known) print folder "\t" $0 }' "$dir/order" "$dir/objects" >"$dir/places"

xargs nm -A <"$dir/objects" | grep 'N[VKRO]*5cairn' | awk 'NR == FNR { place[$2] = $1; next }
  { object = $1; sub(/:.*/, "", object); folder = place[object] }
  folder == "" { next }
  $(NF - 1) ~ /U$/ { print "U\t" folder "\t" $NF }
  $(NF - 1) ~ /^[TDBR]$/ { print "D\t" folder "\t" $NF }' "$dir/places" - | sort -u >"$dir/symbols"
[ "$(grep -c '^D' "$dir/symbols")" -gt 1000 ] || { echo "FAILED: no symbols were read"; exit 1; }

awk -F '\t' 'FILENAME ~ /order$/ { step[$0] = ++steps; next }
  $1 == "D" { home[$3] = $2; next }
  ($3 in home) && step[home[$3]] > step[$2] { print $3 "\t" $2 "\t" home[$3] }' \
  "$dir/order" "$dir/symbols" | sort -u >"$dir/upward"
c++filt <"$dir/upward" | while IFS=$'\t' read -r name user home; do
  echo "FAILED: $user uses $name, which the later folder $home defines; move one of them, or pass it as an argument"
done

# Classes of internal headers by their folder; a name that several folders have is ignored.
while read -r folder; do
  case $folder in include/* | tools*) continue ;; esac
  find "$root/$folder" -maxdepth 1 -name '*.hpp' -exec cat {} + |
    sed -nE 's/^ *(class|struct) +([A-Za-z_]+)( final)?( *:[^:].*)? *\{.*/\2/p' | sort -u |
    sed "s|^|$folder\t|"
done <"$dir/order" >"$dir/classes"
grep '^D' "$dir/symbols" | cut -f 2,3 | c++filt |
  sed -E 's/\t(vtable|typeinfo|typeinfo name) for .*/\t/; s/\[abi:[a-z0-9]+\]//g' |
  awk -F '\t' 'FILENAME ~ /classes$/ { owner[$2] = owner[$2] == "" || owner[$2] == $1 ? $1 : "?"; next }
  { name = $2; sub(/\(.*/, "", name); sub(/<.*/, "", name); count = split(name, part, "::")
    for (i = 3; i < count; ++i)
      if ((part[i] in owner) && owner[part[i]] != "?" && owner[part[i]] != $1)
        print $1 "\t" name "\t" owner[part[i]] }' "$dir/classes" - | sort -u >"$dir/strangers"
while IFS=$'\t' read -r folder name owner; do
  echo "FAILED: $folder defines $name, whose class $owner declares; define it there"
done <"$dir/strangers"

[ ! -s "$dir/upward" ] && [ ! -s "$dir/strangers" ]
