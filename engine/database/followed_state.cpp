#include "engine/database/followed_state.hpp"

#include "codec/byte_io.hpp"
#include "codec/commit_note.hpp"
#include "engine/files/directory.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_store.hpp"

#include <string>
#include <system_error>

namespace cairn::engine {
namespace {

namespace fs = std::filesystem;

/// The log of a state is copied for the next one, so it is emptied at this size.
constexpr std::uint64_t most_log_bytes = std::uint64_t{4} << 20;

bool never_changes(const fs::path& file) {
  const fs::path extension = file.extension();
  return extension == ".sst" || extension == ".blob" || extension == ".segment";
}

Error cannot_copy(const fs::path& file, const std::error_code& problem) {
  return {ErrorCode::io_error, "cannot copy " + file.string() + ": " + problem.message(), {}};
}

/// Copies the files of a directory, or links those that never change.
Status copy_files(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  fs::create_directories(to, problem);
  for (fs::directory_iterator entry(from, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (!entry->is_regular_file(problem)) continue;
    const fs::path target = to / entry->path().filename();
    if (never_changes(target))
      fs::create_hard_link(entry->path(), target, problem);
    else
      fs::copy_file(entry->path(), target, problem);
    if (problem) return cannot_copy(entry->path(), problem);
  }
  if (problem) return cannot_copy(from, problem);
  return {};
}

Status copy_all(const fs::path& from, const fs::path& to) {
  CAIRN_TRY(copy_files(from, to));
  CAIRN_TRY(copy_files(from / metadata_file::store_directory, to / metadata_file::store_directory));
  const fs::path vectors = from / metadata_file::vector_directory;
  std::error_code ignored;
  if (!fs::exists(vectors, ignored)) return {};
  return copy_files(vectors, to / metadata_file::vector_directory);
}

std::uint64_t log_bytes(const fs::path& store) {
  std::uint64_t bytes = 0;
  std::error_code problem;
  for (fs::directory_iterator entry(store, problem), end; !problem && entry != end;
       entry.increment(problem))
    if (entry->path().extension() == ".log") bytes += entry->file_size(problem);
  return bytes;
}

}  // namespace

Result<std::uint64_t> advance_followed(const fs::path& from, const fs::path& to,
                                       std::span<const codec::CommitRecord> records) {
  CAIRN_TRY(copy_all(from, to));
  const fs::path directory = to / metadata_file::store_directory;
  StoreOptions settings;
  settings.create_if_missing = false;
  CAIRN_ASSIGN(const auto store, RocksStore::open(directory, settings));
  // No place is noted: such a directory follows no home by itself.
  for (const codec::CommitRecord& record : records) CAIRN_TRY(store->apply(record.changes, {}));
  if (log_bytes(directory) > most_log_bytes) CAIRN_TRY(store->flush());
  const MetaReader meta(*store);
  CAIRN_ASSIGN(const std::uint64_t commit, meta.commit());
  CAIRN_ASSIGN(const std::string id, meta.database_id());
  CAIRN_TRY(write_file(to / metadata_file::tail,
                       codec::encode(codec::TailFile{id, commit, true, false})));
  return commit;
}

}  // namespace cairn::engine
