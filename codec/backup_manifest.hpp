#pragma once
// The list of the files of a backup, and the note about the backup in the database. Numbers are
// little-endian.

#include "codec/checksum.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// A database file in the backup. It lies in the directory of its generation under its original
/// name.
struct BackupFile {
  std::string name;              ///< in the database: FORMAT, COMMIT, store/..., vector/...
  std::uint64_t generation = 0;  ///< of the backup that copied the file
  std::uint64_t bytes = 0;
  Hash128 hash{};
  /// Modification time of the source file, in nanoseconds since 1970. If name, size and this time
  /// are unchanged, a later backup may reuse the copy. 0: the copy must not be reused.
  std::int64_t modified = 0;
  friend bool operator==(const BackupFile&, const BackupFile&) = default;
};

/// The content of the file BACKUP.
///
/// file := 'CairnBak' layout:u32=1 database-id:hex{32} commit:u64 generation:u64 made-at:u64
///         files:varint entry{files} checksum:u64
/// entry := name:text generation:varint bytes:varint modified:u64 high:u64 low:u64
struct BackupManifest {
  std::string database_id;
  std::uint64_t commit = 0;
  std::uint64_t generation = 0;     ///< one more with each backup into the directory
  std::int64_t made_at = 0;         ///< microseconds since 1970 UTC
  std::vector<BackupFile> files{};  ///< ascending by name
  friend bool operator==(const BackupManifest&, const BackupManifest&) = default;
};

[[nodiscard]] std::string encode(const BackupManifest& manifest);
/// Errors: corruption, also for a name that is_backup_name() refuses. So a reader can use names
/// without checking them.
[[nodiscard]] Result<BackupManifest> decode_backup_manifest(std::string_view bytes);

/// True for FORMAT, COMMIT, and files directly in the directories `store` and `vector`.
[[nodiscard]] bool is_backup_name(std::string_view name) noexcept;

/// What the database records about its newest backup in a directory.
///
/// In family `meta`: 'backup/' path -> commit:u64 made-at:u64
struct BackupNote {
  std::string path;
  std::uint64_t commit = 0;
  std::int64_t made_at = 0;
  friend bool operator==(const BackupNote&, const BackupNote&) = default;
};

/// All keys of backup notes start with these bytes.
inline constexpr std::string_view backup_notes = "backup/";
[[nodiscard]] std::string backup_note_key(std::string_view path);
[[nodiscard]] std::string encode(const BackupNote& note);
[[nodiscard]] Result<BackupNote> decode_backup_note(std::string_view key, std::string_view value);

/// What the database records about its newest scrub. A write that erases or replaces another note,
/// such as a token or the answer to a client, also erases this note, because earlier backups may
/// have the old one. Notes of backups do not count, nor do entries of `meta` that commits write, nor
/// the replaced entry of an unfinished statement.
///
/// In family `meta`: 'scrubbed' -> clean-from:u64 commit:u64 is-complete:u8
struct ScrubNote {
  /// Backups of this commit and of later ones have nothing that was erased up to `commit`.
  std::uint64_t clean_from = 0;
  std::uint64_t commit = 0;  ///< of the scrub
  bool is_complete = false;  ///< false while the scrub runs, and after one that was stopped
  friend bool operator==(const ScrubNote&, const ScrubNote&) = default;
};

inline constexpr std::string_view scrub_note_key = "scrubbed";
[[nodiscard]] std::string encode(const ScrubNote& note);
[[nodiscard]] Result<ScrubNote> decode_scrub_note(std::string_view value);

}  // namespace cairn::codec
