#pragma once
// Limits: the limits on work and memory of a running statement. Pace: makes checking them cheap in
// tight loops. Charge: memory that is charged to the limits for the lifetime of an object.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

/// The time and memory that a statement may still use. Code that reads much data reports steps. Code that makes a large
/// value checks for room first. Threads: one at a time.
class Limits {
 public:
  virtual ~Limits() = default;
  /// Reports `steps` units of work. A unit is reading about a kilobyte. Errors: resource_limit, cancelled.
  [[nodiscard]] virtual Status step(std::uint64_t steps) = 0;
  /// Checks that `bytes` of memory are available, without reserving them. Errors: resource_limit.
  [[nodiscard]] virtual Status check_room(std::size_t bytes) const = 0;
  /// Reserves memory until release(). Errors: resource_limit; nothing is reserved then.
  [[nodiscard]] virtual Status charge(std::size_t bytes) = 0;
  /// Returns memory of earlier calls of charge().
  virtual void release(std::size_t bytes) noexcept = 0;
};

/// Adds up small amounts of work, and reports them to the limits about every 64 KiB. With null limits every call succeeds.
class Pace {
 public:
  explicit Pace(Limits* limits) noexcept : limits_(limits) {}

  /// Adds work, measured as the number of bytes read. Errors: those of Limits::step().
  [[nodiscard]] Status add(std::uint64_t bytes) {
    bytes_ += bytes;
    return bytes_ < bytes_between_looks ? Status() : look();
  }
  /// Like add(), for loops in which returning a Status each time would be too slow. If it returns true, call look().
  [[nodiscard]] bool is_due(std::uint64_t bytes) noexcept {
    bytes_ += bytes;
    return bytes_ >= bytes_between_looks;
  }
  /// Reports the work so far to the limits. Errors: those of Limits::step().
  [[nodiscard]] Status look() {
    const std::uint64_t steps = bytes_ / bytes_in_step;
    bytes_ = 0;
    return limits_ == nullptr ? Status() : limits_->step(steps);
  }

 private:
  static constexpr std::uint64_t bytes_in_step = 1'024;
  static constexpr std::uint64_t bytes_between_looks = 64 * bytes_in_step;

  Limits* limits_;
  std::uint64_t bytes_ = 0;  // work since the last report
};

/// Memory charged to the limits until the end of this object. With null limits every call succeeds.
class Charge {
 public:
  explicit Charge(Limits* limits) noexcept : limits_(limits) {}
  ~Charge() { shrink(0); }
  Charge(const Charge&) = delete;
  Charge& operator=(const Charge&) = delete;

  /// Errors: those of Limits::charge().
  [[nodiscard]] Status add(std::size_t bytes) { return set(bytes_ + bytes); }
  /// Charges `bytes` in place of what was charged before. Errors: those of Limits::charge(), after
  /// which the charge is unchanged.
  [[nodiscard]] Status set(std::size_t bytes) {
    if (limits_ != nullptr && bytes > bytes_) CAIRN_TRY(limits_->charge(bytes - bytes_));
    if (bytes < bytes_) shrink(bytes);
    bytes_ = bytes;
    return {};
  }

 private:
  void shrink(std::size_t bytes) noexcept {
    if (limits_ != nullptr) limits_->release(bytes_ - bytes);
  }

  Limits* limits_;
  std::size_t bytes_ = 0;
};

}  // namespace cairn::engine
