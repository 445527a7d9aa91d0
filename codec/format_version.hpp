#pragma once
// The format version and feature flags that decide whether this version of Cairn can open a
// database. FORMAT.md has the history of the numbers.

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

inline constexpr std::uint32_t format_version = 1;

/// Flags of features that an older Cairn may ignore, even when it writes. No flag is defined yet.
inline constexpr std::uint64_t known_compatible_flags = 0;
/// Flags of features without which a database must not be opened. No flag is defined yet.
inline constexpr std::uint64_t known_incompatible_flags = 0;

/// The content of the file FORMAT, which is read first when a database is opened, and the value of
/// `meta` "format".
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
/// Checks that this version of Cairn can open the database. Errors: format_too_new, with both
/// numbers; corruption for version 0.
[[nodiscard]] Status check_supported(const FormatRecord& record);

/// Returns the current layout of a derived column family or file; nullopt if `name` is not derived.
/// Derived data in another layout is rebuilt when the database is opened.
[[nodiscard]] std::optional<std::uint32_t> layout_version(std::string_view name) noexcept;

}  // namespace cairn::codec
