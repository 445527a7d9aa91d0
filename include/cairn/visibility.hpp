#pragma once
// CAIRN_EXPORT marks a symbol as part of the public interface; the library hides every other one.
//
// It marks free functions, and classes with members that are defined in a .cpp file. Types whose
// members are all in the header do not need it. It is empty for compilers other than gcc and clang.
//
// Every header includes this one first, so that a compiler in a mode before C++20 reports the error
// below first.

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error \
    "Cairn's headers need C++20: compile with -std=c++20 or later (CMake: target_compile_features(... cxx_std_20))"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CAIRN_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_EXPORT
#endif
