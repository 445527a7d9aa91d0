// An automaton over the sorted terms would skip many comparisons, but fuzzy words are too rare for
// that much code.
#include "engine/fulltext/edit_distance.hpp"

#include "codec/edit_distance.hpp"
#include "codec/utf8.hpp"

namespace cairn::engine {

std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // Code points are not decoded but only mapped to distinct numbers, which suffices for
    // comparisons. The prefix bits of the lead byte stay in the number. If a damaged run of bytes
    // overflows, the result is just another number.
    if (codec::is_utf8_continuation(c) && !points.empty())
      points.back() = points.back() << 6 | (byte & 0x3f);
    else
      points.push_back(byte);
  }
  return points;
}

std::uint32_t edits_between(const std::u32string& a, const std::u32string& b, std::uint32_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  return codec::edits_between(a, b);
}

}  // namespace cairn::engine
