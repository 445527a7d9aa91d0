// Adapts hnswlib to segments. hnswlib's graph structure and neighbour selection are used, but the
// memory of the graph is filled here. Three behaviours of hnswlib are avoided:
//
// - Its addPoint() draws levels and assigns slots under locks. add() gets both, so any number of threads may add.
// - It loads files without checking them. Here parts come from serialized_segment.cpp, which checks them.
// - It has one `ef` for all queries. See seal().
//
// After seal() only two things are written: hnswlib's pool of visited lists, which has its own lock,
// and exact_, whose functions any number of threads may call.
// hnswlib throws std::runtime_error; Segment catches it.
#include "engine/vector/segment_graph.hpp"

#include "engine/vector/beam_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

namespace cairn::engine {
namespace {

// Seeds hnswlib's level generator together with the number of slots: the same plan makes the same
// graph.
constexpr std::size_t seed = 100;

/// Sorts `found` into the order that its slots have in `slots`.
void sort_as(std::span<const std::uint32_t> slots, std::vector<SlotDistance>& found) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;  // slot, place
  places.reserve(slots.size());
  for (std::uint32_t i = 0; i < slots.size(); ++i) places.emplace_back(slots[i], i);
  std::ranges::sort(places);
  std::ranges::sort(found, {}, [&](const SlotDistance& hit) {
    return std::ranges::lower_bound(places, std::pair(hit.slot, std::uint32_t{0}))->second;
  });
}

// hnswlib calls these two for a pair of records; the third argument is get_dist_func_param().
float distance_of_rows(const void* a, const void* b, const void* measure) {
  const auto* by = static_cast<const DistanceMetric*>(measure);
  return by->kernels.pair(static_cast<const float*>(a), static_cast<const float*>(b),
                          by->dimension);
}

float distance_of_bytes(const void* a, const void* b, const void* codes) {
  return static_cast<const Sq8Codes*>(codes)->distance(static_cast<const char*>(a),
                                                       static_cast<const char*>(b));
}

// Returns memory that is never null, also for 0 bytes.
Memory allocate(std::size_t bytes) {
  Memory memory = allocate_memory(bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

SegmentShape shape_of(const VectorIndexOptions& options, std::size_t count, bool is_coded) {
  SegmentShape shape;
  shape.metric = options.metric;
  shape.dimension = options.dimension;
  shape.m = options.m;
  shape.count = static_cast<std::uint32_t>(count);
  shape.is_coded = is_coded;
  return shape;
}

}  // namespace

/// Shows our distance kernels to hnswlib. get_data_size() includes the padding of a record's
/// vector, while the kernels read the components only. So queries need no padding.
class SegmentGraph::Space final : public hnswlib::SpaceInterface<float> {
 public:
  Space(const SegmentShape& shape, DistanceMetric& measure, std::optional<Sq8Codes>& codes)
      : bytes_(shape.label_offset() - shape.vector_offset()),
        distance_(codes ? distance_of_bytes : distance_of_rows),
        by_(codes ? static_cast<void*>(&*codes) : &measure) {}
  std::size_t get_data_size() override { return bytes_; }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance_; }
  void* get_dist_func_param() override { return by_; }

 private:
  std::size_t bytes_;
  hnswlib::DISTFUNC<float> distance_;
  void* by_;
};

// Passes the selection to hnswlib's search as a filter, and counts its tests.
//
// When the budget is spent, every slot passes: then the search soon has `ef` results and ends. An
// exception instead would leak hnswlib's list of visited slots.
class SegmentGraph::SelectionFilter final : public hnswlib::BaseFilterFunctor {
 public:
  SelectionFilter(const InternalIdSelection& selection, std::size_t budget)
      : selection_(selection), budget_(budget) {}

  bool operator()(hnswlib::labeltype slot) override {
    if (asked_ > budget_ || ++asked_ > budget_) return true;
    return selection_.contains(static_cast<std::uint32_t>(slot));
  }
  [[nodiscard]] bool is_spent() const { return asked_ > budget_; }

