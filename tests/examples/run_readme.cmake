# Does what a new user does with the README's program: installs Cairn, finds it with find_package and with
# pkg-config, builds and runs. The program is the first ```cpp block, its output the next ```text block.
# Input: README BUILD WORK COMPILER PKG_CONFIG.
cmake_minimum_required(VERSION 3.25)

# Cuts the text between `opening` and the closing fence out of `readme`, which then starts after it.
function(take_block opening result)
  string(FIND "${readme}" "${opening}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "${README} has no ${opening} block where one is expected")
  endif()
  string(LENGTH "${opening}\n" length)
  math(EXPR begin "${begin} + ${length}")
  string(SUBSTRING "${readme}" ${begin} -1 rest)
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  math(EXPR end "${end} + 3")
  string(SUBSTRING "${rest}" ${end} -1 rest)
  set(${result} "${block}" PARENT_SCOPE)
  set(readme "${rest}" PARENT_SCOPE)
endfunction()

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Runs the program and compares what it prints with what the README says.
function(expect_output program)
  execute_process(COMMAND ${program} WORKING_DIRECTORY "${WORK}"
    OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${program} printed\n${printed}\nbut ${README} says\n${expected}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
file(READ "${README}" readme)
take_block("```cpp" program)
take_block("```text" expected)
file(WRITE "${WORK}/program.cpp" "${program}")
file(WRITE "${WORK}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(readme LANGUAGES CXX)
find_package(cairn 0.1 REQUIRED)
add_executable(program program.cpp)
target_link_libraries(program PRIVATE cairn::cairn)
]])

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed" --component library)
run("${CMAKE_COMMAND}" -S . -B build "-DCMAKE_PREFIX_PATH=${WORK}/installed"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Debug)
run("${CMAKE_COMMAND}" --build build)
expect_output(build/program)
run(build/program) # again, on the database of the first run

# From another directory than the one it was installed in.
file(RENAME "${WORK}/installed" "${WORK}/moved")
file(GLOB_RECURSE description "${WORK}/moved/*/cairn.pc")
cmake_path(GET description PARENT_PATH descriptions)
set(ENV{PKG_CONFIG_PATH} "${descriptions}")
execute_process(COMMAND "${PKG_CONFIG}" --cflags --libs cairn OUTPUT_VARIABLE flags
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
run("${COMPILER}" -std=c++20 program.cpp -o program ${flags})
file(REMOVE_RECURSE "${WORK}/memory.cairn")
expect_output(./program)
