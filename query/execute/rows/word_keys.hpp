#pragma once
// WordKeys: keys of some words each, numbered in the order in which they came.

#include "query/execute/holding.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
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

}  // namespace cairn::query
