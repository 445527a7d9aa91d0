// Decides when a segment is built and dropped, and follows commits.
//
// The set has a log of the ids that commits changed, for each kind of records and of lists that a statement has asked for.
// A segment serves the readers of all commits that the log covers: what has not changed between its commit and that of the
// reader is the same in both. So a reader of any of these commits may build a segment.
//
// If a segment has a file, the log covers the commit of the file even while the segment is not in memory.
#include "engine/segment/segment_set.hpp"

#include "codec/keys.hpp"
#include "engine/segment/adjacency_segment.hpp"
#include "engine/segment/column_segment.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

using codec::SegmentSource;

namespace {

// A segment is dropped if more than one in `changed_share` of its ids were changed.
constexpr std::size_t changed_share = 16;
// A build is discarded if commits change more ids than this meanwhile.
constexpr std::size_t most_while_building = std::size_t{1} << 16;
constexpr std::size_t least_changed = 1'024;  // but never below this number of changed ids
// If more ids than this changed between the commit of an older reader and the commit of a segment, the reader gets no
// segment: it would have to unite these ids to read a single value.
constexpr std::size_t most_for_older = 4'096;
// The log of each source takes at most this share of the memory of segments.
constexpr std::size_t log_share = 8;
// The least cost of building a segment again, in microseconds.
constexpr double least_cost = 200;
// After updates of more than one in `updated_share` ids, a segment is built from all records again, because an update
// preserves texts that no value has any more, and the forms of unchanged values.
constexpr std::size_t updated_share = 4;
constexpr std::size_t no_update =
    std::numeric_limits<std::uint32_t>::max();  // more than any segment may have
// If the policy is to build always, a segment is built again after this number of changed ids.
constexpr std::size_t changed_at_most = 8;
constexpr double microseconds_a_byte = 0.001;  // the cost of reading a file
// A file is read once statements have spent this share of the cost of reading it: few statements end soon after that.
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
  const Build build = [this, outgoing](const StoreSnapshot& snapshot, const SegmentBounds& bounds,
                                       const Found& earlier) {
    if (earlier.segment == nullptr)
      return as_segment(AdjacencySegment::build(store_, snapshot, outgoing, bounds));
    const auto& lists = static_cast<const AdjacencySegment&>(*earlier.segment);
    return as_segment(lists.updated(store_, snapshot, outgoing, *earlier.changed, bounds));
  };
  const Found found =
      find({outgoing ? SegmentSource::outgoing : SegmentSource::incoming, 0}, wish, cost, build);
  return AdjacencyView{std::static_pointer_cast<const AdjacencySegment>(found.segment),
                       found.changed};
}

ColumnView SegmentSet::column(codec::EntityKind kind, std::uint32_t key, const SegmentWish& wish) {
  const double cost = ColumnSegment::microseconds_a_record * static_cast<double>(wish.records);
  const Build build = [this, kind, key](const StoreSnapshot& snapshot, const SegmentBounds& bounds,
                                        const Found& earlier) {
    if (earlier.segment == nullptr)
      return as_segment(ColumnSegment::build(store_, snapshot, kind, key, bounds));
    const auto& column = static_cast<const ColumnSegment&>(*earlier.segment);
    return as_segment(column.updated(store_, snapshot, kind, key, *earlier.changed, bounds));
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
  Found now, earlier;
  std::optional<codec::SegmentFileEntry> file;
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[key];
    now = found(key, entry, wish.commit);
    if (entry.segment == nullptr) file = entry.file;
    if (file) cost = static_cast<double>(file->bytes) * microseconds_a_byte * file_share;
    const std::size_t updated = updated_with(entry, now, wish.commit);
    if (updated != 0) {
      earlier = now;
      if (std::max(entry.spent + wish.need.spent, wish.need.all_spent) >= least_cost)
        cost = std::min(cost, now.segment->cost_of_update(*now.changed));
    }
    if (entry.segment != nullptr) cost += least_cost;
    when = when_to_build(key, entry, wish, cost);
    if (when == When::never) return now;
    entry.is_building = true;
    entry.building = file ? file->commit : wish.commit;
    entry.building_updated = updated;
  }
  if (file) return load(key, wish, cost, when, *file);
  if (when == When::beside) {
    build_beside(key, wish, cost, [build, earlier](const auto& snapshot, const auto& bounds) {
      return build(snapshot, bounds, earlier);
    });
    return now;
  }
  const SegmentPtr built = build_and_keep(
      key, cost, [&] { return build(wish.snapshot, {most_bytes_, wish.need.goes_on}, earlier); });
  return built == nullptr ? now : Found{built, nullptr};
}

