// Reads postings from the cache, or else from the store, where RocksDB applies merge operands. A
// transaction's own changes are added. There are three kinds of reads:
//
// posting()        one name           prefix scan; a Bloom filter skips absent names
// range()          union of a range   sorted column, cache, or one pass into a BitmapBuilder
// each_posting()   name by name       cached names, or one pass
//
// Ranges of a transaction are not cached. The scan skips postings that the transaction changed, and
// their current state is added instead. So nothing is counted twice, and a removed id does not
// reappear.
#include "engine/index/posting_reader.hpp"

#include "codec/bitmap.hpp"
#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "engine/index/posting_name.hpp"

#include <memory>
#include <utility>

namespace cairn::engine {
namespace {

// Maximum number of names of a range to cache. Such a range has the values of a property that
// queries count by.
constexpr std::size_t most_kept_names = 16'384;
constexpr double microseconds_a_key = 0.6;  // as in query/plan/cardinality.hpp
constexpr char small_mark = 0x02;           // codec/posting.hpp: small := 0x02 (low:u16le)*

/// Adds a posting with one id, which has three bytes. Most postings of a range with distinct values
/// have this form, so it is decoded without a container. Returns false for other forms.
bool add_small(std::string_view value, std::uint64_t chunk, codec::BitmapBuilder& out) {
  if (value.size() != 3 || value[0] != small_mark) return false;
  const auto low = static_cast<unsigned char>(value[1]);
  const auto high = static_cast<unsigned char>(value[2]);
  out.add(chunk << 16 | static_cast<std::uint64_t>(high) << 8 | low);
  return true;
}

/// Adds a posting of any form. The builder unites containers chunk by chunk.
Status add_value(std::string_view key, std::string_view value, codec::BitmapBuilder& out) {
  const std::uint64_t chunk = codec::chunk_of_index_key(key);
  if (add_small(value, chunk, out)) return {};
  CAIRN_ASSIGN(codec::Container container, codec::decode_posting_of(key, value));
  if (container.cardinality() == 0) return {};
  out.add_chunk(chunk, std::make_shared<const codec::Container>(std::move(container)));
  return {};
}

// The chunks of one name come in ascending order of keys, as append_chunk() requires.
Status append_value(std::string_view key, std::string_view value, codec::Bitmap& ids) {
  CAIRN_ASSIGN(codec::Container container, codec::decode_posting_of(key, value));
  if (container.cardinality() == 0) return {};
  ids.append_chunk(codec::chunk_of_index_key(key),
                   std::make_shared<const codec::Container>(std::move(container)));
  return {};
}

}  // namespace

Status PostingReader::append_committed(const Cursor& cursor, codec::Bitmap& ids) {
  return append_value(cursor.key(), cursor.value(), ids);
}

Result<codec::Bitmap> PostingReader::posting(std::string_view name) const {
  if (write_set_ == nullptr) return committed_posting(name);
  return write_set_->merged(name, [&] { return committed_posting(name); });
}

Result<codec::Bitmap> PostingReader::range(const KeyRange& range) const {
  if (write_set_ == nullptr) return committed_range(range);
  // The scan skips the postings that the transaction changed; they are added in their current
  // state.
  const auto changed = write_set_->changed_in(range);
  if (changed.empty()) return committed_range(range);
  std::size_t scanned = 0;
  CAIRN_ASSIGN(codec::Bitmap ids, scan_range(range, true, scanned));
  std::vector<codec::Bitmap> sets;
  sets.push_back(std::move(ids));
  for (const std::string_view name : changed) {
    CAIRN_ASSIGN(auto own, posting(name));
    sets.push_back(std::move(own));
  }
  return codec::unite_all(sets);
}

// Reads the chunks of a posting, or finds it in the cache.
Result<codec::Bitmap> PostingReader::committed_posting(std::string_view name) const {
  const KeyRange range = range_of_prefix(name);
  if (auto cached = cache_->find(range, commit_)) return *std::move(cached);
  codec::Bitmap ids;
  Cursor cursor = store_->scan_prefix(Family::index, name, snapshot_);
  for (; cursor.valid(); cursor.next()) CAIRN_TRY(append_value(cursor.key(), cursor.value(), ids));
  CAIRN_TRY(cursor.status());
  cache_->insert(range, PostingCache::Extent::one_posting, commit_, ids);
  return ids;
}

Result<codec::Bitmap> PostingReader::committed_range(const KeyRange& range) const {
  if (auto cached = cache_->find(range, commit_)) return *std::move(cached);
  // Uses a sorted column if it is cached; 0 means that nothing was spent.
  CAIRN_ASSIGN(const auto order, committed_order(range.first, 0));
  if (order != nullptr) return order->between(first_value(range), last_value(range));
  std::size_t scanned = 0;
  CAIRN_ASSIGN(codec::Bitmap ids, scan_range(range, false, scanned));
  cache_->insert(range, PostingCache::Extent::many_postings, commit_, ids);
  // If the scan read many keys, its time counts towards making a sorted column.
  CAIRN_TRY(committed_order(range.first, microseconds_a_key * static_cast<double>(scanned)));
  return ids;
}

Result<codec::Bitmap> PostingReader::scan_range(const KeyRange& range, bool skip_changed,
                                                std::size_t& scanned) const {
  codec::BitmapBuilder builder;
  Cursor cursor = store_->scan(Family::index, range, snapshot_);
  for (; cursor.valid(); cursor.next(), ++scanned) {
    const std::string_view key = cursor.key();
    if (skip_changed && write_set_->contains(posting_of_key(key))) continue;
    CAIRN_TRY(add_value(key, cursor.value(), builder));
  }
  CAIRN_TRY(cursor.status());
  return builder.build();
}

// In a transaction, committed postings come first and changed ones after them, so they are not in
// the order of keys. The cache of names knows committed states only.
Status PostingReader::each_posting(const KeyRange& range, const VisitPosting& visit) const {
  if (write_set_ == nullptr) {
    const auto names = cache_->find_names(range, commit_);
    return names != nullptr ? each_named(*names, range, visit) : scan_and_keep(range, visit);
  }
  CAIRN_TRY(scan_postings(range, visit));
  for (const std::string_view own : write_set_->changed_in(range)) {
    CAIRN_ASSIGN(const codec::Bitmap now, posting(own));
    CAIRN_TRY(visit(own, now));
  }
  return {};
}

// Visits committed postings, except those that the transaction changed. A posting may have several
// chunks, so it is visited when the next one begins.
Status PostingReader::scan_postings(const KeyRange& range, const VisitPosting& visit) const {
  std::string name;
  codec::Bitmap ids;
  // Skips empty postings, which removals leave in the store until a compaction.
  const auto finish = [&] {
    auto visited = ids.empty() ? Status() : visit(name, ids);
    ids = {};
    return visited;
  };
  Cursor cursor = store_->scan(Family::index, range, snapshot_);
  for (; cursor.valid(); cursor.next()) {
    const std::string_view posting = posting_of_key(cursor.key());
    if (write_set_ != nullptr && write_set_->contains(posting)) continue;
    if (posting != name) {
      CAIRN_TRY(finish());
      name = posting;
    }
    CAIRN_TRY(append_value(cursor.key(), cursor.value(), ids));
  }
  CAIRN_TRY(cursor.status());
  return finish();
}

// Visits a range and caches names and postings at the end, if they are few enough.
Status PostingReader::scan_and_keep(const KeyRange& range, const VisitPosting& visit) const {
  std::vector<std::string> names;
  std::vector<codec::Bitmap> sets;
  bool is_small = true;
  CAIRN_TRY(scan_postings(range, [&](std::string_view name, const codec::Bitmap& ids) {
    is_small = is_small && names.size() < most_kept_names;
    if (is_small) {
      names.emplace_back(name);
      sets.push_back(ids);
    }
    return visit(name, ids);
  }));
  // Too many names to cache: the next visit scans again.
  if (!is_small) return {};
  for (std::size_t i = 0; i < names.size(); ++i)
    cache_->insert(range_of_prefix(names[i]), PostingCache::Extent::one_posting, commit_, sets[i]);
  cache_->insert_names(range, commit_, std::move(names));
  return {};
}

// Visits known names. One cursor reads all postings that are not cached, because the names ascend.
Status PostingReader::each_named(const std::vector<std::string>& names, const KeyRange& range,
                                 const VisitPosting& visit) const {
  std::optional<Cursor> cursor;
  for (const std::string& name : names) {
    const KeyRange own = range_of_prefix(name);
    auto ids = cache_->find(own, commit_);
    if (!ids) {
      if (!cursor) cursor.emplace(store_->scan(Family::index, range, snapshot_));
      ids.emplace();
      // The cursor is bounded by the range, which contains all names.
      cursor->seek(name);
      for (; cursor->valid() && posting_of_key(cursor->key()) == name; cursor->next())
        CAIRN_TRY(append_value(cursor->key(), cursor->value(), *ids));
      CAIRN_TRY(cursor->status());
      cache_->insert(own, PostingCache::Extent::one_posting, commit_, *ids);
    }
    if (!ids->empty()) CAIRN_TRY(visit(name, *ids));
  }
  return {};
}

std::optional<std::size_t> PostingReader::known_names(const KeyRange& range) const {
  if (write_set_ != nullptr) return std::nullopt;
  const auto names = cache_->find_names(range, commit_);
  return names == nullptr ? std::nullopt : std::optional(names->size());
}

namespace {

/// Counts the ids of at most `max_keys` keys, and adds them to `seen`, which may be null.
Result<PostingReader::Sample> walk_keys(Cursor cursor, std::size_t max_keys,
                                        codec::BitmapBuilder* seen) {
  PostingReader::Sample sample;
  for (; cursor.valid() && sample.keys < max_keys; cursor.next(), ++sample.keys) {
    CAIRN_ASSIGN(codec::Container container,
                 codec::decode_posting_of(cursor.key(), cursor.value()));
    sample.ids += container.cardinality();
    if (seen == nullptr || container.empty()) continue;
    seen->add_chunk(codec::chunk_of_index_key(cursor.key()),
                    std::make_shared<const codec::Container>(std::move(container)));
  }
  CAIRN_TRY(cursor.status());
  sample.complete = !cursor.valid();
  return sample;
}

}  // namespace

// The result is an estimate: an id counts twice if its record has two of the values.
Result<PostingReader::Sample> PostingReader::sample(const KeyRange& range,
                                                    std::size_t max_keys) const {
  Sample sample;
  if (const auto cached = cache_->find(range, commit_)) {
    sample.ids = cached->cardinality();
    sample.complete = true;
    return sample;
  }
  CAIRN_ASSIGN(const auto order, committed_order(range.first, 0));
  if (order != nullptr) return Sample{1, order->count(first_value(range), last_value(range)), true};
  codec::BitmapBuilder seen;
  CAIRN_ASSIGN(sample, walk_keys(store_->scan(Family::index, range, snapshot_), max_keys, &seen));
  // Every planning needs the sample again, and keys with unmerged operands are slow to read, so the
  // union is cached.
  if (sample.complete) {
    cache_->insert(range, PostingCache::Extent::many_postings, commit_, seen.build());
    CAIRN_TRY(committed_order(range.first, microseconds_a_key * static_cast<double>(sample.keys)));
  }
  return sample;
}

Result<PostingReader::Sample> PostingReader::walk(const KeyRange& range,
                                                  std::size_t max_keys) const {
  return walk_keys(store_->scan(Family::index, range, snapshot_), max_keys, nullptr);
}

// The sorted columns of PostingReader. As in instant_column.cpp, this part has the costs, makes a
// column by one pass over a path's scalars, and updates a column by changed postings.
//
// A path has one column for values of all types, because index keys are in the order of ORDER BY
// anyway. A range of values is found in it by the value bytes of the keys.

namespace {

// Time to copy one entry, measured on a warm store.
constexpr double microseconds_a_kept_entry = 0.01;

// Bytes of kind, path and entry, with which the names of all scalars of a path begin.
constexpr std::size_t path_bytes = 6;

// The engine's own paths have few values and are not searched by range, so they have no column.
bool is_scalar_of_user_path(std::string_view key) {
  if (key.size() < path_bytes || key[5] != static_cast<char>(codec::EntryKind::scalar))
    return false;
  std::uint32_t path = 0;
  for (const char byte : key.substr(1, 4)) path = path << 8 | static_cast<unsigned char>(byte);
  return path >= codec::first_user_path;
}

}  // namespace

// Estimates one entry for each record with the path, as a record has one value or a list.
Result<std::size_t> PostingReader::count_scalars(std::string_view path) const {
  std::string presence(path);
  // The two prefixes differ only in their last byte: kind, path, entry.
  presence.back() = static_cast<char>(codec::EntryKind::presence);
  CAIRN_ASSIGN(const codec::Bitmap present, committed_range(range_of_prefix(presence)));
  return present.cardinality();
}

// Makes a column, or gives up as soon as it is too large to cache.
Result<SortedColumn::Ptr> PostingReader::scan_order(const KeyRange& range) const {
  // Ids take eight bytes while the column is built and four afterwards.
  const std::size_t most = 2 * cache_->orders().budget_bytes();
  SortedColumn::Builder builder;
  std::string value;
  codec::Bitmap ids;
  Cursor cursor = store_->scan(Family::index, range, snapshot_);
  for (; cursor.valid(); cursor.next()) {
    const std::string_view own = posting_of_key(cursor.key()).substr(path_bytes);
    if (own != value) {
      // The first iteration adds an empty value without ids, which the builder ignores.
      builder.add(value, std::exchange(ids, {}));
      if (builder.memory_bytes() > most) return SortedColumn::Ptr();
      value = own;
    }
    CAIRN_TRY(append_committed(cursor, ids));
  }
  CAIRN_TRY(cursor.status());
  builder.add(value, ids);
  return builder.build();
}

// Updates a column. A posting that is empty now removes its value.
Result<SortedColumn::Ptr> PostingReader::catch_up(const SortedColumnCache::Lack& lack) const {
  std::vector<SortedColumn::Change> changes;
  for (const std::string& name : lack.changed) {
    CAIRN_ASSIGN(codec::Bitmap ids, committed_posting(name));
    changes.push_back({std::string_view(name).substr(path_bytes), std::move(ids)});
  }
  return lack.base->changed(changes);
}

// Finds, updates or makes a sorted column, if the time spent has reached the cost.
Result<CurrentOrder::Ptr> PostingReader::committed_order(std::string_view key, double spent) const {
  if (!is_scalar_of_user_path(key)) return CurrentOrder::Ptr();
  const std::string_view path = key.substr(0, path_bytes);
  const KeyRange range = range_of_prefix(path);
  SortedColumnCache& orders = cache_->orders();
  if (auto kept = orders.find(range, commit_)) {
    const SortedColumnCache::Lack old = orders.long_log(range, commit_);
    if (old.base == nullptr) return kept;
    CAIRN_ASSIGN(const auto order, catch_up(old));
    orders.insert(range, commit_, order);
    return kept;
  }
  if (spent <= 0) return CurrentOrder::Ptr();
  const SortedColumnCache::Lack lack = orders.note(range, commit_, spent);
  if (lack.spent <= 0) return CurrentOrder::Ptr();
  double cost = 0;
  std::size_t entries = 0;
  if (lack.base != nullptr) {
    cost = static_cast<double>(lack.base->size()) * microseconds_a_kept_entry +
           static_cast<double>(lack.changed.size()) * SortedColumn::microseconds_a_change;
  } else {
    CAIRN_ASSIGN(entries, count_scalars(path));
    if (!orders.fits(entries)) return CurrentOrder::Ptr();
    cost = static_cast<double>(entries) * microseconds_a_key;
  }
  if (lack.spent < cost) return CurrentOrder::Ptr();
  orders.begin(range, commit_, entries);
  CAIRN_ASSIGN(const auto order, lack.base != nullptr ? catch_up(lack) : scan_order(range));
  orders.insert(range, commit_, order);
  return order == nullptr ? CurrentOrder::Ptr() : std::make_shared<const CurrentOrder>(order);
}

Result<CurrentOrder::Ptr> PostingReader::order(std::string_view path, double spent) const {
  return write_set_ != nullptr ? CurrentOrder::Ptr() : committed_order(path, spent);
}

// If a range extends to the end of its path, its last key is the beginning of the next path and has
// no value here.
std::optional<std::string_view> PostingReader::last_value(const KeyRange& range) {
  const std::string_view last = range.last;
  const bool is_inside = last.size() >= path_bytes &&
                         last.starts_with(std::string_view(range.first).substr(0, path_bytes));
  return is_inside ? std::optional(last.substr(path_bytes)) : std::nullopt;
}

std::string_view PostingReader::first_value(const KeyRange& range) {
  return std::string_view(range.first).substr(path_bytes);
}

}  // namespace cairn::engine
