#pragma once
// TextDocument: what a full-text index holds of one node or relationship: each indexed property is a
// field of its own, with its terms, where they stand, and its length in words.

#include "codec/catalog_entry.hpp"
#include "codec/record.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/graph/record_reader.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cairn::engine {

struct TextField {
  std::uint32_t words = 0;
  std::map<std::string, std::vector<std::uint32_t>> terms;  ///< positions, strictly ascending
  friend bool operator==(const TextField&, const TextField&) = default;
};
using TextDocument = std::vector<TextField>;

/// The texts of each property of an index: one, or several where the property is a list of them.
using FieldTexts = std::vector<std::vector<std::string>>;

[[nodiscard]] AnalyzerOptions analyzer_options(const codec::TextOptions& options);
[[nodiscard]] TextDocument make_document(const Analyzer& analyzer, const FieldTexts& texts);

/// Reads what an index wants of records, as one reader sees them, which must outlive it.
class TextMembers {
 public:
  TextMembers(const codec::IndexEntry& index, const RecordReader& records)
      : index_(&index), records_(&records) {}

  /// Nothing where the entity does not exist or has none of the index's labels or types.
  [[nodiscard]] Result<std::optional<FieldTexts>> find(std::uint64_t id) const;
  [[nodiscard]] Result<std::optional<FieldTexts>> read(std::uint64_t id,
                                                       const codec::NodeRecord& record) const;
  [[nodiscard]] Result<std::optional<FieldTexts>> read(
      std::uint64_t id, const codec::RelationshipRecord& record) const;

 private:
  [[nodiscard]] Result<std::optional<FieldTexts>> read_group(
      std::uint64_t id, std::span<const std::uint32_t> groups,
      const codec::StoredProperties& properties) const;

  const codec::IndexEntry* index_;
  const RecordReader* records_;
};

}  // namespace cairn::engine
