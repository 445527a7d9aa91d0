#pragma once
// How much of what they repeat tests do.

#include <cstddef>

namespace cairn::test {

/// The rounds of a randomised test: `usual` of them, a fifth of that with a sanitizer, whose code is
/// several times slower, and `in_long_run` where CAIRN_MODEL_LONG is set. Never none.
[[nodiscard]] std::size_t rounds(std::size_t usual, std::size_t in_long_run);

/// Of a row of cases that are alike, a test takes one in so many: each of them, or one in five with a sanitizer.
[[nodiscard]] std::size_t stride();

}  // namespace cairn::test
