#include "engine/vector/vector_state.hpp"

#include "engine/vector/search_plan.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {
namespace {

// Floats decide who is a candidate and doubles who is a hit: the spare ones are those that rounding
// may have put in the wrong order.
constexpr std::size_t spare_candidates = 8;

std::vector<Neighbor> best_hits(const TopCandidates& top, const Scorer& scorer, std::size_t k) {
  std::vector<Neighbor> hits;
  hits.reserve(top.all().size());
  for (const Candidate& candidate : top.all())
    hits.push_back({candidate.entity, scorer.score(candidate.row)});
  std::ranges::sort(hits, [](const Neighbor& a, const Neighbor& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  hits.resize(std::min(hits.size(), k));
  return hits;
}

}  // namespace

SegmentedState::SegmentedState(Parts parts)
    : parts_(std::move(parts)),
      live_slots_{&parts_.segment->slots(), parts_.tombstones.get(), parts_.version,
                  parts_.hidden} {}

std::uint64_t SegmentedState::size() const noexcept {
  return live_slots_.count() + parts_.delta.live();
}

std::size_t SegmentedState::memory_bytes() const noexcept {
  return parts_.segment->memory_bytes() + parts_.delta.memory_bytes() +
         (parts_.tombstones ? parts_.tombstones->memory_bytes() : 0);
}

std::optional<std::vector<float>> SegmentedState::find(std::uint64_t entity) const {
  const float* row = parts_.delta.find(entity);
  if (row == nullptr) {
    const auto slot = parts_.segment->slots().find(entity);
    if (!slot || live_slots_.is_hidden(*slot)) return std::nullopt;
    row = parts_.segment->row(*slot);
  }
  return std::vector<float>(row, row + parts_.measure.dimension);
}

Result<Neighbors> SegmentedState::search(const VectorSearch& search) const {
  const Measure& measure = parts_.measure;
  CAIRN_TRY(check_vector(search.query, measure.dimension, measure.metric, "the query vector"));
  std::vector<float> query(measure.dimension);
  store_components(search.query, measure.metric, query);

  const std::size_t k = std::min<std::size_t>(search.k, size());
  if (k == 0) return Neighbors{{}, "exact"};
  TopCandidates top(k + spare_candidates);
  scan_delta(query.data(), search.allowed, top);
  const SlotSelection selection(live_slots_, search.allowed);
  const bool walked = walk_segment(query.data(), search, selection, top);
  if (!walked) scan_segment(query.data(), selection, top);
  return Neighbors{best_hits(top, Scorer(query, measure.metric), k), walked ? "graph" : "exact"};
}

// Few allowed ids are looked up; many are asked for one by one.
void SegmentedState::scan_delta(const float* query, const codec::IdSet* allowed,
                                TopCandidates& top) const {
  const DeltaView& delta = parts_.delta;
  RowScanner scanner(parts_.measure, query, top);
  if (allowed == nullptr) {
    delta.for_each([&](std::uint64_t entity, const float* row) { scanner.add(entity, row); });
  } else if (allowed->cardinality() < delta.positions()) {
    allowed->for_each([&](std::uint64_t entity) {
      if (const float* row = delta.find(entity)) scanner.add(entity, row);
    });
  } else {
    delta.for_each([&](std::uint64_t entity, const float* row) {
      if (allowed->contains(entity)) scanner.add(entity, row);
    });
  }
}

void SegmentedState::scan_segment(const float* query, const SlotSelection& selection,
                                  TopCandidates& top) const {
  const Segment& segment = *parts_.segment;
  RowScanner scanner(parts_.measure, query, top);
  selection.for_each(
      [&](std::uint32_t slot) { scanner.add(segment.slots().entity(slot), segment.row(slot)); });
}

// False, and nothing offered, where the scan is cheaper, or the walk found too few or took too long.
bool SegmentedState::walk_segment(const float* query, const VectorSearch& search,
                                  const SlotSelection& selection, TopCandidates& top) const {
  const Segment& segment = *parts_.segment;
  if (search.exact || selection.is_sparse()) return false;
  const std::size_t wanted = std::min(top.capacity(), selection.count());
  const auto walk =
      plan_walk({selection.slots(), selection.count(), wanted, search.ef_search, parts_.m});
  if (!walk) return false;
  const auto found = segment.search(query, walk->ef, selection, walk->budget);
  if (!found || found->size() < wanted) return false;
  for (const SlotDistance& hit : *found)
    top.offer({hit.distance, segment.slots().entity(hit.slot), segment.row(hit.slot)});
  return true;
}

}  // namespace cairn::engine
