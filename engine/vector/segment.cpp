// Building, extending and restoring a segment: where the graph, the map of slots, the partitions
// and the tables come together. A segment that is built takes over what its base has: the graph's
// memory is copied and added to, the means serve on for a while; tables are made anew, as ranks
// have changed. Exceptions of hnswlib and of memory end here as errors.
#include "engine/vector/segment.hpp"

#include "codec/byte_io.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/segment_graph.hpp"

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

constexpr std::size_t rows_at_once = 16;  // between two looks at whether to stop
// Of a walk that is priced: ten hits, the vector itself, and some that rounding may exchange.
constexpr std::size_t calibrated_hits = 18;

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

// By rows of the plan and of its base, which goes on as it is until it is the smaller part; where they
// say nothing, no bytes.
std::optional<ByteCodes> choose_codes(const VectorIndexOptions& options, const SegmentPlan& plan,
                                      const SegmentGraph* base) {
  if (base != nullptr && base->codes() && plan.added.size() <= base->slots()) return base->codes();
  std::vector<const float*> rows;
  for (std::uint32_t slot = 0; base != nullptr && slot < base->slots(); ++slot)
    rows.push_back(base->row(slot));
  for (const SegmentRow& row : plan.added) rows.push_back(row.row);
  if (!wants_tables(options.dimension, rows.size())) return std::nullopt;
  ByteCodes codes = ByteCodes::learn(make_measure(options.metric, options.dimension), rows);
  if (!codes.tells_neighbours(rows)) return std::nullopt;
  return codes;
}

}  // namespace

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
    const SegmentGraph* graph = vectors.graph.get();
    const SlotMap& slots = *vectors.slots;
    const std::function<const float*(std::uint32_t)> row_of = [&](std::uint32_t rank) {
      return graph->row(slots.slot_at(rank));
    };
    const auto walk = [graph](const float* vector, std::size_t ef, Walker walker) {
      std::vector<std::uint32_t> found;
      const GraphQuery query{
          .vector = vector, .ef = ef, .wanted = calibrated_hits, .walker = walker};
      const auto hits = graph->search(query);
      for (std::size_t i = 0; hits && i < hits->size(); ++i) found.push_back((*hits)[i].slot);
      return found;
    };
    std::optional<SegmentTables> tables;
    if (wants_tables(vectors.measure.dimension, slots.live()))
      tables = make_tables(
          {vectors.measure, slots, vectors.partitioning, row_of, walk, graph->codes().has_value()});
    segment = std::make_shared<const Segment>(std::move(vectors), std::move(tables));
    return {};
  }));
  return segment;
}

Result<std::unique_ptr<SegmentGraph>> Segment::build_graph(const VectorIndexOptions& options,
                                                           const SegmentPlan& plan,
                                                           const Workers& workers) {
  const std::size_t old_slots = plan.base != nullptr ? plan.base->slots().slots() : 0;
  const std::size_t slots = old_slots + plan.added.size();
  std::unique_ptr<SegmentGraph> graph;
  if (slots == 0) return graph;
  if (slots > max_slots)
    return Error{ErrorCode::resource_limit, "vector segment: more than 2,147,483,647 vectors", {}};
  CAIRN_TRY(guarded([&]() -> Status {
    const SegmentGraph* base = old_slots > 0 ? plan.base->vectors_.graph.get() : nullptr;
    graph = std::make_unique<SegmentGraph>(options, slots, choose_codes(options, plan, base));
    if (base != nullptr) graph->copy_from(*base);
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
  CAIRN_ASSIGN(std::shared_ptr<const SegmentGraph> graph, build_graph(options, plan, workers));
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
                                        const SegmentGraph* graph, const Workers& workers) {
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
    auto graph = std::make_shared<SegmentGraph>(parts);
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

std::optional<std::vector<SlotDistance>> Segment::search(GraphQuery query) const {
  if (query.selection != nullptr && query.selection->is_every_slot()) query.selection = nullptr;
  try {
    return vectors_.graph->search(query);
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
