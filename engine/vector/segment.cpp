// Builds, extends and restores segments: brings graph, slots, partitions and tables together. A new
// segment reuses parts of its base. It copies the graph's memory and appends to it. It reuses the
// means as long as serves_on() permits. Tables are always rebuilt, because ranks have changed.
// Exceptions of hnswlib and of memory allocation become errors here.
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

// Rows that a thread adds between two checks for cancellation.
constexpr std::size_t rows_at_once = 16;
// Hits of a timed graph search: ten, the vector itself, and some that rounding may exchange with
// others.
constexpr std::size_t calibrated_hits = 18;

// hnswlib throws std::runtime_error for various reasons, of which only a lack of memory can occur
// here.
template <class Work>
Status guarded(Work&& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::resource_limit,
                 "not enough memory to build a vector segment; free memory or raise the limit of "
                 "the process",
                 {}};
  } catch (const std::exception& failure) {
    return Error{ErrorCode::resource_limit,
                 std::string("vector segment: cannot be built: ") + failure.what(),
                 {}};
  }
}

// Chooses the quantizer of a new graph: that of the base as long as the added vectors are not the
// majority, otherwise a newly learned one. Returns nullopt if there are few vectors or few
// components, or if 8-bit codes do not distinguish neighbours. Then the graph stores floats.
std::optional<Sq8Codes> choose_codes(const VectorIndexOptions& options, const SegmentPlan& plan,
                                     const SegmentGraph* base) {
  if (base != nullptr && base->codes() && plan.added.size() <= base->slots()) return base->codes();
  std::vector<const float*> rows;
  for (std::uint32_t slot = 0; base != nullptr && slot < base->slots(); ++slot)
    rows.push_back(plan.base->row(slot));
  for (const SegmentRow& row : plan.added) rows.push_back(row.row);
  if (!wants_tables(options.dimension, rows.size())) return std::nullopt;
  Sq8Codes codes = Sq8Codes::learn(make_metric(options.metric, options.dimension), rows);
  if (!codes.tells_neighbours(rows)) return std::nullopt;
  return codes;
}

/// The places of the full vectors, by slot.
RowPlaces places_of(const Segment::Vectors& vectors) {
  if (vectors.rows) return {vectors.rows->data(), vectors.measure.dimension * sizeof(float)};
  return vectors.graph ? vectors.graph->record_rows() : RowPlaces();
}

// Makes float16 copies of all vectors.
std::shared_ptr<const HalfRows> halves_of(const Segment::Vectors& vectors) {
  auto halves = std::make_shared<HalfRows>(vectors.measure, vectors.graph->slots());
  const RowPlaces rows = places_of(vectors);
  for (std::uint32_t slot = 0; slot < vectors.graph->slots(); ++slot) halves->put(slot, rows[slot]);
  return halves;
}

/// Sets up the prefilter that `storage` asks for. `vectors.halves` may exist already.
void choose_sieve(codec::VectorStorage storage, Segment::Vectors& vectors) {
  if (!vectors.rows) return;
  if (storage != codec::VectorStorage::float16) vectors.halves.reset();
  if (storage == codec::VectorStorage::float16 && !vectors.halves)
    vectors.halves = halves_of(vectors);
  vectors.is_prefiltered_by_bytes = storage == codec::VectorStorage::int8;
}

}  // namespace

Segment::Segment() : tables_(std::make_shared<SegmentTables>()) {}

Segment::~Segment() = default;

Segment::Segment(Vectors vectors, Tables tables)
    : vectors_(std::move(vectors)),
      row_places_(places_of(vectors_)),
      tables_(tables ? std::move(tables) : std::make_shared<SegmentTables>()) {
  const bool is_wanting = wants_tables(vectors_.measure.dimension, vectors_.slots->live());
  is_finished_ = tables_->codes.count() > 0 || !is_wanting;
}

// Shares everything except the vectors with this segment.
std::shared_ptr<const Segment> Segment::with_rows(std::shared_ptr<const SegmentRows> rows) const {
  Vectors vectors = vectors_;
  vectors.rows = std::move(rows);
  return std::make_shared<const Segment>(std::move(vectors), tables_);
}

Result<std::shared_ptr<const Segment>> Segment::finish() const { return finish(vectors_); }

