#pragma once
// How much memory values take, and what an operator holds of them against the statement's limit.

#include "codec/value_extent.hpp"
#include "query/execute/budget.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::query {

// Holding: what one keeper of values (a batch, a set of rows, a sort) has taken of its statement's
// memory. The one place where held values are counted.

/// Charges the budget before something is held, and gives everything back at its end.
///
/// Text and small content count with each keeper. Large lists, maps, paths and vectors are shared by
/// the copies of a value, so they count once for all keepers of the statement.
/// Large charges count as steps too: making that much takes time.
class Holding {
 public:
  Holding() = default;  ///< counts nothing
  explicit Holding(Budget& budget) : budget_(&budget) {}
  ~Holding() { clear(); }
  /// A moved-from holding is empty and keeps its budget.
  Holding(Holding&& other) noexcept : budget_(other.budget_) { swap(other); }
  Holding& operator=(Holding&& other) noexcept {
    swap(other);
    return *this;
  }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

  /// What the values hold beside their cells. Errors of all: resource_limit, cancelled.
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
  /// Of something that grows into new memory and leaves the old: both are there for a moment.
  [[nodiscard]] Status grow(std::size_t old_bytes, std::size_t new_bytes) {
    CAIRN_TRY(add_bytes(new_bytes));
    give_back(old_bytes);
    return {};
  }
  void give_back(std::size_t bytes) noexcept;
  void clear() noexcept;
  /// As clear(), but a small charge stays for what is held next: for one row behind the other.
  void begin_again() noexcept;

  /// What this keeper was the first to hold, and what others held before.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_ + first_bytes_; }
  [[nodiscard]] std::size_t known_bytes() const noexcept { return known_bytes_; }

  /// Whether a value may hold anything beside its cell.
  [[nodiscard]] static bool has_content(const Value& value) noexcept {
    constexpr auto bit = [](ValueType type) { return 1U << static_cast<unsigned>(type); };
    constexpr unsigned types = bit(ValueType::string) | bit(ValueType::list) | bit(ValueType::map) |
                               bit(ValueType::path) | bit(ValueType::vector);
    return ((types >> static_cast<unsigned>(value.type())) & 1U) != 0;
  }

 private:
  static constexpr std::size_t large_bytes = 4'096;  // one step of the budget for each of these
  static constexpr std::size_t small_charge = 4 * large_bytes;

  [[nodiscard]] Status add_content(const Value& value);
  [[nodiscard]] Status add_large(const Value& value, const void* address, std::size_t items,
                                 std::uint64_t identity);
  [[nodiscard]] bool came_lately(const void* address, std::uint64_t identity) const noexcept;
  [[nodiscard]] Status charge(std::size_t bytes);
  void swap(Holding& other) noexcept;

  Budget* budget_ = nullptr;  // null: nothing is counted
  std::size_t bytes_ = 0;
  std::size_t charged_ = 0;          // somewhat more, so that small sums seldom ask the budget
  std::size_t first_bytes_ = 0;      // of large content, that was new to the budget
  std::size_t known_bytes_ = 0;      // and of such that was known
  std::vector<const void*> shared_;  // large content, about once for each time it came
};

// How much memory a value keeps and how much work it is to look at, for accounting. Memory is what others do
// not share, found by a walk over that; work is the extent, which is known.

/// Bytes of the value itself and of what only it holds: content shared with other copies is theirs.
[[nodiscard]] std::size_t memory_bytes(const Value& value);
[[nodiscard]] std::size_t row_bytes(std::span<const Value> row);

/// Bytes beside the value itself, also where other copies share them; content within it that others
/// share is theirs.
[[nodiscard]] std::size_t content_bytes(const Value& value);

/// Steps of the budget that walking over a value takes: one a kilobyte of its extent, shared parts each
/// time. Constant.
[[nodiscard]] inline std::uint64_t steps_of(const Value& value) {
  return codec::extent_of(value).bytes / 1'024;
}

}  // namespace cairn::query
