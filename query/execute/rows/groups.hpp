#pragma once
// WordKeys: keys of some words each, numbered in the order in which they came.
// Groups: the different keys of rows. They are compared as words while all that comes is packed alike, and as values
// by equivalence from then on.

#include "query/execute/batch_column.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/pipeline/row_set.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace cairn::query {

/// A hash table with open addressing. All that it holds is charged before it grows.
class WordKeys {
 public:
  static constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max() - 1;

  /// Each key has so many words, one at least.
  WordKeys(std::size_t words, Budget& budget) : words_(words), held_(budget) {}

  /// Make room for so many more keys. Errors: resource_limit, cancelled.
  [[nodiscard]] Status reserve(std::size_t more);
  /// The number of a key, which is size() for a new one. Precondition: there is room for it.
  [[nodiscard]] std::uint32_t number(std::span<const std::uint64_t> key);
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size() / words_; }
  [[nodiscard]] std::span<const std::uint64_t> key(std::size_t number) const noexcept {
    return std::span(keys_).subspan(number * words_, words_);
  }
  void clear() noexcept;

 private:
  [[nodiscard]] std::size_t place_of(std::span<const std::uint64_t> key) const noexcept;
  [[nodiscard]] bool is_at(std::size_t number, std::span<const std::uint64_t> key) const noexcept;

  std::size_t words_;
  std::vector<std::uint64_t> keys_;   // one behind the other
  std::vector<std::uint32_t> table_;  // a number + 1, 0 where there is none; at most half full
  Holding held_;
};

/// Numbers keys in the order in which they come. Errors of all: resource_limit, cancelled.
class Groups {
 public:
  Groups(std::size_t columns, Budget& budget);

  [[nodiscard]] std::size_t size() const noexcept {
    return is_boxed_ ? order_.size() : words_.size();
  }
  /// The number of a key: size() for a new one.
  [[nodiscard]] Result<std::uint32_t> number(const RowKey& key);
  /// The numbers of the keys of all rows.
  [[nodiscard]] Status number_rows(std::span<const BatchColumn* const> columns, std::size_t rows,
                                   std::vector<std::uint32_t>& numbers);
  [[nodiscard]] RowKey key(std::size_t number) const;
  /// Whether keys are values, as of the last one.
  [[nodiscard]] bool is_boxed() const noexcept { return is_boxed_; }
  /// One column of `count` keys from `first` on. Precondition: they are no values.
  [[nodiscard]] BatchColumn column(std::size_t column, std::size_t first, std::size_t count) const;
  void clear();

 private:
  using Boxed = std::unordered_map<RowKey, std::uint32_t, RowHash, RowEquivalence>;

  [[nodiscard]] bool takes(std::span<const BatchColumn* const> columns);
  [[nodiscard]] Status number_words(std::span<const BatchColumn* const> columns, std::size_t rows,
                                    std::vector<std::uint32_t>& numbers);
  /// The same of one column without nulls.
  [[nodiscard]] Status number_words(const BatchColumn& column, std::size_t rows,
                                    std::vector<std::uint32_t>& numbers);
  [[nodiscard]] Status widen_known(std::span<const std::uint64_t> words);
  [[nodiscard]] Status box();

  Budget& budget_;
  std::size_t columns_;
  std::vector<BatchColumn::Packing> packings_;  // of the columns; empty before the first rows
  WordKeys words_;  // of each key a word for each column, and bits of those that are null
  std::vector<std::uint32_t>
      known_;  // of keys of one small word: the number + 1, by word; 0: ask words_
  Holding known_held_;
  bool is_boxed_ = false;
  Boxed boxed_;
  std::vector<const RowKey*> order_;
  Holding held_;  // of boxed_
};

}  // namespace cairn::query
