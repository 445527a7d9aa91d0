// PostingReader's orders of ids by value: read whole from the index, or brought up to date posting by
// posting.
// As instant_reader.cpp, for ids by value: prices, making by one pass over a path's scalars,
// catching up by the postings that changed. A path has one order, over all types of values, as its
// index entries lie in the order of ORDER BY anyway; a range of values is found in it by the value
// bytes of the keys.

#include "codec/keys.hpp"
#include "engine/index/posting_name.hpp"
#include "engine/index/posting_reader.hpp"

#include <utility>

namespace cairn::engine {
namespace {

// Measured on a warm store, as query/plan/cost.hpp has them.
constexpr double microseconds_a_key = 0.6;
constexpr double microseconds_a_kept_entry = 0.01;

// kind, path and entry: what the names of all scalars of a path begin with.
constexpr std::size_t path_bytes = 6;

// What the engine marks by numbers of its own has few values, and is not asked for by range.
bool is_scalar_of_user_path(std::string_view key) {
  if (key.size() < path_bytes || key[5] != static_cast<char>(codec::EntryKind::scalar))
    return false;
  std::uint32_t path = 0;
  for (const char byte : key.substr(1, 4)) path = path << 8 | static_cast<unsigned char>(byte);
  return path >= codec::first_user_path;
}

}  // namespace

// As many entries as records have the path: each has one value or a list.
Result<double> PostingReader::scan_cost(std::string_view path) const {
  std::string presence(path);
  // The name's head differs in its last byte alone: kind, path, entry.
  presence.back() = static_cast<char>(codec::EntryKind::presence);
  CAIRN_ASSIGN(const codec::Bitmap present, committed_range(range_of_prefix(presence)));
  if (!cache_->orders().fits(present.cardinality())) return -1.0;
  return static_cast<double>(present.cardinality()) * microseconds_a_key;
}

// Given up as soon as it is larger than what would be kept.
Result<SortedColumn::Ptr> PostingReader::scan_order(const KeyRange& range) const {
  // While it is built ids take eight bytes, afterwards four.
  const std::size_t most = 2 * cache_->orders().budget_bytes();
  SortedColumn::Builder builder;
  std::string value;
  codec::Bitmap ids;
  Cursor cursor = store_->scan(Family::index, range, snapshot_);
  for (; cursor.valid(); cursor.next()) {
    const std::string_view own = posting_of_key(cursor.key()).substr(path_bytes);
    if (own != value) {
      // The first turn adds an empty value without ids, which the builder leaves out.
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

// A posting that is empty now takes its value out of the order.
Result<SortedColumn::Ptr> PostingReader::catch_up(const SortedColumnCache::Lack& lack) const {
  std::vector<SortedColumn::Change> changes;
  for (const std::string& name : lack.changed) {
    CAIRN_ASSIGN(codec::Bitmap ids, committed_posting(name));
    changes.push_back({std::string_view(name).substr(path_bytes), std::move(ids)});
  }
  return lack.base->changed(changes);
}

Result<SortedColumn::Ptr> PostingReader::committed_order(std::string_view key, double spent) const {
  if (!is_scalar_of_user_path(key)) return SortedColumn::Ptr();
  const std::string_view path = key.substr(0, path_bytes);
  const KeyRange range = range_of_prefix(path);
  SortedColumnCache& orders = cache_->orders();
  if (auto kept = orders.find(range, commit_)) return kept;
  if (spent <= 0) return SortedColumn::Ptr();
  const SortedColumnCache::Lack lack = orders.note(range, commit_, spent);
  if (lack.spent <= 0) return SortedColumn::Ptr();
  double cost = 0;
  if (lack.base != nullptr) {
    cost = static_cast<double>(lack.base->size()) * microseconds_a_kept_entry +
           static_cast<double>(lack.changed.size()) * SortedColumn::microseconds_a_change;
  } else {
    CAIRN_ASSIGN(cost, scan_cost(path));
  }
  if (cost < 0 || lack.spent < cost) return SortedColumn::Ptr();
  CAIRN_ASSIGN(auto order, lack.base != nullptr ? catch_up(lack) : scan_order(range));
  orders.insert(range, commit_, order);
  return order;
}

Result<SortedColumn::Ptr> PostingReader::order(std::string_view path, double spent) const {
  return write_set_ != nullptr ? SortedColumn::Ptr() : committed_order(path, spent);
}

// A range that ends at the end of its path ends, as a key, at the beginning of another: that has no
// value here.
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
