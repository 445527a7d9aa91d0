# Compiler and linker options for all files of the project, in three interface targets: `cairn_flags` for everything that
# we build, `cairn_inside` for product code and `cairn_test_inside` for test code. The latter two also add the include path
# of internal headers.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# ccache must ignore these differences, or it stores no file that uses a precompiled header.
find_program(CAIRN_CCACHE ccache)
if(CAIRN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${CAIRN_CCACHE}")
endif()

# Position-independent code, because the static library may be linked into a shared object.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

add_library(cairn_flags INTERFACE)
target_compile_options(cairn_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # gcc bug 105651: falsely warns that "a" + std::string copies a string onto itself.
  target_compile_options(cairn_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # libstdc++ 12's stable_sort uses a deprecated function for its buffer, and clang warns at our calls.
  target_compile_options(cairn_flags INTERFACE -Wno-deprecated-declarations)
endif()
# Off by default, because a compiler that we have not tested may have other warnings.
if(CAIRN_WERROR)
  target_compile_options(cairn_flags INTERFACE -Werror)
endif()

find_program(CAIRN_MOLD mold)
if(CAIRN_MOLD)
  target_link_options(cairn_flags INTERFACE -fuse-ld=mold)
endif()

# libFuzzer learns from the operands of comparisons which inputs to try. This helps in long runs, but takes a fifth of the time
# to compile.
option(CAIRN_FUZZ_COMPARISONS "Let libFuzzer see the operands of comparisons" OFF)

# The sanitizers of product code and of test code. Test code is not checked for undefined behaviour: the checks double its
# time to compile, and would not find defects of the product.
set(sanitizers_ "address,undefined")
set(test_sanitizers_ "address")
if(CAIRN_SANITIZE STREQUAL "thread")
  set(sanitizers_ "thread")
  set(test_sanitizers_ "thread")
elseif(CAIRN_SANITIZE STREQUAL "fuzzer")
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CAIRN_SANITIZE=fuzzer needs clang: set CMAKE_CXX_COMPILER=clang++-19")
  endif()
  set(sanitizers_ "fuzzer-no-link,address,undefined")
elseif(CAIRN_SANITIZE STREQUAL "given")
  set(sanitizers_ "")
  set(test_sanitizers_ "")
elseif(NOT CAIRN_SANITIZE MATCHES "^(address|)$")
  message(FATAL_ERROR
    "CAIRN_SANITIZE is \"${CAIRN_SANITIZE}\"; set it to address, thread, fuzzer, given or nothing")
endif()

add_library(cairn_inside INTERFACE)
add_library(cairn_test_inside INTERFACE)
foreach(inside_ IN ITEMS cairn_inside cairn_test_inside)
  target_link_libraries(${inside_} INTERFACE cairn_flags)
  target_include_directories(${inside_} INTERFACE "${PROJECT_SOURCE_DIR}")
  target_include_directories(${inside_} SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/generated")
endforeach()

if(CAIRN_SANITIZE)
  # -g1: line numbers are enough for a report, and full debug info costs the grammars half a gigabyte.
  target_compile_options(cairn_flags INTERFACE -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  if(sanitizers_)
    target_compile_options(cairn_inside INTERFACE -fsanitize=${sanitizers_})
    target_compile_options(cairn_test_inside INTERFACE -fsanitize=${test_sanitizers_})
    target_link_options(cairn_flags INTERFACE -fsanitize=${sanitizers_})
  endif()
  if(sanitizers_ MATCHES "undefined")
    # AddressSanitizer already reports these errors. Checking each dereferenced pointer again takes a sixth of the time to
    # compile.
    target_compile_options(cairn_inside INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
  if(CAIRN_SANITIZE STREQUAL "fuzzer" AND NOT CAIRN_FUZZ_COMPARISONS)
    target_compile_options(cairn_inside INTERFACE -fno-sanitize-coverage=trace-cmp)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # Inlining the macros of tests takes longer than it saves. Without any optimisation, the naive models would take
    # minutes.
    target_compile_options(cairn_test_inside INTERFACE "SHELL:-mllvm -inline-threshold=25")
  endif()
else()
  # _FORTIFY_SOURCE works on optimised code only, and the sanitizers replace it.
  target_compile_options(cairn_flags INTERFACE -fstack-protector-strong
    "$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
  target_link_options(cairn_flags INTERFACE LINKER:-z,relro,-z,now)
  # Test code is compiled more often than it runs.
  target_compile_options(cairn_test_inside INTERFACE "$<$<NOT:$<CONFIG:Debug>>:-O1>")
endif()
