#include "engine/vector/vector_state.hpp"

#include "engine/vector/coded_scan.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::engine {
namespace {

// Floats decide who is a candidate and doubles who is a hit: the spare ones are those that rounding
// may have put in the wrong order.
constexpr std::size_t spare_candidates = 8;

constexpr std::array<const char*, 4> way_names = {"exact", "flat", "partitions", "graph"};

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
  const SearchWay way = search_segment(query, search, top);
  return Neighbors{best_hits(top, Scorer(query, measure.metric), k),
                   way_names[static_cast<std::size_t>(way)]};
}

// A walk that finds too few or takes too long has offered nothing, and a scan follows.
SearchWay SegmentedState::search_segment(std::span<const float> query, const VectorSearch& search,
                                         TopCandidates& top) const {
  const Segment& segment = *parts_.segment;
  const RankSelection selection(segment.slots(), search.allowed);
  const bool has_codes = segment.codes().count() > 0;
  // A list is not looked up: it is scanned.
  const bool has_partitions =
      !segment.partitions().empty() && selection.form() != RankSelection::Form::list;
  SearchPlan plan;
  std::optional<PartitionTable::Outlook> outlook;
  // One that is not finished has no prices: only comparing all is sure to find the nearest.
  if (!search.exact && (segment.is_finished() || search.way)) {
    SearchShape shape{
        segment.slots().slots(), selection.count(), top.capacity(), search.ef_search, parts_.m,
        search.recall,           has_codes,         has_partitions, search.way};
    plan = plan_search(shape, segment.calibration());
    if (is_worth_a_look(shape, plan)) {
      outlook = segment.partitions().look_out(query, selection);
      shape.near_share = segment.partitions().share_near(*outlook, selection);
      plan = plan_search(shape, segment.calibration());
    }
    if (plan.way == SearchWay::partitions && !outlook)
      outlook = segment.partitions().look_out(query, selection);
  }
  if (plan.way == SearchWay::graph) {
    if (walk_graph(query.data(), search, plan, top)) return SearchWay::graph;
    plan.way = has_codes ? SearchWay::flat : SearchWay::exact;
  }
  if (plan.way != SearchWay::exact) {
    scan_codes_of(query, selection, plan, std::min(search.k, top.capacity()), std::move(outlook),
                  top);
  } else {
    scan_exactly(query.data(), selection, top);
  }
  return plan.way;
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

void SegmentedState::scan_exactly(const float* query, const RankSelection& selection,
                                  TopCandidates& top) const {
  const Segment& segment = *parts_.segment;
  RowScanner scanner(parts_.measure, query, top);
  selection.for_each_block([&](std::span<const std::uint32_t> ranks) {
    for (const std::uint32_t rank : ranks) {
      const std::uint32_t slot = segment.slots().slot_at(rank);
      if (!live_slots_.is_hidden(slot))
        scanner.add(segment.slots().entity(slot), segment.row(slot));
    }
  });
}

void SegmentedState::scan_codes_of(std::span<const float> query, const RankSelection& selection,
                                   const SearchPlan& plan, std::size_t wanted,
                                   std::optional<PartitionTable::Outlook> outlook,
                                   TopCandidates& top) const {
  const Segment& segment = *parts_.segment;
  const CodedQuery coded = segment.codes().prepare(query);
  const CodedScan scan{segment.codes(), coded, selection, live_slots_, plan.is_streamed};
  CodedTop best(plan.kept);
  if (plan.way == SearchWay::partitions) {
    const double missed = plan.missed * static_cast<double>(wanted) / 10;
    segment.partitions().search(query, scan, {wanted, missed}, *std::move(outlook), best);
  } else {
    scan_codes(scan, wanted, best);
  }
  RowScanner scanner(parts_.measure, query.data(), top);
  for (const CodedTop::Item& item : best.best()) {
    const std::uint32_t slot = segment.slots().slot_at(item.rank);
    scanner.add(segment.slots().entity(slot), segment.row(slot));
  }
}

// False, and nothing offered, where the walk found too few or took too long.
bool SegmentedState::walk_graph(const float* query, const VectorSearch& search,
                                const SearchPlan& plan, TopCandidates& top) const {
  const Segment& segment = *parts_.segment;
  const SlotSelection selection(live_slots_, search.allowed);
  if (selection.is_sparse()) return false;
  const std::size_t wanted = std::min(top.capacity(), selection.count());
  const auto found = segment.search(query, plan.ef, selection, plan.budget);
  if (!found || found->size() < wanted) return false;
  for (const SlotDistance& hit : *found)
    top.offer({hit.distance, segment.slots().entity(hit.slot), segment.row(hit.slot)});
  return true;
}

}  // namespace cairn::engine
