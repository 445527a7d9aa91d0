# Writes a header with the commit of a git checkout. The header has no commit if ROOT is not the top of a checkout, because an
# unpacked archive may be inside a checkout of another project. An unchanged header keeps its time, so that nothing is compiled
# again. Input: ROOT OUTPUT.
cmake_minimum_required(VERSION 3.25)

# A hook of git sets these variables, which may refer to another checkout.
foreach(name IN ITEMS GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE)
  unset(ENV{${name}})
endforeach()

# The output of git; empty if git fails or is not installed.
function(ask_git result)
  execute_process(COMMAND git --no-optional-locks ${ARGN} WORKING_DIRECTORY "${ROOT}"
    OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(text "")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(commit "")
ask_git(top rev-parse --show-toplevel)
file(REAL_PATH "${ROOT}" root)
if(top STREQUAL root)
  ask_git(commit rev-parse --verify HEAD)
endif()
if(commit)
  ask_git(changes status --porcelain --untracked-files=no)
  if(changes)
    string(APPEND commit ", with changes")
  endif()
endif()

file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#pragma once
// Written by tools/cmake/write_commit.cmake.

#include <string_view>

namespace cairn::tools {

/// The commit that this is built from; empty if it is not known.
inline constexpr std::string_view built_commit = "@commit@";

}  // namespace cairn::tools
]])
