// Notes are keys in family `meta` that are not part of the content of a database, such as tokens and the list of backups.
// Writing or erasing one is not a commit, so it does not need the writer lock. It publishes a state with a new store
// snapshot, of the same commit, so that later readers see the change.
#include "codec/backup_manifest.hpp"
#include "codec/meta.hpp"
#include "engine/database/core.hpp"
#include "engine/system/within_memory.hpp"

namespace cairn::engine {
namespace {

/// True for the entry of a statement that had not ended: it has counts and no rows.
bool has_no_rows(std::string_view key, std::string_view value) {
  if (!key.starts_with(codec::client_entries)) return false;
  const auto entry = codec::decode_client_entry(value);
  return entry && entry->is_unfinished;
}

/// True if this change erases or replaces a note that backups may have. Notes that list the backups, and the note that
/// says which backups are clean, do not count, nor does the replaced entry of an unfinished statement.
Result<bool> loses_note(const RocksStore& store, std::string_view key,
                        const std::optional<std::string>& value) {
  if (key == codec::scrub_note_key || key.starts_with(codec::backup_notes)) return false;
  CAIRN_ASSIGN(const auto present, store.get(Family::meta, key, nullptr));
  if (!present || present == value) return false;
  return !value || !has_no_rows(key, *present);
}

}  // namespace

Result<bool> Core::write_note(std::string_view key, const std::optional<std::string>& value,
                              NoteBefore before) {
  const std::lock_guard no_commit(commit_mutex_);
  if (failure_) return *failure_;
  if (before != NoteBefore::any) {
    CAIRN_ASSIGN(const auto present, store_->get(Family::meta, key, nullptr));
    if (present.has_value() != (before == NoteBefore::present)) return false;
  }
  return within_memory([&] { return put_note(key, value); }, [&] { return end_commits(); });
}

Result<bool> Core::put_note(std::string_view key, const std::optional<std::string>& value) {
  StoreBatch batch(*store_);
  CAIRN_ASSIGN(const bool is_lost, loses_note(*store_, key, value));
  if (is_lost) batch.erase(Family::meta, codec::scrub_note_key);
  if (value)
    batch.put(Family::meta, key, *value);
  else
    batch.erase(Family::meta, key);
  CAIRN_TRY(write_between_commits(batch, WriteMode::sync));
  return true;
}

Status Core::erase_notes(const std::vector<std::string>& keys) {
  if (keys.empty()) return {};
  const std::lock_guard no_commit(commit_mutex_);
  if (failure_) return *failure_;
  StoreBatch batch(*store_);
  for (const std::string& key : keys) {
    CAIRN_ASSIGN(const bool is_lost, loses_note(*store_, key, std::nullopt));
    if (is_lost) batch.erase(Family::meta, codec::scrub_note_key);
    batch.erase(Family::meta, key);
  }
  return write_between_commits(batch, WriteMode::async);
}

Status Core::erase_unchanged_notes(const std::vector<Note>& notes) {
  if (notes.empty()) return {};
  const std::lock_guard no_commit(commit_mutex_);
  if (failure_) return *failure_;
  StoreBatch batch(*store_);
  for (const Note& note : notes) {
    CAIRN_ASSIGN(const auto present, store_->get(Family::meta, note.key, nullptr));
    if (present != note.value) continue;
    batch.erase(Family::meta, codec::scrub_note_key);
    batch.erase(Family::meta, note.key);
  }
  return write_between_commits(batch, WriteMode::async);
}

Result<std::vector<Note>> Core::notes(std::string_view prefix) const {
  const StatePtr now = state();
  return read_notes(*store_, prefix, &*now->store);
}

Result<std::optional<std::string>> Core::note(std::string_view key) const {
  const StatePtr now = state();
  return store_->get(Family::meta, key, &*now->store);
}

Status Core::visit_notes(
    std::string_view prefix,
    const std::function<void(std::string_view key, std::string_view value)>& visit) const {
  const StatePtr now = state();
  Cursor cursor = store_->scan(Family::meta, range_of_prefix(prefix), &*now->store);
  for (; cursor.valid(); cursor.next()) visit(cursor.key(), cursor.value());
  return cursor.status();
}

}  // namespace cairn::engine