// Makes the tables if they are wanted, with the graph search that calibrate() times.
Result<std::shared_ptr<const Segment>> Segment::finish(Vectors vectors) {
  std::shared_ptr<const Segment> segment;
  CAIRN_TRY(guarded([&]() -> Status {
    const InternalIds& slots = *vectors.slots;
    const RowPlaces rows = places_of(vectors);
    const std::function<const float*(std::uint32_t)> row_of = [&](std::uint32_t rank) {
      return rows[slots.slot_at(rank)];
    };
    const SegmentGraph* graph = vectors.graph.get();
    const auto walk = [graph, rows](std::uint32_t of, std::size_t ef,
                                    GraphSearcher graph_searcher) {
      std::vector<std::uint32_t> found;
      const BeamQuery query{.vector = rows[of],
                            .ef = ef,
                            .wanted = calibrated_hits,
                            .graph_searcher = graph_searcher,
                            .without = of};
      const auto hits = graph->search(query, rows);
      for (std::size_t i = 0; hits && i < hits->size(); ++i) found.push_back((*hits)[i].slot);
      return found;
    };
    Tables tables;
    if (wants_tables(vectors.measure.dimension, slots.live()))
      tables = std::make_shared<SegmentTables>(
          make_tables({vectors.measure, slots, *vectors.partitioning, row_of, walk,
                       graph->codes().has_value()}));
    segment = std::make_shared<const Segment>(std::move(vectors), std::move(tables));
    return {};
  }));
  return segment;
}

