# Run after a test program is built: ask it for its cases and write them down as tests of ctest.
# Input: PROGRAM NAME LABELS BY_SUITE TIMEOUT ENVIRONMENT OUTPUT.
cmake_minimum_required(VERSION 3.25)

# list_cases(<result> [<argument>...]): full names of the enabled cases, in the program's order.
# The program prints a tree, four blanks a level, an asterisk behind what is enabled. Data tests
# number their cases _0, _1, ...; they count as one case.
function(list_cases result)
  execute_process(COMMAND "${PROGRAM}" ${ARGN} --list_content --color_output=no
    ERROR_VARIABLE tree OUTPUT_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "cannot list the tests of ${PROGRAM} (${status}):\n${tree}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${tree}")
  set(path "")
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
    list(REMOVE_ITEM cases "${parent}") # it has something below it: a suite, not a case
    list(APPEND path "${name}")
    list(JOIN path "/" full)
    if(name MATCHES "^_[0-9]+$")
      list(APPEND cases "${parent}")
    elseif(enabled)
      list(APPEND cases "${full}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES cases)
  if(BY_SUITE)
    list(TRANSFORM cases REPLACE "/.*$" "")
    list(REMOVE_DUPLICATES cases)
  endif()
  set(${result} "${cases}" PARENT_SCOPE)
endfunction()

list_cases(all)
if(NOT all)
  message(FATAL_ERROR "${PROGRAM} holds no test")
endif()

execute_process(COMMAND "${PROGRAM}" --list_labels --color_output=no
  ERROR_VARIABLE answer OUTPUT_QUIET RESULT_VARIABLE status)
string(REGEX MATCHALL "[a-z_]+\n" own_labels "\n${answer}\n")
foreach(label IN LISTS own_labels)
  string(STRIP "${label}" label)
  list_cases(labelled "--run_test=@${label}")
  foreach(case IN LISTS labelled)
    list(APPEND labels_of_${case} "${label}")
  endforeach()
endforeach()

set(text "")
foreach(case IN LISTS all)
  set(labels ${LABELS} ${labels_of_${case}})
  string(APPEND text
    "add_test([==[${NAME}/${case}]==] [==[${PROGRAM}]==] [==[--run_test=${case}]==] --color_output=no)\n"
    "set_tests_properties([==[${NAME}/${case}]==] PROPERTIES LABELS \"${labels}\" "
    "TIMEOUT ${TIMEOUT} ENVIRONMENT \"${ENVIRONMENT}\")\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
