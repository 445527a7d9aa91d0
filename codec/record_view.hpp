#pragma once
// Records read in place: their header and their properties.

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

// NodeView: a node's record looked at where its bytes lie. Verified once; a value is made when it is
// asked for.

namespace fb {
struct Values;
}

/// Says the same as decode_node_record(), but that a value which is damaged is found when it is read.
/// The bytes must outlive it. Cost: the verification, which follows the number of nested values and not
/// that of properties.
class NodeView {
 public:
  /// `bytes` must lie at a multiple of eight, as those of a longer string do. Errors: corruption; the
  /// caller adds the key.
  [[nodiscard]] static Result<NodeView> of(std::string_view bytes);

  [[nodiscard]] std::span<const std::uint32_t> labels() const noexcept { return labels_; }
  [[nodiscard]] std::string_view external_id() const noexcept { return external_id_; }
  [[nodiscard]] std::uint32_t name_space() const noexcept { return name_space_; }
  /// The keys of the properties, ascending.
  [[nodiscard]] std::span<const std::uint32_t> keys() const noexcept { return keys_; }
  /// Its place among the keys.
  [[nodiscard]] std::optional<std::size_t> find(std::uint32_t key) const noexcept;
  /// The value of the property at this place. Errors: corruption.
  [[nodiscard]] Result<StoredValue> value(std::size_t place) const;

 private:
  std::span<const std::uint32_t> labels_;
  std::span<const std::uint32_t> keys_;
  std::string_view external_id_;
  std::uint32_t name_space_ = 0;
  const fb::Values* values_ = nullptr;  // null where there are no properties
  std::size_t bytes_ = 0;
};

// The fixed header that opens every record; its layout is drawn in codec/record.hpp.

/// A multiple of eight, so that the flatbuffer behind it keeps its alignment.
inline constexpr std::size_t record_header_bytes = 64;

void append_record_header(std::string& out, EntityKind kind, const RecordHeader& header);
/// As decode_header, of a record that must be of this kind.
[[nodiscard]] Result<RecordHeader> decode_header_of(EntityKind kind, std::string_view record);

/// Precondition: the header is complete.
[[nodiscard]] std::uint32_t read_name_space(std::string_view record) noexcept;
/// The errors of decode_header_of(), without making the header.
[[nodiscard]] Status check_header_of(EntityKind kind, std::string_view record);

}  // namespace cairn::codec
