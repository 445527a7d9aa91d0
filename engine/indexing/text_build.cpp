// The crash safety of a new index rests on its number: keys are written before the catalog has it,
// so whatever a crash or a failed commit leaves belongs to nobody, is read by nobody and is erased
// before the number can be given again. No transaction of RocksDB, no second copy of the postings,
// and memory for one piece. An index that is dropped goes the same way backwards: first its number,
// then its keys.
#include "engine/indexing/text_build.hpp"

#include "engine/fulltext/text_changes.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/indexing/text_commit.hpp"

#include <algorithm>
#include <string>

namespace cairn::engine {
namespace {

constexpr std::size_t erased_bytes = std::size_t{4} << 20;  // keys in a batch

Status write_piece(RocksStore& store, WriteMode mode, std::uint32_t id, TextChanges& changes) {
  StoreBatch batch(store);
  put_text_operands(id, changes, batch);
  changes.clear_postings();
  return batch.size() == 0 ? Status() : store.write(batch, mode);
}

}  // namespace

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

Result<codec::TextStatistics> build_text_index(RocksStore& store, WriteMode mode,
                                               const TextBuild& build, TextProgress& progress) {
  const codec::IndexEntry& index = build.index;
  CAIRN_TRY(erase_text_keys(store, mode, build.id, build.piece_bytes));
  const TextMembers texts(index, build.view.records());
  const Analyzer analyzer(analyzer_options(index.text));
  TextChanges changes(index.properties.size());
  for (const std::uint64_t entity : build.members.to_vector()) {
    progress.advance();
    CAIRN_ASSIGN(const auto text, texts.find(entity));
    if (!text) continue;
    changes.add(entity, analyzer, *text);
    if (changes.memory_bytes() >= build.piece_bytes)
      CAIRN_TRY(write_piece(store, mode, build.id, changes));
  }
  CAIRN_TRY(write_piece(store, mode, build.id, changes));
  return changes.applied_to(codec::TextStatistics(index.properties.size()));
}

Status erase_unfinished_texts(RocksStore& store, WriteMode mode, const Catalog& catalog) {
  std::string first;
  while (true) {
    Cursor cursor = store.scan(Family::text, {first, ""}, nullptr);
    CAIRN_TRY(cursor.status());
    if (!cursor.valid()) return {};
    const auto key = codec::decode_text_key(cursor.key());
    if (!key) {  // left for a check to report
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

}  // namespace cairn::engine
