#pragma once
// Logs as RocksDB writes them, see engine/store/log_reader.hpp: for tests that damage them.

#include "codec/byte_io.hpp"
#include "codec/commit_note.hpp"
#include "engine/store/log_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::test::log_records {

inline constexpr std::size_t block = 32 * 1024;

inline std::string fragment(char type, std::string_view payload) {
  std::string checked(1, type);
  checked += payload;
  const std::uint32_t crc = engine::crc32c(checked);
  std::string bytes;
  codec::append_little(bytes, (crc >> 15 | crc << 17) + 0xa282ead8u);
  codec::append_little(bytes, static_cast<std::uint16_t>(payload.size()));
  return bytes + checked;
}

/// Appends a record in RocksDB's layout: divided at block ends, with padding where no header fits.
inline void append_record(std::string& log, std::string_view payload) {
  bool begun = false;
  for (bool ends = false; !ends;) {
    const std::size_t left = block - log.size() % block;
    if (left < 7) {
      log.append(left, '\0');
      continue;
    }
    const std::string_view piece = payload.substr(0, std::min(payload.size(), left - 7));
    payload.remove_prefix(piece.size());
    ends = payload.empty();
    log += fragment(begun ? (ends ? 4 : 3) : (ends ? 1 : 2), piece);
    begun = true;
  }
}

/// Appends a note to a record, as RocksDB does.
inline std::string noted(std::string record, std::uint64_t database, std::uint64_t commit) {
  const std::string note = codec::encode(codec::LogNote{database, commit});
  record += '\x03';
  record += static_cast<char>(note.size());
  return record + note;
}

}  // namespace cairn::test::log_records
