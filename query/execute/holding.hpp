#pragma once
// How much memory values take, and how much an operator holds against the limit of its statement.

#include "codec/value_extent.hpp"
#include "query/execute/budget.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::query {

/// Bytes of one entry of a std::set of ids.
inline constexpr std::size_t set_entry_bytes = 48;

// A Holding records what one holder of values, such as a batch, a set of rows or a sort, has
// charged. All held values are counted here.

/// Charges the budget before something is held, and releases all charges when destroyed.
///
/// Texts and small content count for each holder. Large lists, maps, paths and vectors are shared
/// by copies of a value, so they count once for all holders of the statement. Large charges also
/// count as steps, because making so much content takes time.
class Holding {
 public:
  Holding() = default;  ///< counts nothing
  explicit Holding(Budget& budget) : budget_(&budget) {}
  ~Holding() { clear(); }
  /// A moved-from Holding is empty and can be used again with its budget.
  Holding(Holding&& other) noexcept : budget_(other.budget_) { swap(other); }
  Holding& operator=(Holding&& other) noexcept {
    swap(other);
    return *this;
  }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

  /// Adds the heap memory of values.
  /// Errors of all functions that add: resource_limit, cancelled.
  [[nodiscard]] Status add(std::span<const Value> values) {
    for (const Value& value : values)
      if (has_content(value)) CAIRN_TRY(add_content(value));
    return {};
  }
  [[nodiscard]] Status add_one(const Value& value) { return add({&value, 1}); }
  [[nodiscard]] Status add_bytes(std::size_t bytes) {
    bytes_ += bytes;
    return bytes_ <= charged_ && bytes < large_bytes ? Status() : charge(bytes);
  }
  /// Charges an array that is reallocated: the old and the new memory exist together for a moment.
  [[nodiscard]] Status grow(std::size_t old_bytes, std::size_t new_bytes) {
    CAIRN_TRY(add_bytes(new_bytes));
    give_back(old_bytes);
    return {};
  }
  void give_back(std::size_t bytes) noexcept;
  void clear() noexcept;
  /// Does the same as clear(), but retains a small charge for the next contents, for holders of one
  /// row at a time.
  void begin_again() noexcept;

  /// Memory that this holder was the first to hold. known_bytes() is shared memory that other
  /// holders held before.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_ + first_bytes_; }
  [[nodiscard]] std::size_t known_bytes() const noexcept { return known_bytes_; }

  /// True if values of this type may have heap memory.
  [[nodiscard]] static bool has_content(const Value& value) noexcept {
    constexpr auto bit = [](ValueType type) { return 1U << static_cast<unsigned>(type); };
    constexpr unsigned types = bit(ValueType::string) | bit(ValueType::list) | bit(ValueType::map) |
                               bit(ValueType::path) | bit(ValueType::vector);
    return ((types >> static_cast<unsigned>(value.type())) & 1U) != 0;
  }

 private:
  // Each of these counts as one step of the budget.
  static constexpr std::size_t large_bytes = 4'096;
  static constexpr std::size_t small_charge = 4 * large_bytes;

  [[nodiscard]] Status add_content(const Value& value);
  [[nodiscard]] Status add_large(const Value& value, const void* address, std::size_t items,
                                 std::uint64_t identity);
  [[nodiscard]] bool came_lately(const void* address, std::uint64_t identity) const noexcept;
  [[nodiscard]] Status charge(std::size_t bytes);
  void swap(Holding& other) noexcept;

  Budget* budget_ = nullptr;  // nullptr: nothing is counted
  std::size_t bytes_ = 0;
  // Somewhat more than bytes_, so that small additions seldom change the budget.
  std::size_t charged_ = 0;
  std::size_t first_bytes_ = 0;  // large content that was new to the budget
  std::size_t known_bytes_ = 0;  // large content that was already known to the budget
  // Addresses of large content, about once for each time it was added.
  std::vector<const void*> shared_;
};

// The memory of a value and the cost of walking over it, for accounting. The memory is the memory
// that no other value shares, which a walk over the value counts. The cost of a walk is the extent,
// which the value stores.

/// Returns the bytes of the value and of heap memory that only this value owns. Content shared with
/// other copies is not counted.
[[nodiscard]] std::size_t memory_bytes(const Value& value);
[[nodiscard]] std::size_t row_bytes(std::span<const Value> row);

/// Returns the bytes outside of the value itself, even if copies share this content. Nested content
/// with other owners is not counted.
[[nodiscard]] std::size_t content_bytes(const Value& value);

/// Returns the budget steps for a walk over a value: one per kilobyte of its extent, where shared
/// parts count each time. Constant time.
[[nodiscard]] inline std::uint64_t steps_of(const Value& value) {
  return codec::extent_of(value).bytes / 1'024;
}

}  // namespace cairn::query
