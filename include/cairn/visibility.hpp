#pragma once

/// Mark a symbol as part of the public face; the library hides every other one.
#if defined(__GNUC__) || defined(__clang__)
///
/// Set on classes with members outside of their header and on free functions; values whose members
/// all stand in the header need none. With other compilers it is empty: symbols are seen by default
/// there.
#define CAIRN_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_EXPORT
#endif
