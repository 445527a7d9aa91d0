# Runs after a test program is built: asks the program for its cases, and registers its top-level suites as tests of ctest, or
# each case if CASES is set.
# Input: PROGRAM PREFIX LABELS CASES SERIAL TIMEOUT OUTPUT.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/long_tests.cmake")

# The program prints a tree with four blanks per level, and an asterisk after each enabled entry.
execute_process(COMMAND "${PROGRAM}" --list_content --color_output=no
  ERROR_VARIABLE tree OUTPUT_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "cannot list the tests of ${PROGRAM} (${status}):\n${tree}")
endif()
string(REGEX MATCHALL "[^\n]+" lines "${tree}")

set(path "") # the names from the root down to the current line
set(cases "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^( *)([^ *:]+)([*]?)")
    continue()
  endif()
  set(name "${CMAKE_MATCH_2}")
  set(enabled "${CMAKE_MATCH_3}")
  string(LENGTH "${CMAKE_MATCH_1}" indent)
  math(EXPR depth "${indent} / 4")
  list(SUBLIST path 0 ${depth} path)
  list(JOIN path "/" parent)
  list(APPEND path "${name}")
  list(JOIN path "/" full)
  if(name MATCHES "^_[0-9]+$")
    continue() # one row of a data test: its rows run as one case, which is the parent entry
  endif()
  if(NOT parent STREQUAL "")
    list(REMOVE_ITEM cases "${parent}") # it has a name below it: a suite, not a case
  endif()
  if(enabled)
    list(APPEND cases "${full}")
  endif()
endforeach()
if(NOT cases)
  message(FATAL_ERROR "${PROGRAM} has no enabled test")
endif()
list(LENGTH cases count)
if(NOT CASES)
  list(TRANSFORM cases REPLACE "/.*$" "")
  list(REMOVE_DUPLICATES cases)
endif()

# Boost.Test does not catch crashes, because reports of the sanitizers and ctest are more detailed.
set(arguments "--color_output=no --catch_system_errors=no")
# RocksDB is not built with ThreadSanitizer, so all reports from inside RocksDB would be false.
set(environment "TSAN_OPTIONS=ignore_noninstrumented_modules=1:detect_deadlocks=0")
# Our tests allocate a lot. The defaults of AddressSanitizer, 30 recorded callers of each allocation and 256 MB of delayed
# frees, would take a quarter of their time. If a report needs more detail, run the program by hand.
list(APPEND environment "ASAN_OPTIONS=malloc_context_size=8:quarantine_size_mb=16")
# ./tools/test runs one test more than there are cores, but not beside one that measures time.
set(processors 1)
if("timing" IN_LIST LABELS)
  set(processors 2)
endif()
set(text "# cases: ${count}\n") # read by tools/test
foreach(case IN LISTS cases)
  set(name "[==[${PREFIX}/${case}]==]")
  cairn_cost_of(cost "${PREFIX}/${case}")
  string(APPEND text
    "add_test(${name} [==[${PROGRAM}]==] [==[--run_test=${case}]==] ${arguments})\n"
    "set_tests_properties(${name} PROPERTIES LABELS \"${LABELS}\" TIMEOUT ${TIMEOUT} "
    "COST ${cost} PROCESSORS ${processors} RUN_SERIAL ${SERIAL} ENVIRONMENT \"${environment}\")\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
