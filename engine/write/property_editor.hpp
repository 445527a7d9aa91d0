#pragma once
// PropertyEditor: changes one property of a record, and all that depends on it: a large text or vector under its own
// key, and the postings of the old and the new value.

#include "codec/posting.hpp"
#include "codec/record.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/index/posting_write_set.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// The entity that has the property. `groups` are the labels of a node, or the type of a relationship.
struct PropertyOwner {
  codec::EntityKind kind = codec::EntityKind::node;
  std::uint64_t id = 0;
  std::span<const std::uint32_t> groups;
};

[[nodiscard]] inline std::span<const std::uint32_t> groups_of(const codec::NodeRecord& record) {
  return record.labels;
}
[[nodiscard]] inline std::span<const std::uint32_t> groups_of(
    const codec::RelationshipRecord& record) {
  return {&record.type, 1};
}

/// Changes properties in the write_set of a transaction. The caller puts the changed record.
class PropertyEditor {
 public:
  PropertyEditor(WriteSet& write_set, CatalogEditor& catalog, const RecordReader& records)
      : write_set_(write_set), catalog_(catalog), records_(records) {}

  /// Returns the value in the form in which it is stored: a list of numbers becomes a vector if a vector index of its
  /// length covers the property. Changes nothing. Errors: invalid_argument, which names the property.
  [[nodiscard]] Result<Value> normalized(codec::EntityKind kind,
                                         std::span<const std::uint32_t> groups,
                                         std::string_view name, const Value& value) const;

  /// Sets a normalized value in `properties`. The value null removes the property.
  [[nodiscard]] Status set(const PropertyOwner& owner, codec::StoredProperties& properties,
                           std::string_view name, const Value& value);
  /// Removes a property. Does nothing if it is absent.
  [[nodiscard]] Status remove(const PropertyOwner& owner, codec::StoredProperties& properties,
                              std::uint32_t key);
  /// Removes the texts, vectors and postings of all properties, but not the properties from the record. Call it for a
  /// record that is erased.
  [[nodiscard]] Status forget(const PropertyOwner& owner,
                              const codec::StoredProperties& properties);
  /// Checks that convert_lists() would succeed, and that each vector index that covers the owner accepts its vectors.
  /// Changes nothing. Errors: invalid_argument, which names the owner and the property.
  [[nodiscard]] Status check_vectors(const PropertyOwner& owner,
                                     const codec::StoredProperties& properties) const;
  /// Converts lists to vectors if the owner is now covered by a vector index. Returns true if a list was converted.
  [[nodiscard]] Result<bool> convert_lists(const PropertyOwner& owner,
                                           codec::StoredProperties& properties);

 private:
  [[nodiscard]] Status check_vector_of(const PropertyOwner& owner,
                                       const codec::StoredProperty& property) const;
  /// False if the property is a large text that is lost or differs from its checksum.
  [[nodiscard]] bool is_whole(const PropertyOwner& owner,
                              const codec::StoredProperty& property) const;
  /// Returns the postings of a stored value. Reads a large text, because its posting depends on the whole text.
  [[nodiscard]] Result<PostingNames> postings_of(const PropertyOwner& owner,
                                                 const codec::StoredProperty& property);
  /// Returns the form of a value in the record. Puts a large text or a vector under its own key.
  [[nodiscard]] codec::StoredValue store(const PropertyOwner& owner, std::uint32_t key,
                                         std::string_view name, const Value& value);
  /// Reverses store(): erases the large text or vector.
  void erase_outside(const PropertyOwner& owner, const codec::StoredProperty& property);
  /// Changes only the postings that differ between the two sets.
  void change_postings(std::uint64_t id, PostingNames before, PostingNames after);

  WriteSet& write_set_;
  CatalogEditor& catalog_;
  const RecordReader& records_;
};

/// Returns the components of a vector if all elements are numbers, else nullopt.
[[nodiscard]] std::optional<std::vector<float>> to_components(const List& list);

// The posting changes of a transaction in the form of the store: one small merge operand per chunk.

/// The changes of one chunk of a posting list.
struct ChunkChange {
  std::uint64_t chunk = 0;
  codec::PostingDelta delta;
};

/// Groups the changes of one posting at a time by chunk. Most postings have a single change.
class ChunkChanges {
 public:
  /// Returns the changes in ascending order of chunk. If an id has several changes, the last one wins. The result is
  /// valid until the next call, which reuses the memory.
  [[nodiscard]] std::span<const ChunkChange> of(std::span<const PostingWriteSet::Change> changes);

 private:
  ChunkChange& next(std::uint64_t chunk);

  std::vector<ChunkChange> chunks_;
  std::size_t used_ = 0;  // number of elements of chunks_ in use
  std::vector<PostingWriteSet::Change> sorted_;
};

}  // namespace cairn::engine
