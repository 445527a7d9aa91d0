// Which databases this version opens, and which derived parts it keeps. Three gates, from coarse to
// fine:
//
//   version       the truth's layout; a newer one is refused before anything is touched
//   flags         features: compatible ones may be ignored, an unknown incompatible one refuses
//   layouts       of each derived family or file; another number means "rebuild", never "refuse"
//
// The record is read twice: from the file FORMAT before the store is opened, so that an old Cairn
// cannot let RocksDB upgrade or compact what it does not know, and from `meta`, which is the truth.
#include "codec/format_version.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"

#include <array>
#include <utility>

namespace cairn::codec {
namespace {

// A number here goes up when the bytes of that thing change; it is then rebuilt at the next open.
constexpr std::array<std::pair<std::string_view, std::uint32_t>, 7> layouts = {{
    {"adj_out", 1},
    {"adj_in", 1},
    {"index", 1},
    {"vector_log", 1},
    {"stats", 1},
    {"vector_segment", 4},
    {"text", 3},
}};

// Both numbers are in the message, as the reader needs to know which Cairn to fetch.
Error too_new(const std::string& what, std::uint64_t found, const char* known, std::uint64_t ours) {
  return Error{ErrorCode::format_too_new,
               "the database has " + what + " " + std::to_string(found) + ", this Cairn knows " +
                   known + " " + std::to_string(ours) + "; open it with a newer Cairn",
               {}};
}

}  // namespace

std::string encode(const FormatRecord& record) {
  std::string bytes;
  append_little(bytes, record.version);
  append_little(bytes, record.compatible);
  append_little(bytes, record.incompatible);
  append_little(bytes, checksum(bytes));
  return bytes;
}

Result<FormatRecord> decode_format_record(std::string_view bytes) {
  ByteCursor cursor(bytes);
  FormatRecord record;
  record.version = cursor.read_little<std::uint32_t>();
  record.compatible = cursor.read_little<std::uint64_t>();
  record.incompatible = cursor.read_little<std::uint64_t>();
  // The checksum covers the bytes before itself, which the cursor has just read.
  const std::size_t checked = bytes.size() - cursor.rest().size();
  const auto expected = cursor.read_little<std::uint64_t>();
  if (!cursor.finished() || checksum(bytes.substr(0, checked)) != expected)
    return corruption("the format record of the database is damaged");
  return record;
}

// Compatible flags are not looked at: that they may be ignored is their meaning.
Status check_supported(const FormatRecord& record) {
  // No version 0 was ever written; it is what zeroed bytes would say if their checksum fitted.
  if (record.version == 0) return corruption("the database has format version 0");
  if (record.version > format_version)
    return too_new("format version", record.version, "up to", format_version);
  if ((record.incompatible & ~known_incompatible_flags) != 0)
    return too_new("incompatible feature flags", record.incompatible, "only",
                   known_incompatible_flags);
  return {};
}

std::optional<std::uint32_t> layout_version(std::string_view name) noexcept {
  for (const auto& [derived, version] : layouts)
    if (derived == name) return version;
  return std::nullopt;
}

}  // namespace cairn::codec
