// A database with a home, Options::home: the database is in an object store, and the local directory is only a copy.
//
// HOME           a file in the directory with the id of the home's database. It marks the directory as a copy, whose files
//                may be erased at any time. Without this file, a directory is never treated as a copy
// the copy       has the commits of the home up to some point. It is brought up to date by the later commits if the home
//                still has their log. Otherwise, or if it cannot be opened, it is downloaded again
#include "codec/byte_io.hpp"
#include "codec/commit_note.hpp"
#include "engine/database/opening.hpp"
#include "engine/home/object_store.hpp"
#include "engine/store/held_files.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"

#include <cairn/options.hpp>

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

namespace fs = std::filesystem;

Error not_with_home(const std::string& what) {
  return Error{ErrorCode::unsupported,
               "a database with a home cannot be opened with " + what +
                   "; open it with OpenMode::read_write and without repair",
               {}};
}

Error other_home(const fs::path& directory, const std::string& address) {
  return Error{ErrorCode::conflict,
               directory.string() + " holds another database than the home " + address +
                   "; name an empty directory, which becomes a copy of the home",
               {}};
}

Error own_database(const fs::path& directory, const std::string& address) {
  return Error{ErrorCode::unsupported,
               directory.string() +
                   " has a database of its own, which does not move into a home; export it, open " +
                   address + " with an empty directory, and import the file there",
               {}};
}

/// The error of a copy whose home is not there. `problem` says what is there.
Error lost_home(const fs::path& directory, const std::string& problem) {
  return Error{ErrorCode::not_found,
               directory.string() + " is a local copy of a database in an object store (its file " +
                   std::string(metadata_file::home) + " marks it), and " + problem +
                   "; name the address that has the database. If it is lost there, keep the "
                   "directory, which may have the only copy: open it with OpenMode::read_only, and "
                   "erase the file to use it without a home",
               {}};
}

bool has_file(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// True if the directory has files that are only written after the first commit.
bool has_commits(const fs::path& directory) {
  return has_file(directory / metadata_file::format) ||
         has_file(directory / metadata_file::commit) || has_file(directory / metadata_file::tail);
}

/// Erases the database in a directory, and makes an empty store. The store is erased last: as long as it exists, the rest is
/// recognised as part of a database after a crash.
Status erase_copy(const fs::path& directory) {
  std::error_code problem;
  for (const std::string_view name :
       {metadata_file::commit, metadata_file::tail, metadata_file::format,
        metadata_file::vector_directory, metadata_file::segment_directory,
        metadata_file::store_directory}) {
    fs::remove_all(directory / name, problem);
    if (problem)
      return Error{ErrorCode::io_error,
                   "cannot erase " + (directory / name).string() + ": " + problem.message(),
                   {}};
  }
  return make_directory(directory / metadata_file::store_directory);
}

Error behind_copy(const fs::path& directory, const Home& home, const codec::HomePlace& place) {
  return codec::corruption(
      "the copy in " + directory.string() + " has commits up to slot " +
      std::to_string(place.slot) + " of epoch " + std::to_string(place.epoch) +
      ", which the home " + home.address() +
      " lacks: somebody put an older version of its head back, or erased objects of its log. The "
      "copy "
      "was left as it is: put the newest version of the objects back; or export the copy, which "
      "opens "
      "with OpenMode::read_only; or, to go on without these commits, name an empty directory");
}

/// Opens the existing copy if it can be brought up to date; otherwise returns nullptr.
/// Errors: corruption if the home lacks commits of the copy, which must not be erased then.
Result<std::unique_ptr<RocksStore>> open_present(const fs::path& directory, StoreOptions settings,
                                                 const Home& home) {
  settings.create_if_missing = false;
  auto store = RocksStore::open(directory / metadata_file::store_directory, settings);
  if (!store) return std::unique_ptr<RocksStore>();
  const auto id = MetaReader(**store).database_id();
  const auto place = (*store)->applied_place();
  if (!id || *id != home.database_id() || !place) return std::unique_ptr<RocksStore>();
  if (home.is_behind(*place)) return behind_copy(directory, home, *place);
  if (!home.can_follow(*place)) return std::unique_ptr<RocksStore>();
  return *std::move(store);
}

/// Downloads the newest checkpoint that has all of its files.
Status download(const fs::path& directory, Home& home, std::vector<std::string>& warnings) {
  for (;;) {
    CAIRN_TRY(erase_copy(directory));
    const Status fetched = home.fetch(directory);
    if (fetched || fetched.error().code != ErrorCode::corruption) return fetched;
    CAIRN_ASSIGN(const bool has_older, home.fall_back());
    if (!has_older) return fetched;
    warnings.push_back(
        "the database was restored from an earlier checkpoint and the commits "
        "after it; no commit is lost, and the next checkpoint replaces the damaged one: " +
        fetched.error().message);
  }
}

}  // namespace

