// Optimal string alignment over code points, with three rows of the matrix. An automaton over the
// sorted terms would skip many comparisons, but fuzzy words are too rare for that much code.
#include "engine/fulltext/edit_distance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace cairn::engine {

std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // Code points are not decoded but only mapped to distinct numbers, which suffices for
    // comparisons. The prefix bits of the lead byte stay in the number. If a damaged run of bytes
    // overflows, the result is just another number.
    if ((byte & 0xc0) == 0x80 && !points.empty())
      points.back() = points.back() << 6 | (byte & 0x3f);
    else
      points.push_back(byte);
  }
  return points;
}

std::uint32_t edits_between(const std::u32string& a, const std::u32string& b, std::uint32_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  const std::size_t size = b.size() + 1;
  std::vector<std::uint32_t> before(size), above(size), row(size);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, row[j - 1] + 1, above[j] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace cairn::engine
