#pragma once
// TextRebuild: full-text indexes rebuilt from records.

#include "engine/fulltext/text_changes.hpp"
#include "engine/graph/record_reader.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>

namespace cairn::engine {

/// Records come by ascending id.
class TextRebuild {
 public:
  explicit TextRebuild(const Catalog& catalog);

  [[nodiscard]] bool empty() const noexcept { return indexes_.empty(); }
  /// Reads what the record has for each index; gathers its postings only to `keep` them.
  template <class Record>
  [[nodiscard]] Status add(codec::EntityKind kind, std::uint64_t id, const Record& record,
                           const RecordReader& reader, bool keep);
  /// What has gathered since the last time.
  void put_postings(StoreBatch& batch);
  /// Of what has gathered.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  void put_statistics(StoreBatch& batch) const;

 private:
  struct Index {
    codec::IndexEntry entry;
    Analyzer analyzer;
    TextChanges changes;
  };
  std::map<std::uint32_t, Index> indexes_;
};

}  // namespace cairn::engine
