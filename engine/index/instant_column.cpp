// (id, instant) pairs sorted by id, 16 bytes each, in one vector. A date filter over few ids (the
// hits of a search, the members of a small set) looks up its ids here and reads no record. The
// column is sorted by id, because the index already answers ranges of instants over all ids well.
// Readers hold the column, so a change never modifies it: with_changes() puts the entries of the
// changed ids in front of it, and changed() copies it.
//
// The second part of this file is the part of PostingReader that makes columns.
#include "engine/index/instant_column.hpp"

#include "codec/byte_io.hpp"
#include "codec/hex.hpp"
#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/index/property_index.hpp"
#include "engine/view/view.hpp"

#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace cairn::engine {
namespace {

// With this size an estimate is precise to about half a percent, and sorting the sample costs
// little compared with the column.
constexpr std::size_t sample_size = 1'024;

}  // namespace

InstantColumn::InstantColumn(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::ranges::sort(entries_);
  take_sample();
}

InstantColumn::InstantColumn(InOrder, std::vector<Entry> entries) : entries_(std::move(entries)) {
  take_sample();
}

void InstantColumn::take_sample() {
  // Takes every step-th entry by id: a fair sample, unless dates repeat in the same rhythm as ids.
  const std::size_t step = entries_.size() / sample_size + 1;
  for (std::size_t i = 0; i < entries_.size(); i += step) sample_.push_back(entries_[i].instant);
  std::ranges::sort(sample_);
}

codec::Bitmap InstantColumn::among(const codec::Bitmap& ids, std::int64_t first,
                                   std::int64_t last) const {
  std::vector<std::uint64_t> found;
  visit(ids, [&](std::uint64_t id, std::span<const Entry> entries) {
    const auto lies_within = [&](const Entry& entry) {
      return first <= entry.instant && entry.instant <= last;
    };
    if (std::ranges::any_of(entries, lies_within)) found.push_back(id);
  });
  return codec::Bitmap::from_sorted(found);
}

codec::Bitmap InstantColumn::among(const codec::Bitmap& ids) const {
  std::vector<std::uint64_t> found;
  visit(ids, [&](std::uint64_t id, std::span<const Entry>) { found.push_back(id); });
  return codec::Bitmap::from_sorted(found);
}

std::span<const InstantColumn::Entry> InstantColumn::entries_of(std::uint64_t id) const {
  return Cursor{entries_.begin(), entries_.end()}.entries_of(id);
}

double InstantColumn::estimate(std::int64_t first, std::int64_t last) const {
  if (base_ != nullptr) return base_->estimate(first, last);
  if (sample_.empty() || first > last) return 0;
  const auto begin = std::ranges::lower_bound(sample_, first);
  const auto end = std::ranges::upper_bound(sample_, last);
  const double share = static_cast<double>(end - begin) / static_cast<double>(sample_.size());
  return share * static_cast<double>(entries_.size());
}

// Removes entries by instant, not by id, because the index knows which instants changed; `with`
// contains all ids of these instants.
InstantColumn::Ptr InstantColumn::changed(std::span<const std::int64_t> without,
                                          std::vector<Entry> with) const {
  std::vector<Entry> kept;
  kept.reserve(entries_.size() + with.size());
  std::ranges::copy_if(entries_, std::back_inserter(kept), [&](const Entry& entry) {
    return !std::ranges::binary_search(without, entry.instant);
  });
  std::ranges::sort(with);
  // The old entries are sorted, so merging is linear.
  const auto middle = static_cast<std::ptrdiff_t>(kept.size());
  kept.insert(kept.end(), with.begin(), with.end());
  std::inplace_merge(kept.begin(), kept.begin() + middle, kept.end());
  return Ptr(new InstantColumn(InOrder{}, std::move(kept)));
}

namespace {

// The last eight bytes of the name are the instant (FORMAT.md).
Result<std::int64_t> instant_of_name(std::string_view name) {
  codec::ByteCursor cursor(name.size() < 8 ? name : name.substr(name.size() - 8));
  const std::int64_t instant = codec::unflip_sign(cursor.read_big<std::uint64_t>());
  if (cursor.finished()) return instant;
  return codec::corruption("index key " + codec::hex_text(name) + " does not contain an instant");
}

}  // namespace

