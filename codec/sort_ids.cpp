#include "codec/sort_ids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cairn::codec {
namespace {

// Below this the 256 counters of a pass cost more than comparisons.
constexpr std::size_t few_ids = 256;

// One stable pass of a radix sort, by the byte that begins at bit `shift`.
void distribute(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to, int shift) {
  std::array<std::size_t, 257> begin{};
  for (std::uint64_t id : from) ++begin[(id >> shift & 0xff) + 1];
  for (std::size_t byte = 1; byte < begin.size(); ++byte) begin[byte] += begin[byte - 1];
  for (std::uint64_t id : from) to[begin[id >> shift & 0xff]++] = id;
}

void radix_sort(std::vector<std::uint64_t>& ids) {
  std::uint64_t differing = 0;
  for (std::uint64_t id : ids) differing |= id ^ ids.front();
  std::vector<std::uint64_t> other(ids.size());
  for (int shift = 0; shift < 64; shift += 8) {
    if ((differing >> shift & 0xff) == 0)
      continue;  // the same in all: ids are dense, most bytes are
    distribute(ids, other, shift);
    ids.swap(other);
  }
}

}  // namespace

void sort_ids(std::vector<std::uint64_t>& ids) {
  if (ids.size() < few_ids)
    std::ranges::sort(ids);
  else if (!std::ranges::is_sorted(ids))
    radix_sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace cairn::codec
