// Three algorithms on ascending ids: seeking in one set, intersecting several sets chunk by chunk,
// and a radix sort.
#include "codec/sorted_ids.hpp"

#include "codec/container.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <vector>

namespace cairn::codec {

SpreadArrays::Chunk& SpreadArrays::chunk(std::uint64_t key,
                                         const std::shared_ptr<const Container>& array) {
  Chunk& one = chunks_[key];
  if (one.array == array) return one;
  if (!one.words.empty()) --spread_;
  one = {array, 0, {}};
  return one;
}

void SpreadArrays::spread(Chunk& chunk) {
  if (spread_ == most) return;
  chunk.words.resize(Container::bitmap_words);
  for (const std::uint16_t value : chunk.array->array())
    chunk.words[value / 64] |= std::uint64_t{1} << (value % 64);
  ++spread_;
}

// A seeker finds the chunk by binary search, then searches within it: by galloping in an array or
// runs, or for the next set bit. It never goes back.

namespace {

/// Returns the first place from `begin` on whose item is not below. All items before it are below.
template <class Items, class IsBelow>
std::size_t gallop(const Items& items, std::size_t begin, const IsBelow& is_below) {
  std::size_t step = 1;
  while (begin + step <= items.size() && is_below(items[begin + step - 1])) {
    begin += step;
    step *= 2;
  }
  const auto first = items.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last =
      items.begin() + static_cast<std::ptrdiff_t>(std::min(begin + step - 1, items.size()));
  return static_cast<std::size_t>(std::partition_point(first, last, is_below) - items.begin());
}

}  // namespace

std::uint32_t IdSeeker::find_low(std::uint32_t low) {
  const Container& container = *chunks_[chunk_].container;
  if (container.form() == Container::Form::bitmap) return find_set(container.words().data(), low);
  if (container.form() == Container::Form::array) {
    const auto values = container.array();
    place_ = gallop(values, place_, [&](std::uint16_t value) { return value < low; });
    return place_ < values.size() ? values[place_] : Container::capacity;
  }
  const auto runs = container.runs();
  place_ = gallop(runs, place_, [&](Container::Run run) { return run.last < low; });
  if (place_ == runs.size()) return Container::capacity;
  return std::max<std::uint32_t>(low, runs[place_].first);
}

void IdSeeker::find(std::uint64_t id) {
  has_begun_ = true;
  const std::uint64_t key = id >> 16;
  auto low = static_cast<std::uint32_t>(id & 0xffff);
  if (chunk_ < chunks_.size() && chunks_[chunk_].key < key) {
    chunk_ = gallop(chunks_, chunk_, [&](const Bitmap::Chunk& chunk) { return chunk.key < key; });
    place_ = 0;
  }
  for (; chunk_ < chunks_.size(); ++chunk_, place_ = 0) {
    if (chunks_[chunk_].key > key) low = 0;
    const std::uint32_t value = find_low(low);
    if (value == Container::capacity) continue;
    found_ = chunks_[chunk_].key << 16 | value;
    return;
  }
  found_ = end;
}

// Intersection of several sets by their chunks:
//
//   set with the fewest chunks   3   5       9
//   others                       3 4 5 6   8 9      each is searched from its previous match
//
// For a chunk that all sets have, full and repeated containers are dropped. The others are
// intersected in the order of their cardinalities.

namespace {

using Shared = std::shared_ptr<const Container>;

class CommonChunks {
 public:
  explicit CommonChunks(std::span<const Bitmap> sets) {
    assert(!sets.empty());
    for (const Bitmap& set : sets) rests_.push_back(set.chunks());
    std::ranges::swap(rests_.front(), *std::ranges::min_element(rests_, {}, &Chunks::size));
    found_.reserve(sets.size());
  }

  /// Calls `visit(key, containers)` for each chunk that all sets have; the containers ascend by
  /// cardinality.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (const Bitmap::Chunk& chunk : rests_.front())
      if (gather(chunk)) visit(chunk.key, std::span<const Shared* const>(found_));
  }

 private:
  using Chunks = std::span<const Bitmap::Chunk>;

