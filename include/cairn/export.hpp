#pragma once

/// Mark a symbol as part of the public face; the library hides every other one.
#if defined(__GNUC__) || defined(__clang__)
#define CAIRN_EXPORT __attribute__((visibility("default")))
#else
#define CAIRN_EXPORT
#endif
