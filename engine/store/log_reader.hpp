#pragma once
// Reads RocksDB's write-ahead log by ourselves, to tell a torn tail from damage in the middle. What
// RocksDB's own recovery modes do with one flipped bit is to lose all commits behind it silently, or
// to refuse a tail that a power cut left; so we look first.
//
// log      := block*                      of 32 KiB; fewer than 7 bytes at the end of one are padding
// block    := fragment*
// fragment := crc:u32le length:u16le type:u8 byte{length}   type 1 whole, 2 first, 3 middle, 4 last
//
// The checksum is crc32c over type and bytes, rotated right by 15 bits, plus 0xa282ead8. A log that was not
// closed may end in zeros (commit_log.hpp): they are no damage.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rocksdb {
class Env;
}

namespace cairn::engine {

/// How one log ends.
struct LogReport {
  std::size_t valid_bytes = 0;    ///< up to the end of the last whole record
  std::size_t written_bytes = 0;  ///< without zeros behind that, which stand ahead of what comes
  bool damaged = false;           ///< something stands behind that
  bool valid_behind = false;      ///< and among it, no torn tail, may be a finished commit
};

[[nodiscard]] LogReport inspect_log(std::string_view log);

/// The first damage among all logs of a directory; `file` is empty where there is none.
struct LogDamage {
  std::string file;
  std::size_t offset = 0;
  std::uint64_t dropped_bytes = 0;  ///< from there to the end of what was written
  bool valid_behind = false;        ///< in the same log or a later one
};

[[nodiscard]] Result<LogDamage> inspect_logs(rocksdb::Env& env, const std::string& directory);

/// CRC-32C (Castagnoli), as the log uses it, without the mask.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes) noexcept;

}  // namespace cairn::engine