 private:
  const InternalIdSelection& selection_;
  std::size_t budget_;
  std::size_t asked_ = 0;
};

SegmentGraph::SegmentGraph(const VectorIndexOptions& options, std::size_t capacity,
                           std::optional<Sq8Codes> codes)
    : measure_(make_metric(options.metric, options.dimension)),
      codes_(std::move(codes)),
      space_(std::make_unique<Space>(shape_of(options, capacity, codes_.has_value()), measure_,
                                     codes_)),
      hnsw_(space_.get(), capacity, options.m, options.ef_construction, seed + capacity) {
  if (codes_) rows_ = allocate(capacity * measure_.dimension * sizeof(float));
  adopt_level0(allocate(capacity * hnsw_.size_data_per_element_));
}

// Fills the members that hnswlib's own loadIndex() would fill.
SegmentGraph::SegmentGraph(SegmentParts& parts)
    : measure_(make_metric(parts.shape.metric, parts.shape.dimension)),
      codes_(parts.shape.is_coded ? std::optional(Sq8Codes(measure_, std::move(parts.centre)))
                                  : std::nullopt),
      space_(std::make_unique<Space>(parts.shape, measure_, codes_)),
      hnsw_(space_.get()) {
  const SegmentShape& shape = parts.shape;
  hnsw_.max_elements_ = shape.count;
  hnsw_.M_ = hnsw_.maxM_ = shape.m;
  hnsw_.maxM0_ = 2 * std::size_t{shape.m};
  hnsw_.ef_construction_ = std::max(shape.ef_construction, shape.m);
  // The same value as in hnswlib's constructor. log(m) is positive, as m is at least 2.
  hnsw_.mult_ = 1 / std::log(shape.m);
  hnsw_.revSize_ = 1 / hnsw_.mult_;
  hnsw_.data_size_ = space_->get_data_size();
  hnsw_.fstdistfunc_ = space_->get_dist_func();
  hnsw_.dist_func_param_ = space_->get_dist_func_param();
  hnsw_.size_links_per_element_ = shape.link_bytes();
  hnsw_.size_links_level0_ = hnsw_.offsetData_ = shape.vector_offset();
  hnsw_.label_offset_ = shape.label_offset();
  hnsw_.size_data_per_element_ = shape.record_bytes();
  hnsw_.enterpoint_node_ = shape.entry_slot;
  hnsw_.maxlevel_ = static_cast<int>(shape.top_level);
  hnsw_.visited_list_pool_ =
      std::make_unique<hnswlib::VisitedListPool>(1, static_cast<int>(shape.count));
  hnsw_.element_levels_.resize(shape.count);
  adopt_level0(std::move(parts.level0));
  hnsw_.linkLists_ = reinterpret_cast<char**>(allocate(shape.count * sizeof(char*)).release());
  const char* links = parts.upper.data();
  for (std::uint32_t slot = 0; slot < shape.count; ++slot) {
    take_upper(slot, parts.levels[slot], links);
    links += upper_bytes(slot);
  }
}

SegmentGraph::~SegmentGraph() = default;

// Replaces the level-0 memory that hnswlib allocated itself, if any. Our memory is aligned to cache
// lines.
void SegmentGraph::adopt_level0(Memory level0) {
  std::free(hnsw_.data_level0_memory_);
  hnsw_.data_level0_memory_ = level0.release();
}

// Copies the upper-level links of one slot. cur_element_count grows slot by slot: if an allocation
// fails, hnswlib's destructor frees exactly the lists that exist.
void SegmentGraph::take_upper(std::uint32_t slot, int level, const char* links) {
  const std::size_t bytes = static_cast<std::size_t>(level) * hnsw_.size_links_per_element_;
  hnsw_.linkLists_[slot] = nullptr;
  if (level > 0) {
    // One spare byte, as in hnswlib's own allocation.
    auto* list = static_cast<char*>(std::malloc(bytes + 1));
    if (list == nullptr) throw std::bad_alloc();
    std::memcpy(list, links, bytes);
    hnsw_.linkLists_[slot] = list;
  }
  hnsw_.element_levels_[slot] = level;
  hnsw_.cur_element_count = slot + 1;
}

// The empty slots count as elements at once, so that hnswlib's destructor frees the lists that
// add() allocates.
void SegmentGraph::open_slots() {
  for (std::size_t slot = slots(); slot < hnsw_.max_elements_; ++slot) {
    hnsw_.linkLists_[slot] = nullptr;
    hnsw_.element_levels_[slot] = hnsw_.getRandomLevel(hnsw_.mult_);
  }
  hnsw_.cur_element_count = hnsw_.max_elements_;
}

// Stores the vector, its code if the graph has codes, and the slot's number as its label.
void SegmentGraph::write_vector(const float* row, std::uint32_t slot) {
  const std::size_t bytes = measure_.dimension * sizeof(float);
  std::memcpy(codes_ ? rows_.get() + slot * bytes : hnsw_.getDataByInternalId(slot), row, bytes);
  if (codes_) codes_->encode(row, hnsw_.getDataByInternalId(slot));
  hnsw_.setExternalLabel(slot, slot);
}

// Makes the record of a slot without links, and empty lists for its upper levels.
void SegmentGraph::write_record(const float* row, std::uint32_t slot) {
  std::memset(hnsw_.get_linklist0(slot), 0, hnsw_.size_data_per_element_);
  write_vector(row, slot);
  if (const std::size_t bytes = upper_bytes(slot); bytes > 0) {
    hnsw_.linkLists_[slot] = static_cast<char*>(std::calloc(bytes + 1, 1));
    if (hnsw_.linkLists_[slot] == nullptr) throw std::bad_alloc();
  }
}

// The steps of hnswlib's addPoint(), with a known slot and level instead of ones drawn under locks.
//
// As there, the slot's own lock is held throughout: no other thread links to this slot on a level
// where it has no links yet. The graph's lock is held to the end by a thread that raises the top
// level.
void SegmentGraph::add(const float* row, std::uint32_t slot) {
  write_record(row, slot);
  const char* point = hnsw_.getDataByInternalId(slot);
  const std::lock_guard own(hnsw_.link_list_locks_[slot]);
  // A descent must not begin at a new entry slot before its upper links exist.
  std::unique_lock top(hnsw_.global);
  const int level = hnsw_.element_levels_[slot], top_level = hnsw_.maxlevel_;
  hnswlib::tableint near = hnsw_.enterpoint_node_;
  if (level <= top_level) top.unlock();
  if (top_level >= 0) near = descend(point, near, top_level, level);
  for (int at = std::min(level, top_level); at >= 0; --at) {
    auto candidates = hnsw_.searchBaseLayer(near, point, at);
    near = hnsw_.mutuallyConnectNewElement(point, slot, candidates, at, false);
  }
  if (level > top_level) {
    hnsw_.enterpoint_node_ = slot;
    hnsw_.maxlevel_ = level;
  }
}

// Greedy descent: moves to the nearest neighbour until none is nearer, then goes one level down.
hnswlib::tableint SegmentGraph::descend(const char* point, hnswlib::tableint from, int level,
                                        int to_level) {
  const auto distance_to = [&](hnswlib::tableint slot) {
    return hnsw_.fstdistfunc_(point, hnsw_.getDataByInternalId(slot), hnsw_.dist_func_param_);
  };
  float nearest = distance_to(from);
  for (; level > to_level; --level)
    for (bool is_nearer = true; is_nearer;) {
      is_nearer = false;
      // Other threads change the links of a slot while they add: its lock is held while they are
      // read.
      const std::lock_guard lock(hnsw_.link_list_locks_[from]);
      auto* links = hnsw_.get_linklist(from, level);
      const std::span<const hnswlib::tableint> targets(links + 1, hnsw_.getListCount(links));
      for (const hnswlib::tableint target : targets) {
        const float distance = distance_to(target);
        if (distance >= nearest) continue;
        nearest = distance;
        from = target;
        is_nearer = true;
      }
    }
  return from;
}

// Level 0 is copied as a whole if both graphs hold the same kind of record. Otherwise only the
// links are copied and the codes are computed. Links that were found by full vectors are good for
// codes as well.
void SegmentGraph::copy_from(const SegmentGraph& base, const RowPlaces& rows) {
  const auto count = static_cast<std::uint32_t>(base.slots());
  const bool is_alike = codes_.has_value() == base.codes_.has_value() &&
                        (!codes_ || std::ranges::equal(codes_->centre(), base.codes_->centre()));
  if (is_alike)
    std::memcpy(hnsw_.data_level0_memory_, base.hnsw_.data_level0_memory_,
                count * hnsw_.size_data_per_element_);
  if (is_alike && codes_) std::memcpy(rows_.get(), rows.first, count * rows.stride);
  for (std::uint32_t slot = 0; slot < count; ++slot) {
    take_upper(slot, base.hnsw_.element_levels_[slot], base.hnsw_.linkLists_[slot]);
    if (is_alike) continue;
    std::memset(hnsw_.get_linklist0(slot), 0, hnsw_.size_data_per_element_);
    std::memcpy(hnsw_.get_linklist0(slot), base.hnsw_.get_linklist0(slot), hnsw_.offsetData_);
    write_vector(rows[slot], slot);
  }
  hnsw_.enterpoint_node_ = base.hnsw_.enterpoint_node_;
  hnsw_.maxlevel_ = base.hnsw_.maxlevel_;
}

// Frees hnswlib's locks (40 bytes a slot), which only add() needs. searchKnn() uses the greater of
// `ef_` and its argument k. With `ef_` at 1, k acts as the `ef` of each query alone.
Memory SegmentGraph::seal() {
  hnsw_.ef_ = 1;
  std::vector<std::mutex>().swap(hnsw_.link_list_locks_);
  std::vector<std::mutex>().swap(hnsw_.label_op_locks_);
  return std::move(rows_);
}

std::optional<std::vector<SlotDistance>> SegmentGraph::search(const BeamQuery& query,
                                                              const RowPlaces& rows) const {
  if (!codes_) return walk_by_hnswlib(query, query.vector);
  std::vector<char> point(codes_->element_bytes());
  codes_->encode(query.vector, point.data());
  if (!codes_->tells(query.vector, point.data())) return std::nullopt;
  auto found = query.graph_searcher == GraphSearcher::own ? walk(query, point.data())
                                                          : walk_by_hnswlib(query, point.data());
  if (!found) return found;
  // A filtered search that ends with fewer results was in a part of the graph without links to the
  // rest.
  const auto* selection = query.selection;
  if (selection != nullptr && found->size() < std::min(query.ef, selection->count()))
    return std::nullopt;
  settle(query, rows, point.data(), *found);
  return found;
}

std::optional<std::vector<SlotDistance>> SegmentGraph::nearest(
    const BeamQuery& query, const RowPlaces& rows, std::span<const std::uint32_t> slots) const {
  if (!codes_) return std::nullopt;
  std::vector<char> point(codes_->element_bytes());
  codes_->encode(query.vector, point.data());
  if (!codes_->tells(query.vector, point.data())) return std::nullopt;
  std::vector<const char*> elements;
  for (const std::uint32_t slot : slots) {
    elements.push_back(hnsw_.getDataByInternalId(slot));
    codes_->fetch(elements.back());
  }
  std::vector<float> distances(slots.size());
  codes_->distances(point.data(), elements, distances.data());
  std::vector<SlotDistance> found;
  for (std::size_t i = 0; i < slots.size(); ++i) found.push_back({slots[i], distances[i]});
  settle(query, rows, point.data(), found);
  sort_as(slots, found);
  return found;
}

std::optional<std::vector<SlotDistance>> SegmentGraph::walk(const BeamQuery& query,
                                                            const char* point) const {
  const WalkedGraph graph{*codes_, hnsw_.data_level0_memory_, hnsw_.size_data_per_element_,
                          hnsw_.offsetData_, slots()};
  return walk_level0(graph, query, point, find_entry(query, point));
}

// Finds the entry slot of level 0 as searchKnn() does: on each upper level it moves to the nearest
// neighbour.
SlotDistance SegmentGraph::find_entry(const BeamQuery& query, const char* point) const {
  SlotDistance at{hnsw_.enterpoint_node_,
                  codes_->distance(point, hnsw_.getDataByInternalId(hnsw_.enterpoint_node_))};
  std::vector<const char*> elements;
  std::vector<float> distances(hnsw_.maxM_);
  for (int level = hnsw_.maxlevel_; level > 0; --level)
    for (bool is_nearer = true; is_nearer;) {
      is_nearer = false;
      auto* links = hnsw_.get_linklist(at.slot, level);
      const std::span<const hnswlib::tableint> targets(links + 1, hnsw_.getListCount(links));
      elements.clear();
      for (const hnswlib::tableint target : targets) {
        elements.push_back(hnsw_.getDataByInternalId(target));
        codes_->fetch(elements.back());
      }
      codes_->distances(point, elements, distances.data());
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (distances[i] >= at.distance || targets[i] == query.without) continue;
        at = {targets[i], distances[i]};
        is_nearer = true;
      }
    }
  return at;
}

