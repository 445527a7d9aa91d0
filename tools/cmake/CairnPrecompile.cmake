# cairn_precompile(<target> [TESTS]): read the headers that nearly every file includes once for the target.
# cairn_precompile(<target> REUSE_FROM <other>): use the precompiled header of another target, which
# must be compiled with the same options.
#
# Only the standard library, stable public headers and, with TESTS, Boost.Test: a header that often
# changes would compile everything again. Every file still includes what it uses. A build with
# CAIRN_PRECOMPILE=OFF finds the file that does not; the ThreadSanitizer build is one.

option(CAIRN_PRECOMPILE "Precompile standard and public headers" ON)

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
