// Encodes the list of a backup's files. One checksum covers the list, and the list holds a hash of
// each file, so every byte of a backup is verified. A restore creates files at the listed paths,
// and the list may come from anywhere, so the decoder accepts only names of database files.
#include "codec/backup_manifest.hpp"

#include "codec/byte_io.hpp"
#include "codec/meta.hpp"

#include <algorithm>
#include <cassert>

namespace cairn::codec {
namespace {

constexpr std::string_view backup_magic = "CairnBak";
constexpr std::uint32_t backup_layout = 1;

void append_file(std::string& bytes, const BackupFile& file) {
  append_text(bytes, file.name);
  append_varint(bytes, file.generation);
  append_varint(bytes, file.bytes);
  append_little(bytes, static_cast<std::uint64_t>(file.modified));
  append_little(bytes, file.hash.high);
  append_little(bytes, file.hash.low);
}

BackupFile read_backup_file(ByteCursor& cursor) {
  BackupFile file;
  file.name = cursor.read_text();
  file.generation = cursor.read_varint();
  file.bytes = cursor.read_varint();
  file.modified = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  file.hash.high = cursor.read_little<std::uint64_t>();
  file.hash.low = cursor.read_little<std::uint64_t>();
  return file;
}

/// Checks that names ascend strictly, so that a restore writes no file twice.
bool are_sound(const std::vector<BackupFile>& files, std::uint64_t generation) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const bool follows = i == 0 || files[i - 1].name < files[i].name;
    if (!follows || !is_backup_name(files[i].name) || files[i].generation > generation)
      return false;
  }
  return true;
}

}  // namespace

std::string encode(const BackupManifest& manifest) {
  assert(is_database_id(manifest.database_id));
  std::string bytes(backup_magic);
  append_little(bytes, backup_layout);
  bytes.append(manifest.database_id);
  append_little(bytes, manifest.commit);
  append_little(bytes, manifest.generation);
  append_little(bytes, static_cast<std::uint64_t>(manifest.made_at));
  append_varint(bytes, manifest.files.size());
  for (const BackupFile& file : manifest.files) append_file(bytes, file);
  append_little(bytes, checksum(bytes));
  return bytes;
}

// Reads entries until the bytes end and ignores the stored count for allocation, so a damaged count
// costs no memory.
Result<BackupManifest> decode_backup_manifest(std::string_view bytes) {
  const Error damaged = corruption("the list of the backup's files is damaged");
  constexpr std::size_t checksum_bytes = sizeof(std::uint64_t);
  if (bytes.size() < checksum_bytes) return damaged;
  const std::string_view checked = bytes.substr(0, bytes.size() - checksum_bytes);
  ByteCursor end(bytes.substr(checked.size()));
  ByteCursor cursor(checked);
  BackupManifest manifest;
  const std::string_view magic = cursor.read_bytes(backup_magic.size());
  const auto layout = cursor.read_little<std::uint32_t>();
  manifest.database_id = cursor.read_bytes(database_id_bytes);
  manifest.commit = cursor.read_little<std::uint64_t>();
  manifest.generation = cursor.read_little<std::uint64_t>();
  manifest.made_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  const std::uint64_t count = cursor.read_varint();
  while (!cursor.rest().empty()) manifest.files.push_back(read_backup_file(cursor));
  const bool is_whole = cursor.finished() && manifest.files.size() == count &&
                        magic == backup_magic && is_database_id(manifest.database_id) &&
                        end.read_little<std::uint64_t>() == checksum(checked);
  if (is_whole && layout > backup_layout)
    return Error{ErrorCode::format_too_new,
                 "the backup has layout " + std::to_string(layout) +
                     ", and this version reads up to " + std::to_string(backup_layout) +
                     "; restore the backup with a newer version of Cairn",
                 {}};
  if (!is_whole || layout != backup_layout || !are_sound(manifest.files, manifest.generation))
    return damaged;
  return manifest;
}

bool is_backup_name(std::string_view name) noexcept {
  if (name == "FORMAT" || name == "COMMIT") return true;
  const bool has_directory = name.starts_with("store/") || name.starts_with("vector/");
  if (!has_directory) return false;
  const std::string_view last = name.substr(name.find('/') + 1);
  const bool is_plain = std::ranges::all_of(last, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
  });
  return is_plain && !last.empty() && last.front() != '.';
}

std::string backup_note_key(std::string_view path) {
  return std::string(backup_notes).append(path);
}

std::string encode(const BackupNote& note) {
  std::string bytes;
  append_little(bytes, note.commit);
  append_little(bytes, static_cast<std::uint64_t>(note.made_at));
  return bytes;
}

Result<BackupNote> decode_backup_note(std::string_view key, std::string_view value) {
  ByteCursor cursor(value);
  BackupNote note;
  note.commit = cursor.read_little<std::uint64_t>();
  note.made_at = static_cast<std::int64_t>(cursor.read_little<std::uint64_t>());
  if (!cursor.finished() || !key.starts_with(backup_notes))
    return corruption("the note of a backup in column family \"meta\" is damaged");
  note.path = key.substr(backup_notes.size());
  return note;
}

std::string encode(const ScrubNote& note) {
  std::string bytes;
  append_little(bytes, note.clean_from);
  append_little(bytes, note.commit);
  append_little(bytes, static_cast<std::uint8_t>(note.is_complete ? 1 : 0));
  return bytes;
}

Result<ScrubNote> decode_scrub_note(std::string_view value) {
  ByteCursor cursor(value);
  ScrubNote note;
  note.clean_from = cursor.read_little<std::uint64_t>();
  note.commit = cursor.read_little<std::uint64_t>();
  const auto complete = cursor.read_little<std::uint8_t>();
  if (!cursor.finished() || complete > 1)
    return corruption("the note of a scrub in column family \"meta\" is damaged");
  note.is_complete = complete == 1;
  return note;
}

}  // namespace cairn::codec