// hnswlib cannot exclude a slot, so `query.without` is removed from the results.
std::optional<std::vector<SlotDistance>> SegmentGraph::walk_by_hnswlib(const BeamQuery& query,
                                                                       const void* point) const {
  std::optional<SelectionFilter> filter;
  if (query.selection != nullptr) filter.emplace(*query.selection, query.budget);
  auto found = hnsw_.searchKnn(point, query.ef, filter ? &*filter : nullptr);
  if (filter && filter->is_spent()) return std::nullopt;
  std::vector<SlotDistance> slots;
  slots.reserve(found.size());
  for (; !found.empty(); found.pop())
    if (found.top().second != query.without)
      slots.push_back({static_cast<std::uint32_t>(found.top().second), found.top().first});
  return slots;
}

// Replaces the distances of codes by those of vectors. Computes the `wanted` nearest by their codes
// first, and then only those of the rest that may be nearer than the farthest of these, by the
// error bound of the codes.
void SegmentGraph::settle(const BeamQuery& query, const RowPlaces& rows, const char* point,
                          std::vector<SlotDistance>& found) const {
  const std::size_t first = std::min(query.wanted, found.size());
  const auto rest = found.begin() + static_cast<std::ptrdiff_t>(first);
  if (rest != found.end()) std::ranges::nth_element(found, rest, {}, &SlotDistance::distance);
  compare(query, rows, std::span(found).first(first));
  float farthest = -std::numeric_limits<float>::infinity();
  for (auto hit = found.begin(); hit != rest; ++hit) farthest = std::max(farthest, hit->distance);
  const auto is_far = [&](const SlotDistance& hit) {
    const char* element = hnsw_.getDataByInternalId(hit.slot);
    return double{hit.distance} - codes_->reach(point, element, hit.distance) > double{farthest};
  };
  found.erase(std::remove_if(rest, found.end(), is_far), found.end());
  compare(query, rows, std::span(found).subspan(first));
}

