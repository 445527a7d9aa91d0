#pragma once
// The number of threads of statements in tests: the tests run once for each number.

#include <cairn/options.hpp>

#include <cstdint>
#include <cstdlib>

namespace cairn::test {

/// The options with the number of threads that CAIRN_TEST_THREADS names. Several threads take three
/// rows at a time, even if there are few rows.
[[nodiscard]] inline StatementOptions with_threads_of_run(StatementOptions options) {
  static const char* const said = std::getenv("CAIRN_TEST_THREADS");
  if (said == nullptr || options.threads != 0) return options;
  options.threads = static_cast<std::uint32_t>(std::atoi(said));
  options.disabled_rules += " one_thread_for_few_rows";
  return options;
}

}  // namespace cairn::test
