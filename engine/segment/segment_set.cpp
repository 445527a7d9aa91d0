// Decides when a segment is built and dropped, and follows commits.
//
// A segment that is being built already follows commits: their changes are noted. Afterwards it serves readers of the
// commit as of which it was built, and of later ones. So only a reader of the newest commit may build a segment.
//
// A segment that has a file follows commits even while it is not in memory.
#include "engine/segment/segment_set.hpp"

#include "codec/keys.hpp"
#include "engine/segment/adjacency_segment.hpp"
#include "engine/segment/column_segment.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

using codec::SegmentSource;

namespace {

// A segment is dropped if one in so many of its ids was changed.
constexpr std::size_t changed_share = 16;
// A build is discarded if commits change more ids than this meanwhile.
constexpr std::size_t most_while_building = std::size_t{1} << 16;
constexpr std::size_t least_changed = 1'024;   // but never below this number of changed ids
constexpr double microseconds_a_byte = 0.001;  // the cost of reading a file
// A file is read once statements have spent this share of its cost, as few of them end then.
constexpr double file_share = 0.25;
// After a failed build, the next attempt waits until statements have spent this multiple of its cost.
constexpr double vain_cost = 10;

SegmentSource source_of(codec::EntityKind kind) {
  return kind == codec::EntityKind::node ? SegmentSource::nodes : SegmentSource::relationships;
}

/// Converts the result of a build to the base class.
template <class Ptr>
Result<std::shared_ptr<const Segment>> as_segment(const Result<Ptr>& built) {
  if (!built) return built.error();
  return std::shared_ptr<const Segment>(*built);
}

/// Runs a build. Returns nullptr if it fails: readers use the records then, and meet the same error there.
std::shared_ptr<const Segment> build_or_nothing(
    const std::function<Result<std::shared_ptr<const Segment>>()>& build) {
  try {
    auto built = build();
    return built ? *built : nullptr;
  } catch (const std::exception&) {  // out of memory, or a container that would be too long
    return nullptr;
  }
}

}  // namespace

// The key of an adjacency segment is its source; it has no property.
AdjacencyView SegmentSet::adjacency(bool outgoing, const SegmentWish& wish) {
  const double cost =
      AdjacencySegment::microseconds_a_relationship * static_cast<double>(wish.records);
  const auto build = [this, outgoing](const StoreSnapshot& snapshot, const SegmentBounds& bounds) {
    return as_segment(AdjacencySegment::build(store_, snapshot, outgoing, bounds));
  };
  const Found found =
      find({outgoing ? SegmentSource::outgoing : SegmentSource::incoming, 0}, wish, cost, build);
  return AdjacencyView{std::static_pointer_cast<const AdjacencySegment>(found.segment),
                       found.changed};
}

ColumnView SegmentSet::column(codec::EntityKind kind, std::uint32_t key, const SegmentWish& wish) {
  const double cost = ColumnSegment::microseconds_a_record * static_cast<double>(wish.records);
  const auto build = [this, kind, key](const StoreSnapshot& snapshot, const SegmentBounds& bounds) {
    return as_segment(ColumnSegment::build(store_, snapshot, kind, key, bounds));
  };
  const Found found = find({source_of(kind), key}, wish, cost, build);
  return ColumnView{std::static_pointer_cast<const ColumnSegment>(found.segment), found.changed};
}

// Builds without the mutex. Meanwhile the entry is marked as being built, so no second thread builds the same
// segment.
SegmentSet::Found SegmentSet::find(const Key& key, const SegmentWish& wish, double cost,
                                   const Build& build) {
  if (policy_ == Segments::never) return Found();
  When when = When::never;
  std::optional<codec::SegmentFileEntry> file;
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[key];
    if (entry.segment != nullptr && wish.commit >= entry.commit) return found(entry, wish.commit);
    if (entry.segment == nullptr) file = entry.file;
    if (file) cost = static_cast<double>(file->bytes) * microseconds_a_byte * file_share;
    when = when_to_build(entry, wish, cost);
    if (when == When::never) return Found();
    // From here on follow() notes commits for the segment that is being built.
    entry.is_building = true;
    if (!file) {
      entry.commit = wish.commit;
      entry.segment.reset();
      entry.file.reset();
      entry.changed.clear();
    }
  }
  if (file) return load(key, wish, cost, when, *file);
  if (when == When::beside) {
    build_beside(key, wish, cost, build);
    return Found();
  }
  return Found{
      build_and_keep(key, cost,
                     [&] { return build(wish.snapshot, {most_bytes_, wish.need.goes_on}); }),
      nullptr};
}

SegmentSet::Found SegmentSet::found(Entry& entry, std::uint64_t commit) {
  if (entry.segment == nullptr || commit < entry.commit) return Found();
  entry.used = ++use_;
  return Found{entry.segment, entry.changed.as_of(commit)};
}

// A failed load drops the file, so that the segment is built when that pays off.
SegmentSet::Found SegmentSet::load(const Key& key, const SegmentWish& wish, double cost, When when,
                                   const codec::SegmentFileEntry& file) {
  if (when == When::beside) {
    build_beside(key, wish, cost, [this, key, file](const StoreSnapshot&, const SegmentBounds&) {
      return read_file(key, file);
    });
    return Found();
  }
  static_cast<void>(build_and_keep(key, cost, [&] { return read_file(key, file); }));
  const std::lock_guard lock(mutex_);
  return found(entries_[key], wish.commit);
}

// Commits may have made the file useless meanwhile; then keep() discards the segment.
Result<SegmentSet::SegmentPtr> SegmentSet::read_file(const Key& key,
                                                     const codec::SegmentFileEntry& file) {
  CAIRN_ASSIGN(LoadedSegment loaded, load_(file));
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[key];
  if (entry.is_void || entry.file != file) return SegmentPtr();
  if (!entry.knows_file) entry.changed.add_first(file.commit, loaded.changed);
  entry.knows_file = true;
  return loaded.segment;
}

