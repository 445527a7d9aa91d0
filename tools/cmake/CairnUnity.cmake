# cairn_unity(<target>): with CAIRN_UNITY the files of a target are compiled several at once.
#
# For builds from nothing: most of what a file takes is reading headers, which are read once for eight files
# so. Off by default: an ordinary build compiles again only what changed, keeps its results in a compiler
# cache, and finds the file that forgets an include.
#
# Files come together whose own names differ (those of anonymous namespaces and so on) and which use the same
# names of other namespaces: both are read from the lines of a file that begin in its first column. Where that
# reads too little, the compiler tells a redefinition; give one of the names a better one, or the file the
# property SKIP_UNITY_BUILD_INCLUSION.

option(CAIRN_UNITY "Compile several files at once instead of using a compiler cache" OFF)

set(CAIRN_UNITY_FILES 8)

# The names that a file declares at the beginning of a line, those of suites of tests among them, but for
# members (A::b) and cases of tests.
function(cairn_names_of file result)
  file(STRINGS "${file}" lines REGEX "^[A-Za-z]")
  set(names "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^BOOST_[A-Z_]*TEST_SUITE\\(([a-z0-9_]+)")
      list(APPEND names "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^(BOOST_|namespace|using [^=]*;)")
      continue()
    elseif(line MATCHES "^(class|struct|enum class|enum|using) ([A-Za-z0-9_]+)")
      list(APPEND names "${CMAKE_MATCH_2}")
    elseif(line MATCHES "(^|[ &*>])([A-Za-z0-9_]+)(\\(|{|\\[| =|;)")
      list(APPEND names "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# The other namespaces that a file uses outside its functions, but for those whose names nobody else has.
function(cairn_uses_of file result)
  file(STRINGS "${file}" lines REGEX "^using [^=]*$")
  set(uses "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^using (cairn::)?([a-z_:]*)::[A-Za-z_]*;$" "\\2" use "${line}")
    string(REPLACE ";" "" use "${use}")
    list(APPEND uses "${use}")
  endforeach()
  list(REMOVE_DUPLICATES uses)
  list(FILTER uses EXCLUDE REGEX "^(codec|test|using namespace (cairn|std::.*))$")
  list(SORT uses)
  set(${result} "${uses}" PARENT_SCOPE)
endfunction()

# Whether two lists have an element in common.
function(cairn_lists_meet result first second)
  set(${result} FALSE PARENT_SCOPE)
  foreach(element IN LISTS ${first})
    if(element IN_LIST ${second})
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(cairn_unity target)
  if(NOT CAIRN_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(last -1)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
    if(NOT source MATCHES "\\.cpp$" OR NOT EXISTS "${source}")
      continue()
    endif()
    file(STRINGS "${source}" again REGEX "HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
    if(again)
      continue()  # Includes itself once for each kind of processor.
    endif()
    cairn_names_of("${source}" names)
    cairn_uses_of("${source}" uses)
    set(group 0)
    while(group LESS_EQUAL last)
      list(LENGTH files_${group} count)
      cairn_lists_meet(clash names names_${group})
      if(count LESS CAIRN_UNITY_FILES AND uses STREQUAL uses_${group} AND NOT clash)
        break()
      endif()
      math(EXPR group "${group} + 1")
    endwhile()
    if(group GREATER last)
      set(last ${group})
      set(files_${group} "")
      set(names_${group} "")
      set(uses_${group} "${uses}")
    endif()
    list(APPEND files_${group} "${source}")
    list(APPEND names_${group} ${names})
    set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
