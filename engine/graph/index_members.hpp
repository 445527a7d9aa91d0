#pragma once
// Which entities an index has: those of its labels or types, with their texts and their vectors as
// they lie in the store.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "codec/record.hpp"
#include "engine/fulltext/text_changes.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/index/posting_reader.hpp"
#include "engine/vector/vector_index.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::codec {
class Bitmap;
struct IndexEntry;
}  // namespace cairn::codec

namespace cairn::engine {

// Which entities an index of labels or types is about.

class View;

/// Every entity with one of the labels or types, as the view has them: hidden ones among them.
/// Cost: one posting for each label or type.
[[nodiscard]] Result<codec::Bitmap> index_members(const codec::IndexEntry& index, const View& view);

// Values as they lie in the store, for what was derived from them.

/// As RecordReader::resolve, without comparing a large text with the size and hash in its record: what
/// lies there is what postings and terms were made from, and what has to be taken from them, so that a
/// damaged text can be replaced and erased. Null where a large text is not there at all.
[[nodiscard]] Result<Value> resolve_as_stored(const RecordReader& reader, codec::EntityKind kind,
                                              std::uint64_t id, std::uint32_t key,
                                              const codec::StoredValue& stored);

// What a full-text index wants of records, and how that changes with them.

/// What an index has of a record.
struct MemberTexts {
  FieldTexts fields;
  std::uint32_t name_space = 0;
  friend bool operator==(const MemberTexts&, const MemberTexts&) = default;
};

/// Reads what an index wants of records, as one reader sees them, which must outlive it.
class TextMembers {
 public:
  TextMembers(const codec::IndexEntry& index, const RecordReader& records)
      : index_(&index), records_(&records) {}

  /// Nothing where the entity does not exist or has none of the index's labels or types.
  [[nodiscard]] Result<std::optional<MemberTexts>> find(std::uint64_t id) const;
  [[nodiscard]] Result<std::optional<MemberTexts>> read(std::uint64_t id,
                                                        const codec::NodeRecord& record) const;
  [[nodiscard]] Result<std::optional<MemberTexts>> read(
      std::uint64_t id, const codec::RelationshipRecord& record) const;

 private:
  /// `find(key)` gives the stored value of a property, null if absent.
  template <class Find>
  [[nodiscard]] Result<std::optional<MemberTexts>> read_group(std::uint64_t id,
                                                              std::uint32_t name_space,
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

// VectorMembers: which entities a vector index holds, and with which vectors: those of its labels or
// types that have a vector in its embedding space which its metric can take. Others are refused where
// they would enter; a database of earlier times may still have one, and it is not a member.

class VectorMembers {
 public:
  /// As `records` and `postings` see it; `records` must outlive the members.
  [[nodiscard]] static Result<VectorMembers> of(const codec::IndexEntry& index,
                                                const RecordReader& records,
                                                const PostingReader& postings);

  /// For few entities whose records are at hand: each is asked for its labels or type.
  [[nodiscard]] static VectorMembers by_record(const codec::IndexEntry& index,
                                               const RecordReader& records);

  /// Entities with the labels or types, with or without a vector. Not by_record().
  [[nodiscard]] const codec::Bitmap& grouped() const noexcept { return *grouped_; }
  /// Whether the metric is defined for this vector.
  [[nodiscard]] bool takes(std::span<const float> components) const;
  /// The entity's vector, or nullopt if it is not a member.
  [[nodiscard]] Result<std::optional<std::vector<float>>> find(std::uint64_t id) const;

 private:
  VectorMembers(const codec::IndexEntry& index, const RecordReader& records,
                std::optional<codec::Bitmap> grouped)
      : space_(index.space),
        groups_(index.labels_or_types),
        kind_(index.entity),
        dimension_(index.dimension),
        metric_(index.metric),
        records_(&records),
        grouped_(std::move(grouped)) {}

  [[nodiscard]] Result<bool> is_grouped(std::uint64_t id) const;

  std::uint32_t space_;
  std::vector<std::uint32_t> groups_;
  codec::EntityKind kind_;
  std::uint32_t dimension_;
  codec::Metric metric_;
  const RecordReader* records_;
  std::optional<codec::Bitmap> grouped_;
};

[[nodiscard]] VectorIndexOptions vector_options(const codec::IndexEntry& index,
                                                std::uint32_t background_threads);

}  // namespace cairn::engine