SegmentSet::Found SegmentSet::found(const Key& key, Entry& entry, std::uint64_t commit) {
  const ChangedIds& log = log_of(key);
  if (entry.segment == nullptr || commit > followed_ || !log.covers(commit)) return Found();
  if (commit < entry.commit && log.count(commit, entry.commit) > most_for_older) return Found();
  entry.used = ++use_;
  return Found{entry.segment, entry.unknown.as_of(log, entry.commit, commit)};
}

std::size_t SegmentSet::updated_with(const Entry& entry, const Found& now, std::uint64_t commit) {
  if (now.segment == nullptr || now.changed == nullptr || commit < entry.commit) return 0;
  const std::size_t updated = entry.updated + now.changed->cardinality();
  const std::size_t most = std::max(least_changed, now.segment->ids() / updated_share);
  return updated > most ? 0 : updated;
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
  return found(key, entries_[key], wish.commit);
}

// Commits may have made the file useless meanwhile; then keep() discards the segment.
Result<SegmentSet::SegmentPtr> SegmentSet::read_file(const Key& key,
                                                     const codec::SegmentFileEntry& file) {
  CAIRN_ASSIGN(LoadedSegment loaded, load_(file));
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[key];
  if (entry.is_void || entry.file != file) return SegmentPtr();
  if (!loaded.changed.empty())
    entry.building_unknown = std::make_shared<const codec::Bitmap>(
        codec::Bitmap::from_unsorted(std::move(loaded.changed)));
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
                              const Make& make) {
  const auto job = [this, key, cost, make, owner = wish.owner,
                    &snapshot = wish.snapshot](const std::stop_token& stop) {
    const std::function<bool()> goes_on = [&] { return !stop.stop_requested(); };
    static_cast<void>(
        build_and_keep(key, cost, [&] { return make(snapshot, {most_bytes_, goes_on}); }));
  };
  if (!beside_(job)) keep(key, nullptr, cost);
}

// A build needs the changes after its commit, and must not replace a newer segment. A segment of the same commit helps
// if the present one was read from a file that lacks some ids.
bool SegmentSet::would_help(const Key& key, const Entry& entry, std::uint64_t commit) const {
  if (!log_of(key).covers(commit)) return false;
  if (entry.segment == nullptr || commit > entry.commit) return true;
  return commit == entry.commit && entry.unknown.size() > 0;
}

// A new segment needs memory beside the one that serves readers meanwhile. Others make room for it.
bool SegmentSet::may_build(const Key& key, const Entry& entry, std::uint64_t commit) const {
  if (entry.is_building || commit > followed_ || !would_help(key, entry, commit)) return false;
  if (entry.segment == nullptr) return true;
  const std::size_t changed = log_of(key).count(entry.commit, commit) + entry.unknown.size();
  if (changed < (policy_ == Segments::always ? changed_at_most : 1)) return false;
  return 2 * entry.segment->memory_bytes() <= most_bytes_;
}

// `spent` is negative after a failed build. A statement builds at once if it alone has spent the cost of a build.
SegmentSet::When SegmentSet::when_to_build(const Key& key, Entry& entry, const SegmentWish& wish,
                                           double cost) const {
  if (would_help(key, entry, wish.commit)) entry.spent += wish.need.spent;
  const bool is_vain = entry.spent < 0;
  const bool is_always = policy_ == Segments::always;
  const bool has_paid_alone = (is_always || wish.need.all_spent >= cost) && !is_vain;
  if (!has_paid_alone && entry.spent < cost) return When::never;
  const bool can_be_beside = beside_ != nullptr && wish.owner != nullptr && !is_always;
  const double most =
      can_be_beside ? std::min(wish.need.most, wish.need.most_at_once) : wish.need.most;
  const bool is_now = has_paid_alone && cost <= most;
  if (!is_now && !(can_be_beside && entry.spent >= cost)) return When::never;
  if (!may_build(key, entry, wish.commit)) return When::never;
  return is_now ? When::now : When::beside;
}

// A failed build sets `spent` to a negative value, see vain_cost. A failed load does not: a build may succeed. The segment
// that was to be replaced remains, and the next attempt begins with all records.
void SegmentSet::keep(const Key& key, const SegmentPtr& built, double cost) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[key];
  const bool is_kept = built != nullptr && !entry.is_void && log_of(key).covers(entry.building);
  entry.is_building = false;
  entry.is_void = false;
  entry.used = ++use_;
  const bool was_read = entry.file && entry.segment == nullptr;
  entry.spent = built != nullptr || was_read ? 0 : -vain_cost * (cost + 1);
  UnknownIds unknown(std::exchange(entry.building_unknown, nullptr));
  if (!is_kept) {
    if (entry.segment == nullptr) entry.drop();
    if (built == nullptr) entry.updated = no_update;
    return;
  }
  entry.segment = built;
  entry.commit = entry.building;
  entry.unknown = std::move(unknown);
  entry.updated = entry.building_updated;
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
  unknown = {};
  file.reset();
  is_void = is_building;
}

