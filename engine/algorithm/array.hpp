#pragma once
// Array: a vector whose memory is charged to the limits of a statement before it is allocated, and released at its end.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Like std::vector, but calls that allocate return a Status. The limits must outlive the array. Threads: one at a time.
template <class T>
class Array {
 public:
  Array() = default;  ///< empty; it has no limits, so it cannot grow
  explicit Array(Limits& limits) noexcept : limits_(&limits) {}
  /// Returns an array of `count` copies of `value`. Errors: resource_limit, cancelled.
  [[nodiscard]] static Result<Array> of(Limits& limits, std::size_t count, T value = T()) {
    Array array(limits);
    CAIRN_TRY(array.resize(count, value));
    return array;
  }
  ~Array() { give_back(); }
  Array(Array&& other) noexcept
      : limits_(other.limits_),
        charged_(std::exchange(other.charged_, 0)),
        values_(std::move(other.values_)) {
    other.values_.clear();
  }
  Array& operator=(Array&& other) noexcept {
    std::swap(limits_, other.limits_);
    std::swap(charged_, other.charged_);
    std::swap(values_, other.values_);
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  // Errors of every call that allocates: resource_limit, cancelled.

  /// Charges and allocates room for `count` values. The old block stays charged until its values are copied. Copying counts
  /// as work of the statement.
  [[nodiscard]] Status reserve(std::size_t count) {
    if (count <= values_.capacity()) return {};
    constexpr std::size_t bytes_in_step = 4'096;
    const std::size_t old_bytes = charged_;
    const std::size_t bytes = count * sizeof(T);
    CAIRN_TRY(limits_->step(bytes / bytes_in_step));
    CAIRN_TRY(limits_->charge(bytes));
    charged_ += bytes;
    values_.reserve(count);
    limits_->release(old_bytes);
    charged_ -= old_bytes;
    return {};
  }
  [[nodiscard]] Status resize(std::size_t count, T value = T()) {
    CAIRN_TRY(reserve(count));
    values_.resize(count, value);
    return {};
  }
  /// Resizes to at least `count` values. The capacity at least doubles, so repeated calls cost amortised constant time.
  [[nodiscard]] Status grow(std::size_t count) {
    if (count <= values_.size()) return {};
    if (count > values_.capacity()) CAIRN_TRY(reserve(std::max(count, 2 * values_.capacity())));
    return resize(count);
  }
  [[nodiscard]] Status push_back(T value) {
    if (values_.size() == values_.capacity())
      CAIRN_TRY(reserve(std::max(least_room, 2 * values_.capacity())));
    values_.push_back(std::move(value));
    return {};
  }
  void pop_back() noexcept { values_.pop_back(); }
  /// Removes all values. The memory stays allocated and charged.
  void clear() noexcept { values_.clear(); }
  void truncate(std::size_t count) {
    values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(count), values_.end());
  }

  [[nodiscard]] T& operator[](std::size_t at) noexcept { return values_[at]; }
  [[nodiscard]] const T& operator[](std::size_t at) const noexcept { return values_[at]; }
  [[nodiscard]] T& back() noexcept { return values_.back(); }
  [[nodiscard]] const T& back() const noexcept { return values_.back(); }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] auto begin() noexcept { return values_.begin(); }
  [[nodiscard]] auto end() noexcept { return values_.end(); }
  [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
  [[nodiscard]] auto end() const noexcept { return values_.end(); }
  [[nodiscard]] std::span<const T> span() const noexcept { return values_; }

 private:
  static constexpr std::size_t least_room = 16;

  void give_back() noexcept {
    if (charged_ > 0) limits_->release(charged_);
  }

  Limits* limits_ = nullptr;
  std::size_t charged_ = 0;  // bytes that are charged to limits_
  std::vector<T> values_;
};

}  // namespace cairn::engine