// Replaces distances by those of the full vectors.
void SegmentGraph::compare(const BeamQuery& query, const RowPlaces& rows,
                           std::span<SlotDistance> found) const {
  std::vector<const float*> some;
  std::vector<float> distances(found.size());
  for (const SlotDistance& hit : found) some.push_back(rows[hit.slot]);
  measure_.kernels.rows(query.vector, some.data(), some.size(), measure_.dimension,
                        distances.data());
  for (std::size_t i = 0; i < found.size(); ++i) found[i].distance = distances[i];
}

// A code should take at most half the bytes of a vector, because both are read for near vectors.
const ExactCodes* SegmentGraph::exact_codes(const RowPlaces& rows, std::size_t comparisons) const {
  if (!codes_ || 2 * codes_->element_bytes() > measure_.dimension * sizeof(float)) return nullptr;
  return exact_.get(comparisons, slots(), [&]() -> std::unique_ptr<const ExactCodes> {
    const ElementPlaces elements{hnsw_.data_level0_memory_ + hnsw_.offsetData_,
                                 hnsw_.size_data_per_element_};
    try {
      return std::make_unique<const ExactCodes>(measure_, *codes_, elements, rows, slots());
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  });
}

// Level 0 is shown in place; levels and upper links are copied, because hnswlib allocates each
// list.
void SegmentGraph::show(SerializedSegment& image) const {
  image.shape.count = static_cast<std::uint32_t>(slots());
  image.shape.entry_slot = hnsw_.enterpoint_node_;
  image.shape.top_level = static_cast<std::uint32_t>(hnsw_.maxlevel_);
  image.shape.is_coded = codes_.has_value();
  image.level0 = {hnsw_.data_level0_memory_, slots() * hnsw_.size_data_per_element_};
  if (codes_) image.centre = codes_->centre();
  for (std::uint32_t slot = 0; slot < image.shape.count; ++slot) {
    image.levels.push_back(static_cast<std::uint8_t>(hnsw_.element_levels_[slot]));
    if (const std::size_t bytes = upper_bytes(slot); bytes > 0)
      image.upper.insert(image.upper.end(), hnsw_.linkLists_[slot], hnsw_.linkLists_[slot] + bytes);
  }
}

// An estimate: one slot in m has upper-level links, and hnswlib's list of visited slots takes two
// bytes a slot.
std::size_t SegmentGraph::memory_bytes() const {
  const std::size_t slot_bytes = hnsw_.size_data_per_element_ + sizeof(char*) + sizeof(int) + 2;
  return slots() * (slot_bytes + hnsw_.size_links_per_element_ / (hnsw_.M_ - 1));
}

}  // namespace cairn::engine
