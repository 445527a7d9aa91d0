#pragma once
// CAIRN_EXPORT marks a symbol as part of the public interface; the library hides every other one.
//
// It is set on classes with members outside of their header and on free functions. Values whose members are all in
// the header need none. With other compilers it is empty: symbols are seen by default there.

#if defined(__GNUC__) || defined(__clang__)
#define CAIRN_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_EXPORT
#endif
