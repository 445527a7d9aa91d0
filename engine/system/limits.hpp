#pragma once
// Limits: what long work of a statement asks on its way, and Pace, which keeps the asking cheap.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

/// What one statement may still use. Code that walks a value counts steps, code that makes one asks for
/// room before. One thread.
class Limits {
 public:
  virtual ~Limits() = default;
  /// Note `steps` units of work, about a kilobyte looked at each. Errors: resource_limit, cancelled.
  [[nodiscard]] virtual Status step(std::uint64_t steps) = 0;
  /// Whether that much could be taken, for a value about to be made. Errors: resource_limit.
  [[nodiscard]] virtual Status check_room(std::size_t bytes) const = 0;
  /// Reserve memory for something that stays. Errors: resource_limit, and then nothing is taken.
  [[nodiscard]] virtual Status charge(std::size_t bytes) = 0;
  virtual void release(std::size_t bytes) noexcept = 0;
};

/// Counts work in small pieces and asks the limits once for many. Without limits nothing ever stops.
class Pace {
 public:
  explicit Pace(Limits* limits) noexcept : limits_(limits) {}

  /// Note work as large as looking at so many bytes.
  [[nodiscard]] Status add(std::uint64_t bytes) {
    bytes_ += bytes;
    return bytes_ < bytes_between_looks ? Status() : look();
  }
  /// The same for loops in which a Status for each round would cost too much: whether to look().
  [[nodiscard]] bool is_due(std::uint64_t bytes) noexcept {
    bytes_ += bytes;
    return bytes_ >= bytes_between_looks;
  }
  [[nodiscard]] Status look() {
    const std::uint64_t steps = bytes_ / bytes_in_step;
    bytes_ = 0;
    return limits_ == nullptr ? Status() : limits_->step(steps);
  }

 private:
  static constexpr std::uint64_t bytes_in_step = 1'024;
  static constexpr std::uint64_t bytes_between_looks = 64 * bytes_in_step;

  Limits* limits_;
  std::uint64_t bytes_ = 0;
};

}  // namespace cairn::engine
