// Crash safety of a new index depends on its id. Keys are written before the catalog contains the
// id. So the keys that remain after a crash or a failed commit belong to no index, are never read,
// and are erased before the id can be assigned again. This needs neither a RocksDB transaction nor
// a second copy of the postings, and only memory for one batch. When an index is dropped the order
// is reversed: first its id is removed, then its keys.
#include "engine/indexing/text_build.hpp"

#include "engine/fulltext/text_changes.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/graph/text_spaces.hpp"
#include "engine/indexing/text_commit.hpp"

#include <algorithm>
#include <span>
#include <string>

namespace cairn::engine {
namespace {

// Maximum size of a batch of erased keys.
constexpr std::size_t erased_bytes = std::size_t{4} << 20;

// Writes the postings collected so far.
Status write_piece(RocksStore& store, WriteMode mode, std::uint32_t id, TextChanges& changes) {
  StoreBatch batch(store);
  put_text_operands(id, changes, batch);
  changes.clear_postings();
  return batch.size() == 0 ? Status() : store.write(batch, mode);
}

}  // namespace

// Batches have a limited size, because an index may have any number of keys.
Status erase_text_keys(RocksStore& store, WriteMode mode, std::uint32_t id,
                       std::size_t piece_bytes) {
  const std::size_t most = std::min(piece_bytes, erased_bytes);
  Cursor cursor = store.scan(Family::text, range_of_prefix(codec::text_index_prefix(id)), nullptr);
  StoreBatch batch(store);
  for (; cursor.valid(); cursor.next()) {
    batch.erase(Family::text, cursor.key());
    if (batch.bytes() < most) continue;
    CAIRN_TRY(store.write(batch, mode));
    batch.clear();
  }
  CAIRN_TRY(cursor.status());
  return batch.size() == 0 ? Status() : store.write(batch, mode);
}

// Keys of a failed build with the same id are erased first.
Result<codec::TextStatistics> build_text_index(RocksStore& store, WriteMode mode,
                                               const TextBuild& build, TextProgress& progress,
                                               StoreBatch& last) {
  const codec::IndexEntry& index = build.index;
  CAIRN_TRY(erase_text_keys(store, mode, build.id, build.piece_bytes));
  const TextMembers texts(index, build.view.records());
  const Analyzer analyzer(analyzer_options(index.text));
  TextChanges changes(index.properties.size());
  for (const std::uint64_t entity : build.members.to_vector()) {
    CAIRN_TRY(progress.advance());
    CAIRN_ASSIGN(const auto text, texts.find(entity));
    if (!text) continue;
    changes.add(entity, analyzer, text->fields, text->name_space);
    if (changes.memory_bytes() >= build.piece_bytes)
      CAIRN_TRY(write_piece(store, mode, build.id, changes));
  }
  CAIRN_TRY(write_piece(store, mode, build.id, changes));
  const TextChanges* const all = &changes;
  CAIRN_TRY(put_statistics_of_spaces(build.id, index.properties.size(), std::span(&all, 1), nullptr,
                                     last));
  return changes.applied_to(codec::TextStatistics(index.properties.size()));
}

// Seeks from the keys of one index to those of the next.
Status erase_unfinished_texts(RocksStore& store, WriteMode mode, const Catalog& catalog) {
  std::string first;
  while (true) {
    Cursor cursor = store.scan(Family::text, {first, ""}, nullptr);
    CAIRN_TRY(cursor.status());
    if (!cursor.valid()) return {};
    const auto key = codec::decode_text_key(cursor.key());
    // A damaged key is left for the integrity check to report.
    if (!key) {
      first = std::string(cursor.key()) + '\0';
      continue;
    }
    const auto found = catalog.indexes().find(key->index);
    if (found == catalog.indexes().end() || !is_text(found->second))
      CAIRN_TRY(erase_text_keys(store, mode, key->index, erased_bytes));
    first = range_of_prefix(codec::text_index_prefix(key->index)).last;
    if (first.empty()) return {};
  }
}

// TextRebuild runs with the rebuild of the other derived families (engine/check/upgrade.cpp), in
// the same pass over the records. Each index collects postings until the caller writes them. A
// record is analysed once for each index that contains it. Statistics are counted over all records
// and written last.

// Starts with empty changes for each full-text index.
TextRebuild::TextRebuild(const Catalog& catalog) {
  for (const auto& [id, index] : catalog.indexes()) {
    if (!is_text(index)) continue;
    indexes_.emplace(id, Index{index, Analyzer(analyzer_options(index.text)),
                               TextChanges(index.properties.size())});
  }
}

template <class Record>
Status TextRebuild::add(codec::EntityKind kind, std::uint64_t id, const Record& record,
                        const RecordReader& reader, bool keep) {
  for (auto& [number, index] : indexes_) {
    if (index.entry.entity != kind) continue;
    CAIRN_ASSIGN(const auto texts, TextMembers(index.entry, reader).read(id, record));
    // A trial pass (`keep` is false) reads everything that the real pass would read, so that an
    // unreadable text is found before anything is erased.
    if (!texts || !keep) continue;
    index.changes.add(id, index.analyzer, texts->fields, texts->name_space);
  }
  return {};
}

template Status TextRebuild::add(codec::EntityKind, std::uint64_t, const codec::NodeRecord&,
                                 const RecordReader&, bool);
template Status TextRebuild::add(codec::EntityKind, std::uint64_t, const codec::RelationshipRecord&,
                                 const RecordReader&, bool);

void TextRebuild::put_postings(StoreBatch& batch) {
  for (auto& [id, index] : indexes_) {
    put_text_operands(id, index.changes, batch);
    index.changes.clear_postings();
  }
}

std::size_t TextRebuild::memory_bytes() const noexcept {
  std::size_t sum = 0;
  for (const auto& [id, index] : indexes_) sum += index.changes.memory_bytes();
  return sum;
}

void TextRebuild::forget_postings() {
  for (auto& [id, index] : indexes_) index.changes.clear_postings();
}

Status TextRebuild::put_statistics(StoreBatch& batch) const {
  for (const auto& [id, index] : indexes_)
    put_text_statistics(id, index.changes.applied_to({}), batch);
  return put_statistics_by_space(batch);
}

Status TextRebuild::put_statistics_by_space(StoreBatch& batch) const {
  for (const auto& [id, index] : indexes_) {
    const TextChanges* const all = &index.changes;
    CAIRN_TRY(put_statistics_of_spaces(id, index.entry.properties.size(), std::span(&all, 1),
                                       nullptr, batch));
  }
  return {};
}

}  // namespace cairn::engine