Result<std::unique_ptr<RocksStore>> open_copy(const fs::path& directory, StoreOptions settings,
                                              Home& home, std::vector<std::string>& warnings) {
  const bool was_there = has_file(directory / metadata_file::store_directory / "CURRENT");
  if (was_there) {
    CAIRN_ASSIGN(auto store, open_present(directory, settings, home));
    if (store) return store;
  }
  if (was_there)
    warnings.push_back("the copy in " + directory.string() + " was fetched again from " +
                       home.address());
  CAIRN_TRY(download(directory, home, warnings));
  const codec::TailFile tail{home.database_id(), home.checkpoint_commit(), true, true};
  if (home.has_checkpoint())
    CAIRN_TRY(write_file(directory / metadata_file::tail, codec::encode(tail)));
  // The home has no checkpoint yet if all its commits are still in its log. The copy is then a new store.
  settings.create_if_missing = true;
  return RocksStore::open(directory / metadata_file::store_directory, settings);
}

std::string draw_database_id() {
  // Random and not seeded: a seed could make two databases have the same id by mistake.
  std::random_device random;
  const auto word = [&] { return std::uint64_t{random()} << 32 | random(); };
  const std::uint64_t high = word();
  return codec::database_id(high, word());
}

Status check_home_options(const Options& options) {
  if (options.mode == OpenMode::read_only) return not_with_home("OpenMode::read_only");
  if (options.mode == OpenMode::bulk_load) return not_with_home("OpenMode::bulk_load");
  if (options.repair) return not_with_home("repair");
  CAIRN_TRY(check_history(options.home_history.value_or(std::chrono::seconds(0))));
  return check_object_store_address(options.home);
}

Status check_no_copy(const fs::path& directory, const Options& options) {
  if (options.mode == OpenMode::read_only || !has_file(directory / metadata_file::home)) return {};
  return Error{ErrorCode::conflict,
               directory.string() +
                   " is a copy of a database that lives in an object store; open it with "
                   "Options::home, or with OpenMode::read_only to see what the copy has",
               {}};
}

Status Core::attach_home(Opening& opening, const Options& options, const StoreOptions& settings) {
  const fs::path mark = opening.directory / metadata_file::home;
  CAIRN_ASSIGN(const auto copy_of, read_file(mark));
  const bool has_database =
      has_file(opening.directory / metadata_file::store_directory / "CURRENT");
  if (has_database && !copy_of) return own_database(opening.directory, options.home);
  Home::Wanted wanted;
  wanted.database_id = copy_of.value_or("");
  // If there is a copy, its home must exist: it is at another address or lost. A new home would be empty.
  wanted.may_make = options.create_if_missing && !copy_of;
  wanted.new_database_id = wanted.database_id.empty() ? draw_database_id() : wanted.database_id;
  auto home = Home::open(options.home, wanted);
  if (!home && home.error().code == ErrorCode::conflict)
    return other_home(opening.directory, options.home);
  if (!home && copy_of && home.error().code == ErrorCode::not_found)
    return lost_home(opening.directory, home.error().message);
  if (!home) return home.error();
  if (copy_of && (*home)->is_empty() && has_commits(opening.directory))
    return lost_home(opening.directory, "nothing was committed to the home " + options.home);
  opening.home = *std::move(home);
  if (options.home_history) opening.home->keep_states(*options.home_history);
  if (!copy_of) CAIRN_TRY(write_file(mark, opening.home->database_id()));
  CAIRN_ASSIGN(opening.store,
               open_copy(opening.directory, settings, *opening.home, opening.warnings));
  CAIRN_TRY(opening.home->replay(*opening.store));
  const MetaReader meta(*opening.store);
  CAIRN_ASSIGN(const std::string id, meta.database_id());
  CAIRN_ASSIGN(const std::uint64_t commit, meta.commit());
  if (!id.empty() && id != opening.home->database_id())
    return other_home(opening.directory, options.home);
  opening.commit_file.reset();
  if (!id.empty()) opening.commit_file = codec::CommitFile{id, commit};
  opening.store->ship_with([home = opening.home.get()](std::string changes, std::uint64_t number) {
    return home->ship(std::move(changes), number);
  });
  return {};
}

