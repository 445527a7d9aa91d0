#pragma once
// What a full-text index wants of records, and how that changes with them.

#include "codec/catalog_entry.hpp"
#include "codec/record.hpp"
#include "engine/fulltext/text_changes.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/graph/record_reader.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>

namespace cairn::engine {

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
  /// `find(key)` gives the stored value of a property, null if absent.
  template <class Find>
  [[nodiscard]] Result<std::optional<FieldTexts>> read_group(std::uint64_t id,
                                                             std::span<const std::uint32_t> groups,
                                                             const Find& find) const;

  const codec::IndexEntry* index_;
  const RecordReader* records_;
};

/// A document whose record may have changed.
struct TouchedText {
  std::uint64_t id = 0;
  bool is_new = false;  ///< there was none before
};
/// Of those by ascending id. `before` is not asked for new ones, and null where all are. Texts that are
/// the same are not analysed. `book`: as that of TextChanges.
[[nodiscard]] Result<TextChanges> find_text_changes(const codec::IndexEntry& index,
                                                    std::span<const TouchedText> touched,
                                                    const RecordReader* before,
                                                    const RecordReader& after,
                                                    TermDictionary* book = nullptr);

}  // namespace cairn::engine
