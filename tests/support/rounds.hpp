#pragma once
// rounds(), stride(): how many rounds repeated tests run; and what a sanitizer does not allow.

#include <cstddef>

namespace cairn::test {

/// Returns the number of rounds of a randomised test: `usual`, or `in_long_run` if CAIRN_MODEL_LONG is set. With a
/// sanitizer, which makes the code several times slower, it is a fifth of `usual`, but at least 1.
[[nodiscard]] std::size_t rounds(std::size_t usual, std::size_t in_long_run);

/// A test runs every stride()-th of similar cases: 1, or 5 with a sanitizer.
[[nodiscard]] std::size_t stride();

/// False with ThreadSanitizer, which ends a forked child of a process with threads when it starts one.
[[nodiscard]] bool can_start_threads_after_fork();

}  // namespace cairn::test
