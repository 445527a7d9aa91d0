// Chunks of several sets side by side:
//
//   set with the fewest chunks   3   5       9
//   others                       3 4 5 6   8 9      each is sought from where the last one was
//
// Of a chunk that all have, full containers and those that stand there twice are left out, and the rest
// goes to the containers' algebra in the order of size.
#include "codec/id_intersection.hpp"

#include "codec/container_intersection.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <vector>

namespace cairn::codec {
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

  /// Calls `visit(key, containers)` for each chunk that all have; the containers ascend by cardinality.
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

  // One stays, where all are full.
  void drop_needless() {
    std::ranges::sort(found_, {}, [](const Shared* one) { return (*one)->cardinality(); });
    const auto same = std::ranges::unique(
        found_, [](const Shared* a, const Shared* b) { return *a == *b || (*b)->full(); });
    found_.erase(same.begin(), same.end());
  }

  std::vector<Chunks> rests_;  // of each set what is not behind yet; the first is walked
  std::vector<const Shared*> found_;
};

/// The containers themselves, in `bare`.
Containers bare_of(std::span<const Shared* const> shared, std::vector<const Container*>& bare) {
  bare.clear();
  for (const Shared* one : shared) bare.push_back(one->get());
  return bare;
}

}  // namespace

// A single container that is left is shared and not copied.
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

}  // namespace cairn::codec
