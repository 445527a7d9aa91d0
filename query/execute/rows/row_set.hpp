#pragma once
// Sets of rows and of values, by equivalence: null is the same as null.

#include "query/execute/budget.hpp"
#include "query/execute/value_size.hpp"
#include "query/functions/value_semantics.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cairn::query {

using RowKey = std::vector<Value>;

struct RowHash {
  std::size_t operator()(const RowKey& row) const {
    std::uint64_t hash = 0;
    for (const Value& value : row) hash = hash * 0x9e3779b97f4a7c15ULL + hash_value(value);
    return hash ^ (hash >> 32);
  }
};

struct RowEquivalence {
  bool operator()(const RowKey& a, const RowKey& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equivalent);
  }
};

/// Rows seen so far, accounted for.
class RowSet {
 public:
  explicit RowSet(Budget& budget) : budget_(budget) {}
  ~RowSet() { clear(); }
  RowSet(const RowSet&) = delete;
  RowSet& operator=(const RowSet&) = delete;

  /// True where the row is new.
  [[nodiscard]] Result<bool> add(std::span<const Value> row) {
    // Hashing and comparing walk all of the row.
    for (const Value& value : row) CAIRN_TRY(budget_.step(steps_of(value)));
    RowKey key(row.begin(), row.end());
    const std::size_t bytes = row_bytes(key) + entry_bytes;
    if (!rows_.insert(std::move(key)).second) return false;
    CAIRN_TRY(budget_.charge(bytes));
    charged_ += bytes;
    return true;
  }
  void clear() {
    budget_.release(charged_);
    charged_ = 0;
    rows_.clear();
  }

 private:
  static constexpr std::size_t entry_bytes = 64;  // of the table, for each row

  Budget& budget_;
  std::unordered_set<RowKey, RowHash, RowEquivalence> rows_;
  std::size_t charged_ = 0;
};

}  // namespace cairn::query