SegmentSet::SegmentPtr SegmentSet::build_and_keep(
    const Key& key, double cost, const std::function<Result<SegmentPtr>()>& build) {
  const SegmentPtr built = build_or_nothing(build);
  keep(key, built, cost);
  if (built != nullptr && on_built_) on_built_();
  return built;
}

// The job holds the owner of the snapshot. It may be the last holder, and then destroys this set with it.
void SegmentSet::build_beside(const Key& key, const SegmentWish& wish, double cost,
                              const Build& build) {
  const auto job = [this, key, cost, build, owner = wish.owner,
                    &snapshot = wish.snapshot](const std::stop_token& stop) {
    const std::function<bool()> goes_on = [&] { return !stop.stop_requested(); };
    static_cast<void>(
        build_and_keep(key, cost, [&] { return build(snapshot, {most_bytes_, goes_on}); }));
  };
  if (!beside_(job)) keep(key, nullptr, cost);
}

// `spent` is negative after a failed build. A statement builds at once if it alone has spent the cost of a build.
SegmentSet::When SegmentSet::when_to_build(Entry& entry, const SegmentWish& wish,
                                           double cost) const {
  if (entry.is_building || wish.commit != followed_) return When::never;
  entry.spent += wish.need.spent;
  const bool is_vain = entry.spent < 0;
  if (policy_ == Segments::always)
    return is_vain || cost > wish.need.most ? When::never : When::now;
  const bool can_be_beside = beside_ != nullptr && wish.owner != nullptr;
  const double most =
      can_be_beside ? std::min(wish.need.most, wish.need.most_at_once) : wish.need.most;
  if (wish.need.all_spent >= cost && !is_vain && cost <= most) return When::now;
  return can_be_beside && entry.spent >= cost ? When::beside : When::never;
}

// A failed build sets `spent` to a negative value, see vain_cost. A failed load does not: a build may succeed.
void SegmentSet::keep(const Key& key, const SegmentPtr& built, double cost) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[key];
  entry.is_building = false;
  entry.used = ++use_;
  entry.spent = built != nullptr || entry.file ? 0 : -vain_cost * (cost + 1);
  const bool is_kept = built != nullptr && !entry.is_void;
  entry.is_void = false;
  if (!is_kept) return entry.drop();
  entry.segment = built;
  make_room();
}

void SegmentSet::make_room() {
  while (bytes() > most_bytes_) {
    Entry* oldest = nullptr;
    for (auto& [key, entry] : entries_)
      if (entry.segment != nullptr && (oldest == nullptr || entry.used < oldest->used))
        oldest = &entry;
    if (oldest == nullptr) return;
    oldest->unload();
  }
}

// A segment that is being built cannot be dropped yet, so it is marked.
void SegmentSet::Entry::drop() noexcept {
  segment.reset();
  changed.clear();
  file.reset();
  knows_file = false;
  is_void = is_building;
}

void SegmentSet::Entry::unload() noexcept {
  if (!file) return drop();
  segment.reset();
}

void SegmentSet::Entry::forget_file() noexcept {
  if (!file) return;
  if (segment == nullptr) return drop();
  file.reset();
}

std::size_t SegmentSet::Entry::most_changed() const noexcept {
  if (segment == nullptr && !file) return most_while_building;
  const std::size_t ids = segment != nullptr ? segment->ids() : file->ids;
  return std::max(least_changed, ids / changed_share);
}

// Too many changed ids make a segment useless: a reader would look up most values in the records.
void SegmentSet::Entry::note(std::uint64_t commit_number, std::span<const std::uint64_t> ids) {
  if (changed.size() + ids.size() > most_changed())
    drop();
  else
    changed.add(commit_number, ids);
}

// The commit is already in the store and must not fail. If memory runs out, the segment is dropped instead.
void SegmentSet::follow(std::uint64_t commit, const WriteSet& write_set) {
  const std::lock_guard lock(mutex_);
  followed_ = commit;
  if (logged_ != commit) {
    unlogged_ = commit;
    forget_files();
  }
  for (auto& [key, entry] : entries_) {
    if (!entry.follows()) continue;
    try {
      entry.note(commit, changed_ids(write_set, key.source));
    } catch (const std::exception&) {
      entry.drop();
    }
  }
}

void SegmentSet::clear() {
  const std::lock_guard lock(mutex_);
  for (auto& [key, entry] : entries_) entry.drop();
}

std::size_t SegmentSet::bytes() const {
  std::size_t sum = 0;
  for (const auto& [key, entry] : entries_)
    sum += (entry.segment != nullptr ? entry.segment->memory_bytes() : 0) +
           entry.changed.memory_bytes();
  return sum;
}

std::size_t SegmentSet::memory_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes();
}

std::vector<SegmentDescription> SegmentSet::describe() const {
  const std::lock_guard lock(mutex_);
  std::vector<SegmentDescription> all;
  for (const auto& [key, entry] : entries_) {
    if (entry.segment == nullptr) continue;
    const bool is_of_lists =
        key.source == SegmentSource::outgoing || key.source == SegmentSource::incoming;
    const bool is_of_nodes = key.source == SegmentSource::nodes;
    all.push_back({is_of_lists, key.source == SegmentSource::outgoing,
                   is_of_nodes ? codec::EntityKind::node : codec::EntityKind::relationship,
                   key.property, entry.segment->ids(), entry.changed.size(),
                   entry.segment->memory_bytes() + entry.changed.memory_bytes()});
  }
  return all;
}

}  // namespace cairn::engine
