// Why TAIL exists: a log may end exactly after a record and still have lost later ones. COMMIT is
// only written at checkpoints, because it waits for the disk, so it bounds the counter of the last
// checkpoint. TAIL is handed to the operating system after each commit, at the cost of one small
// write.
#include "codec/commit_note.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"

#include <cassert>

namespace cairn::codec {
namespace {

constexpr std::string_view note_magic = "cairn";
constexpr std::string_view tail_magic = "CairnTal";
constexpr std::uint32_t tail_layout = 1;
constexpr std::uint32_t synced_flag = 1;
constexpr std::uint32_t in_files_flag = 2;

}  // namespace

std::string encode(const LogNote& note) {
  std::string bytes(note_magic);
  append_little(bytes, note.database);
  append_little(bytes, note.commit);
  return bytes;
}

std::optional<LogNote> decode_log_note(std::string_view bytes) {
  ByteCursor cursor(bytes);
  const std::string_view magic = cursor.read_bytes(note_magic.size());
  LogNote note;
  note.database = cursor.read_little<std::uint64_t>();
  note.commit = cursor.read_little<std::uint64_t>();
  if (!cursor.finished() || magic != note_magic) return std::nullopt;
  return note;
}

std::string encode(const TailFile& file) {
  assert(is_database_id(file.database_id));
  std::string bytes(tail_magic);
  append_little(bytes, tail_layout);
  append_little(bytes, (file.synced ? synced_flag : 0U) | (file.in_files ? in_files_flag : 0U));
  bytes.append(file.database_id);
  append_little(bytes, file.commit);
  append_little(bytes, checksum(bytes));
  return bytes;
}

// Unknown flags are ignored: they do not change the meaning of the commit number.
Result<TailFile> decode_tail_file(std::string_view bytes) {
  ByteCursor cursor(bytes);
  const std::string_view magic = cursor.read_bytes(tail_magic.size());
  const auto layout = cursor.read_little<std::uint32_t>();
  const auto flags = cursor.read_little<std::uint32_t>();
  TailFile file;
  file.database_id = cursor.read_bytes(database_id_bytes);
  file.commit = cursor.read_little<std::uint64_t>();
  file.synced = (flags & synced_flag) != 0;
  file.in_files = (flags & in_files_flag) != 0;
  const std::size_t checked = bytes.size() - cursor.rest().size();
  const auto expected = cursor.read_little<std::uint64_t>();
  if (!cursor.finished() || magic != tail_magic || layout != tail_layout ||
      checksum(bytes.substr(0, checked)) != expected || !is_database_id(file.database_id))
    return corruption("the file TAIL (the newest commit) is damaged");
  return file;
}

}  // namespace cairn::codec
