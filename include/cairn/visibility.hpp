#pragma once
// CAIRN_EXPORT marks a symbol as part of the public interface; the library hides every other one.
//
// It is set on classes with members outside of their header and on free functions. Values whose members are all in
// the header need none. With other compilers it is empty: symbols are seen by default there.
//
// Every header begins with this one, so that a compiler of another language version reports that first.

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error \
    "Cairn's headers need C++20: compile with -std=c++20 or later (CMake: target_compile_features(... cxx_std_20))"
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CAIRN_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_EXPORT
#endif
