#include "engine/vector/segment.hpp"

#include "codec/byte_io.hpp"
#include "engine/vector/distance.hpp"

#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

using Hnsw = hnswlib::HierarchicalNSW<float>;

// Levels are drawn from it and the number of slots, so that the same plan gives the same graph.
constexpr std::size_t seed = 100;
constexpr std::size_t rows_at_once = 16;  // between two looks at whether to stop

float distance_of(const void* a, const void* b, const void* measure) {
  const auto* by = static_cast<const Measure*>(measure);
  return by->kernels.pair(static_cast<const float*>(a), static_cast<const float*>(b),
                          by->dimension);
}

/// Shows hnswlib our kernels. What it copies of a vector is the padded one; the kernels look at the
/// dimension only, so a query needs no padding.
class Space final : public hnswlib::SpaceInterface<float> {
 public:
  explicit Space(Measure& measure) : measure_(measure) {}
  std::size_t get_data_size() override {
    return padded_dimension(measure_.dimension) * sizeof(float);
  }
  hnswlib::DISTFUNC<float> get_dist_func() override { return distance_of; }
  void* get_dist_func_param() override { return &measure_; }

 private:
  Measure& measure_;
};

// Once the budget is spent everything passes, so that hnswlib's walk soon has `ef` results and ends:
// an exception would lose its list of visited slots.
class SelectionFilter final : public hnswlib::BaseFilterFunctor {
 public:
  SelectionFilter(const SlotSelection& selection, std::size_t budget)
      : selection_(selection), budget_(budget) {}

  bool operator()(hnswlib::labeltype slot) override {
    if (asked_ > budget_ || ++asked_ > budget_) return true;
    return selection_.contains(static_cast<std::uint32_t>(slot));
  }
  [[nodiscard]] bool is_spent() const { return asked_ > budget_; }

 private:
  const SlotSelection& selection_;
  std::size_t budget_;
  std::size_t asked_ = 0;
};

// hnswlib throws std::runtime_error for all it does not like; here that can be memory only.
template <class Work>
Status guarded(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::resource_limit, "vector segment: not enough memory to build it", {}};
  } catch (const std::exception& failure) {
    return Error{ErrorCode::resource_limit,
                 std::string("vector segment: cannot be built: ") + failure.what(),
                 {}};
  }
}

