// Decides which databases this version opens, and which derived data it can use. Three checks, from
// coarse to fine:
//
//   version       layout of the primary data; a newer version is refused before anything is changed
//   flags         features: compatible flags are ignored; an unknown incompatible flag is refused
//   layouts       of each derived family or file; another number means "rebuild", never "refuse"
//
// The record is read twice. The file FORMAT is read before RocksDB opens the store, so that an old
// Cairn does not let RocksDB upgrade or compact an unknown format. The copy in `meta` is
// authoritative.
#include "codec/format_version.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"

#include <array>
#include <utility>

namespace cairn::codec {
namespace {

// Increase a number when the encoding of that family or file changes. The derived data is then
// rebuilt at the next open.
constexpr std::array<std::pair<std::string_view, std::uint32_t>, 7> layouts = {{
    {"adj_out", 1},
    {"adj_in", 1},
    {"index", 1},
    {"vector_log", 1},
    {"stats", 1},
    {"vector_segment", 4},
    {"text", 3},
}};

// The message has both numbers, because they show which version of Cairn is needed.
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
  // The checksum covers the bytes before it, which the cursor has just read.
  const std::size_t checked = bytes.size() - cursor.rest().size();
  const auto expected = cursor.read_little<std::uint64_t>();
  if (!cursor.finished() || checksum(bytes.substr(0, checked)) != expected)
    return corruption("the format record of the database is damaged");
  return record;
}

// Compatible flags are not checked, since they may be ignored by definition.
Status check_supported(const FormatRecord& record) {
  // Version 0 was never written. Zeroed bytes would have this version if their checksum matched.
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
