#include "tests/support/rounds.hpp"

#include <algorithm>
#include <cstdlib>

namespace cairn::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif
#else
constexpr bool is_sanitized = false;
#endif

}  // namespace

std::size_t rounds(std::size_t usual, std::size_t in_long_run) {
  if (std::getenv("CAIRN_MODEL_LONG") != nullptr) return in_long_run;
  return is_sanitized ? std::max<std::size_t>(usual / 5, 1) : usual;
}

bool can_start_threads_after_fork() {
#if defined(__SANITIZE_THREAD__)
  return false;
#else
  return true;
#endif
}

std::size_t stride() { return 5 / rounds(5, 5); }

}  // namespace cairn::test
