#pragma once
// PropertyEditor: one property of a record and everything that follows from it: its text or vector
// under a key of its own, and the postings it belongs to before and after.

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

/// Whose property it is; `groups` are its labels, or its one type.
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

class PropertyEditor {
 public:
  PropertyEditor(WriteSet& write_set, CatalogEditor& catalog, const RecordReader& records)
      : write_set_(write_set), catalog_(catalog), records_(records) {}

  /// The value as it will be stored: a list of numbers in a property with a vector index of its
  /// length becomes a vector. Changes nothing. Errors: invalid_argument naming the property.
  [[nodiscard]] Result<Value> normalized(codec::EntityKind kind,
                                         std::span<const std::uint32_t> groups,
                                         std::string_view name, const Value& value) const;

  /// Set a normalized value in `properties`, or remove the property where it is null.
  [[nodiscard]] Status set(const PropertyOwner& owner, codec::StoredProperties& properties,
                           std::string_view name, const Value& value);
  /// No effect where the property is not there.
  [[nodiscard]] Status remove(const PropertyOwner& owner, codec::StoredProperties& properties,
                              std::uint32_t key);
  /// Take all of a record's properties out of everything but the record.
  [[nodiscard]] Status forget(const PropertyOwner& owner,
                              const codec::StoredProperties& properties);
  /// Whether convert_lists() would succeed and every vector index that covers the owner takes its
  /// vectors. Changes nothing. Errors: invalid_argument naming the owner and the property.
  [[nodiscard]] Status check_vectors(const PropertyOwner& owner,
                                     const codec::StoredProperties& properties) const;
  /// Turn lists into vectors where the owner has come under a vector index; true where there was one.
  [[nodiscard]] Result<bool> convert_lists(const PropertyOwner& owner,
                                           codec::StoredProperties& properties);

 private:
  [[nodiscard]] Status check_vector_of(const PropertyOwner& owner,
                                       const codec::StoredProperty& property) const;
  /// False for a large text that is lost or not the one that was stored.
  [[nodiscard]] bool is_whole(const PropertyOwner& owner,
                              const codec::StoredProperty& property) const;
  /// Of a value that is stored. Reads a large text, because its entry is made of the whole.
  [[nodiscard]] Result<PostingNames> postings_of(const PropertyOwner& owner,
                                                 const codec::StoredProperty& property);
  /// What goes into the record, having put the rest under a key of its own.
  [[nodiscard]] codec::StoredValue store(const PropertyOwner& owner, std::uint32_t key,
                                         std::string_view name, const Value& value);
  /// The reverse of store().
  void erase_outside(const PropertyOwner& owner, const codec::StoredProperty& property);
  /// Only what differs between the two.
  void change_postings(std::uint64_t id, PostingNames before, PostingNames after);

  WriteSet& write_set_;
  CatalogEditor& catalog_;
  const RecordReader& records_;
};

/// The components, if all elements are numbers.
[[nodiscard]] std::optional<std::vector<float>> to_components(const List& list);

// A transaction's posting changes as what the store takes: one small operand a chunk.

struct ChunkChange {
  std::uint64_t chunk = 0;
  codec::PostingDelta delta;
};

/// Sorts out the changes of one posting after the other, of which most are a single one.
class ChunkChanges {
 public:
  /// By chunk, ascending; of several changes of one id the last counts. Valid until the next call, which
  /// uses the same memory.
  [[nodiscard]] std::span<const ChunkChange> of(std::span<const PostingWriteSet::Change> changes);

 private:
  ChunkChange& next(std::uint64_t chunk);

  std::vector<ChunkChange> chunks_;
  std::size_t used_ = 0;  // of them
  std::vector<PostingWriteSet::Change> sorted_;
};

}  // namespace cairn::engine
