#pragma once
// Two records of the newest commit besides the counter in `meta`: a note at the end of each record
// of the write-ahead log, and the metadata file TAIL. Numbers are little-endian.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

/// Names the database and the commit of a log record. Commit 0: the record belongs to no commit.
///
/// note := 'cairn' checksum(database-id):u64 commit:u64
struct LogNote {
  static constexpr std::size_t bytes = 21;
  std::uint64_t database = 0;
  std::uint64_t commit = 0;
  friend bool operator==(const LogNote&, const LogNote&) = default;
};

[[nodiscard]] std::string encode(const LogNote& note);
/// Returns nullopt if the bytes are not a note; earlier versions wrote no notes.
[[nodiscard]] std::optional<LogNote> decode_log_note(std::string_view bytes);

/// The metadata file TAIL: the newest commit that a writer acknowledged. It is overwritten at each
/// commit without waiting for the disk. So it survives the end of the process, but after a power
/// loss it may name an older commit.
///
/// file := 'CairnTal' layout:u32=1 flags:u32 database-id:hex{32} commit:u64 checksum:u64
struct TailFile {
  std::string database_id;
  std::uint64_t commit = 0;
  bool synced = true;     ///< flag 1: the commit was on disk before it was acknowledged
  bool in_files = false;  ///< flag 2: the commit is in table files and needs no log
  friend bool operator==(const TailFile&, const TailFile&) = default;
};

[[nodiscard]] std::string encode(const TailFile& file);
[[nodiscard]] Result<TailFile> decode_tail_file(std::string_view bytes);

}  // namespace cairn::codec
