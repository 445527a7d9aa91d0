# cairn_test(<name> SOURCES <file>... [LABELS <label>...] [LIBRARIES <target>...] [TIMEOUT <seconds>]
#            [BY_SUITE]): a Boost.Test program whose every case is a test of ctest.
#
# The labels of Boost.Test (*ut::label("concurrency")) become labels of ctest, beside those given here.
# BY_SUITE registers each top-level suite as one entry, for programs of thousands of quick cases.

set(CAIRN_TEST_LISTER "${CMAKE_CURRENT_LIST_DIR}/list_tests.cmake")
set(CAIRN_TSAN_OPTIONS "ignore_noninstrumented_modules=1:detect_deadlocks=0")

function(cairn_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BY_SUITE" "TIMEOUT" "SOURCES;LABELS;LIBRARIES")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name}
    PRIVATE ${arg_LIBRARIES} cairn::cairn cairn_inside cairn_headers Boost::unit_test_framework)

  set(list "${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake")
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>" -DNAME=${name}
            "-DLABELS=${arg_LABELS}" -DBY_SUITE=${arg_BY_SUITE} -DTIMEOUT=${arg_TIMEOUT}
            "-DENVIRONMENT=TSAN_OPTIONS=${CAIRN_TSAN_OPTIONS}" "-DOUTPUT=${list}"
            -P "${CAIRN_TEST_LISTER}"
    VERBATIM)
  # A program that was not built fails as a test, unless this run is about other labels.
  file(CONFIGURE OUTPUT "${list}.in" @ONLY CONTENT [[
if(EXISTS "@list@")
  include("@list@")
else()
  add_test(@name@_NOT_BUILT @name@_NOT_BUILT)
  set_tests_properties(@name@_NOT_BUILT PROPERTIES LABELS "@arg_LABELS@")
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${list}.in")
endfunction()
