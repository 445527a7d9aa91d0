#pragma once
// CallChain: which threads wait for this one. A function of a program runs on a thread of its own while the thread of
// its statement waits: whatever that holds, the function must not wait for.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <thread>

namespace cairn::engine {

class CallChain {
 public:
  static constexpr std::size_t most_threads = 8;

  /// Of this thread. It may be set to that of another one, to do a part of its work.
  [[nodiscard]] static CallChain& current() noexcept {
    thread_local CallChain chain;
    return chain;
  }

  /// For a thread that this one waits for. Nothing where the chain is as long as it may be.
  [[nodiscard]] std::optional<CallChain> extended() const {
    if (count_ == most_threads) return std::nullopt;
    CallChain longer = *this;
    longer.threads_[longer.count_++] = std::this_thread::get_id();
    return longer;
  }
  [[nodiscard]] bool has(std::thread::id thread) const noexcept {
    const auto end = threads_.begin() + static_cast<std::ptrdiff_t>(count_);
    return std::find(threads_.begin(), end, thread) != end;
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  std::array<std::thread::id, most_threads> threads_{};
  std::size_t count_ = 0;
};

}  // namespace cairn::engine
