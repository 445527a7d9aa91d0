#pragma once
// How much stack a function takes: it runs on a thread whose stack was filled with a pattern.

#include <cstddef>
#include <functional>

namespace cairn::test {

/// Bytes of stack that `run` has touched; the thread has `stack_bytes`.
[[nodiscard]] std::size_t measured_stack(std::size_t stack_bytes, const std::function<void()>& run);

/// Whether stack sizes mean anything: not without optimisation, nor with a sanitizer's frames.
[[nodiscard]] constexpr bool has_ordinary_frames() {
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return false;
#endif
#endif
  return true;
#else
  return false;
#endif
}

}  // namespace cairn::test
