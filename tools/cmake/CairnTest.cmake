# cairn_test(<name> SOURCES <file>... LABELS <label>... [LIBRARIES <target>...] [TIMEOUT <seconds>]
#            [SERIAL] [BY_SUITE]): a Boost.Test program whose every case is a test of ctest.
#
# Labels say what a program is: unit, model, api, golden, tck, examples, architecture, concurrency.
# SERIAL keeps it alone on the machine, for what measures time. BY_SUITE registers each top-level
# suite as one entry, for programs of thousands of quick cases. The main function is tests/support's.
#
# A sanitizer build registers only what it is for: unit and model tests, or concurrency tests with
# ThreadSanitizer. Its tests carry its name in front, so that one run of ctest may cover all builds.

set(CAIRN_TEST_LISTER "${CMAKE_CURRENT_LIST_DIR}/list_tests.cmake")
set(CAIRN_TEST_PREFIX "")
set(CAIRN_TEST_KINDS "")
if(CAIRN_SANITIZE STREQUAL "thread")
  set(CAIRN_TEST_PREFIX "tsan:")
  set(CAIRN_TEST_KINDS concurrency)
elseif(CAIRN_SANITIZE)
  set(CAIRN_TEST_PREFIX "asan:")
  set(CAIRN_TEST_KINDS unit model)
endif()

# Builds every test program that this build registers.
add_custom_target(cairn_checks)

# cairn_test_is_wanted(<result> <label>...): whether this build runs tests with one of the labels.
function(cairn_test_is_wanted result)
  set(wanted TRUE)
  foreach(kind IN LISTS CAIRN_TEST_KINDS)
    set(wanted FALSE)
    if(kind IN_LIST ARGN)
      set(wanted TRUE)
      break()
    endif()
  endforeach()
  set(${result} ${wanted} PARENT_SCOPE)
endfunction()

function(cairn_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SERIAL;BY_SUITE" "TIMEOUT" "SOURCES;LABELS;LIBRARIES")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(CAIRN_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} cairn_test_main cairn::cairn cairn_inside
    cairn_headers Boost::unit_test_framework)
  if(CAIRN_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The macros of tests keep the optimiser busy for longer than what it inlines there ever saves: a sixth
    # of the time to compile. Without any optimisation the oracles would take minutes.
    target_compile_options(${name} PRIVATE "SHELL:-mllvm -inline-threshold=25")
    # A quarter of the time goes to checks of each pointer that the macros touch; the library has them all,
    # and a null pointer ends a test in any case.
    target_compile_options(${name} PRIVATE -fno-sanitize=null,alignment,vptr,object-size)
  endif()
  cairn_unity(${name})
  if(CAIRN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -O1)  # a sixth less
  endif()

  cairn_test_is_wanted(wanted ${arg_LABELS})
  if(NOT wanted)
    return()
  endif()
  add_dependencies(cairn_checks ${name})
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake")
  set(prefix "${CAIRN_TEST_PREFIX}${name}")
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>" "-DPREFIX=${prefix}"
            "-DLABELS=${arg_LABELS}" -DBY_SUITE=${arg_BY_SUITE} -DSERIAL=${arg_SERIAL}
            -DTIMEOUT=${arg_TIMEOUT} "-DOUTPUT=${list}" -P "${CAIRN_TEST_LISTER}"
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
