// PostingReader's columns of dates: read whole from the index, or brought up to date posting by posting.
// The decision is ColumnCache's (rent or buy); here are the prices and the two ways to make one.
// The reading thread makes it, within the query that tips the scales; others go on without
// meanwhile, and two that make the same at once both succeed, the later insert winning.

#include "codec/byte_io.hpp"
#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "engine/index/posting_name.hpp"
#include "engine/index/posting_reader.hpp"

#include <utility>

namespace cairn::engine {
namespace {

using Entry = InstantColumn::Entry;

// Measured on a warm store, as query/plan/cost.hpp has them.
constexpr double microseconds_a_key = 0.6;
constexpr double microseconds_a_kept_entry = 0.005;

// FORMAT.md: the value bytes of an instant are the last eight of its name.
Result<std::int64_t> instant_of_name(std::string_view name) {
  codec::ByteCursor cursor(name.size() < 8 ? name : name.substr(name.size() - 8));
  const std::int64_t instant = codec::unflip_sign(cursor.read_big<std::uint64_t>());
  if (cursor.finished()) return instant;
  return codec::corruption("index key " + hex_text(name) + " names no instant");
}

void append_entries(const codec::Bitmap& ids, std::int64_t instant, std::vector<Entry>& out) {
  ids.for_each([&](std::uint64_t id) { out.push_back({id, instant}); });
}

}  // namespace

// Entries come by instant, a posting each, and are sorted by id in the column's constructor.
Result<InstantColumn::Ptr> PostingReader::scan_instants(const KeyRange& range) const {
  std::vector<Entry> entries;
  CAIRN_TRY(scan_postings(range, [&](std::string_view name, const codec::Bitmap& ids) -> Status {
    CAIRN_ASSIGN(const std::int64_t instant, instant_of_name(name));
    append_entries(ids, instant, entries);
    return {};
  }));
  entries.shrink_to_fit();  // the cache counts what is reserved
  return std::make_shared<const InstantColumn>(std::move(entries));
}

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
  // A transaction's changes are not in any column.
  if (write_set_ != nullptr) return InstantColumn::Ptr();
  InstantColumnCache& columns = cache_->columns();
  if (auto kept = columns.find(range, commit_)) return kept;
  if (spent <= 0) return InstantColumn::Ptr();
  const InstantColumnCache::Lack lack = columns.note(range, commit_, spent);
  if (lack.spent <= 0) return InstantColumn::Ptr();
  double cost = 0;
  if (lack.base != nullptr) {
    // Copying the column, and reading each changed posting.
    cost = static_cast<double>(lack.base->size()) * microseconds_a_kept_entry +
           static_cast<double>(lack.changed.size()) * InstantColumn::microseconds_a_change;
  } else {
    // An upper bound: ids with a text at the path, of which only some name an instant.
    CAIRN_ASSIGN(const codec::Bitmap dated, committed_posting(texts));
    if (!columns.fits(dated.cardinality())) return InstantColumn::Ptr();
    cost = static_cast<double>(dated.cardinality()) * microseconds_a_key;
  }
  if (lack.spent < cost) return InstantColumn::Ptr();
  CAIRN_ASSIGN(auto column, lack.base != nullptr ? catch_up(lack) : scan_instants(range));
  columns.insert(range, commit_, column);
  return column;
}

}  // namespace cairn::engine
