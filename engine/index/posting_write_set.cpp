// A load of 10,000 records changes several postings for each record, and most postings once. So the
// common case is made cheap: an open-addressing hash table of (hash, number), postings in a vector,
// and names in an arena. Nothing is sorted before it is read, by by_name() for a commit or by
// changed_in() within the transaction.
//
// For a posting that the transaction reads, merged() holds the committed set with the changes
// applied so far. So a statement that alternates between writing and reading does not start from
// the committed set each time.
#include "engine/index/posting_write_set.hpp"

#include "codec/checksum.hpp"
#include "engine/system/hash_slots.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace cairn::engine {
namespace {

/// Includes two slots of the table, and what the arena wastes at the ends of its blocks.
constexpr std::size_t bytes_per_posting = sizeof(PostingWriteSet::Posting) + 32;

std::uint32_t hash_of(std::string_view name) {
  return static_cast<std::uint32_t>(codec::checksum(name));
}

/// Names begin with kind, path and entry, which many names share. The eight bytes after these
/// decide most comparisons.
constexpr std::size_t common_bytes = 6;

// Eight bytes of a name as a number that sorts like them; zeros replace missing bytes.
std::uint64_t bytes_at(std::string_view name, std::size_t at) {
  char bytes[8] = {};
  const std::string_view part = name.substr(std::min(at, name.size()), sizeof bytes);
  std::memcpy(bytes, part.data(), part.size());
  std::uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  static_assert(std::endian::native == std::endian::little);
  return __builtin_bswap64(number);
}

// The first 14 bytes of a name as two numbers. They decide nearly all comparisons without following
// a pointer.
struct SortKey {
  explicit SortKey(const PostingWriteSet::Posting& one)
      : head(bytes_at(one.name(), 0) >> 16),
        rest(bytes_at(one.name(), common_bytes)),
        posting(&one) {}
  std::uint64_t head;  // the bytes that names share
  std::uint64_t rest;
  const PostingWriteSet::Posting* posting;
};

// Missing bytes count as zeros, so equal numbers do not imply equal names.
bool is_before(const SortKey& a, const SortKey& b) {
  if (a.head != b.head) return a.head < b.head;
  if (a.rest != b.rest) return a.rest < b.rest;
  return a.posting->name() < b.posting->name();
}

}  // namespace

// Linear probing. It ends because half of the slots are free. The stored hash avoids most
// comparisons of names.
std::size_t PostingWriteSet::slot_of(std::string_view posting, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].number != 0; at = (at + 1) & mask)
    if (slots_[at].hash == hash && postings_[slots_[at].number - 1].name_ == posting) break;
  return at;
}

void PostingWriteSet::grow() {
  constexpr std::size_t least = 16;
  double_slots(slots_, least);
}

const PostingWriteSet::Posting* PostingWriteSet::find(std::string_view posting) const {
  if (slots_.empty()) return nullptr;
  const Slot& slot = slots_[slot_of(posting, hash_of(posting))];
  return slot.number == 0 ? nullptr : &postings_[slot.number - 1];
}

void PostingWriteSet::change(std::string_view posting, Change change) {
  if (2 * (postings_.size() + 1) > slots_.size()) grow();
  const std::uint32_t hash = hash_of(posting);
  Slot& slot = slots_[slot_of(posting, hash)];
  if (slot.number == 0) {
    postings_.emplace_back(names_.keep(posting), change);
    slot = {hash, static_cast<std::uint32_t>(postings_.size())};
    memory_bytes_ += bytes_per_posting + posting.size();
    return;
  }
  Posting& found = postings_[slot.number - 1];
  // A change that is merged already must not be modified; a later one is appended.
  const std::size_t applied = found.merged_ == nullptr ? 0 : found.merged_->applied;
  // Often one id is changed twice in a row: set, and set again.
  Change& last = found.all_.empty() ? found.first_ : found.all_.back();
  if (last.id == change.id && applied < found.changes().size()) {
    last = change;
    return;
  }
  if (found.all_.empty()) found.all_.push_back(found.first_);
  found.all_.push_back(change);
  memory_bytes_ += sizeof(Change);
}

std::vector<const PostingWriteSet::Posting*> PostingWriteSet::by_name() const {
  std::vector<SortKey> keys(postings_.begin(), postings_.end());
  std::sort(keys.begin(), keys.end(), is_before);
  std::vector<const Posting*> sorted;
  sorted.reserve(keys.size());
  for (const SortKey& key : keys) sorted.push_back(key.posting);
  return sorted;
}

void PostingWriteSet::catch_up(Posting& posting) {
  Posting::Merged& merged = *posting.merged_;
  const auto changes = posting.changes().subspan(merged.applied);
  if (changes.empty()) return;
  std::map<std::uint64_t, bool> last;  // change of each id
  for (const Change& change : changes) last[change.id] = change.added;
  merged.applied += changes.size();
  std::vector<std::uint64_t> added, removed;
  for (const auto& [id, is_added] : last) (is_added ? added : removed).push_back(id);
  // No id is in both sets, so their order does not matter.
  merged.ids = codec::subtract(codec::unite(merged.ids, codec::Bitmap::from_sorted(added)),
                               codec::Bitmap::from_sorted(removed));
}

// Sorts and merges only new names, so a transaction pays for each name once, however often it reads
// ranges.
std::vector<std::string_view> PostingWriteSet::changed_in(const KeyRange& range) {
  const auto middle = static_cast<std::ptrdiff_t>(sorted_.size());
  for (std::size_t i = sorted_.size(); i < postings_.size(); ++i)
    sorted_.push_back(postings_[i].name_);
  std::sort(sorted_.begin() + middle, sorted_.end());
  std::inplace_merge(sorted_.begin(), sorted_.begin() + middle, sorted_.end());
  auto name = std::lower_bound(sorted_.begin(), sorted_.end(), range.first);
  std::vector<std::string_view> names;
  for (; name != sorted_.end() && range.contains(*name); ++name) names.push_back(*name);
  return names;
}

ChangedPostings postings_in(const KeyRange& range, ChangedPostings changed) {
  const auto begin =
      std::ranges::lower_bound(changed, range.first, {}, &PostingWriteSet::Posting::name);
  const auto end = std::partition_point(
      begin, changed.end(), [&](const auto* posting) { return range.contains(posting->name()); });
  return {begin, end};
}

}  // namespace cairn::engine
