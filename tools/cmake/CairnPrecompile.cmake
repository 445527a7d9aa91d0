# cairn_precompile(<target> [TESTS]): precompiles the headers that nearly every file of the target includes.
# cairn_precompile(<target> REUSE_FROM <other>): uses the precompiled header of another target, which
# must be compiled with the same options.
#
# Only headers of the standard library, stable public headers and, with TESTS, Boost.Test are precompiled, because a
# change of a precompiled header compiles everything again. Every file still includes what it uses. A build with
# CAIRN_PRECOMPILE=OFF detects missing includes.

option(CAIRN_PRECOMPILE "Precompile standard and public headers, and compile files of a folder together" ON)

set(CAIRN_PRECOMPILED_HEADERS
  <algorithm> <array> <atomic> <bit> <cassert> <charconv> <chrono> <cmath> <cstddef> <cstdint> <cstring>
  <deque> <filesystem> <functional> <iterator> <limits> <map> <memory> <mutex> <numeric> <optional> <set>
  <span> <string> <string_view> <unordered_map> <unordered_set> <utility> <variant> <vector>
  <cairn/filter.hpp> <cairn/result.hpp> <cairn/statement.hpp> <cairn/value.hpp>)

function(cairn_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TESTS" "REUSE_FROM" "")
  if(NOT CAIRN_PRECOMPILE)
    return()
  endif()
  if(arg_REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${arg_REUSE_FROM})
    return()
  endif()
  set(headers ${CAIRN_PRECOMPILED_HEADERS})
  if(arg_TESTS)
    list(APPEND headers <cairn/database.hpp> <boost/test/unit_test.hpp>)
  endif()
  target_precompile_headers(${target} PRIVATE ${headers})
endfunction()

# cairn_compile_alone(<source>...): keeps sources of this directory out of the groups of cairn_compile_by_folder().
function(cairn_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# cairn_compile_by_folder(<target> <count>): compiles up to <count> files of a folder as one. Reading headers and instantiating
# templates is most of the work, and the files of a folder share it. So two files of a folder must not define the same local
# name. A build with CAIRN_PRECOMPILE=OFF compiles each file alone.
function(cairn_compile_by_folder target count)
  if(NOT CAIRN_PRECOMPILE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR group "${files_of_${folder}} + 0")
    math(EXPR files_of_${folder} "${group} + 1")
    math(EXPR group "${group} / ${count}")
    # A file that is compiled alone is counted, so that it does not move others into another group.
    get_source_file_property(is_alone "${source}" SKIP_UNITY_BUILD_INCLUSION)
    if(NOT is_alone)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${group}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