namespace {

/// Lists the segments of vector indexes. A segment that cannot be listed is left out; opening the copy rebuilds it.
std::vector<CheckpointFile> vector_segments(const fs::path& database) {
  std::vector<CheckpointFile> files;
  std::error_code problem;
  fs::directory_iterator entry(database / metadata_file::vector_directory, problem), end;
  for (; !problem && entry != end; entry.increment(problem)) {
    if (entry->path().extension() != ".segment") continue;
    CheckpointFile file;
    file.name =
        std::string(metadata_file::vector_directory) + "/" + entry->path().filename().string();
    file.source = entry->path();
    file.bytes = entry->file_size(problem);
    if (!problem) files.push_back(std::move(file));
  }
  return files;
}

CheckpointFile metadata_of(std::string_view name, std::string content) {
  CheckpointFile file;
  file.name = name;
  file.content = std::move(content);
  return file;
}

CheckpointFile store_file(const fs::path& database, const HeldFile& held) {
  CheckpointFile file;
  file.name = std::string(metadata_file::store_directory) + "/" + held.name;
  file.source = database / metadata_file::store_directory / held.name;
  file.bytes = held.bytes;
  file.content = held.content;
  file.is_unchanging = held.is_table;
  return file;
}

}  // namespace

/// The files of a checkpoint, which the store does not erase as long as this lives.
struct Core::HeldCheckpoint {
  std::optional<HeldFiles> held{};
  std::vector<CheckpointFile> files{};
  std::uint64_t commit = 0;
  codec::HomePlace place{};  ///< up to which the files have all changes of the home
};

// Holds the same files as a backup has, in the same order and for the same reasons (core_backup.cpp).
Result<Core::HeldCheckpoint> Core::hold_checkpoint() {
  CAIRN_TRY(checkpoint());
  HeldCheckpoint result;
  result.files = vector_segments(directory_);
  {
    const std::lock_guard no_commit(commit_mutex_);
    if (failure_) return *failure_;
    result.commit = state()->commit;
    CAIRN_ASSIGN(result.place, store_->applied_place());
    CAIRN_ASSIGN(result.held, store_->hold_files());
  }
  // FORMAT and COMMIT: an open of the copy compares the store with these two files.
  CAIRN_ASSIGN(const auto format, MetaReader(*store_).format());
  std::vector<CheckpointFile>& files = result.files;
  files.push_back(
      metadata_of(metadata_file::format, codec::encode(format.value_or(codec::FormatRecord{}))));
  files.push_back(metadata_of(metadata_file::commit,
                              codec::encode(codec::CommitFile{database_id_, result.commit})));
  for (const HeldFile& each : result.held->files()) files.push_back(store_file(directory_, each));
  return result;
}

Status Core::ship_checkpoint() {
  if (!home_ || !home_->is_owner()) return {};
  CAIRN_ASSIGN(const HeldCheckpoint held, hold_checkpoint());
  const Status shipped = home_->checkpoint(held.place, held.commit, held.files);
  for (const std::string& warning : home_->take_warnings())
    messages_.tell(LogLevel::warning, "checkpoint", warning);
  return shipped;
}

Status Core::begin_home(Home& home) {
  CAIRN_ASSIGN(const HeldCheckpoint held, hold_checkpoint());
  return home.publish_first(held.commit, held.files);
}

Result<std::shared_ptr<Core>> Core::open_fixed(const std::filesystem::path& directory,
                                               const Options& options,
                                               std::unique_ptr<RocksStore> store) {
  CAIRN_ASSIGN(Opening opening, prepare(directory, options));
  opening.store = std::move(store);
  return open_with(std::move(opening), options);
}

bool Core::owns_home() const { return home_ && home_->seems_owner(); }

Status Core::leave_home() {
  if (!home_ || !home_->is_owner()) return {};
  if (home_->has_news()) CAIRN_TRY(ship_checkpoint());
  return home_->release();
}

}  // namespace cairn::engine
