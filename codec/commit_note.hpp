#pragma once
// Two notes of which commits there are, beside the number in `meta`: at the end of each record of the store's log, and in the
// metadata file TAIL. Numbers are little-endian.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

/// Of which database a record of the log is, and of which commit; 0 where it is of none.
///
/// note := 'cairn' checksum(database-id):u64 commit:u64
struct LogNote {
  static constexpr std::size_t bytes = 21;
  std::uint64_t database = 0;
  std::uint64_t commit = 0;
  friend bool operator==(const LogNote&, const LogNote&) = default;
};

[[nodiscard]] std::string encode(const LogNote& note);
/// Empty where these bytes are no note: earlier versions wrote none.
[[nodiscard]] std::optional<LogNote> decode_log_note(std::string_view bytes);

/// The metadata file TAIL: the newest commit that a writer acknowledged, written over at each commit and never waited
/// for. So it outlives the process; a power cut may leave an older one.
///
/// file := 'CairnTal' layout:u32=1 flags:u32 database-id:hex{32} commit:u64 checksum:u64
struct TailFile {
  std::string database_id;
  std::uint64_t commit = 0;
  bool synced = true;     ///< flag 1: it was on disk before it was acknowledged
  bool in_files = false;  ///< flag 2: it needs no log
  friend bool operator==(const TailFile&, const TailFile&) = default;
};

[[nodiscard]] std::string encode(const TailFile& file);
[[nodiscard]] Result<TailFile> decode_tail_file(std::string_view bytes);

}  // namespace cairn::codec
