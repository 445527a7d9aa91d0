#pragma once
// The members of an index: the entities that it covers by label or type, with their texts and vectors as stored.

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

class View;

/// Returns every entity with one of the labels or types of the index, including hidden entities. Cost: one posting for each
/// label or type.
[[nodiscard]] Result<codec::Bitmap> index_members(const codec::IndexEntry& index, const View& view);

/// Like RecordReader::resolve(), but does not compare a large text with the size and hash in its record. Returns null if the
/// large text is missing.
///
/// For code that updates derived data: index entries of a damaged text were derived from the stored bytes. Removing exactly
/// these entries allows a damaged text to be replaced or erased.
[[nodiscard]] Result<Value> resolve_as_stored(const RecordReader& reader, codec::EntityKind kind,
                                              std::uint64_t id, std::uint32_t key,
                                              const codec::StoredValue& stored);

// Full-text indexes.

/// True if a full-text index has words of this value: a string, or a list with a string.
[[nodiscard]] bool has_text(const Value& value);

/// The texts of a record for an index.
struct MemberTexts {
  FieldTexts fields;  ///< by property of the index
  std::uint32_t name_space = 0;
  friend bool operator==(const MemberTexts&, const MemberTexts&) = default;
};

/// Reads the texts of members of an index. The index and the reader must outlive the object.
class TextMembers {
 public:
  TextMembers(const codec::IndexEntry& index, const RecordReader& records)
      : index_(&index), records_(&records) {}

  /// Return the texts of an entity, or nullopt if it does not exist or has none of the labels or types of the index.
  [[nodiscard]] Result<std::optional<MemberTexts>> find(std::uint64_t id) const;
  [[nodiscard]] Result<std::optional<MemberTexts>> read(std::uint64_t id,
                                                        const codec::NodeRecord& record) const;
  [[nodiscard]] Result<std::optional<MemberTexts>> read(
      std::uint64_t id, const codec::RelationshipRecord& record) const;

 private:
  /// Reads the texts of an entity with these labels or types. `find(key)` returns the stored value of a property, or null.
  template <class Find>
  [[nodiscard]] Result<std::optional<MemberTexts>> read_group(std::uint64_t id,
                                                              std::uint32_t name_space,
                                                              std::span<const std::uint32_t> groups,
                                                              const Find& find) const;

  const codec::IndexEntry* index_;
  const RecordReader* records_;
};

/// A document that a transaction may have changed.
struct TouchedText {
  std::uint64_t id = 0;
  bool is_new = false;  ///< the transaction created the record
};
/// Returns how an index changes with the given documents, which must ascend by id. `before` reads the records before the
/// transaction; it may be nullptr if all documents are new. Documents whose texts did not change are not analysed. `book` is
/// passed to TextChanges.
[[nodiscard]] Result<TextChanges> find_text_changes(const codec::IndexEntry& index,
                                                    std::span<const TouchedText> touched,
                                                    const RecordReader* before,
                                                    const RecordReader& after,
                                                    TermDictionary* book = nullptr);

// VectorMembers: the entities of a vector index and their vectors. A member has one of the labels or types of the index, and
// a vector in its embedding space for which its metric is defined. Writing other vectors is an error; a database written by
// an older version may still have such a vector, which is ignored.

class VectorMembers {
 public:
  /// Determines the members by the postings of labels or types. `records` must outlive the result.
  [[nodiscard]] static Result<VectorMembers> of(const codec::IndexEntry& index,
                                                const RecordReader& records,
                                                const PostingReader& postings);

  /// Determines membership by reading the record of each entity, which is faster for a few entities. grouped() is not
  /// available.
  [[nodiscard]] static VectorMembers by_record(const codec::IndexEntry& index,
                                               const RecordReader& records);

  /// The entities with one of the labels or types, with or without a vector. Not after by_record().
  [[nodiscard]] const codec::Bitmap& grouped() const noexcept { return *grouped_; }
  /// True if the vector has the dimension of the index and its metric is defined for the vector.
  [[nodiscard]] bool takes(std::span<const float> components) const;
  /// Returns the vector of an entity, or nullopt if it is not a member.
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

  /// True if the entity has one of the labels or types.
  [[nodiscard]] Result<bool> is_grouped(std::uint64_t id) const;

  std::uint32_t space_;
  std::vector<std::uint32_t> groups_;
  codec::EntityKind kind_;
  std::uint32_t dimension_;
  codec::Metric metric_;
  const RecordReader* records_;
  std::optional<codec::Bitmap> grouped_;  // nullopt after by_record().
};

/// Returns the options of a vector index as its catalog entry has them.
[[nodiscard]] VectorIndexOptions vector_options(const codec::IndexEntry& index,
                                                std::uint32_t background_threads);

}  // namespace cairn::engine
