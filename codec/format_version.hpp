#pragma once
// Which database this Cairn can open. The numbers' history is in FORMAT.md.

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

inline constexpr std::uint32_t format_version = 1;

/// Flags of features that an older Cairn may ignore, also when it writes. None so far.
inline constexpr std::uint64_t known_compatible_flags = 0;
/// Flags of features without which a database must not be opened. None so far.
inline constexpr std::uint64_t known_incompatible_flags = 0;

/// The value of `meta` "format", and what a database says of itself first.
///
/// format := version:u32 compatible:u64 incompatible:u64 checksum:u64, little-endian
struct FormatRecord {
  std::uint32_t version = format_version;
  std::uint64_t compatible = known_compatible_flags;
  std::uint64_t incompatible = known_incompatible_flags;
  friend bool operator==(const FormatRecord&, const FormatRecord&) = default;
};

[[nodiscard]] std::string encode(const FormatRecord& record);
/// Errors: corruption.
[[nodiscard]] Result<FormatRecord> decode_format_record(std::string_view bytes);
/// Errors: format_too_new, naming both numbers; corruption for version 0.
[[nodiscard]] Status check_supported(const FormatRecord& record);

/// The layout of a derived column family or file; absent where `name` is not derived. What was
/// written with another layout is rebuilt at open.
[[nodiscard]] std::optional<std::uint32_t> layout_version(std::string_view name) noexcept;

}  // namespace cairn::codec
