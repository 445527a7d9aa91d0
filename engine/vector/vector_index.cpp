// The writer's side of a vector index. One thread at a time applies, adopts and loads; readers take
// states.
//
// apply      increments the version, stamps changes of delta and tombstones with it, publishes a state
// seal       another thread builds a segment from a state while apply continues
// adopt      starts a new epoch: the built segment, an empty delta, and once more the changes since that state
//
// `changed_` lists entities in the order of their changes, and a state knows its number of changes.
// So adopt finds the changes that followed the state from which the segment was built. A segment from a state of an
// earlier epoch is dropped.
#include "engine/vector/vector_index.hpp"

#include "engine/vector/distance.hpp"
#include "engine/vector/segment.hpp"
#include "engine/vector/snapshot_file.hpp"
#include "engine/vector/vector_delta.hpp"
#include "engine/vector/vector_state.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace cairn::engine {
namespace {

constexpr std::uint32_t max_ef_construction = 4'096;
constexpr double overdue = 4;  // multiple of the delta's limit from which a seal is overdue

/// The result of map_rows(), for adopt_rows().
struct MappedSegment {
  std::shared_ptr<const Segment> segment;  // owners: this and the states
  std::shared_ptr<const Segment> was;      // the segment that it replaces
};

/// The result of build_segment(), for adopt_segment().
struct BuiltSegment {
  std::shared_ptr<const Segment> segment;  // owners: this and the states
  std::uint64_t epoch = 0;                 // epoch of the state from which it was built
  std::size_t changes = 0;
  std::uint64_t sequence = 0;
};

// Every state that an index publishes is an IndexSnapshot.
const IndexSnapshot& segmented(const VectorState& state) {
  return static_cast<const IndexSnapshot&>(state);
}

// Plans a new segment. It extends the current one, unless `is_afresh` or more than a fifth of the slots is dead: dead
// slots cost memory and make searches longer. The plan refers to vectors of `state`.
SegmentPlan plan_segment(const IndexSnapshot& state, bool is_afresh) {
  const auto& parts = state.parts();
  const InternalIds& slots = parts.segment->slots();
  SegmentPlan plan;
  parts.delta.for_each(
      [&](std::uint64_t entity, const float* row) { plan.added.push_back({entity, row}); });
  // Slots that earlier seals made dead, and slots that this state hides.
  const std::size_t lost = slots.slots() - state.live_ids().count();
  if (is_afresh || lost * 5 > slots.slots()) {
    slots.for_each([&](std::uint32_t slot) {
      if (!state.live_ids().is_hidden(slot))
        plan.added.push_back({slots.entity(slot), parts.segment->row(slot)});
    });
  } else {
    plan.base = parts.segment.get();
    if (lost > 0) plan.dropped.resize((slots.slots() + 63) / 64);
    for (std::uint32_t slot = 0; lost > 0 && slot < slots.slots(); ++slot)
      if (!state.live_ids().contains(slot)) set_bit(plan.dropped, slot);
  }
  std::ranges::sort(plan.added, {}, &SegmentRow::entity);
  return plan;
}

/// The size of the delta from which a seal is due. It is 8 MiB of components, within 1,024 to 8,192 vectors: scanning
/// them takes about as long as a graph search. For large segments it is a twentieth of the slots, so that sealing stays
/// cheap for each vector.
std::size_t delta_limit(std::size_t dimension, std::size_t slots) {
  const std::size_t positions = (std::size_t{8} << 20) / (dimension * sizeof(float));
  return std::max(std::clamp<std::size_t>(positions, 1'024, 8'192), slots / 20);
}

/// The only implementation of VectorIndex.
class SegmentedIndex final : public VectorIndex {
 public:
  explicit SegmentedIndex(const VectorIndexOptions& options)
      : options_(options), delta_(options.dimension), scratch_(options.dimension) {
    next_.measure = make_metric(options.metric, options.dimension);
    next_.m = options.m;
    next_.version = 1;
    start_epoch(std::make_shared<const Segment>(), 0);
    publish();
  }

  StatePtr state() const override { return current(); }
  void apply(std::span<const VectorChange> changes, std::uint64_t sequence) override;
  bool wants_seal() const noexcept override;
  bool is_overdue() const noexcept override;
  Result<std::shared_ptr<const void>> build_segment(const StatePtr& from,
                                                    const BuildThreads& workers) const override;
  std::size_t forgotten() const noexcept override;
  Result<std::shared_ptr<const void>> build_afresh(const StatePtr& from,
                                                   const BuildThreads& workers) const override;
  void adopt_segment(std::shared_ptr<const void> segment) override;
  Status save(const std::filesystem::path& file, const std::string& database_id,
              std::uint32_t index_id) const override;
  Result<std::shared_ptr<const void>> map_rows(const std::filesystem::path& file,
                                               const std::string& database_id,
                                               std::uint32_t index_id) const override;
  void adopt_rows(std::shared_ptr<const void> segment) override;
  Result<std::uint64_t> load(const std::filesystem::path& file, const std::string& database_id,
                             std::uint32_t index_id) override;

