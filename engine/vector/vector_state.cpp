// A state puts segment, delta and tombstones of one version together; searches are BatchSearcher's.
// Here is what concerns a whole batch: checking, and depth. Where hits are cut by a score or
// distance nobody knows how many there will be, so searches go deeper by fours until one brings
// fewer than it looked for.
#include "engine/vector/vector_state.hpp"

#include "engine/vector/batch_searcher.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cairn::engine {
namespace {

// Where hits are cut, so many are looked for first, and four times as many while none were cut: the
// last costs as much as it must, those before it a third of that.
constexpr std::size_t first_depth = 128, times_deeper = 4;

bool is_cut(const VectorSearch& search) { return search.min_score || search.within; }

}  // namespace

IndexSnapshot::IndexSnapshot(Parts parts)
    : parts_(std::move(parts)),
      live_ids_{&parts_.segment->slots(), parts_.tombstones.get(), parts_.version, parts_.hidden} {}

std::uint64_t IndexSnapshot::size() const noexcept {
  return live_ids_.count() + parts_.delta.live();
}

codec::Bitmap IndexSnapshot::entities() const {
  const InternalIds& slots = parts_.segment->slots();
  std::vector<std::uint64_t> sealed, changed;
  sealed.reserve(slots.live());
  slots.for_each([&](std::uint32_t slot) {
    if (!live_ids_.is_hidden(slot)) sealed.push_back(slots.entity(slot));
  });
  parts_.delta.for_each([&](std::uint64_t entity, const float*) { changed.push_back(entity); });
  return codec::unite(codec::Bitmap::from_sorted(sealed),
                      codec::Bitmap::from_unsorted(std::move(changed)));
}

VectorMemory IndexSnapshot::memory() const noexcept {
  VectorMemory memory = parts_.segment->memory();
  memory.delta = parts_.delta.memory_bytes();
  if (parts_.tombstones) memory.delta += parts_.tombstones->memory_bytes();
  return memory;
}

std::optional<std::vector<float>> IndexSnapshot::find(std::uint64_t entity) const {
  const float* row = parts_.delta.find(entity);
  if (row == nullptr) {
    const auto slot = parts_.segment->slots().find(entity);
    if (!slot || live_ids_.is_hidden(*slot)) return std::nullopt;
    row = parts_.segment->row(*slot);
  }
  return std::vector<float>(row, row + parts_.measure.dimension);
}

Result<Neighbors> VectorState::search(const VectorSearch& search) const {
  CAIRN_ASSIGN(auto found, search_all(std::span(&search, 1)));
  return std::move(found.front());
}

// A search that has as many hits as it asked for, all of them near enough, may have more of them.
Result<std::vector<Neighbors>> IndexSnapshot::search_all(
    std::span<const VectorSearch> searches) const {
  const DistanceMetric& measure = parts_.measure;
  std::vector<VectorSearch> asked;
  std::vector<std::size_t> open;
  for (const VectorSearch& search : searches) {
    CAIRN_TRY(check_vector(search.query, measure.dimension, measure.metric, "the query vector"));
    assert(search.allowed == searches.front().allowed);
    open.push_back(asked.size());
    asked.push_back(search);
    if (is_cut(search) && !search.exact) asked.back().k = std::min(search.k, first_depth);
  }
  std::vector<Neighbors> found(searches.size());
  while (!open.empty()) {
    run(asked, open, found);
    std::erase_if(open, [&](std::size_t at) {
      const std::size_t k = asked[at].k;
      // Fewer than looked for: the cut has left some out, so all that lie within it are found.
      if (found[at].hits.size() < k || k >= searches[at].k) return true;
      asked[at].k = std::min(k * times_deeper, searches[at].k);
      return false;
    });
  }
  return found;
}

void IndexSnapshot::run(std::span<const VectorSearch> all, std::span<const std::size_t> which,
                        std::vector<Neighbors>& found) const {
  BatchSearcher search(parts_, live_ids_, all.front().allowed);
  for (const std::size_t at : which) search.add(all[at]);
  std::vector<Neighbors> some = search.run();
  for (std::size_t i = 0; i < which.size(); ++i) found[which[i]] = std::move(some[i]);
}

}  // namespace cairn::engine
