// A state puts segment, delta and tombstones of one version together; searches are BatchSearcher's.
// Here is what concerns a whole batch: checking, and depth. Where hits are cut by a score or
// distance nobody knows how many there will be, so searches go deeper by fours until one brings
// fewer than it looked for.
#include "engine/vector/vector_state.hpp"

#include "engine/vector/coded_scan.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
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

// per batch    scan the delta (all queries at once) | make the allow-list into ranks, once
// per query    plan; walk, read partitions or scan codes; compare the best in full
// per batch    compare all, for those that go that way, at once | settle what rounding left unsure
// per query    score in double precision, cut, order
//
// Delta and segment offer to the same top of k + 8 candidates; an entity is live in one of them
// only, so none comes twice. A query's result does not depend on the others of its batch: they
// share what is read, nothing else.

namespace {

// Floats decide who is a candidate and doubles who is a hit: the spare ones are those that rounding
// may have put in the wrong order.
constexpr std::size_t spare_candidates = 8;

const char* name_of(const SearchPlan& plan) {
  constexpr std::array<const char*, 4> names = {"exact", "flat", "partitions", "graph"};
  if (plan.strategy == SearchStrategy::graph && plan.graph_searcher == GraphSearcher::hnswlib)
    return "graph by hnswlib";
  return names[static_cast<std::size_t>(plan.strategy)];
}

constexpr double anywhere = std::numeric_limits<double>::infinity();

/// How far a hit may lie, by both cuts.
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
    scan_exactly(probes(SearchStrategy::exact));
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
      some.push_back({one.query.data(), &one.top});
  return some;
}

// Few allowed ids are looked up; many are asked for one by one.
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

