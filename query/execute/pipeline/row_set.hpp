#pragma once
// Sets of rows and values. Values are compared by equivalence: null equals null.

#include "query/execute/holding.hpp"
#include "query/functions/value_semantics.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cairn::query {

using RowKey = std::vector<Value>;

/// Equal values have equal hashes, even if their types differ (1 and 1.0).
struct RowHash {
  std::size_t operator()(const RowKey& row) const {
    std::uint64_t hash = 0;
    for (const Value& value : row) hash = hash * 0x9e3779b97f4a7c15ULL + hash_value(value);
    return hash ^ (hash >> 32);
  }
};

/// Compares value by value. NaN equals NaN.
struct RowEquivalence {
  bool operator()(const RowKey& a, const RowKey& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equivalent);
  }
};

/// Makes room for one more entry. The memory is charged before the table doubles.
template <class Table>
[[nodiscard]] Status grow_table(Table& table, Holding& held) {
  if (static_cast<float>(table.size() + 1) <=
      table.max_load_factor() * static_cast<float>(table.bucket_count()))
    return {};
  const std::size_t buckets = 2 * table.bucket_count();
  CAIRN_TRY(held.grow(table.bucket_count() * sizeof(void*), buckets * sizeof(void*)));
  table.rehash(buckets);
  return {};
}

/// The distinct rows seen so far, with their memory charged.
class RowSet {
 public:
  explicit RowSet(Budget& budget) : budget_(budget), held_(budget) {}
  RowSet(const RowSet&) = delete;
  RowSet& operator=(const RowSet&) = delete;

  /// Returns true if the row is new.
  [[nodiscard]] Result<bool> add(std::span<const Value> row) {
    // Hashing and comparing visit the whole row.
    CAIRN_TRY(budget_.step(1 + steps_of_row(row)));
    key_.assign(row.begin(), row.end());
    CAIRN_TRY(grow_table(rows_, held_));
    // The caller holds the row already, so at most this copy is uncharged for a moment.
    const auto [place, is_new] = rows_.insert(std::move(key_));
    if (!is_new) return false;
    CAIRN_TRY(held_.add_bytes(entry_bytes + place->size() * sizeof(Value)));
    CAIRN_TRY(held_.add(*place));
    return true;
  }
  void clear() {
    rows_.clear();
    held_.clear();
  }

 private:
  static std::uint64_t steps_of_row(std::span<const Value> row) {
    std::uint64_t steps = 0;
    for (const Value& value : row)
      if (Holding::has_content(value)) steps += steps_of(value);
    return steps;
  }

  static constexpr std::size_t entry_bytes = 72;  // estimated bytes of a table entry

  Budget& budget_;
  std::unordered_set<RowKey, RowHash, RowEquivalence> rows_;
  RowKey key_;  // current row; reused to avoid allocations
  Holding held_;
};

}  // namespace cairn::query
