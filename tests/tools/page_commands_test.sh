#!/bin/bash
# Runs the commands of the pages: every block ```sh of README.md and tools/README.md, with the built program, each block in
# a new directory. An object store is a directory here. Lines that need a network, another program or an open terminal are
# skipped; the pattern below has them all.
#
#   page_commands_test.sh PROGRAM SOURCE_DIRECTORY
set -u
program=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$program" "$work/bin/cairn"
failed=0
blocks=0
lines=0

# What this test cannot run: a terminal, other programs, servers and their clients, and the benchmarks, which have a test.
left_out='^\./tools/run( --version)?$|^claude |^curl |^cmake |^cairn (serve|mcp) |^cairn bolt(\+s)?://|^cairn-bench |#acme'

# Prints the runnable lines of block number $2 of page $1, without comments, with continued lines joined. `export NAME=$(...)` is
# split, because it would hide the status of its command.
block_of() {
  awk -v wanted="$2" '/^```sh$/ { inside = ++number == wanted; next } /^```/ { inside = 0 } inside' "$1" |
    sed -e ':again' -e '/\\$/{N;s/\\\n *//;b again' -e '}' -e 's/  *# .*$//' -e '/^#/d' \
      -e 's/^export \([A-Z_]*\)=\$(\(.*\))$/\1=$(\2); export \1/' |
    grep -Ev "$left_out"
}

# Makes what a reader has: notes to ingest, a database unless the block makes one, and the names of the page.
prepare() {
  mkdir -p "$1/notes" "$1/backups" "$1/store"
  echo "Ada drinks green tea." >"$1/notes/tea.txt"
  case $2 in
    *"--create"* | *"--home dir:"* | *"./tools/run my.cairn"*) ;;
    *) (cd "$1" && cairn notes.cairn --create </dev/null) ;;
  esac
}

# Prints the id that `cairn home history` shows, which a page writes as ID.
id_of_home() {
  cairn home history "$1" | sed -n 's/^database  *//p'
}
export -f id_of_home

# run_page PAGE: runs each block of the page
run_page() {
  local page=$source/$1 count number text here
  count=$(grep -c '^```sh$' "$page")
  for ((number = 1; number <= count; ++number)); do
    text=$(block_of "$page" "$number" | sed -e "s|s3://bucket|dir:$work/$1.$number/store|g" -e 's|--to 41|--to 1|')
    [ -n "$text" ] || continue
    here=$work/$1.$number
    mkdir -p "$here"
    prepare "$here" "$text" || failed=1
    text=${text//--yes ID/--yes \"\$(id_of_home "dir:$here/store/trial")\"}
    blocks=$((blocks + 1))
    lines=$((lines + $(grep -c . <<<"$text")))
    if ! (cd "$here" && HOME=$here bash -euo pipefail -c "${text//.\/tools\/run/cairn}" </dev/null) >"$here/out" 2>&1; then
      printf 'FAILED block %s of %s\n%s\n  said:\n%s\n' "$number" "$1" "$text" "$(cat "$here/out")"
      failed=1
    fi
  done
}

export PATH=$work/bin:$PATH
export XDG_RUNTIME_DIR=$work
run_page README.md
run_page tools/README.md
echo "$blocks blocks, $lines lines"
if [ "$blocks $lines" != "7 31" ]; then
  echo "FAILED: 7 blocks with 31 lines were expected; if the pages have changed on purpose, change these numbers"
  failed=1
fi
exit $failed
