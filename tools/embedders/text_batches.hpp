#pragma once
// Splits texts into requests.

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <string_view>

namespace cairn::tools {

struct BatchLimits {
  std::size_t texts = 1;
  std::size_t bytes = 0;  ///< of all texts together; a longer text is alone in its batch
};

/// Returns the first texts that fit into a batch: at least one. Precondition: there is a text.
[[nodiscard]] inline std::span<const std::string_view> next_batch(
    std::span<const std::string_view> texts, const BatchLimits& limits) {
  std::size_t count = 0;
  std::size_t bytes = 0;
  while (count < texts.size() && count < limits.texts) {
    bytes += texts[count].size();
    if (count > 0 && bytes > limits.bytes) break;
    ++count;
  }
  return texts.first(count);
}

/// How many texts are sent to a service at once. The number is halved when the service refuses a
/// batch. Later calls double it again, because the refusal may have been due to a few long texts.
/// Threads: any.
class BatchSize {
 public:
  explicit BatchSize(std::size_t most) : most_(most), size_(most) {}

  [[nodiscard]] std::size_t get() const {
    const std::lock_guard lock(mutex_);
    return size_;
  }
  /// Doubles the size at the first call after a refusal. If the doubled size is refused too, the
  /// next doubling waits for one call, then for two, and so on.
  void begin_call() {
    const std::lock_guard lock(mutex_);
    was_refused_ = false;
    if (size_ == most_) return;
    if (calls_to_wait_ > 0) {
      --calls_to_wait_;
      return;
    }
    size_ = std::min(size_ * 2, most_);
    if (size_ == most_) next_wait_ = 0;
  }
  /// Halves the size. Precondition: at least two texts were refused.
  void refuse(std::size_t texts) {
    const std::lock_guard lock(mutex_);
    size_ = texts / 2;
    if (was_refused_) return;
    was_refused_ = true;
    calls_to_wait_ = next_wait_;
    next_wait_ = next_wait_ == 0 ? 1 : std::min(next_wait_ * 2, longest_wait);
  }
  /// Forgets all refusals.
  void reset() {
    const std::lock_guard lock(mutex_);
    size_ = most_;
    next_wait_ = 0;
  }

 private:
  static constexpr std::size_t longest_wait = 256;  // calls

  const std::size_t most_;
  mutable std::mutex mutex_;  // guards all below
  std::size_t size_;
  std::size_t calls_to_wait_ = 0;
  std::size_t next_wait_ = 0;
  bool was_refused_ = false;  // since the call began
};

}  // namespace cairn::tools
