#!/bin/bash
# Builds every fuzz target for OSS-Fuzz, which sets these variables:
#
#   CXX CXXFLAGS               compiler and flags, with sanitizer and coverage; CC and CFLAGS are not used
#   LIB_FUZZING_ENGINE         the library with main() that a target is linked with
#   SRC                        the folder that holds this repository as `cairn`
#   OUT                        output folder for programs, seeds, dictionaries and libraries
#   WORK                       folder for the build (optional)
#
# fuzz/README.md describes how to run it by hand. Each program gets its seeds as fuzz_NAME_seed_corpus.zip and, if
# it has a dictionary, fuzz_NAME.dict. The programs run on another machine, so libraries that not every machine has
# are copied to $OUT/lib, where the programs search for them.
set -euo pipefail

# The targets of fuzz/CMakeLists.txt; fuzz/check_build.sh compares both lists.
targets=(
  attach
  bolt
  bolt_wire
  csv
  directory
  document
  expression
  home
  import_lines
  json_filter
  key
  log_reader
  mcp
  packstream
  posting
  query_text
  record
  safetensors
  shell
  statement
  table_tail
  text_posting
  tokenizer
  vector_snapshot
  word_vectors
  write_history
)
if [ "${1:-}" = --list ]; then
  printf '%s\n' "${targets[@]}"
  exit
fi

: "${CXX:?}" "${CXXFLAGS:?}" "${LIB_FUZZING_ENGINE:?}" "${SRC:?}" "${OUT:?}"
source_dir=$SRC/cairn
work=${WORK:-$OUT/work}/build
jobs=${JOBS:-$(nproc)}
# Libraries of the system use libstdc++, and one program cannot use libc++ too.
flags=${CXXFLAGS//-stdlib=libc++/}

# With RPATH instead of RUNPATH, the copied libraries find each other too.
cmake -S "$source_dir" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_CXX_FLAGS_DEBUG= \
  -DCMAKE_BUILD_RPATH='$ORIGIN/lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags \
  -DCAIRN_SANITIZE=given -DCAIRN_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DCAIRN_BENCH=OFF
cmake --build "$work" --target cairn_fuzz_targets -- -j "$jobs"

# zip_folder FILE FOLDER: packs the content of the folder.
zip_folder() {
  (cd "$2" && cmake -E tar cf "$1" --format=zip -- *)
}

# Libraries that every machine has; others are copied.
core='^(linux-vdso|ld-linux|libc|libm|libdl|libpthread|librt|libresolv)[.-]'

rm -rf "$OUT/lib"
mkdir -p "$OUT/lib"
for name in "${targets[@]}"; do
  program=fuzz_$name
  cp "$work/fuzz/$program" "$OUT/"
  zip_folder "$OUT/${program}_seed_corpus.zip" "$source_dir/fuzz/corpus/$name"
  words=$source_dir/fuzz/dictionaries/$name.dict
  if [ -e "$words" ]; then cp -L "$words" "$OUT/$program.dict"; fi
  ldd "$OUT/$program" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | grep -vE "$core" |
    while read -r library path; do
      # From the second program on, ldd finds the library in the folder that it was copied to.
      [ -e "$OUT/lib/$library" ] || cp -L "$path" "$OUT/lib/$library"
    done
done