// Never null, also for no bytes at all.
Memory allocate(std::size_t bytes) {
  Memory memory(static_cast<char*>(std::malloc(std::max<std::size_t>(bytes, 1))));
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

/// hnswlib's graph with the measure it points to. Changed while it is built, then sealed.
class Segment::Graph {
 public:
  Graph(const VectorIndexOptions& options, std::size_t capacity)
      : measure_(make_measure(options.metric, options.dimension)),
        space_(measure_),
        hnsw_(&space_, capacity, options.m, options.ef_construction, seed + capacity) {}
  explicit Graph(SegmentParts& parts);

  /// Into an empty graph with room for more.
  void copy_from(const Graph& base);
  /// Room for all slots, those that are new on levels drawn for them; nothing is in them yet.
  void open_slots();
  /// Into a slot that is empty. Threads: any number at once.
  void add(const float* row, std::uint32_t slot);
  /// Nothing is added after this.
  void seal();

  [[nodiscard]] std::size_t slots() const { return hnsw_.cur_element_count; }
  [[nodiscard]] const float* row(std::uint32_t slot) const {
    return reinterpret_cast<const float*>(hnsw_.getDataByInternalId(slot));
  }
  [[nodiscard]] std::vector<SlotDistance> search(const float* query, std::size_t ef,
                                                 SelectionFilter* filter) const;
  void show(SegmentImage& image) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  [[nodiscard]] std::size_t upper_bytes(std::uint32_t slot) const {
    return static_cast<std::size_t>(hnsw_.element_levels_[slot]) * hnsw_.size_links_per_element_;
  }
  void take_upper(std::uint32_t slot, int level, const char* links);
  void write_record(const float* row, std::uint32_t slot);
  [[nodiscard]] hnswlib::tableint descend(const float* row, hnswlib::tableint from, int level,
                                          int to_level);

  Measure measure_;
  Space space_;
  Hnsw hnsw_;
};

// The members that hnswlib's own loading would fill, from parts that were checked.
Segment::Graph::Graph(SegmentParts& parts)
    : measure_(make_measure(parts.shape.metric, parts.shape.dimension)),
      space_(measure_),
      hnsw_(&space_) {
  const SegmentShape& shape = parts.shape;
  hnsw_.max_elements_ = shape.count;
  hnsw_.M_ = hnsw_.maxM_ = shape.m;
  hnsw_.maxM0_ = 2 * std::size_t{shape.m};
  hnsw_.ef_construction_ = std::max(shape.ef_construction, shape.m);
  hnsw_.mult_ = 1 / std::log(shape.m);
  hnsw_.revSize_ = 1 / hnsw_.mult_;
  hnsw_.data_size_ = space_.get_data_size();
  hnsw_.fstdistfunc_ = space_.get_dist_func();
  hnsw_.dist_func_param_ = space_.get_dist_func_param();
  hnsw_.size_links_per_element_ = shape.link_bytes();
  hnsw_.size_links_level0_ = hnsw_.offsetData_ = shape.vector_offset();
  hnsw_.label_offset_ = shape.label_offset();
  hnsw_.size_data_per_element_ = shape.record_bytes();
  hnsw_.enterpoint_node_ = shape.entry_slot;
  hnsw_.maxlevel_ = static_cast<int>(shape.top_level);
  hnsw_.visited_list_pool_ =
      std::make_unique<hnswlib::VisitedListPool>(1, static_cast<int>(shape.count));
  hnsw_.element_levels_.resize(shape.count);
  hnsw_.linkLists_ = reinterpret_cast<char**>(allocate(shape.count * sizeof(char*)).release());
  hnsw_.data_level0_memory_ = parts.level0.release();
  const char* links = parts.upper.data();
  for (std::uint32_t slot = 0; slot < shape.count; ++slot) {
    take_upper(slot, parts.levels[slot], links);
    links += upper_bytes(slot);
  }
}

// The count goes up slot by slot: should memory run out, hnswlib frees what it holds.
void Segment::Graph::take_upper(std::uint32_t slot, int level, const char* links) {
  const std::size_t bytes = static_cast<std::size_t>(level) * hnsw_.size_links_per_element_;
  hnsw_.linkLists_[slot] = nullptr;
  if (level > 0) {
    // One byte more, as hnswlib allocates them.
    hnsw_.linkLists_[slot] = allocate(bytes + 1).release();
    std::memcpy(hnsw_.linkLists_[slot], links, bytes);
  }
  hnsw_.element_levels_[slot] = level;
  hnsw_.cur_element_count = slot + 1;
}

// Empty slots belong to the graph at once, so that hnswlib frees what is put into them.
void Segment::Graph::open_slots() {
  for (std::size_t slot = slots(); slot < hnsw_.max_elements_; ++slot) {
    hnsw_.linkLists_[slot] = nullptr;
    hnsw_.element_levels_[slot] = hnsw_.getRandomLevel(hnsw_.mult_);
  }
  hnsw_.cur_element_count = hnsw_.max_elements_;
}

void Segment::Graph::write_record(const float* row, std::uint32_t slot) {
  std::memset(hnsw_.get_linklist0(slot), 0, hnsw_.size_data_per_element_);
  std::memcpy(hnsw_.getDataByInternalId(slot), row, measure_.dimension * sizeof(float));
  hnsw_.setExternalLabel(slot, slot);
  if (const std::size_t bytes = upper_bytes(slot); bytes > 0) {
    hnsw_.linkLists_[slot] = allocate(bytes + 1).release();
    std::memset(hnsw_.linkLists_[slot], 0, bytes + 1);
  }
}

// What hnswlib's addPoint() does with the next slot and a level that it draws, both of which several
// threads would fight over. As there, the slot's lock is held throughout, so that nobody links to it
// on a level where it has no links yet, and that of the graph by the one who raises its top.
void Segment::Graph::add(const float* row, std::uint32_t slot) {
  write_record(row, slot);
  const std::lock_guard own(hnsw_.link_list_locks_[slot]);
  std::unique_lock top(hnsw_.global);
  const int level = hnsw_.element_levels_[slot], top_level = hnsw_.maxlevel_;
  hnswlib::tableint near = hnsw_.enterpoint_node_;
  if (level <= top_level) top.unlock();
  if (top_level >= 0) near = descend(row, near, top_level, level);
  for (int at = std::min(level, top_level); at >= 0; --at) {
    auto candidates = hnsw_.searchBaseLayer(near, row, at);
    near = hnsw_.mutuallyConnectNewElement(row, slot, candidates, at, false);
  }
  if (level > top_level) {
    hnsw_.enterpoint_node_ = slot;
    hnsw_.maxlevel_ = level;
  }
}

// Always to the nearest neighbour, until none is nearer; then one level down.
hnswlib::tableint Segment::Graph::descend(const float* row, hnswlib::tableint from, int level,
                                          int to_level) {
  float nearest = distance_of(row, hnsw_.getDataByInternalId(from), &measure_);
  for (; level > to_level; --level)
    for (bool is_nearer = true; is_nearer;) {
      is_nearer = false;
      const std::lock_guard lock(hnsw_.link_list_locks_[from]);
      auto* links = hnsw_.get_linklist(from, level);
      const std::span<const hnswlib::tableint> targets(links + 1, hnsw_.getListCount(links));
      for (const hnswlib::tableint target : targets) {
        const float distance = distance_of(row, hnsw_.getDataByInternalId(target), &measure_);
        if (distance >= nearest) continue;
        nearest = distance;
        from = target;
        is_nearer = true;
      }
    }
  return from;
}

// Vectors and links of level 0 lie in one piece; the lists of upper levels are copied one by one.
void Segment::Graph::copy_from(const Graph& base) {
  const auto count = static_cast<std::uint32_t>(base.slots());
  std::memcpy(hnsw_.data_level0_memory_, base.hnsw_.data_level0_memory_,
              count * hnsw_.size_data_per_element_);
  for (std::uint32_t slot = 0; slot < count; ++slot)
    take_upper(slot, base.hnsw_.element_levels_[slot], base.hnsw_.linkLists_[slot]);
  hnsw_.enterpoint_node_ = base.hnsw_.enterpoint_node_;
  hnsw_.maxlevel_ = base.hnsw_.maxlevel_;
}

// What only adding needs is given back: 40 bytes of lock a slot. searchKnn() takes the greater of ef_ and its k, so that with 1 here k is the ef of each query alone.
void Segment::Graph::seal() {
  hnsw_.ef_ = 1;
  std::vector<std::mutex>().swap(hnsw_.link_list_locks_);
  std::vector<std::mutex>().swap(hnsw_.label_op_locks_);
}

std::vector<SlotDistance> Segment::Graph::search(const float* query, std::size_t ef,
                                                 SelectionFilter* filter) const {
  auto found = hnsw_.searchKnn(query, ef, filter);
  std::vector<SlotDistance> slots;
  slots.reserve(found.size());
  for (; !found.empty(); found.pop())
    slots.push_back({static_cast<std::uint32_t>(found.top().second), found.top().first});
  return slots;
}

void Segment::Graph::show(SegmentImage& image) const {
  image.shape.count = static_cast<std::uint32_t>(slots());
  image.shape.entry_slot = hnsw_.enterpoint_node_;
  image.shape.top_level = static_cast<std::uint32_t>(hnsw_.maxlevel_);
  image.level0 = {hnsw_.data_level0_memory_, slots() * hnsw_.size_data_per_element_};
  for (std::uint32_t slot = 0; slot < image.shape.count; ++slot) {
    image.levels.push_back(static_cast<std::uint8_t>(hnsw_.element_levels_[slot]));
    if (const std::size_t bytes = upper_bytes(slot); bytes > 0)
      image.upper.insert(image.upper.end(), hnsw_.linkLists_[slot], hnsw_.linkLists_[slot] + bytes);
  }
}

// Upper lists hold about one slot in m; two bytes a slot for one list of visited slots.
std::size_t Segment::Graph::memory_bytes() const {
  const std::size_t slot_bytes = hnsw_.size_data_per_element_ + sizeof(char*) + sizeof(int) + 2;
  return slots() * (slot_bytes + hnsw_.size_links_per_element_ / (hnsw_.M_ - 1));
}

Segment::Segment() = default;

Segment::~Segment() = default;

Segment::Segment(Vectors vectors, std::optional<SegmentTables> tables)
    : vectors_(std::move(vectors)),
      is_finished_(tables || !wants_tables(vectors_.measure.dimension, vectors_.slots->live())) {
  if (tables) tables_ = *std::move(tables);
}

Result<std::shared_ptr<const Segment>> Segment::finish() const { return finish(vectors_); }

Result<std::shared_ptr<const Segment>> Segment::finish(Vectors vectors) {
  std::shared_ptr<const Segment> segment;
  CAIRN_TRY(guarded([&]() -> Status {
    const Graph* graph = vectors.graph.get();
    const SlotMap& slots = *vectors.slots;
    const std::function<const float*(std::uint32_t)> row_of = [&](std::uint32_t rank) {
      return graph->row(slots.slot_at(rank));
    };
    const auto walk = [graph](const float* query, std::size_t ef) {
      std::vector<std::uint32_t> found;
      for (const SlotDistance& hit : graph->search(query, ef, nullptr)) found.push_back(hit.slot);
      return found;
    };
    std::optional<SegmentTables> tables;
    if (wants_tables(vectors.measure.dimension, slots.live()))
      tables = make_tables({vectors.measure, slots, vectors.partitioning, row_of, walk});
    segment = std::make_shared<const Segment>(std::move(vectors), std::move(tables));
    return {};
  }));
  return segment;
}

Result<std::unique_ptr<Segment::Graph>> Segment::build_graph(const VectorIndexOptions& options,
                                                             const SegmentPlan& plan,
                                                             const Workers& workers) {
  const std::size_t old_slots = plan.base != nullptr ? plan.base->slots().slots() : 0;
  const std::size_t slots = old_slots + plan.added.size();
  std::unique_ptr<Graph> graph;
  if (slots == 0) return graph;
  if (slots > max_slots)
    return Error{ErrorCode::resource_limit, "vector segment: more than 2,147,483,647 vectors", {}};
  CAIRN_TRY(guarded([&]() -> Status {
    graph = std::make_unique<Graph>(options, slots);
    if (old_slots > 0) graph->copy_from(*plan.base->vectors_.graph);
    graph->open_slots();
    return {};
  }));
  CAIRN_TRY(
      share_out(workers, plan.added.size(), rows_at_once, [&](std::size_t i, std::size_t end) {
        return guarded([&]() -> Status {
          for (; i < end; ++i)
            graph->add(plan.added[i].row, static_cast<std::uint32_t>(old_slots + i));
          return {};
        });
      }));
  graph->seal();
  return graph;
}

Result<std::shared_ptr<const Segment>> Segment::build(const VectorIndexOptions& options,
                                                      const SegmentPlan& plan,
                                                      const Workers& workers) {
  CAIRN_ASSIGN(std::shared_ptr<const Graph> graph, build_graph(options, plan, workers));
  CAIRN_ASSIGN(Partitioning partitioning, partition(options, plan, graph.get(), workers));
  std::vector<std::uint64_t> entities;
  if (plan.base != nullptr) {
    const auto old = plan.base->slots().entities();
    entities.assign(old.begin(), old.end());
  }
  for (const SegmentRow& row : plan.added) entities.push_back(row.entity);
  SlotBits dead = plan.dropped;
  if (!dead.empty()) dead.resize((entities.size() + 63) / 64);
  return finish({make_measure(options.metric, options.dimension), std::move(graph),
                 std::make_shared<SlotMap>(std::move(entities), std::move(dead)),
                 std::move(partitioning)});
}

// The means of the base serve until there are twice as many vectors as they were made for.
Result<Partitioning> Segment::partition(const VectorIndexOptions& options, const SegmentPlan& plan,
                                        const Graph* graph, const Workers& workers) {
  Partitioning made;
  const std::size_t slots = graph != nullptr ? graph->slots() : 0;
  if (slots < least_partitioned || options.dimension < least_coded_dimension) return made;
  const Partitioning* old = plan.base != nullptr ? &plan.base->vectors_.partitioning : nullptr;
  const std::size_t means = old != nullptr ? old->means.size() / options.dimension : 0;
  if (means * means * 4 >= slots) made = *old;
  std::vector<const float*> rows;
  for (std::size_t slot = made.partition_of.size(); slot < slots; ++slot)
    rows.push_back(graph->row(static_cast<std::uint32_t>(slot)));
  if (made.empty()) made.means = train_means(options.dimension, rows, workers);
  if (made.means.empty() ||
      !assign_partitions(options.dimension, made.means, rows, workers, made.partition_of))
    return Error{ErrorCode::cancelled, "the build of a vector segment was stopped", {}};
  return made;
}

Result<std::shared_ptr<const Segment>> Segment::restore(SegmentParts parts) {
  Vectors vectors;
  vectors.measure = make_measure(parts.shape.metric, parts.shape.dimension);
  vectors.partitioning = std::move(parts.partitioning);
  vectors.slots = std::make_shared<SlotMap>(std::move(parts.entities), std::move(parts.dead));
  if (!vectors.slots->is_unambiguous())
    return codec::corruption("vector segment: an entity has two vectors");
  CAIRN_TRY(guarded([&]() -> Status {
    if (parts.shape.count == 0) return {};
    auto graph = std::make_shared<Graph>(parts);
    graph->seal();
    vectors.graph = std::move(graph);
    return {};
  }));
  if (parts.tables &&
      (!wants_tables(parts.shape.dimension, vectors.slots->live()) ||
       !settle(*parts.tables, vectors.measure, *vectors.slots, vectors.partitioning)))
    parts.tables.reset();
  return std::make_shared<const Segment>(std::move(vectors), std::move(parts.tables));
}

const float* Segment::row(std::uint32_t slot) const noexcept { return vectors_.graph->row(slot); }

std::optional<std::vector<SlotDistance>> Segment::search(const float* query, std::size_t ef,
                                                         const SlotSelection& selection,
                                                         std::size_t budget) const {
  SelectionFilter filter(selection, budget);
  try {
    auto found = vectors_.graph->search(query, ef, selection.is_every_slot() ? nullptr : &filter);
    if (filter.is_spent()) return std::nullopt;
    return found;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // a link that hnswlib does not like: the scan needs none
  }
}

SegmentImage Segment::image(const VectorIndexOptions& options) const {
  SegmentImage image;
  image.shape.metric = options.metric;
  image.shape.dimension = options.dimension;
  image.shape.m = options.m;
  image.shape.ef_construction = options.ef_construction;
  if (vectors_.graph) vectors_.graph->show(image);
  image.entities = slots().entities();
  image.dead = slots().dead();
  image.means = vectors_.partitioning.means;
  image.partition_of = vectors_.partitioning.partition_of;
  if (tables_.codes.count() > 0) image.tables = &tables_;
  return image;
}

std::size_t Segment::memory_bytes() const noexcept {
  const Partitioning& partitioning = vectors_.partitioning;
  return slots().memory_bytes() + tables_.memory_bytes() +
         (partitioning.means.size() + partitioning.partition_of.size()) * sizeof(float) +
         (vectors_.graph ? vectors_.graph->memory_bytes() : 0);
}

}  // namespace cairn::engine
