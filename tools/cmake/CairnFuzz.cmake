# cairn_fuzz(<name> SOURCES <file>... [LIBRARIES <target>...]): a fuzz target, LLVMFuzzerTestOneInput, with its
# seeds in fuzz/corpus/<name> and, if there are any, its words in fuzz/dictionaries/<name>.dict.
#
# With CAIRN_SANITIZE=fuzzer, the target runs for CAIRN_FUZZ_SECONDS from its seeds; new inputs are stored in the build folder.
# In CI the random seed is fixed, so that a change fails only by its own faults; longer runs draw a new random seed each time.
# Every other build replays the inputs of the corpus, which contains every past finding. If CAIRN_FUZZING_ENGINE is set, as
# fuzz/build.sh does, a target is linked with that engine and is not a test.

set(CAIRN_FUZZ_SECONDS 20 CACHE STRING "How many seconds ctest runs each fuzz target")
set(CAIRN_FUZZ_SEED 0 CACHE STRING "Random seed of the fuzz targets; 0 draws one")
set(CAIRN_FUZZING_ENGINE "" CACHE STRING "The engine with main() that a fuzz target is linked with")

function(cairn_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  set(seeds "${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}")
  set(program "fuzz_${name}")
  add_executable(${program} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES} cairn::cairn cairn_inside
    cairn_headers)
  set_property(GLOBAL APPEND PROPERTY CAIRN_FUZZ_TARGETS "${name}")

  if(CAIRN_FUZZING_ENGINE)
    target_link_options(${program} PRIVATE "SHELL:${CAIRN_FUZZING_ENGINE}")
    add_dependencies(cairn_fuzz_targets ${program})
    return()
  endif()

  if(CAIRN_SANITIZE STREQUAL "fuzzer")
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
    set(found "${CMAKE_CURRENT_BINARY_DIR}/found/${name}")
    file(MAKE_DIRECTORY "${found}")
    set(words "${PROJECT_SOURCE_DIR}/fuzz/dictionaries/${name}.dict")
    if(EXISTS "${words}")
      set(words "-dict=${words}")
    else()
      set(words "")
    endif()
    math(EXPR timeout "${CAIRN_FUZZ_SECONDS} + 120")
    add_test(NAME "${CAIRN_TEST_PREFIX}fuzz/${name}"
      COMMAND ${program} -max_total_time=${CAIRN_FUZZ_SECONDS} -timeout=60 -rss_limit_mb=3000
              -seed=${CAIRN_FUZZ_SEED} -verbosity=0 -print_funcs=0 -print_final_stats=1 ${words} "-artifact_prefix=${found}/" "${found}" "${seeds}")
    set_tests_properties("${CAIRN_TEST_PREFIX}fuzz/${name}" PROPERTIES LABELS fuzz TIMEOUT ${timeout})
    add_dependencies(cairn_checks ${program})
    add_dependencies(cairn_fuzz_targets ${program})
    return()
  endif()

  target_sources(${program} PRIVATE "${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp")
  cairn_test_is_wanted(wanted fuzz)
  if(wanted)
    add_test(NAME "${CAIRN_TEST_PREFIX}fuzz/${name}_seeds" COMMAND ${program} "${seeds}")
    set_tests_properties("${CAIRN_TEST_PREFIX}fuzz/${name}_seeds" PROPERTIES LABELS fuzz TIMEOUT 120)
    add_dependencies(cairn_checks ${program})
  endif()
endfunction()

add_custom_target(cairn_fuzz_targets)