void BatchSearcher::choose_way(Running& one) const {
  const VectorSearch& search = one.asked;
  // One that is not finished has no prices: only comparing all is sure to find the nearest.
  // The plan's default is exact.
  if (search.exact || (!segment_.is_finished() && !search.strategy)) return;
  one.is_coded = segment_.codes().count() > 0;
  const bool is_list = selection_->form() == OrdinalSelection::Form::list;
  // A list is not looked up: it is scanned.
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
  // Only where it matters, as it costs what some comparisons cost.
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

// A walk that finds too few or takes too long has offered nothing, and a scan follows; so does one where
// what was found is so far that no cost_model has seen the like.
void BatchSearcher::walk_or_read(Running& one) const {
  choose_way(one);
  if (one.plan.strategy == SearchStrategy::graph && !walk_graph(one))
    one.plan.strategy = one.is_coded ? SearchStrategy::flat : SearchStrategy::exact;
  if (one.plan.strategy == SearchStrategy::partitions && !read_partitions(one))
    one.plan.strategy = SearchStrategy::flat;
  if (one.plan.strategy == SearchStrategy::flat) scan_flat(one);
  if (one.plan.strategy != SearchStrategy::exact) one.found = finish(one);
}

// False, and nothing offered, where the walk found too few, or too far, or took too long.
bool BatchSearcher::walk_graph(Running& one) const {
  const InternalIdSelection selection(live_, allowed_);
  // A walk would meet hardly any of so few; the scan that follows looks at them alone.
  if (selection.is_sparse()) return false;
  const std::size_t wanted = std::min(one.top.capacity(), selection.count());
  const auto found = segment_.search({one.query.data(), one.plan.ef, one.top.capacity(), &selection,
                                      one.plan.budget, one.plan.graph_searcher});
  if (!found || found->size() < wanted) return false;
  if (!one.asked.strategy && is_out_of_distribution(*found, one)) return false;
  offer(*found, one);
  return true;
}

// In the terms of IvfIndex::ProbePlan: nothing below can pass the cuts, but for rounding.
float BatchSearcher::least_product(const Running& one) const {
  const codec::Metric metric = parts_.measure.metric;
  const double reach = reach_of(one.asked, metric);
  if (reach >= anywhere) return -std::numeric_limits<float>::infinity();
  if (metric == codec::Metric::cosine) return static_cast<float>(1 - reach);
  if (metric == codec::Metric::dot_product) return static_cast<float>(-reach);
  const double length = Scorer(one.query, metric).query_squared();
  return static_cast<float>((length - reach * reach) / 2);
}

// False, and nothing offered, where what it found is too far.
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

// The error bound of the 1-bit codes does not hold for an out-of-distribution query: then 4-bit codes decide.
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

// The best by their codes are compared, and by how much codes have erred there tells which others may
// be among those wanted: these as well. Where some of them were let go, all is scanned again and more
// is held.
template <class Scan>
std::vector<SlotDistance> BatchSearcher::refine(Running& one, Scan&& scan) const {
  constexpr std::size_t times_more = 8;
  const CodedQuery& coded = this->coded(one);
  for (std::size_t kept = one.plan.kept;; kept *= times_more) {
    QuantizedTopK best(kept, one.k);
    scan(coded, best);
    const std::vector<QuantizedTopK::Item> first = best.best(one.plan.sample);
    std::vector<SlotDistance> hits = rescore_best(first, coded, one);
    const double bound =
        least_hit_score({parts_.measure, one.query, coded, segment_.slots(), first, hits}, one.k);
    if (const auto dropped = best.dropped(); dropped && *dropped > bound && kept < live_.count())
      continue;
    const std::vector<SlotDistance> more = compare(best.others_above(bound), one);
    hits.insert(hits.end(), more.begin(), more.end());
    return hits;
  }
}

// Where to compare is a good part of a search, the best of the items are compared first, and of the others
// those that may be hits by the errors seen there: most are not. Bytes and halves choose by themselves.
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

// Vectors that are not held in memory are compared last, and only those that may be hits.
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

// All but codes is calibrated by stored vectors: of a question whose hits lie farther than those of any
// of these, walks, partitions and 1-bit codes may find few.
bool BatchSearcher::is_out_of_distribution(std::span<const SlotDistance> hits, Running& one) const {
  const std::size_t k = std::min(one.k, CostModel::calibrated_hits);
  if (!one.is_coded || hits.size() < k) return false;
  const double share = static_cast<double>(selection_->count()) /
                       static_cast<double>(std::max<std::size_t>(selection_->ranks(), 1));
  const float last = std::min(nth_distance(hits, k), one.top.worst());
  if (farness(parts_.measure, one.query, last) <= segment_.cost_model().farthest_hit(share))
    return false;
  // Or is it the filter that leaves out what lies near? That says nothing of the question.
  if (allowed_ == nullptr || segment_.partitions().empty()) return true;
  // To ask would cost more than the scan of so few. Filters that lie far are more usual than strange
  // questions. Walks and partitions find next to nothing there, so that they always ask.
  constexpr double nearly_all = 0.95;  // what is left out is too little to be all that lies near
  const bool is_scanned = one.plan.strategy == SearchStrategy::flat;
  if (!one.probe_plan && is_scanned && !costs_several_looks(one.plan)) return share >= nearly_all;
  if (!one.probe_plan) one.probe_plan = segment_.partitions().plan_probes(one.query);
  return !lies_far(segment_.partitions().share_near(*one.probe_plan, *selection_), share);
}

// Where there are more than the heap holds, ids are looked up only of those.
void BatchSearcher::offer(std::span<const SlotDistance> hits, Running& one) const {
  float farthest = one.top.worst();
  if (hits.size() > one.top.capacity())
    farthest = std::min(farthest, nth_distance(hits, one.top.capacity()));
  for (const SlotDistance& hit : hits)
    if (hit.distance <= farthest)
      one.top.offer({hit.distance, segment_.slots().entity(hit.slot), segment_.row(hit.slot)});
}

void BatchSearcher::scan_exactly(std::span<const RowProbe> probes) const {
  if (probes.empty()) return;
  RowScanner scanner(parts_.measure, probes);
  selection_->for_each_block([&](std::span<const std::uint32_t> ranks) {
    for (const std::uint32_t rank : ranks) {
      const std::uint32_t slot = segment_.slots().slot_at(rank);
      if (!live_.is_hidden(slot)) scanner.add(segment_.slots().entity(slot), segment_.row(slot));
    }
  });
}

// If more candidates are tied in float32 than the heap holds, all of them are compared in float64.
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
    unsure.push_back({one.query.data(), &one.top});
  }
  if (unsure.empty()) return;
  scan_delta(unsure);
  scan_exactly(unsure);
}

/// The k-th candidate lies no farther: decided by floats alone, which nearly always suffices.
double BatchSearcher::bound_of_last(const Running& one) const {
  std::vector<float> distances;
  distances.reserve(one.top.all().size());
  for (const Candidate& candidate : one.top.all()) distances.push_back(candidate.distance);
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(one.k - 1);
  std::ranges::nth_element(distances, last);
  return farthest_distance(parts_.measure, *last);
}

/// The distance of the k-th candidate, whether or not it passes the cuts.
double BatchSearcher::distance_of_last(const Running& one) const {
  const Scorer scorer(one.query, parts_.measure.metric);
  std::vector<double> distances;
  for (const Candidate& candidate : one.top.all())
    distances.push_back(scorer.compare(candidate.row).distance);
  const auto last = distances.begin() + static_cast<std::ptrdiff_t>(one.k - 1);
  std::ranges::nth_element(distances, last);
  return *last;
}

Neighbors BatchSearcher::finish(const Running& one) const {
  Neighbors found{{}, name_of(one.plan)};
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
