// A state combines segment, delta and tombstones of one version. The first part of this file checks
// a batch of searches and controls their depth: if a score or distance cuts hits, the number of
// hits within the cut is unknown. So a search asks for 128 hits, then for four times as many, until
// some are beyond the cut. The second part is BatchSearcher.
#include "engine/vector/vector_state.hpp"

#include "engine/vector/coded_scan.hpp"
#include "engine/vector/exact_scan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn::engine {
namespace {

// Depth of the first search if hits are cut, and the factor to the next one. Together, all searches
// but the last cost about a third of the last.
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

// A search that finds all the hits it asked for, all within the cut, may miss others and is
// repeated with a greater k.
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
      // Fewer hits were found than requested: the cut excluded some, so all hits within the cut are
      // found.
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

// Steps of BatchSearcher::run():
//
// batch        scan the delta for all queries at once; convert the filter into ranks
// each query   plan; search the graph, read partitions or scan codes; compare the best in full
// batch        compare all vectors for queries without a better strategy; resolve ties in float32
// each query   score in double precision, cut, sort
//
// Delta and segment are offered to the same heap of k + 8 candidates. An entity is live in only one
// of them, so it is offered once. The result of a query does not depend on the other queries of its
// batch.

namespace {

// Candidates are chosen by float32 distances and hits by float64. The spare candidates are those
// that rounding may have put into the wrong order.
constexpr std::size_t spare_candidates = 8;

VectorExecutor executor_of(const SearchPlan& plan) {
  switch (plan.strategy) {
    case SearchStrategy::exact:
      break;
    case SearchStrategy::flat:
      return VectorExecutor::flat;
    case SearchStrategy::partitions:
      return VectorExecutor::partitions;
    case SearchStrategy::graph:
      return plan.graph_searcher == GraphSearcher::hnswlib ? VectorExecutor::graph_by_hnswlib
                                                           : VectorExecutor::graph;
  }
  return VectorExecutor::exact;
}

constexpr double anywhere = std::numeric_limits<double>::infinity();

/// The greatest distance of a hit, by both cuts.
double reach_of(const VectorSearch& search, codec::Metric metric) {
  const double by_score =
      search.min_score ? distance_of_score(metric, *search.min_score) : anywhere;
  return std::min(by_score, search.within.value_or(anywhere));
}

}  // namespace

BatchSearcher::Running::Running(const VectorSearch& search, const DistanceMetric& measure,
                                std::size_t size)
    : asked(search),
      query(measure.dimension),
      k(std::min(search.k, size)),
      top(k + spare_candidates, farthest_float(measure, reach_of(search, measure.metric))) {
  store_components(search.query, measure.metric, query);
}

BatchSearcher::BatchSearcher(const IndexSnapshot::Parts& parts, const LiveIds& live,
                             const codec::Bitmap* allowed)
    : parts_(parts), segment_(*parts.segment), live_(live), allowed_(allowed) {}

void BatchSearcher::add(const VectorSearch& search) {
  running_.emplace_back(search, parts_.measure, live_.count() + parts_.delta.live());
}

std::vector<Neighbors> BatchSearcher::run() {
  const auto seeks = [](const Running& one) { return one.k > 0; };
  if (std::ranges::any_of(running_, seeks)) {
    scan_delta(probes(std::nullopt));
    selection_.emplace(segment_.slots(), allowed_);
    for (Running& one : running_)
      if (seeks(one)) walk_or_read(one);
    scan_exactly({parts_.measure, segment_, *selection_, live_}, probes(SearchStrategy::exact));
    settle_exactly();
  }
  std::vector<Neighbors> found;
  for (Running& one : running_) found.push_back(one.found ? *std::move(one.found) : finish(one));
  return found;
}

std::vector<RowProbe> BatchSearcher::probes(std::optional<SearchStrategy> strategy) {
  std::vector<RowProbe> some;
  for (Running& one : running_)
    if (one.k > 0 && (!strategy || one.plan.strategy == *strategy))
      some.push_back({one.query.data(), &one.top, one.plan.is_bounded});
  return some;
}

// A small filter is looked up in the delta id by id; otherwise each vector of the delta is tested.
void BatchSearcher::scan_delta(std::span<const RowProbe> probes) const {
  const DeltaView& delta = parts_.delta;
  RowScanner scanner(parts_.measure, probes);
  if (allowed_ == nullptr) {
    delta.for_each([&](std::uint64_t entity, const float* row) { scanner.add(entity, row); });
  } else if (allowed_->cardinality() < delta.positions()) {
    allowed_->for_each([&](std::uint64_t entity) {
      if (const float* row = delta.find(entity)) scanner.add(entity, row);
    });
  } else {
    delta.for_each([&](std::uint64_t entity, const float* row) {
      if (allowed_->contains(entity)) scanner.add(entity, row);
    });
  }
}

// Plans one search.
void BatchSearcher::choose_way(Running& one) const {
  const VectorSearch& search = one.asked;
  // Without tables the costs are unknown, and only a full comparison is sure to find the nearest.
  // The default plan is exact.
  if (search.exact || (!segment_.is_finished() && !search.strategy)) {
    one.plan.is_bounded = pays_to_bound(selection_->count(), one.top.capacity(), is_cut(search));
    return;
  }
  one.is_coded = segment_.codes().count() > 0;
  const bool is_list = selection_->form() == OrdinalSelection::Form::list;
  // A filter that is a list is scanned, not searched by partitions.
  const bool has_partitions = one.is_coded && !segment_.partitions().empty() && !is_list;
  SearchShape shape{segment_.slots().slots(),
                    selection_->count(),
                    one.top.capacity(),
                    search.ef_search,
                    parts_.m,
                    search.recall,
                    one.is_coded,
                    has_partitions,
                    is_list,
                    search.strategy,
                    std::nullopt,
                    one.k};
  one.plan = plan_search(shape, segment_.cost_model());
  // The query is prepared only if the plan needs it, because that costs as much as some
  // comparisons.
  if (one.is_coded && one.plan.strategy != SearchStrategy::exact && !coded(one).tells) {
    one.is_coded = shape.has_codes = shape.has_partitions = false;
    one.plan = plan_search(shape, segment_.cost_model());
  }
  if (is_worth_a_look(shape, one.plan)) {
    one.probe_plan = segment_.partitions().plan_probes(one.query);
    shape.near_share = segment_.partitions().share_near(*one.probe_plan, *selection_);
    one.plan = plan_search(shape, segment_.cost_model());
  }
}

const CodedQuery& BatchSearcher::coded(Running& one) const {
  if (!one.coded) one.coded = segment_.codes().prepare(one.query);
  return *one.coded;
}

// Runs one search by its plan. A graph search or a search of partitions that fails (too few hits,
// too slow, or out-of-distribution hits) has offered nothing, and a scan follows.
void BatchSearcher::walk_or_read(Running& one) const {
  choose_way(one);
  if (one.plan.strategy == SearchStrategy::graph && !walk_graph(one))
    one.plan.strategy = one.is_coded ? SearchStrategy::flat : SearchStrategy::exact;
  if (one.plan.strategy == SearchStrategy::partitions && !read_partitions(one))
    one.plan.strategy = SearchStrategy::flat;
  if (one.plan.strategy == SearchStrategy::flat) scan_flat(one);
  if (one.plan.strategy != SearchStrategy::exact) one.found = finish(one);
}

// Returns false, having offered nothing, if the search found too few hits, exceeded its budget, or
// found hits that are out of distribution.
bool BatchSearcher::walk_graph(Running& one) const {
  const InternalIdSelection selection(live_, allowed_);
  // A graph search would meet hardly any of so few slots; the following scan reads only these.
  if (selection.is_sparse()) return false;
  const std::size_t wanted = std::min(one.top.capacity(), selection.count());
  const auto found = segment_.search({one.query.data(), one.plan.ef, one.top.capacity(), &selection,
                                      one.plan.budget, one.plan.graph_searcher});
  if (!found || found->size() < wanted) return false;
  if (!one.asked.strategy && is_out_of_distribution(*found, one)) return false;
  offer(*found, one);
  return true;
}

// A lower bound for scores of hits, in units of IvfIndex::ProbePlan: apart from rounding, vectors
// below it fail the cuts.
float BatchSearcher::least_product(const Running& one) const {
  const codec::Metric metric = parts_.measure.metric;
  const double reach = reach_of(one.asked, metric);
  if (reach >= anywhere) return -std::numeric_limits<float>::infinity();
  if (metric == codec::Metric::cosine) return static_cast<float>(1 - reach);
  if (metric == codec::Metric::dot_product) return static_cast<float>(-reach);
  const double length = Scorer(one.query, metric).query_squared();
  return static_cast<float>((length - reach * reach) / 2);
}

// Returns false, having offered nothing, if the hits are out of distribution.
bool BatchSearcher::read_partitions(Running& one) const {
  if (!one.probe_plan) one.probe_plan = segment_.partitions().plan_probes(one.query);
  const auto hits = refine(one, [&](const CodedQuery& coded, QuantizedTopK& best) {
    segment_.partitions().search(
        one.query, {segment_.codes(), coded, *selection_, live_, one.plan.sign_reach},
        segment_.cost_model().effort_of(one.plan.reach, least_product(one)), *one.probe_plan, best);
  });
  if (!one.asked.strategy && is_out_of_distribution(hits, one)) return false;
  offer(hits, one);
  return true;
}

// The error bound of the 1-bit codes does not hold for an out-of-distribution query: then the 4-bit
// codes decide.
void BatchSearcher::scan_flat(Running& one) const {
  constexpr float any_error = 1e6F;
  const auto hits_within = [&](float sign_reach) {
    return refine(one, [&](const CodedQuery& coded, QuantizedTopK& best) {
      scan_codes({segment_.codes(), coded, *selection_, live_, sign_reach, one.plan.is_streamed},
                 best);
    });
  };
  std::vector<SlotDistance> hits = hits_within(one.plan.sign_reach);
  if (is_out_of_distribution(hits, one)) hits = hits_within(any_error);
  offer(hits, one);
}

// Compares the best candidates of a scan in full. The errors of their codes decide which other
// candidates may be hits, and these are compared too. If some of them were dropped already, the
// scan is repeated with eight times as many candidates.
template <class Scan>
std::vector<SlotDistance> BatchSearcher::refine(Running& one, Scan&& scan) const {
  constexpr std::size_t times_more = 8;
  const CodedQuery& coded = this->coded(one);
  for (std::size_t depth = one.plan.rerank_depth;; depth *= times_more) {
    QuantizedTopK best(depth, one.k);
    scan(coded, best);
    const std::vector<QuantizedTopK::Item> first = best.best(one.plan.sample);
    std::vector<SlotDistance> hits = rescore_best(first, coded, one);
    const double bound =
        least_hit_score({parts_.measure, one.query, coded, segment_.slots(), first, hits}, one.k);
    if (const auto dropped = best.dropped(); dropped && *dropped > bound && depth < live_.count())
      continue;
    const std::vector<SlotDistance> more = compare(best.others_above(bound), one);
    hits.insert(hits.end(), more.begin(), more.end());
    return hits;
  }
}

// If full comparisons dominate the cost, only a sample of the best is compared first, and its
// errors exclude most of the others. With a prefilter this step is not needed, because the
// prefilter excludes them.
std::vector<SlotDistance> BatchSearcher::rescore_best(std::span<const QuantizedTopK::Item> items,
                                                      const CodedQuery& coded,
                                                      const Running& one) const {
  const std::size_t sample = one.plan.sample;
  if (sample == 0 || items.size() <= sample || segment_.is_prefiltered())
    return compare(items, one);
  std::vector<SlotDistance> hits = compare(items.first(sample), one);
  const double bound = least_hit_score_of_best(
      {parts_.measure, one.query, coded, segment_.slots(), items.first(sample), hits}, one.k);
  std::vector<QuantizedTopK::Item> others;
  for (const QuantizedTopK::Item& item : items.subspan(sample))
    if (item.score > bound) others.push_back(item);
  const std::vector<SlotDistance> more = compare(others, one);
  hits.insert(hits.end(), more.begin(), more.end());
  return hits;
}

// Compares candidates in full. With a prefilter, only vectors that may be hits are read.
std::vector<SlotDistance> BatchSearcher::compare(std::span<const QuantizedTopK::Item> items,
                                                 const Running& one) const {
  std::vector<std::uint32_t> slots;
  slots.reserve(items.size());
  for (const QuantizedTopK::Item& item : items) {
    slots.push_back(segment_.slots().slot_at(item.rank));
    segment_.slots().fetch(slots.back());
  }
  const BeamQuery query{.vector = one.query.data(), .wanted = one.top.capacity()};
  if (auto sifted = segment_.sift(query, slots)) return *std::move(sifted);
  std::vector<const float*> rows;
  rows.reserve(slots.size());
  for (const std::uint32_t slot : slots) rows.push_back(segment_.row(slot));
  std::vector<float> distances(slots.size());
  parts_.measure.kernels.rows(one.query.data(), rows.data(), rows.size(), parts_.measure.dimension,
                              distances.data());
  std::vector<SlotDistance> hits;
  hits.reserve(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) hits.push_back({slots[i], distances[i]});
  return hits;
}

// True if the hits are farther than those of all stored vectors that were tried. The measured
// errors and efforts do not hold for such a query: graph, partitions and 1-bit codes may find few
// of its neighbours.
bool BatchSearcher::is_out_of_distribution(std::span<const SlotDistance> hits, Running& one) const {
  const std::size_t k = std::min(one.k, CostModel::calibrated_hits);
  if (!one.is_coded || hits.size() < k) return false;
  const double share = static_cast<double>(selection_->count()) /
                       static_cast<double>(std::max<std::size_t>(selection_->ranks(), 1));
  const float last = std::min(nth_distance(hits, k), one.top.worst());
  if (farness(parts_.measure, one.query, last) <= segment_.cost_model().farthest_hit(share))
    return false;
  // Hits may also be far because the filter excludes what is near. Then the query is an ordinary
  // one.
  if (allowed_ == nullptr || segment_.partitions().empty()) return true;
  // Sampling would cost more than a scan of so few codes, and distant filters are more common than
  // unusual queries. After a graph search or partitions the sample is always taken, because they
  // find little with a distant filter.
  // A filter that excludes less than this cannot exclude everything near the query.
  constexpr double nearly_all = 0.95;
  const bool is_scanned = one.plan.strategy == SearchStrategy::flat;
  if (!one.probe_plan && is_scanned && !costs_several_looks(one.plan)) return share >= nearly_all;
  if (!one.probe_plan) one.probe_plan = segment_.partitions().plan_probes(one.query);
  return !lies_far(segment_.partitions().share_near(*one.probe_plan, *selection_), share);
}

// Offers hits to the heap. If there are more hits than the heap has room for, the entities of the
// farther hits are not looked up.
void BatchSearcher::offer(std::span<const SlotDistance> hits, Running& one) const {
  float farthest = one.top.worst();
  if (hits.size() > one.top.capacity())
    farthest = std::min(farthest, nth_distance(hits, one.top.capacity()));
  for (const SlotDistance& hit : hits)
    if (hit.distance <= farthest)
      one.top.offer({hit.distance, segment_.slots().entity(hit.slot), segment_.row(hit.slot)});
}

// If float32 cannot separate more candidates than the heap holds, all of them are collected to be
// scored in float64.
void BatchSearcher::settle_exactly() {
  std::vector<RowProbe> unsure;
  for (Running& one : running_) {
    const bool is_full = one.k > 0 && one.top.all().size() == one.top.capacity();
    if (one.plan.strategy != SearchStrategy::exact || !is_full) continue;
    const double reach = reach_of(one.asked, parts_.measure.metric);
    const auto farthest_of = [&](double last) {
      return farthest_float(parts_.measure, std::min(last, reach));
    };
    if (farthest_of(bound_of_last(one)) < one.top.worst()) continue;
    const float farthest = farthest_of(distance_of_last(one));
    if (farthest < one.top.worst() || std::isinf(farthest)) continue;
    one.top = TopKHeap(std::numeric_limits<std::size_t>::max(), farthest);
    unsure.push_back({one.query.data(), &one.top, one.plan.is_bounded});
  }
  if (unsure.empty()) return;
  scan_delta(unsure);
  scan_exactly({parts_.measure, segment_, *selection_, live_}, unsure);
}

/// An upper bound for the distance of the k-th candidate by float32 alone, which nearly always
/// suffices.
double BatchSearcher::bound_of_last(const Running& one) const {
  std::vector<float> distances;
  distances.reserve(one.top.all().size());
  for (const Candidate& candidate : one.top.all()) distances.push_back(candidate.distance);
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(one.k - 1);
  std::ranges::nth_element(distances, last);
  return farthest_distance(parts_.measure, *last);
}

/// The distance of the k-th candidate in float64, regardless of cuts.
double BatchSearcher::distance_of_last(const Running& one) const {
  const Scorer scorer(one.query, parts_.measure.metric);
  std::vector<double> distances;
  for (const Candidate& candidate : one.top.all())
    distances.push_back(scorer.compare(candidate.row).distance);
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(one.k - 1);
  std::ranges::nth_element(distances, last);
  return *last;
}

// Scores the candidates in float64, applies the cuts, and sorts.
Neighbors BatchSearcher::finish(const Running& one) const {
  Neighbors found{{}, executor_of(one.plan)};
  const VectorSearch& search = one.asked;
  const Scorer scorer(one.query, parts_.measure.metric);
  found.hits.reserve(one.top.all().size());
  for (const Candidate& candidate : one.top.all()) {
    const Similarity similarity = scorer.compare(candidate.row);
    const bool is_near = !search.within || similarity.distance <= *search.within;
    if (is_near && (!search.min_score || similarity.score >= *search.min_score))
      found.hits.push_back({candidate.entity, similarity.score});
  }
  std::ranges::sort(found.hits, [](const Neighbor& a, const Neighbor& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  found.hits.resize(std::min(found.hits.size(), one.k));
  return found;
}

}  // namespace cairn::engine