void SegmentSet::Entry::unload() noexcept {
  if (!file) return drop();
  forget_segment();
}

void SegmentSet::Entry::forget_segment() noexcept {
  segment.reset();
  unknown = {};
}

void SegmentSet::Entry::forget_file() noexcept {
  if (!file) return;
  if (segment == nullptr) return drop();
  file.reset();
}

std::size_t SegmentSet::most_changed_of(std::size_t ids) {
  return std::max(least_changed, ids / changed_share);
}

std::size_t SegmentSet::Entry::most_changed() const noexcept {
  std::size_t most = is_building ? most_while_building : least_changed;
  if (segment != nullptr) most = std::max(most, most_changed_of(segment->ids()));
  if (file) most = std::max(most, most_changed_of(file->ids));
  return most;
}

std::optional<std::size_t> SegmentSet::changed_since(const Key& key, std::uint64_t commit) const {
  const ChangedIds& log = log_of(key);
  if (!log.covers(commit)) return std::nullopt;
  return log.count(commit, followed_);
}

std::size_t SegmentSet::most_noted(SegmentSource source) const {
  std::size_t most = 0;
  for (const auto& [key, entry] : entries_)
    if (key.source == source) most = std::max(most, entry.most_changed());
  return most;
}

void SegmentSet::note(SegmentSource source, std::uint64_t commit,
                      std::span<const std::uint64_t> ids) {
  ChangedIds& log = changed_[codec::position(source)];
  const std::size_t most = most_noted(source);
  const std::size_t most_bytes = most_bytes_ / log_share;
  // So many ids would be copied, only to be trimmed at once.
  if (ids.size() > most || ids.size() * sizeof(std::uint64_t) > most_bytes)
    return log.begin(commit);
  log.add(commit, ids);
  log.trim(most, most_bytes);
}

void SegmentSet::drop_outdated() noexcept {
  for (auto& [key, entry] : entries_) {
    const auto is_outdated = [&, this](std::uint64_t commit, std::size_t most) {
      const auto changed = changed_since(key, commit);
      return !changed || *changed > most;
    };
    if (entry.file && is_outdated(entry.file->commit, most_changed_of(entry.file->ids)))
      entry.forget_file();
    const std::size_t unknown = entry.unknown.size();
    if (entry.segment != nullptr) {
      const std::size_t most = most_changed_of(entry.segment->ids());
      if (unknown > most || is_outdated(entry.commit, most - unknown)) {
        // A file of the same commit would give the same outdated segment.
        if (entry.file && entry.file->commit >= entry.commit) entry.file.reset();
        entry.forget_segment();
      }
    }
    if (entry.is_building && is_outdated(entry.building, entry.most_changed()))
      entry.is_void = true;
  }
}

void SegmentSet::begin(std::uint64_t commit) {
  const std::lock_guard lock(mutex_);
  followed_ = commit;
  for (ChangedIds& log : changed_) log.begin(commit);
}

// The commit is already in the store and must not fail. If memory runs out, segments of the source are dropped instead. A
// source that no statement has asked for has no log.
void SegmentSet::follow(std::uint64_t commit, const WriteSet& write_set) {
  const std::lock_guard lock(mutex_);
  followed_ = commit;
  const bool is_logged = logged_ == commit;
  if (!is_logged) {
    unlogged_ = commit;
    forget_files();
  }
  for (const SegmentSource source : sources) {
    const std::size_t at = codec::position(source);
    try {
      if (most_noted(source) == 0)
        changed_[at].begin(commit);
      else
        note(source, commit, is_logged ? logging_.ids[at] : changed_ids(write_set, source));
    } catch (const std::exception&) {
      changed_[at].begin(commit);
    }
  }
  logging_ = {};  // may be long
  drop_outdated();
}

void SegmentSet::clear() {
  const std::lock_guard lock(mutex_);
  for (auto& [key, entry] : entries_) entry.drop();
}

std::size_t SegmentSet::bytes() const {
  std::size_t sum = 0;
  for (const auto& [key, entry] : entries_)
    sum += (entry.segment != nullptr ? entry.segment->memory_bytes() : 0) +
           entry.unknown.memory_bytes();
  for (const ChangedIds& log : changed_) sum += log.memory_bytes();
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
                   key.property, entry.segment->ids(),
                   log_of(key).count(entry.commit, followed_) + entry.unknown.size(),
                   entry.segment->memory_bytes() + entry.unknown.memory_bytes()});
  }
  return all;
}

}  // namespace cairn::engine
