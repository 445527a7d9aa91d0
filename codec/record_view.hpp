#pragma once
// Read access to encoded records in place: their header and their properties.

#include "codec/keys.hpp"
#include "codec/record.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cairn::codec {

// NodeView reads a node's record without copying it. The record is verified once; a value is
// decoded when it is read.

namespace fb {
struct Values;
}

/// Accepts and returns the same as decode_node_record(), except that a damaged value is only
/// detected when it is read. The bytes must outlive the view. Cost: the verification, proportional
/// to the number of nested values, not of properties.
class NodeView {
 public:
  /// Precondition: the address of `bytes` is a multiple of eight, as that of a long std::string is.
  /// Errors: corruption; the caller adds the key to the error.
  [[nodiscard]] static Result<NodeView> of(std::string_view bytes);

  [[nodiscard]] std::span<const std::uint32_t> labels() const noexcept { return labels_; }
  [[nodiscard]] std::string_view external_id() const noexcept { return external_id_; }
  [[nodiscard]] std::uint32_t name_space() const noexcept { return name_space_; }
  /// The keys of the properties, ascending.
  [[nodiscard]] std::span<const std::uint32_t> keys() const noexcept { return keys_; }
  /// Returns the place of a key among keys(), or nullopt if the record lacks the property.
  [[nodiscard]] std::optional<std::size_t> find(std::uint32_t key) const noexcept;
  /// The value of the property at this place. Errors: corruption.
  [[nodiscard]] Result<StoredValue> value(std::size_t place) const;

 private:
  std::span<const std::uint32_t> labels_;
  std::span<const std::uint32_t> keys_;
  std::string_view external_id_;
  std::uint32_t name_space_ = 0;
  const fb::Values* values_ = nullptr;  // null if the record has no properties
  std::size_t bytes_ = 0;
};

// The fixed header of every record. codec/record.hpp describes its layout.

/// A multiple of eight, so that the flatbuffer after the header stays aligned.
inline constexpr std::size_t record_header_bytes = 64;

void append_record_header(std::string& out, EntityKind kind, const RecordHeader& header);
/// Like decode_header(), but the record must be of this kind.
[[nodiscard]] Result<RecordHeader> decode_header_of(EntityKind kind, std::string_view record);

/// Reads the namespace from a record whose header is complete.
[[nodiscard]] std::uint32_t read_name_space(std::string_view record) noexcept;
/// Returns the errors of decode_header_of() without decoding the header.
[[nodiscard]] Status check_header_of(EntityKind kind, std::string_view record);

}  // namespace cairn::codec
