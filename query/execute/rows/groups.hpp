#pragma once
// WordKeys: keys of a fixed number of words, numbered in the order of their first occurrence.
// Groups: the distinct keys of rows. Keys are compared as words as long as all batches are packed
// in the same way. Otherwise they are compared as values by equivalence.

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

/// A hash table with open addressing. All memory is charged before it is allocated.
class WordKeys {
 public:
  /// Largest number of keys.
  static constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max() - 1;

  /// `words` is the number of words per key, at least 1.
  WordKeys(std::size_t words, Budget& budget) : words_(words), held_(budget) {}

  /// Makes room for `more` keys.
  /// Errors: resource_limit, cancelled.
  [[nodiscard]] Status reserve(std::size_t more);
  /// Returns the number of a key. A new key is added and gets the number size().
  /// Precondition: there is room for the key.
  [[nodiscard]] std::uint32_t number(std::span<const std::uint64_t> key);
  /// Adds a key that the caller knows to be new, without a search. Returns its number.
  /// Precondition: there is room for the key.
  std::uint32_t append(std::span<const std::uint64_t> key);
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const std::uint64_t> key(std::size_t number) const noexcept {
    return std::span(keys_).subspan(number * words_, words_);
  }
  void clear() noexcept;

 private:
  [[nodiscard]] std::size_t place_of(std::span<const std::uint64_t> key) const noexcept;
  [[nodiscard]] bool is_at(std::size_t number, std::span<const std::uint64_t> key) const noexcept;

  std::size_t words_;
  std::vector<std::uint64_t> keys_;   // all keys, one after the other
  std::vector<std::uint32_t> table_;  // number of a key + 1, or 0 if empty; at most half full
  std::size_t size_ = 0;              // number of keys
  std::size_t placed_ = 0;            // number of keys in table_: the first ones
  Holding held_;
};

/// Numbers keys in the order of their first occurrence.
/// Errors of all functions: resource_limit, cancelled.
class Groups {
 public:
  Groups(std::size_t columns, Budget& budget);

  [[nodiscard]] std::size_t size() const noexcept {
    return is_boxed_ ? order_.size() : words_.size();
  }
  /// Returns the number of a key. A new key is added and gets the number size().
  [[nodiscard]] Result<std::uint32_t> number(const RowKey& key);
  /// Determines the numbers of the keys in all rows.
  [[nodiscard]] Status number_rows(std::span<const BatchColumn* const> columns, std::size_t rows,
                                   std::vector<std::uint32_t>& numbers);
  [[nodiscard]] RowKey key(std::size_t number) const;
  /// True if keys are now stored as values.
  [[nodiscard]] bool is_boxed() const noexcept { return is_boxed_; }
  /// Returns one column of `count` keys from `first` on.
  /// Precondition: !is_boxed().
  [[nodiscard]] BatchColumn column(std::size_t column, std::size_t first, std::size_t count) const;
  void clear();

 private:
  using Boxed = std::unordered_map<RowKey, std::uint32_t, RowHash, RowEquivalence>;

  /// True if the keys of these columns can be compared as words.
  [[nodiscard]] bool takes(std::span<const BatchColumn* const> columns);
  [[nodiscard]] Status number_words(std::span<const BatchColumn* const> columns, std::size_t rows,
                                    std::vector<std::uint32_t>& numbers);
  /// Does the same for one column without nulls.
  [[nodiscard]] Status number_words(const BatchColumn& column, std::size_t rows,
                                    std::vector<std::uint32_t>& numbers);
  /// Grows known_ for these words, unless they are too large.
  [[nodiscard]] Status widen_known(std::span<const std::uint64_t> words);
  /// Converts the keys to values.
  [[nodiscard]] Status box();

  Budget& budget_;
  std::size_t columns_;
  // Encoding of each column; empty before the first rows.
  std::vector<BatchColumn::Packing> packings_;
  WordKeys words_;  // for each key, a word per column, and a word with a bit per null
  // For keys of one column: by word, the number of the key + 1, or 0 if there is no such key. Larger
  // words are looked up in words_.
  std::vector<std::uint32_t> known_;
  Holding known_held_;
  bool is_boxed_ = false;
  Boxed boxed_;
  std::vector<const RowKey*> order_;
  Holding held_;  // for boxed_
};

}  // namespace cairn::query