  bool gather(const Bitmap::Chunk& chunk) {
    found_.clear();
    found_.push_back(&chunk.container);
    for (std::size_t i = 1; i < rests_.size(); ++i) {
      Chunks& rest = rests_[i];
      const auto at = std::ranges::lower_bound(rest, chunk.key, {}, &Bitmap::Chunk::key);
      rest = {at, rest.end()};
      if (rest.empty() || rest.front().key != chunk.key) return false;
      found_.push_back(&rest.front().container);
    }
    drop_needless();
    return true;
  }

  // Drops full containers and repeated ones. If all are full, one remains.
  void drop_needless() {
    std::ranges::sort(found_, {}, [](const Shared* one) { return (*one)->cardinality(); });
    const auto same = std::ranges::unique(
        found_, [](const Shared* a, const Shared* b) { return *a == *b || (*b)->full(); });
    found_.erase(same.begin(), same.end());
  }

  std::vector<Chunks> rests_;  // the remaining chunks of each set; the first one drives the loop
  std::vector<const Shared*> found_;
};

/// Returns the containers as plain pointers, stored in `bare`.
Containers bare_of(std::span<const Shared* const> shared, std::vector<const Container*>& bare) {
  bare.clear();
  for (const Shared* one : shared) bare.push_back(one->get());
  return bare;
}

}  // namespace

// If a single container remains, it is shared instead of copied.
Bitmap intersect_all(std::span<const Bitmap> sets) {
  if (sets.size() == 1) return sets.front();
  Bitmap result;
  std::vector<const Container*> bare;
  CommonChunks(sets).for_each([&](std::uint64_t key, std::span<const Shared* const> found) {
    result.append_chunk(key, found.size() == 1 ? *found.front()
                                               : std::make_shared<const Container>(
                                                     intersect_all(bare_of(found, bare))));
  });
  return result;
}

std::uint64_t intersection_cardinality(std::span<const Bitmap> sets) {
  if (sets.size() == 1) return sets.front().cardinality();
  std::uint64_t total = 0;
  std::vector<const Container*> bare;
  CommonChunks(sets).for_each([&](std::uint64_t, std::span<const Shared* const> found) {
    total += intersection_cardinality(bare_of(found, bare));
  });
  return total;
}

// Radix sort, least significant byte first, one byte per pass, and only for bytes in which the ids
// differ. Ids of one database agree in most of their upper bytes, so two to four passes suffice.
// Comparisons would take log2(n) steps, 17 for 100,000 ids, each with a branch on the data. The
// sort needs a second vector of the same size.

namespace {

// For fewer ids, the 256 counters of a pass cost more than comparisons.
constexpr std::size_t few_ids = 256;

// One pass of the radix sort, by the byte that begins at bit `shift`. It is stable, as the
// following passes require. begin[b + 1] counts byte b, so after adding up, begin[b] is the place
// of the first id with byte b.
void distribute(const std::vector<std::uint64_t>& from, std::vector<std::uint64_t>& to, int shift) {
  std::array<std::size_t, 257> begin{};
  for (std::uint64_t id : from) ++begin[(id >> shift & 0xff) + 1];
  for (std::size_t byte = 1; byte < begin.size(); ++byte) begin[byte] += begin[byte - 1];
  for (std::uint64_t id : from) to[begin[id >> shift & 0xff]++] = id;
}

// Least significant byte first. A byte in which all ids agree needs no pass, so that ids close
// together take few passes. Cost: 8 bytes an id besides the ids. Precondition: there is an id.
void radix_sort(std::vector<std::uint64_t>& ids) {
  std::uint64_t differing = 0;
  for (std::uint64_t id : ids) differing |= id ^ ids.front();
  std::vector<std::uint64_t> other(ids.size());
  for (int shift = 0; shift < 64; shift += 8) {
    if ((differing >> shift & 0xff) == 0) continue;  // all ids agree in this byte
    distribute(ids, other, shift);
    ids.swap(other);
  }
}

}  // namespace

void sort_ids(std::vector<std::uint64_t>& ids) {
  // Scans over postings often return ids in order already. The check costs one pass and saves
  // several.
  if (ids.size() < few_ids)
    std::ranges::sort(ids);
  else if (!std::ranges::is_sorted(ids))
    radix_sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace cairn::codec