// Applies the changes to the instants that each id has in the column.
InstantColumn::Ptr with_changes(const InstantColumn::Ptr& column,
                                std::span<const ColumnChange> changes) {
  if (changes.empty()) return column;
  std::map<std::uint64_t, std::set<std::int64_t>> now;
  for (const ColumnChange& change : changes) {
    const auto instant = instant_of_name(change.posting);
    if (!instant) return nullptr;
    const auto [place, is_new] = now.try_emplace(change.id);
    std::set<std::int64_t>& instants = place->second;
    if (is_new)
      for (const auto& entry : column->entries_of(change.id)) instants.insert(entry.instant);
    if (change.added)
      instants.insert(*instant);
    else
      instants.erase(*instant);
  }
  std::vector<InstantColumn::Entry> entries;
  for (const auto& [id, instants] : now)
    for (const std::int64_t instant : instants) entries.push_back({id, instant});
  const std::shared_ptr<InstantColumn> changed(
      new InstantColumn(InstantColumn::InOrder{}, std::move(entries)));
  changed->base_ = column;
  for (const auto& [id, instants] : now) changed->changed_.push_back(id);
  return changed;
}

Result<InstantColumn::Ptr> path_instants(const View& view, codec::EntityKind kind,
                                         std::uint32_t path, double spent) {
  const PostingReader* const reader = view.index_reader();
  if (reader == nullptr) return InstantColumn::Ptr();
  return PropertyIndex(*reader, view.catalog()).instants(kind, path, spent);
}

// PostingReader's columns of dates. A column is made by one pass over the index, or updated posting
// by posting. ColumnCache decides when a column is made; the costs of making one are here.
//
// The reading thread makes the column within the query whose cost reaches the limit. Other readers
// continue without it meanwhile. If two threads make the same column, both succeed and the later
// insert replaces the other.

namespace {

using Entry = InstantColumn::Entry;

// Measured on a warm store. The first value is the same as in query/plan/cardinality.hpp.
constexpr double microseconds_a_key = 0.6;
constexpr double microseconds_a_kept_entry = 0.005;

void append_entries(const codec::Bitmap& ids, std::int64_t instant, std::vector<Entry>& out) {
  ids.for_each([&](std::uint64_t id) { out.push_back({id, instant}); });
}

}  // namespace

// Makes a column. Entries are read by instant, one posting each; the constructor sorts them by id.
Result<InstantColumn::Ptr> PostingReader::scan_instants(const KeyRange& range) const {
  std::vector<Entry> entries;
  CAIRN_TRY(scan_postings(range, [&](std::string_view name, const codec::Bitmap& ids) -> Status {
    CAIRN_ASSIGN(const std::int64_t instant, instant_of_name(name));
    append_entries(ids, instant, entries);
    return {};
  }));
  // The cache counts capacity.
  entries.shrink_to_fit();
  return std::make_shared<const InstantColumn>(std::move(entries));
}

// Updates a column by the postings that changed since it was made.
Result<InstantColumn::Ptr> PostingReader::catch_up(const InstantColumnCache::Lack& lack) const {
  std::vector<std::int64_t> instants;
  std::vector<Entry> entries;
  for (const std::string& name : lack.changed) {
    CAIRN_ASSIGN(const std::int64_t instant, instant_of_name(name));
    CAIRN_ASSIGN(const codec::Bitmap ids, committed_posting(name));
    instants.push_back(instant);
    append_entries(ids, instant, entries);
  }
  return lack.base->changed(instants, std::move(entries));
}

Result<InstantColumn::Ptr> PostingReader::instants(const KeyRange& range, std::string_view texts,
                                                   double spent) const {
  // A column does not contain the transaction's own changes.
  if (write_set_ != nullptr) return InstantColumn::Ptr();
  InstantColumnCache& columns = cache_->columns();
  if (auto kept = columns.find(range, commit_)) {
    const InstantColumnCache::Lack old = columns.long_log(range, commit_);
    if (old.base == nullptr) return kept;
    CAIRN_ASSIGN(auto column, catch_up(old));
    columns.insert(range, commit_, column);
    return column;
  }
  if (spent <= 0) return InstantColumn::Ptr();
  const InstantColumnCache::Lack lack = columns.note(range, commit_, spent);
  if (lack.spent <= 0) return InstantColumn::Ptr();
  double cost = 0;
  std::size_t entries = 0;
  if (lack.base != nullptr) {
    // Copies the column and reads each changed posting.
    cost = static_cast<double>(lack.base->size()) * microseconds_a_kept_entry +
           static_cast<double>(lack.changed.size()) * InstantColumn::microseconds_a_change;
  } else {
    // An upper bound: the ids with a text at the path, of which only some are dates.
    CAIRN_ASSIGN(const codec::Bitmap dated, committed_posting(texts));
    entries = dated.cardinality();
    if (!columns.fits(entries)) return InstantColumn::Ptr();
    cost = static_cast<double>(entries) * microseconds_a_key;
  }
  if (lack.spent < cost) return InstantColumn::Ptr();
  columns.begin(range, commit_, entries);
  CAIRN_ASSIGN(auto column, lack.base != nullptr ? catch_up(lack) : scan_instants(range));
  columns.insert(range, commit_, column);
  return column;
}

}  // namespace cairn::engine
