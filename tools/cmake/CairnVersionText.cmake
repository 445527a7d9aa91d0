# cairn_version_headers(<target>): generates headers with information on the build before the target is compiled:
# "tools/commit_generated.h" at each build, if the commit has changed, and "tools/libraries_generated.h" when CMake runs.
# Only the file that includes them is compiled again.
function(cairn_version_headers target)
  set(folder "${PROJECT_BINARY_DIR}/generated/tools")
  set(commit "${folder}/commit_generated.h")
  add_custom_target(cairn_commit
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${commit}"
            -P "${PROJECT_SOURCE_DIR}/tools/cmake/write_commit.cmake"
    BYPRODUCTS "${commit}"
    COMMENT "Asking git for the commit"
    VERBATIM)
  add_dependencies(${target} cairn_commit)

  # hnswlib and libstemmer have no version number. Debian's re2 reports 0.0.0, and the pkg-config file of utf8proc has the
  # version of its interface.
  set(libraries "")
  foreach(pair IN ITEMS RocksDB:RocksDB Highway:hwy FlatBuffers:FlatBuffers Boost:Boost ICU:ICU
      OpenSSL:OPENSSL RE2:re2 xxHash:xxhash nlohmann_json:nlohmann_json CLI11:CLI11 libedit:libedit
      libzip:libzip expat:expat libxml2:libxml2)
    string(REGEX MATCH "^(.*):(.*)$" pair "${pair}")
    set(version "${${CMAKE_MATCH_2}_VERSION}")
    if(version AND NOT version STREQUAL "0.0.0")
      string(APPEND libraries "    {\"${CMAKE_MATCH_1}\", \"${version}\"},\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/libraries_generated.h" @ONLY CONTENT [[
#pragma once
// Written by tools/cmake/CairnVersionText.cmake.

#include <string_view>

namespace cairn::tools {

struct BuiltWith {
  std::string_view name;
  std::string_view version;
};

/// The compiler and the libraries, as CMake found them.
inline constexpr BuiltWith built_with[] = {
    {"@CMAKE_CXX_COMPILER_ID@", "@CMAKE_CXX_COMPILER_VERSION@"},
@libraries@};

}  // namespace cairn::tools
]])
endfunction()
