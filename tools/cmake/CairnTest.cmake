# cairn_test(<name> SOURCES <file>... LABELS <label>... [LIBRARIES <target>...] [SERIAL]): a Boost.Test
# program, of which ctest runs each top-level suite as one process.
#
# Labels say what a program is, and so which builds compile and run it (see tests/README.md): unit,
# kernel, model, golden, differential, tck, api, examples, architecture, tools, timing, concurrency.
# SERIAL keeps it alone on the machine, for what measures time. The main function is tests/support's.
#
# A build registers what its kind is for: unit tests with AddressSanitizer, concurrency tests with
# ThreadSanitizer, and all others, with the shipped compiler, in release. CAIRN_ALL_TESTS registers
# every test. Tests of sanitizers carry their name in front, so that one run of ctest may cover all
# builds. CAIRN_TEST_CASES makes each case a test of ctest.

option(CAIRN_ALL_TESTS "Register every test, whichever build it belongs to" ON)
option(CAIRN_TEST_CASES "Run each test case as a process of its own" OFF)

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

# cairn_test_is_wanted(<result> <label>...): whether this build runs tests with one of the labels. What
# measures time has no meaning under a sanitizer.
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
  # For a suite, on a machine that does other work as well.
  set(timeout 600)
  if(CAIRN_SANITIZE)
    set(timeout 1200)
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} cairn_test_main cairn::cairn
    cairn_test_inside cairn_headers Boost::unit_test_framework)
  cairn_precompile(${name} REUSE_FROM cairn_test_headers)

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
            -DTIMEOUT=${timeout} "-DOUTPUT=${list}" -P "${CAIRN_TEST_LISTER}"
    VERBATIM)
  # A program that was not built is a failing test, never a missing one.
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

# cairn_test_again(<program> <name> <variable>=<value> [SUITES <suite>...] LABELS <label>...): its suites again, or all of
# them, with a variable of the environment.
function(cairn_test_again name again variable)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SUITES;LABELS")
  cairn_test_is_wanted(wanted ${arg_LABELS})
  if(NOT wanted)
    return()
  endif()
  # It may be of a build that does not run the program's own tests.
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL OFF)
  add_dependencies(cairn_checks ${name})
  list(JOIN arg_SUITES "," suites)
  if(suites)
    set(suites "--run_test=${suites}")
  endif()
  set(test "${CAIRN_TEST_PREFIX}${name}/${again}")
  add_test(NAME ${test} COMMAND ${name} ${suites})
  set_tests_properties(${test} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600
    ENVIRONMENT ${variable})
endfunction()

# cairn_test_attached(<program> [SUITES <suite>...] LABELS <label>...): with each database open in another process.
function(cairn_test_attached name)
  cairn_test_again(${name} attached CAIRN_TEST_ATTACHED=1 ${ARGN})
endfunction()

# cairn_test_with_segments(<program> LABELS <label>...): with properties and relationships packed from the first read on.
function(cairn_test_with_segments name)
  cairn_test_again(${name} with_segments CAIRN_TEST_SEGMENTS=always ${ARGN})
endfunction()
