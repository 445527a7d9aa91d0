# cairn_test(<name> SOURCES <file>... LABELS <label>... [LIBRARIES <target>...] [SERIAL]): a Boost.Test
# program, of which ctest runs each top-level suite as one process.
#
# Labels decide which builds compile and run a program (see tests/README.md): unit,
# kernel, model, golden, differential, tck, api, examples, architecture, tools, timing, concurrency.
# SERIAL runs no other test at the same time, for tests that measure time. tests/support has the main function.
#
# A build registers only the tests that are meant for this build: unit tests with AddressSanitizer, concurrency tests
# with ThreadSanitizer, and all others in the release build. CAIRN_ALL_TESTS registers every test. With a sanitizer, the
# names of tests begin with its name, so that one run of ctest may cover all builds. CAIRN_TEST_CASES makes each case a
# test of ctest.

include("${CMAKE_CURRENT_LIST_DIR}/long_tests.cmake")
option(CAIRN_ALL_TESTS "Register every test, whichever build it belongs to" ON)
option(CAIRN_TEST_CASES "Run each test case as a process of its own" OFF)

# Timeout of a suite in seconds; allows for other work on the machine.
set(CAIRN_TEST_TIMEOUT 450)
if(CAIRN_SANITIZE)
  set(CAIRN_TEST_TIMEOUT 900)
endif()

set(CAIRN_TEST_LISTER "${CMAKE_CURRENT_LIST_DIR}/list_tests.cmake")
set(CAIRN_TEST_PREFIX "")
set(CAIRN_TEST_KINDS kernel model golden differential tck api examples architecture tools timing
  concurrency)
if(CAIRN_SANITIZE STREQUAL "thread")
  set(CAIRN_TEST_PREFIX "tsan:")
  set(CAIRN_TEST_KINDS concurrency)
elseif(CAIRN_SANITIZE)
  set(CAIRN_TEST_PREFIX "asan:")
  set(CAIRN_TEST_KINDS unit kernel)
endif()

# Builds every test program that this build registers.
add_custom_target(cairn_checks)

# cairn_test_is_wanted(<result> <label>...): whether this build runs tests with one of the labels. Tests that measure time are
# meaningless with a sanitizer.
function(cairn_test_is_wanted result)
  set(wanted ${CAIRN_ALL_TESTS})
  if(CAIRN_SANITIZE AND "timing" IN_LIST ARGN)
    set(wanted FALSE)
  endif()
  foreach(kind IN LISTS CAIRN_TEST_KINDS)
    if(kind IN_LIST ARGN)
      set(wanted TRUE)
    endif()
  endforeach()
  set(${result} ${wanted} PARENT_SCOPE)
endfunction()

function(cairn_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL" "" "SOURCES;LABELS;LIBRARIES")
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} cairn_test_main cairn::cairn
    cairn_test_inside cairn_headers Boost::unit_test_framework)
  cairn_precompile(${name} REUSE_FROM cairn_test_headers)
  cairn_compile_by_folder(${name} 4)
  # If several files are compiled as one, gcc takes the local fixtures of each for those of a header, and warns.
  target_compile_options(${name} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")

  cairn_test_is_wanted(wanted ${arg_LABELS})
  if(NOT wanted)
    return()
  endif()
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL OFF)
  add_dependencies(cairn_checks ${name})
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake")
  set(prefix "${CAIRN_TEST_PREFIX}${name}")
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>" "-DPREFIX=${prefix}"
            "-DLABELS=${arg_LABELS}" -DCASES=${CAIRN_TEST_CASES} -DSERIAL=${arg_SERIAL}
            -DTIMEOUT=${CAIRN_TEST_TIMEOUT} "-DOUTPUT=${list}" -P "${CAIRN_TEST_LISTER}"
    VERBATIM)
  # A program that was not built counts as a failing test, not as a missing one.
  file(CONFIGURE OUTPUT "${list}.in" @ONLY CONTENT [[
if(EXISTS "@list@")
  include("@list@")
else()
  add_test("@prefix@ was not built" "@CMAKE_COMMAND@" -E false)
  set_tests_properties("@prefix@ was not built" PROPERTIES LABELS "@arg_LABELS@")
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${list}.in")
endfunction()

# cairn_start_early(<test>...): lets those of them that long_tests.cmake lists start before all others.
function(cairn_start_early)
  foreach(test IN LISTS ARGN)
    cairn_cost_of(cost "${test}")
    set_tests_properties("${test}" PROPERTIES COST ${cost})
  endforeach()
endfunction()

# cairn_test_again(<program> <name> <variable>=<value> [SUITES <suite>...] [EXCEPT <case>...] LABELS <label>...): runs a program
# again with an environment variable: all of it, or each of these suites as a separate test. EXCEPT names cases as SUITE/CASE.
function(cairn_test_again name again variable)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SUITES;EXCEPT;LABELS")
  cairn_test_is_wanted(wanted ${arg_LABELS})
  if(NOT wanted)
    return()
  endif()
  # The program may belong to a build that does not run its own tests.
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL OFF)
  add_dependencies(cairn_checks ${name})
  set(test "${CAIRN_TEST_PREFIX}${name}/${again}")
  set(tests "")
  foreach(suite IN LISTS arg_SUITES)
    set(cases ${arg_EXCEPT})
    list(FILTER cases INCLUDE REGEX "^${suite}/")
    list(TRANSFORM cases PREPEND "--run_test=!")
    add_test(NAME ${test}/${suite} COMMAND ${name} --run_test=${suite} ${cases})
    list(APPEND tests ${test}/${suite})
  endforeach()
  if(NOT arg_SUITES)
    add_test(NAME ${test} COMMAND ${name})
    set(tests ${test})
  endif()
  foreach(case IN LISTS arg_EXCEPT)
    string(REGEX REPLACE "/.*" "" suite "${case}")
    if(NOT suite IN_LIST arg_SUITES)
      message(FATAL_ERROR "${name}: EXCEPT ${case} is not in a suite of SUITES")
    endif()
  endforeach()
  set_tests_properties(${tests} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${CAIRN_TEST_TIMEOUT}
    ENVIRONMENT ${variable})
  cairn_start_early(${tests})
endfunction()

# cairn_test_attached(<program> [SUITES <suite>...] [EXCEPT <case>...] LABELS <label>...): runs the program again with each
# database open in another process.
function(cairn_test_attached name)
  cairn_test_again(${name} attached CAIRN_TEST_ATTACHED=1 ${ARGN})
endfunction()

# cairn_test_with_segments(<program> LABELS <label>...): runs the program again with properties and relationships packed from the
# first read on.
function(cairn_test_with_segments name)
  cairn_test_again(${name} with_segments CAIRN_TEST_SEGMENTS=always ${ARGN})
endfunction()
