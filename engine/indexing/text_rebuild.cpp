// Full-text indexes rebuilt with the other derived families (engine/check/upgrade.cpp), in the same
// pass over the records. Each index gathers its postings until the rebuilder says that there are
// enough; a record is analysed once for each index that has it. Statistics are counted over all and
// written last.
#include "engine/indexing/text_rebuild.hpp"

#include "engine/graph/index_members.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/indexing/text_commit.hpp"

namespace cairn::engine {

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
    // The trial pass reads everything that writing would read, so that an unreadable text shows
    // before anything is cleared.
    if (!texts || !keep) continue;
    index.changes.add(id, index.analyzer, *texts);
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

void TextRebuild::put_statistics(StoreBatch& batch) const {
  for (const auto& [id, index] : indexes_)
    put_text_statistics(id, index.changes.applied_to({}), batch);
}

}  // namespace cairn::engine
