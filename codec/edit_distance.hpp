#pragma once
// The edit distance of two texts: of words, of names, in bytes or in code points.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace cairn::codec {

/// Returns the least number of edits that make one text the other. An edit inserts, removes or replaces a letter, or
/// exchanges it with the next one. No letter is changed twice. `same(a, b)` compares two letters. Source: optimal string
/// alignment (Boytsov 2011), with three rows of the matrix. Cost: the product of the lengths.
template <class Text, class Same = std::equal_to<>>
[[nodiscard]] std::uint32_t edits_between(const Text& a, const Text& b, const Same& same = {}) {
  const std::size_t size = b.size() + 1;
  std::vector<std::uint32_t> before(size), above(size), row(size);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t replaced = above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, row[j - 1] + 1, above[j] + 1});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace cairn::codec
