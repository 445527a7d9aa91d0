// The record of a commit in a home's log. Records are compared as a whole to find out who wrote
// them, so a record has exactly one encoding and decoding refuses any other. Families are numbered
// by their place in the list of FORMAT.md. RocksDB's own numbers depend on the history of a store.
#include "codec/commit_record.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"

#include <cassert>

namespace cairn::codec {
namespace {

constexpr std::string_view record_magic = "CairnRec";
constexpr std::uint32_t record_layout = 1;
constexpr std::size_t record_checksum_bytes = sizeof(std::uint64_t);

bool is_operation(ChangeOperation operation) {
  return operation >= ChangeOperation::put && operation <= ChangeOperation::erase_range;
}

bool are_changes(std::string_view changes) {
  ChangeReader reader(changes);
  RecordChange change;
  while (reader.next(change)) {
  }
  return !reader.has_failed();
}

bool is_sound_record(const CommitRecord& record) {
  if (!is_database_id(record.database_id) || record.epoch == 0 || record.slot == 0) return false;
  if (record.kind == RecordKind::fence) return record.commit == 0 && record.changes.empty();
  return record.kind == RecordKind::commit && record.changes.size() <= most_change_bytes &&
         are_changes(record.changes);
}

}  // namespace

std::string encode(const CommitRecord& record) {
  assert(is_sound_record(record));
  std::string bytes(record_magic);
  bytes.reserve(record.changes.size() + 128);
  append_little(bytes, record_layout);
  bytes += static_cast<char>(record.kind);
  bytes.append(record.database_id);
  append_little(bytes, record.epoch);
  append_little(bytes, record.slot);
  append_little(bytes, record.opening);
  append_little(bytes, record.nonce);
  append_little(bytes, record.commit);
  bytes.append(record.changes);
  append_little(bytes, checksum(bytes));
  return bytes;
}

// The checksum is checked before the layout, so damage is not reported as a newer version.
Result<CommitRecord> decode_commit_record(std::string_view bytes) {
  const auto damaged = [] { return corruption("the record of a commit is damaged"); };
  if (bytes.size() < record_checksum_bytes || bytes.size() > most_record_bytes) return damaged();
  const std::string_view checked = bytes.substr(0, bytes.size() - record_checksum_bytes);
  ByteCursor end(bytes.substr(checked.size()));
  ByteCursor cursor(checked);
  if (cursor.read_bytes(record_magic.size()) != record_magic ||
      end.read_little<std::uint64_t>() != checksum(checked))
    return damaged();
  const auto layout = cursor.read_little<std::uint32_t>();
  if (!cursor.failed() && layout > record_layout)
    return Error{ErrorCode::format_too_new,
                 "the record of a commit has layout " + std::to_string(layout) +
                     ", and this version reads up to " + std::to_string(record_layout) +
                     "; open the home with a newer version of Cairn",
                 {}};
  CommitRecord record;
  record.kind = static_cast<RecordKind>(cursor.read_byte());
  record.database_id = cursor.read_bytes(database_id_bytes);
  record.epoch = cursor.read_little<std::uint64_t>();
  record.slot = cursor.read_little<std::uint64_t>();
  record.opening = cursor.read_little<std::uint64_t>();
  record.nonce = cursor.read_little<std::uint64_t>();
  record.commit = cursor.read_little<std::uint64_t>();
  record.changes = cursor.rest();
  if (cursor.failed() || layout != record_layout || !is_sound_record(record)) return damaged();
  return record;
}

void append_change(std::string& changes, const RecordChange& change) {
  assert(is_operation(change.operation));
  changes += static_cast<char>(change.operation);
  changes += static_cast<char>(change.family);
  append_text(changes, change.key);
  append_text(changes, change.value);
}

bool ChangeReader::next(RecordChange& change) noexcept {
  if (rest_.empty() || failed_) return false;
  ByteCursor cursor(rest_);
  change.operation = static_cast<ChangeOperation>(cursor.read_byte());
  change.family = cursor.read_byte();
  change.key = cursor.read_text();
  change.value = cursor.read_text();
  const bool has_stray_value = change.operation == ChangeOperation::erase && !change.value.empty();
  failed_ = cursor.failed() || !is_operation(change.operation) || has_stray_value;
  rest_ = cursor.rest();
  return !failed_;
}

}  // namespace cairn::codec
