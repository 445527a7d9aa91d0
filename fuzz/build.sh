#!/bin/bash
# Build every fuzz target as OSS-Fuzz asks for it, from the variables that it sets:
#
#   CXX CXXFLAGS               compiler and flags, sanitizer and coverage among them; of C (CC, CFLAGS) there is none
#   LIB_FUZZING_ENGINE         what turns a target into a program
#   SRC                        the folder that holds this repository as `cairn`
#   OUT                        where programs, seeds, words and libraries go
#   WORK                       where the build may lie (optional)
#
# fuzz/README.md tells how to run it by hand. Each program gets its seeds as fuzz_NAME_seed_corpus.zip and, if
# there are any, its words as fuzz_NAME.dict. The libraries that are not of the system's core are copied to
# $OUT/lib, where the programs look for them, as they run on another machine.
set -euo pipefail

# As in fuzz/CMakeLists.txt: fuzz/check_build.sh compares them.
targets=(
  attach
  bolt
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
  shell
  statement
  table_tail
  text_posting
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
# The libraries of the system were made with libstdc++, and one program cannot have both.
flags=${CXXFLAGS//-stdlib=libc++/}

# With the older kind of path the copied libraries find each other, too.
cmake -S "$source_dir" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_CXX_FLAGS_DEBUG= \
  -DCMAKE_BUILD_RPATH='$ORIGIN/lib' -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags \
  -DCAIRN_SANITIZE=given -DCAIRN_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DCAIRN_BENCH=OFF
cmake --build "$work" --target cairn_fuzz_targets -- -j "$jobs"

# zip FILE FOLDER: what is in the folder, without the folder.
zip_folder() {
  (cd "$2" && cmake -E tar cf "$1" --format=zip -- *)
}

# What every machine has; the rest is copied.
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
      # From the second program on it is found where it was copied to.
      [ -e "$OUT/lib/$library" ] || cp -L "$path" "$OUT/lib/$library"
    done
done