 private:
  std::shared_ptr<const IndexSnapshot> current() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  [[nodiscard]] double fullness() const noexcept;
  void publish();
  void start_epoch(std::shared_ptr<const Segment> segment, std::uint64_t sequence);
  void put(std::uint64_t entity, std::span<const float> stored);
  void erase(std::uint64_t entity);
  void hide_slot_of(std::uint64_t entity);

  const VectorIndexOptions options_;
  mutable std::mutex mutex_;                    // guards only state_
  std::shared_ptr<const IndexSnapshot> state_;  // owners: the index and snapshots

  // The members below are used only by the writer's thread.
  IndexSnapshot::Parts next_;
  VectorDelta delta_;
  std::shared_ptr<IdTombstones> tombstones_;  // owners: the index and states
  // Entities changed in this epoch, in order, repeated if changed again.
  std::vector<std::uint64_t> changed_;
  std::vector<float> scratch_;
};

// The replaced state is released after the lock, because it may be the last owner of a segment.
void SegmentedIndex::publish() {
  next_.delta = delta_.view(next_.version);
  next_.tombstones = tombstones_;
  next_.changes = changed_.size();
  auto state = std::make_shared<const IndexSnapshot>(next_);
  const std::lock_guard lock(mutex_);
  state_.swap(state);
}

// Replaces everything except version and sequence, so that views of the old epoch stay valid.
void SegmentedIndex::start_epoch(std::shared_ptr<const Segment> segment, std::uint64_t sequence) {
  delta_ = VectorDelta(options_.dimension);
  tombstones_.reset();
  changed_.clear();
  next_.segment = std::move(segment);
  next_.segment_sequence = sequence;
  next_.hidden = 0;
  ++next_.version;
  ++next_.epoch;
}

// Tombstones take eight bytes a slot, so they are allocated when the first slot is hidden. Each
// slot is hidden once, by the earliest version.
void SegmentedIndex::hide_slot_of(std::uint64_t entity) {
  const InternalIds& slots = next_.segment->slots();
  const auto slot = slots.find(entity);
  if (!slot) return;
  if (!tombstones_) tombstones_ = std::make_shared<IdTombstones>(slots.slots());
  // Versions increase, so a slot hidden in any version is hidden in the current one.
  if (tombstones_->is_hidden(*slot, next_.version)) return;
  tombstones_->hide(*slot, next_.version);
  ++next_.hidden;
}

// The delta gets the vector, and the segment's older one is hidden. Does not publish.
void SegmentedIndex::put(std::uint64_t entity, std::span<const float> stored) {
  delta_.put(entity, stored, next_.version);
  hide_slot_of(entity);
  changed_.push_back(entity);
}

void SegmentedIndex::erase(std::uint64_t entity) {
  delta_.erase(entity, next_.version);
  hide_slot_of(entity);
  changed_.push_back(entity);
}

void SegmentedIndex::apply(std::span<const VectorChange> changes, std::uint64_t sequence) {
  ++next_.version;
  next_.sequence = sequence;
  for (const VectorChange& change : changes) {
    if (change.vector) {
      store_components(*change.vector, options_.metric, scratch_);
      put(change.entity, scratch_);
    } else {
      erase(change.entity);
    }
  }
  publish();
}

/// The part of the delta that a seal would remove, as a multiple of the delta's limit.
double SegmentedIndex::fullness() const noexcept {
  const auto state = current();
  const auto& parts = state->parts();
  const std::size_t limit = delta_limit(options_.dimension, parts.segment->slots().slots());
  return static_cast<double>(parts.delta.positions() + parts.hidden) / static_cast<double>(limit);
}

bool SegmentedIndex::wants_seal() const noexcept {
  return !current()->parts().segment->is_finished() || fullness() > 1;
}

bool SegmentedIndex::is_overdue() const noexcept { return fullness() > overdue; }

// A segment without changes is only finished, or returned as it is.
Result<std::shared_ptr<const void>> SegmentedIndex::build_segment(
    const StatePtr& from, const BuildThreads& workers) const {
  BuildThreads builders = workers;
  builders.threads = options_.background_threads;
  const IndexSnapshot& state = segmented(*from);
  const auto& parts = state.parts();
  auto segment = parts.segment;
  if (parts.delta.live() > 0 || parts.hidden > 0) {
    CAIRN_ASSIGN(segment, Segment::build(options_, plan_segment(state, false), builders));
  } else if (!segment->is_finished()) {
    CAIRN_ASSIGN(segment, segment->finish());
  }
  return std::shared_ptr<const void>(std::make_shared<const BuiltSegment>(
      BuiltSegment{std::move(segment), parts.epoch, parts.changes, parts.sequence}));
}

std::size_t SegmentedIndex::forgotten() const noexcept {
  const auto state = current();
  return state->parts().segment->slots().slots() - state->live_ids().count();
}

Result<std::shared_ptr<const void>> SegmentedIndex::build_afresh(
    const StatePtr& from, const BuildThreads& workers) const {
  BuildThreads builders = workers;
  builders.threads = options_.background_threads;
  const IndexSnapshot& state = segmented(*from);
  const auto& parts = state.parts();
  CAIRN_ASSIGN(auto segment, Segment::build(options_, plan_segment(state, true), builders));
  return std::shared_ptr<const void>(std::make_shared<const BuiltSegment>(
      BuiltSegment{std::move(segment), parts.epoch, parts.changes, parts.sequence}));
}

// The new segment contains what the old state contained. Entities changed since then are put or
// erased once more, with their current vectors.
void SegmentedIndex::adopt_segment(std::shared_ptr<const void> segment) {
  const auto& built = *static_cast<const BuiltSegment*>(segment.get());
  if (built.epoch != next_.epoch) return;
  std::vector<std::uint64_t> later(changed_.begin() + static_cast<std::ptrdiff_t>(built.changes),
                                   changed_.end());
  std::ranges::sort(later);
  later.erase(std::ranges::unique(later).begin(), later.end());

  // The newest published view. The delta itself is about to be replaced.
  const DeltaView before = next_.delta;
  start_epoch(built.segment, built.sequence);
  for (const std::uint64_t entity : later) {
    if (const float* row = before.find(entity)) {
      put(entity, {row, options_.dimension});
    } else {
      erase(entity);
    }
  }
  publish();
}

Status SegmentedIndex::save(const std::filesystem::path& file, const std::string& database_id,
                            std::uint32_t index_id) const {
  const auto state = current();
  const auto& parts = state->parts();
  return write_snapshot(file, {database_id, index_id}, parts.segment->image(options_),
                        parts.segment_sequence);
}

// Returns null if the segment has no rows to map.
Result<std::shared_ptr<const void>> SegmentedIndex::map_rows(const std::filesystem::path& file,
                                                             const std::string& database_id,
                                                             std::uint32_t index_id) const {
  const auto state = current();
  const auto& parts = state->parts();
  std::shared_ptr<const void> made;
  if (parts.segment->rows() == nullptr) return made;
  const SerializedSegment image = parts.segment->image(options_);
  CAIRN_ASSIGN(FileMap map,
               map_snapshot_rows(file, {database_id, index_id}, image, parts.segment_sequence));
  if (map.size() == 0) return made;
  auto segment = parts.segment->with_rows(std::make_shared<SegmentRows>(std::move(map)));
  made = std::make_shared<const MappedSegment>(MappedSegment{std::move(segment), parts.segment});
  return made;
}

// Slots, versions and epoch stay the same, so a build that began from the segment in memory remains
// valid.
void SegmentedIndex::adopt_rows(std::shared_ptr<const void> segment) {
  const auto& mapped = *static_cast<const MappedSegment*>(segment.get());
  if (next_.segment != mapped.was) return;
  next_.segment = mapped.segment;
  publish();
}

// Everything that can fail comes before start_epoch(), so that an error changes nothing.
Result<std::uint64_t> SegmentedIndex::load(const std::filesystem::path& file,
                                           const std::string& database_id, std::uint32_t index_id) {
  CAIRN_ASSIGN(SavedSegment saved, read_snapshot(file, {database_id, index_id}, options_));
  CAIRN_ASSIGN(auto segment, Segment::restore(std::move(saved.parts), options_.storage));
  if (options_.finishes_on_load && !segment->is_finished()) {
    CAIRN_ASSIGN(segment, segment->finish());
  }
  start_epoch(std::move(segment), saved.sequence);
  next_.sequence = saved.sequence;
  publish();
  return saved.sequence;
}

Error out_of_range(std::string_view what, std::uint32_t value, std::uint32_t least,
                   std::uint32_t most) {
  return Error{ErrorCode::invalid_argument,
               "a vector index with " + std::string(what) + " " + std::to_string(value) + ": " +
                   std::string(what) + " must be from " + std::to_string(least) + " to " +
                   std::to_string(most),
               {}};
}

}  // namespace

Result<std::unique_ptr<VectorIndex>> VectorIndex::make(const VectorIndexOptions& options) {
  if (options.dimension < 1 || options.dimension > max_dimension)
    return out_of_range("dimension", options.dimension, 1, max_dimension);
  if (options.m < min_m || options.m > max_m) return out_of_range("M", options.m, min_m, max_m);
  if (options.ef_construction < 1 || options.ef_construction > max_ef_construction)
    return out_of_range("ef_construction", options.ef_construction, 1, max_ef_construction);
  return std::unique_ptr<VectorIndex>(std::make_unique<SegmentedIndex>(options));
}

}  // namespace cairn::engine
