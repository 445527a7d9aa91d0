# How every file of ours is compiled. Two interface targets carry it: `cairn_flags` for whatever we
# build, and `cairn_inside` for code that may include the rooms themselves.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(CAIRN_CCACHE ccache)
if(CAIRN_CCACHE AND NOT CAIRN_UNITY AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CAIRN_CCACHE}")
endif()

# Position-independent programs: the library may end in somebody's shared object too.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

add_library(cairn_flags INTERFACE)
target_compile_options(cairn_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc bug 105651: "a" + std::string is said to copy a string onto itself.
  target_compile_options(cairn_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12's stable_sort takes its buffer from a deprecated function, and clang tells our code.
  target_compile_options(cairn_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(CAIRN_UNITY)
  # Parameters of one file bear the names of what stands in another.
  target_compile_options(cairn_flags INTERFACE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc 12 believes that an included file gives the names of its anonymous namespace to many others, and,
    # where it inlines so much, that pointers leave what they point to.
    target_compile_options(cairn_flags INTERFACE -Wno-subobject-linkage -Wno-array-bounds
      -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
if(CAIRN_WERROR)
  target_compile_options(cairn_flags INTERFACE -Werror)
endif()

find_program(CAIRN_MOLD mold)
if(CAIRN_MOLD)
  target_link_options(cairn_flags INTERFACE -fuse-ld=mold)
endif()

set(sanitizers_ "address,undefined")
if(CAIRN_SANITIZE STREQUAL "thread")
  set(sanitizers_ "thread")
elseif(CAIRN_SANITIZE STREQUAL "fuzzer")
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CAIRN_SANITIZE=fuzzer needs clang: set CMAKE_CXX_COMPILER=clang++-19")
  endif()
  set(sanitizers_ "fuzzer-no-link,address,undefined")
elseif(NOT CAIRN_SANITIZE MATCHES "^(address|)$")
  message(FATAL_ERROR "CAIRN_SANITIZE is \"${CAIRN_SANITIZE}\"; say address, thread, fuzzer or nothing")
endif()

if(CAIRN_SANITIZE)
  # -g1: line numbers are enough for a report, and full debug info costs the grammars half a gigabyte.
  target_compile_options(cairn_flags INTERFACE
    -fsanitize=${sanitizers_} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(cairn_flags INTERFACE -fsanitize=${sanitizers_})
else()
  # _FORTIFY_SOURCE works on optimised code only, and the sanitizers replace it.
  target_compile_options(cairn_flags INTERFACE -fstack-protector-strong
    "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  target_link_options(cairn_flags INTERFACE LINKER:-z,relro,-z,now)
endif()

add_library(cairn_inside INTERFACE)
target_link_libraries(cairn_inside INTERFACE cairn_flags)
target_include_directories(cairn_inside INTERFACE "${PROJECT_SOURCE_DIR}")
target_include_directories(cairn_inside SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/generated")
