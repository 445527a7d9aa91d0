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
// closed may end in zeros (CommitLog in log_room.hpp): they are no damage.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rocksdb {
class Env;
}

namespace cairn::engine {

/// What the notes at the ends of records say (codec/commit_note.hpp). 0: nothing.
struct LogNotes {
  std::uint64_t database = 0;  ///< of the first note
  std::uint64_t first = 0;     ///< commit
  std::uint64_t last = 0;      ///< commit
};

/// How one log ends.
struct LogReport {
  std::size_t valid_bytes = 0;    ///< up to the end of the last whole record
  std::size_t records = 0;        ///< whole ones
  std::size_t written_bytes = 0;  ///< without zeros behind that, which stand ahead of what comes
  bool damaged = false;           ///< something follows that
  bool valid_behind = false;      ///< and among it, no torn tail, may be a finished commit
  bool torn = false;              ///< some of it, before what is whole again, was never written
  LogNotes notes;                 ///< of the whole records
  std::uint64_t last_behind = 0;  ///< the last commit behind the damage that tells its number
};

[[nodiscard]] LogReport inspect_log(std::string_view log);

/// The first damage among all logs of a directory; `file` is empty if absent.
struct LogDamage {
  std::string file;
  std::size_t offset = 0;
  std::size_t records = 0;          ///< whole ones before it in this file
  std::uint64_t dropped_bytes = 0;  ///< from there to the end of what was written
  bool valid_behind = false;        ///< in the same log or a later one
  bool torn = false;                ///< some of it was never written, as by a power cut
  std::uint64_t last_before = 0;    ///< the last commit before it that tells its number
  std::uint64_t last_behind = 0;    ///< likewise behind it, in the same log or a later one
};

/// The notes of one log by its name.
struct NamedNotes {
  std::string file;
  LogNotes notes;
  std::size_t records = 0;  ///< that have an end
  bool is_whole = true;     ///< up to its end
  /// Fewer bytes follow than a fragment begins with: zeros written ahead of the next one, or padding, that a power cut
  /// left a part of.
  bool ends_in_part = false;
};
/// What a fragment is taken for whole by.
enum class Trust : std::uint8_t {
  checksums,
  lengths,  ///< costs little more than reading the files; a changed byte may make any note of it
};

/// The notes of all logs of a directory, oldest first, each up to its first damage.
[[nodiscard]] Result<std::vector<NamedNotes>> read_log_notes(rocksdb::Env& env,
                                                             const std::string& directory,
                                                             Trust trust);

/// Logs of smaller numbers than `first_needed` are passed over: their commits are in tables.
[[nodiscard]] Result<LogDamage> inspect_logs(rocksdb::Env& env, const std::string& directory,
                                             std::uint64_t first_needed);

/// The number in the name of a log.
[[nodiscard]] std::uint64_t log_number(const std::string& file);

/// CRC-32C (Castagnoli), as the log uses it, without the mask.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes) noexcept;

}  // namespace cairn::engine
