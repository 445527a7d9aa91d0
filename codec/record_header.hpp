#pragma once
// The fixed header that opens every record; its layout is drawn in codec/record.hpp.

#include "codec/keys.hpp"
#include "codec/record.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::codec {

/// A multiple of eight, so that the flatbuffer behind it keeps its alignment.
inline constexpr std::size_t record_header_bytes = 64;

void append_record_header(std::string& out, EntityKind kind, const RecordHeader& header);
/// As decode_header, of a record that must be of this kind.
[[nodiscard]] Result<RecordHeader> decode_header_of(EntityKind kind, std::string_view record);

/// Of a header that is whole.
[[nodiscard]] std::uint32_t read_name_space(std::string_view record) noexcept;
/// The errors of decode_header_of(), without making the header.
[[nodiscard]] Status check_header_of(EntityKind kind, std::string_view record);

}  // namespace cairn::codec
