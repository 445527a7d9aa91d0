// Least significant digit first, a byte a pass, only the bytes in which the ids differ: ids of one
// database agree in most of their upper bytes, so two to four passes sort them. Comparisons would
// cost log2(n) steps, 17 for 100,000 ids, each with a branch on the data. Not in place: a second
// vector of the same size is held while it runs.
#include "codec/sort_ids.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cairn::codec {
namespace {

// Below this the 256 counters of a pass cost more than comparisons.
constexpr std::size_t few_ids = 256;

// One stable pass of a radix sort, by the byte that begins at bit `shift`.
// Stable, which the passes after the first rest on. begin[b + 1] counts byte b, so after adding up
// begin[b] is where its ids start.
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
  // Scans over postings often come in order already: looking costs one pass and saves several.
  if (ids.size() < few_ids)
    std::ranges::sort(ids);
  else if (!std::ranges::is_sorted(ids))
    radix_sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace cairn::codec
