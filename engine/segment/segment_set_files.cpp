// Which segments have a file, and the log of the store that says what a file does not know.
#include "codec/keys.hpp"
#include "engine/segment/changed_ids.hpp"
#include "engine/segment/segment_set.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {

using codec::SegmentSource;

namespace {

// Smaller segments are built again: that takes less time than writing a file.
constexpr std::size_t least_saved = 4'096;
// If the log grows above this, all files are given up, and the next save writes new ones.
constexpr std::size_t most_log_bytes = std::size_t{4} << 20;

}  // namespace

void SegmentSet::forget_files() noexcept {
  for (auto& [key, entry] : entries_) entry.forget_file();
}

// The logs begin with the oldest file, and get the changes since then by catch_up().
void SegmentSet::offer(const std::vector<codec::SegmentFileEntry>& files, Load load) {
  load_ = std::move(load);
  const std::lock_guard lock(mutex_);
  std::uint64_t oldest = followed_;
  for (const codec::SegmentFileEntry& file : files) {
    if (file.bytes > most_bytes_) continue;
    entries_[{file.source, file.property}].file = file;
    oldest = std::min(oldest, file.commit);
  }
  for (ChangedIds& log : changed_) log.begin(oldest);
}

void SegmentSet::catch_up(std::uint64_t commit, const codec::SegmentChanges& changes) {
  const std::lock_guard lock(mutex_);
  for (const SegmentSource source : sources)
    note(source, commit, changes.ids[codec::position(source)]);
  drop_outdated();
}

void SegmentSet::end_catching_up(std::uint64_t missing, std::optional<std::size_t> log_bytes) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& one) {
    return !one.second.file || one.second.file->commit < missing;
  });
  if (missing > 0)
    for (ChangedIds& log : changed_) log.drop_until(std::min(missing, followed_.load()));
  log_bytes_ = log_bytes.value_or(0);
  logged_ = followed_.load();
  is_logging_ = log_bytes && !entries_.empty();
}

// A batch that fails is not followed, and the next one has its number.
void SegmentSet::log(std::uint64_t commit, const WriteSet& write_set, StoreBatch& batch) {
  logged_ = 0;  // a batch that failed may have had this number
  if (!is_logging_) return;
  for (const SegmentSource source : sources)
    logging_.ids[codec::position(source)] = changed_ids(write_set, source);
  const std::string value = codec::encode(logging_);
  log_bytes_ += value.size();
  if (log_bytes_ > most_log_bytes) {
    is_logging_ = false;
    return;
  }
  batch.put(Family::vector_log, codec::vector_log_key(codec::segment_log_space, commit), value);
  logged_ = commit;
}

// A commit that began before this call may be missing in the log. follow() notices that, and note_saved() refuses the
// file.
std::vector<UnsavedSegment> SegmentSet::unsaved() {
  std::vector<UnsavedSegment> found;
  const std::size_t least = policy_ == Segments::always ? 0 : least_saved;
  const std::lock_guard lock(mutex_);
  for (auto& [key, entry] : entries_) {
    if (entry.segment == nullptr || entry.file || entry.segment->ids() < least) continue;
    const ChangedIds::Set changed = entry.unknown.as_of(log_of(key), entry.commit, followed_);
    found.push_back({key, entry.segment, followed_,
                     changed == nullptr ? std::vector<std::uint64_t>() : changed->to_vector()});
  }
  if (found.empty()) return found;
  const bool are_all_new =
      std::ranges::none_of(entries_, [](const auto& one) { return one.second.file.has_value(); });
  if (are_all_new) log_bytes_ = 0;
  is_logging_ = true;
  return found;
}

bool SegmentSet::note_saved(const UnsavedSegment& saved, const codec::SegmentFileEntry& file) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[saved.key];
  if (entry.segment == nullptr || saved.commit < unlogged_) return false;
  const auto changed = changed_since(saved.key, saved.commit);
  if (!changed || *changed > most_changed_of(file.ids)) return false;
  entry.file = file;
  return true;
}

void SegmentSet::end_saving() {
  const std::lock_guard lock(mutex_);
  is_logging_ = is_logging_ && std::ranges::any_of(entries_, [](const auto& one) {
                  return one.second.file.has_value();
                });
}

std::vector<codec::SegmentFileEntry> SegmentSet::files() const {
  const std::lock_guard lock(mutex_);
  std::vector<codec::SegmentFileEntry> files;
  for (const auto& [key, entry] : entries_)
    if (entry.file) files.push_back(*entry.file);
  return files;
}

// If a file is erased meanwhile, its segment is left out.
std::vector<SegmentState> SegmentSet::states(std::uint64_t commit) {
  std::vector<SegmentState> found;
  std::vector<std::pair<codec::SegmentFileEntry, SegmentState>> files;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [key, entry] : entries_) {
      const ChangedIds& log = log_of(key);
      if (!log.covers(commit)) continue;
      if (entry.segment != nullptr)
        found.push_back({key, entry.segment, entry.unknown.as_of(log, entry.commit, commit), ""});
      if (entry.file)
        files.push_back(
            {*entry.file, {key, nullptr, UnknownIds().as_of(log, entry.file->commit, commit), ""}});
    }
  }
  for (auto& [file, state] : files)
    if (read_for_check(file, state)) found.push_back(std::move(state));
  return found;
}

bool SegmentSet::read_for_check(const codec::SegmentFileEntry& file, SegmentState& state) const {
  auto loaded = load_(file);
  state.segment = loaded ? loaded->segment : nullptr;
  state.problem = loaded ? "" : loaded.error().message;
  if (!loaded) return loaded.error().code != ErrorCode::not_found;
  auto changed = codec::Bitmap::from_unsorted(std::move(loaded->changed));
  if (state.changed != nullptr) changed = codec::unite(changed, *state.changed);
  state.changed = std::make_shared<const codec::Bitmap>(std::move(changed));
  return true;
}

}  // namespace cairn::engine