// Copies the base's graph, if any, adds the vectors of the plan on all threads, and seals the
// graph.
Status Segment::build_graph(const VectorIndexOptions& options, const SegmentPlan& plan,
                            const BuildThreads& workers, Vectors& made) {
  const std::size_t old_slots = plan.base != nullptr ? plan.base->slots().slots() : 0;
  const std::size_t slots = old_slots + plan.added.size();
  if (slots == 0) return {};
  std::shared_ptr<SegmentGraph> graph;
  if (slots > max_slots)
    return Error{ErrorCode::resource_limit,
                 "a vector index cannot hold more than 2,147,483,647 vectors",
                 {}};
  CAIRN_TRY(guarded([&]() -> Status {
    const SegmentGraph* base = old_slots > 0 ? plan.base->vectors_.graph.get() : nullptr;
    graph = std::make_shared<SegmentGraph>(options, slots, choose_codes(options, plan, base));
    if (base != nullptr) graph->copy_from(*base, plan.base->row_places_);
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
  if (Memory rows = graph->seal())
    made.rows =
        std::make_shared<SegmentRows>(std::move(rows), slots * options.dimension * sizeof(float));
  made.graph = std::move(graph);
  return guarded([&]() -> Status {
    choose_sieve(options.storage, made);
    return {};
  });
}

// Steps: graph, partitions, entities and dead slots, tables.
Result<std::shared_ptr<const Segment>> Segment::build(const VectorIndexOptions& options,
                                                      const SegmentPlan& plan,
                                                      const BuildThreads& workers) {
  Vectors made;
  made.measure = make_metric(options.metric, options.dimension);
  CAIRN_TRY(build_graph(options, plan, workers, made));
  CAIRN_ASSIGN(Partitioning partitioning, partition(options, plan, made, workers));
  made.partitioning = std::make_shared<Partitioning>(std::move(partitioning));
  std::vector<std::uint64_t> entities;
  if (plan.base != nullptr) {
    const auto old = plan.base->slots().entities();
    entities.assign(old.begin(), old.end());
  }
  for (const SegmentRow& row : plan.added) entities.push_back(row.entity);
  SlotBits dead = plan.dropped;
  if (!dead.empty()) dead.resize((entities.size() + 63) / 64);
  made.slots = std::make_shared<InternalIds>(std::move(entities), std::move(dead));
  return finish(std::move(made));
}

// Assigns vectors to partitions. The means of the base are used as long as they are enough, and
// vectors that were assigned to them stay where they are.
Result<Partitioning> Segment::partition(const VectorIndexOptions& options, const SegmentPlan& plan,
                                        const Vectors& vectors, const BuildThreads& workers) {
  Partitioning made;
  const std::size_t slots = vectors.graph ? vectors.graph->slots() : 0;
  if (slots < least_partitioned || options.dimension < least_coded_dimension) return made;
  const Partitioning* old = plan.base != nullptr ? plan.base->vectors_.partitioning.get() : nullptr;
  const RowPlaces places = places_of(vectors);
  const std::size_t means = old != nullptr ? old->means.size() / options.dimension : 0;
  if (old != nullptr && serves_on(means, slots)) made = *old;
  std::vector<const float*> rows;
  for (std::size_t slot = made.partition_of.size(); slot < slots; ++slot)
    rows.push_back(places[static_cast<std::uint32_t>(slot)]);
  if (made.empty()) made.means = train_means(options.dimension, rows, workers);
  if (made.means.empty() ||
      !assign_partitions(options.dimension, made.means, rows, workers, made.partition_of))
    return Error{ErrorCode::cancelled, "the build of a vector segment was stopped", {}};
  return made;
}

// Tables that do not fit are dropped without an error, because finish() can make new ones.
Result<std::shared_ptr<const Segment>> Segment::restore(SegmentParts parts,
                                                        codec::VectorStorage storage) {
  Vectors vectors;
  vectors.measure = make_metric(parts.shape.metric, parts.shape.dimension);
  vectors.partitioning = std::make_shared<Partitioning>(std::move(parts.partitioning));
  vectors.rows = std::move(parts.rows);
  vectors.halves = std::move(parts.halves);
  vectors.slots = std::make_shared<InternalIds>(std::move(parts.entities), std::move(parts.dead));
  if (!vectors.slots->is_unambiguous())
    return codec::corruption("vector segment: an entity has two vectors");
  CAIRN_TRY(guarded([&]() -> Status {
    if (parts.shape.count == 0) return {};
    auto graph = std::make_shared<SegmentGraph>(parts);
    (void)graph->seal();
    vectors.graph = std::move(graph);
    choose_sieve(storage, vectors);
    return {};
  }));
  if (parts.tables &&
      (!wants_tables(parts.shape.dimension, vectors.slots->live()) ||
       !settle(*parts.tables, vectors.measure, *vectors.slots, *vectors.partitioning)))
    parts.tables.reset();
  Tables tables;
  if (parts.tables) tables = std::make_shared<SegmentTables>(*std::move(parts.tables));
  return std::make_shared<const Segment>(std::move(vectors), std::move(tables));
}

std::optional<std::vector<SlotDistance>> Segment::search(BeamQuery query) const {
  if (query.selection != nullptr && query.selection->is_every_slot()) query.selection = nullptr;
  try {
    return vectors_.graph->search(query, row_places_);
  } catch (const std::runtime_error&) {
    // hnswlib rejected a link. A scan does not need links.
    return std::nullopt;
  }
}

// With 8-bit codes the graph computes the full distances; with float16 copies they are computed
// here.
std::optional<std::vector<SlotDistance>> Segment::sift(const BeamQuery& query,
                                                       std::span<const std::uint32_t> slots) const {
  if (vectors_.is_prefiltered_by_bytes) return vectors_.graph->nearest(query, row_places_, slots);
  if (!vectors_.halves) return std::nullopt;
  const DistanceMetric& measure = vectors_.measure;
  std::vector<SlotDistance> found;
  for (const std::uint32_t slot : vectors_.halves->nearest(query.vector, query.wanted, slots))
    found.push_back({slot, measure.kernels.pair(query.vector, row(slot), measure.dimension)});
  return found;
}

const ExactCodes* Segment::exact_codes(std::size_t comparisons) const {
  if (!vectors_.rows) return nullptr;
  return vectors_.graph->exact_codes(row_places_, comparisons);
}

// Collects views of all parts; only levels and upper links are copied.
SerializedSegment Segment::image(const VectorIndexOptions& options) const {
  SerializedSegment image;
  image.shape.metric = options.metric;
  image.shape.dimension = options.dimension;
  image.shape.m = options.m;
  image.shape.ef_construction = options.ef_construction;
  if (vectors_.graph) vectors_.graph->show(image);
  image.entities = slots().entities();
  image.dead = slots().dead();
  if (vectors_.rows) image.rows = vectors_.rows->components();
  image.means = vectors_.partitioning->means;
  image.partition_of = vectors_.partitioning->partition_of;
  if (codes().count() > 0) image.tables = tables_.get();
  return image;
}

VectorMemory Segment::memory() const noexcept {
  const Partitioning& partitioning = *vectors_.partitioning;
  VectorMemory memory;
  if (vectors_.rows) (rows()->is_mapped() ? memory.mapped : memory.rows) = rows()->bytes();
  if (vectors_.halves) memory.halves = vectors_.halves->memory_bytes();
  if (vectors_.graph) memory.graph = vectors_.graph->memory_bytes();
  memory.codes = codes().memory_bytes();
  if (vectors_.graph) memory.codes += vectors_.graph->exact_codes_bytes();
  memory.partitions =
      partitions().memory_bytes() +
      (partitioning.means.size() + partitioning.partition_of.size()) * sizeof(float);
  memory.ids = slots().memory_bytes();
  return memory;
}

}  // namespace cairn::engine
