#pragma once
// Reads RocksDB's write-ahead log, to distinguish a torn tail from damage before other records. RocksDB's recovery
// modes cannot distinguish these. Some lose all later commits silently if one bit of the log is flipped. The strict
// mode refuses the tail that a power cut leaves.
//
// log      := block*                      of 32 KiB; fewer than 7 bytes at the end of a block are padding
// block    := fragment*
// fragment := crc:u32le length:u16le type:u8 byte{length}   type 1 whole, 2 first, 3 middle, 4 last
//
// The checksum is the crc32c of type and bytes, rotated right by 15 bits, plus 0xa282ead8. A log that was not closed
// may end in zeros (CommitLog in log_room.hpp), which are not damage.

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

/// The content of the notes at the ends of records (codec/commit_note.hpp). 0 stands for a missing value.
struct LogNotes {
  std::uint64_t database = 0;  ///< checksum of the database id in the first note
  std::uint64_t first = 0;     ///< the first commit
  std::uint64_t last = 0;      ///< the last commit
};

/// The state of one log.
struct LogReport {
  std::size_t valid_bytes = 0;  ///< size up to the end of the last whole record
  std::size_t records = 0;      ///< number of whole records
  /// Size without zeros at the end, which were written ahead of records.
  std::size_t written_bytes = 0;
  bool damaged = false;  ///< the whole records are followed by something else
  /// The damage is followed by a record that may be a finished commit, so it is not a torn tail.
  bool valid_behind = false;
  bool torn = false;  ///< a part of the damage, before the next whole record, was never written
  LogNotes notes;     ///< the notes of the whole records before the damage
  std::uint64_t last_behind = 0;  ///< the last commit after the damage whose number is known
};

/// Checks the content of a log or a manifest.
[[nodiscard]] LogReport inspect_log(std::string_view log);

/// The first damage in all logs of a directory. `file` is empty without damage.
struct LogDamage {
  std::string file;
  std::size_t offset = 0;           ///< position of the damage in the file
  std::size_t records = 0;          ///< number of whole records before the damage in this file
  std::uint64_t dropped_bytes = 0;  ///< size from the damage to the end of the written part
  bool valid_behind = false;        ///< a finished commit follows, in the same log or a later one
  bool torn = false;                ///< a part was never written, as after a power cut
  std::uint64_t last_before = 0;    ///< the last commit before the damage whose number is known
  /// The last commit after the damage whose number is known, in the same log or a later one.
  std::uint64_t last_behind = 0;
};

/// The notes of one log, and the name of its file.
struct NamedNotes {
  std::string file;
  LogNotes notes;
  std::size_t records = 0;  ///< number of complete records
  bool is_whole = true;     ///< the log has no damage
  /// True if the last fragment is followed by fewer bytes than the header of a fragment has: a rest of zeros written
  /// ahead, or of padding, after a power cut.
  bool ends_in_part = false;
};
/// How to decide whether a fragment is whole.
enum class Trust : std::uint8_t {
  checksums,  ///< reliable
  lengths,    ///< cheap; a changed byte may produce any note
};

/// Reads the notes of all logs of a directory, oldest first, each up to its first damage.
[[nodiscard]] Result<std::vector<NamedNotes>> read_log_notes(rocksdb::Env& env,
                                                             const std::string& directory,
                                                             Trust trust);

/// Finds the first damage. Ignores logs with smaller numbers than `first_needed`, because table files contain their
/// commits.
[[nodiscard]] Result<LogDamage> inspect_logs(rocksdb::Env& env, const std::string& directory,
                                             std::uint64_t first_needed);

/// Returns the number in the name of a log.
[[nodiscard]] std::uint64_t log_number(const std::string& file);

/// Returns the CRC-32C (Castagnoli) that the log uses, without its mask.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes) noexcept;

}  // namespace cairn::engine
