// Opens a database. The steps:
//
// prepare         checks the options, the directory, FORMAT, LOCK, BULK and COMMIT. Writes only LOCK, once FORMAT is checked
// check_repair    only for a repair: checks that everything damaged can be rebuilt, on a store that is open read-only
// store           opens RocksDB, which recovers its log, or reports that the log is damaged
// check_identity  checks that the store belongs to the file COMMIT, and has all commits that were on disk
// repair_derived  rebuilds families with another layout
// load_state      loads the catalog, counters, texts and vectors, and publishes the first state
// COMMIT          is updated, as everything recovered is on disk now
//
// Each step relies only on the steps before it. A step that fails does so before anything is written that an older or newer
// version could not read. Everything runs on the calling thread; the last step starts the maintenance thread.

#include "codec/byte_io.hpp"
#include "engine/check/integrity_check.hpp"
#include "engine/check/upgrade.hpp"
#include "engine/database/core.hpp"
#include "engine/database/opening.hpp"
#include "engine/database/stored_format.hpp"
#include "engine/fulltext/text_cache.hpp"
#include "engine/fulltext/text_progress.hpp"
#include "engine/graph/external_id_hints.hpp"
#include "engine/graph/text_index.hpp"
#include "engine/indexing/text_build.hpp"
#include "engine/segment/segment_set.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/system/regular_file.hpp"
#include "engine/write/limits.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace cairn::engine {
namespace {

Error not_found(const std::filesystem::path& directory) {
  return Error{ErrorCode::not_found,
               "there is no database in " + directory.string() + "; check the path",
               {}};
}

/// The error of a database whose creation was interrupted. A copy that lacks files looks the same. `problem` is the error of
/// the store, or empty.
Error unfinished(const std::filesystem::path& directory, const std::string& problem = "") {
  return Error{
      ErrorCode::not_found,
      "the database in " + directory.string() + " was never finished, or files of it are missing" +
          (problem.empty() ? "" : " (" + problem + ")") +
          "; if its creation was interrupted, open it for writing once to finish it; if files "
          "are missing, copy or restore it again",
      {}};
}

/// The error of a path that is not a database and cannot become one.
Error foreign(const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    return Error{ErrorCode::invalid_argument,
                 directory.string() + " is a file, and a database is a directory",
                 {}};
  return Error{ErrorCode::invalid_argument,
               directory.string() +
                   " has files that do not belong to a Cairn database; name a new or "
                   "empty directory",
               {}};
}

Error bad_store(const std::filesystem::path& directory, const std::string& problem) {
  return codec::corruption("the store in " + directory.string() + problem + "; restore a backup");
}

bool is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// Files that are only written once the first batch of a store is on disk.
constexpr std::array following_files = {metadata_file::format, metadata_file::commit,
                                        metadata_file::tail};

/// For an empty store: checks that it is really new. If one of the files above exists, the content was lost, which no repair
/// can restore. Errors: corruption.
Status check_never_filled(const std::filesystem::path& directory) {
  const auto* const file = std::ranges::find_if(
      following_files, [&](std::string_view name) { return is_there(directory / name); });
  if (file == following_files.end()) return {};
  return codec::corruption("the store in " + directory.string() + " is empty, but its file " +
                           std::string(*file) +
                           " shows that there was a database in it; put the store's log "
                           "(NUMBER.log) back if it was moved, restore a backup, or erase the "
                           "directory to begin a new database");
}

/// True if the files FORMAT and COMMIT, which are written after the first batch, do not exist: the creation of the
/// database was interrupted.
bool is_unfinished(const std::filesystem::path& directory) {
  return !is_there(directory / metadata_file::format) &&
         !is_there(directory / metadata_file::commit);
}

/// Checks that the directory has a database, or is empty, so that a new database may be created in it. A directory of other
/// files is refused.
Status check_place(const std::filesystem::path& directory, const Options& options) {
  // With a home the directory is only a copy, which may always be created.
  const bool may_make =
      (options.create_if_missing || !options.home.empty()) && options.mode != OpenMode::read_only;
  if (is_there(directory / metadata_file::store_directory)) return {};
  if (!may_make) return not_found(directory);
  if (!is_there(directory)) return make_directory(directory);
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) return foreign(directory);
  std::filesystem::directory_iterator entry(directory, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const auto name = entry->path().filename();
    if (name == metadata_file::lock || name == metadata_file::home) continue;
    // Another process may be creating the database at this moment. The lock file decides later which of them continues.
    return is_there(directory / metadata_file::store_directory) ? Status() : foreign(directory);
  }
  if (error)
    return Error{ErrorCode::io_error,
                 "cannot read the directory " + directory.string() + ": " + error.message(),
                 {}};
  return make_directory(directory);  // exists already, but may not be synced
}

/// Handles a damaged metadata file. Without a repair this is an error, as guessing its content would defeat its purpose. A
/// repair uses the content of the store instead, and the file is written again later; a warning says so.
Status repair_metadata_file(const std::filesystem::path& file, Error damage, bool repair,
                            std::vector<std::string>& warnings) {
  if (!repair) {
    damage.message = file.string() + ": " + damage.message +
                     "; restore it from a backup, or open for writing with repair, which rebuilds "
                     "it from the store";
    return damage;
  }
  warnings.push_back(file.string() + " is rebuilt from the store: " + damage.message);
  return {};
}

/// Checks the format of the database before the store is opened, as opening the store writes. A database of a newer format
/// must not be changed.
Status check_format_file(const std::filesystem::path& directory, bool repair,
                         std::vector<std::string>& warnings) {
  const std::filesystem::path file = directory / metadata_file::format;
  CAIRN_ASSIGN(const auto bytes, read_file(file));
  if (!bytes) return {};
  const auto format = codec::decode_format_record(*bytes);
  if (format) return codec::check_supported(*format);
  return repair_metadata_file(file, format.error(), repair, warnings);
}

/// Errors: conflict if the file BULK exists: a bulk load was interrupted.
Status check_bulk_mark(const std::filesystem::path& directory) {
  if (!is_there(directory / metadata_file::bulk)) return {};
  return Error{ErrorCode::conflict,
               "a bulk load into " + directory.string() +
                   " did not finish, so the database is incomplete; erase the directory, or "
                   "restore its backup, and load again",
               {}};
}

/// Reads the file COMMIT; nullopt if it is missing, or damaged in a repair.
Result<std::optional<codec::CommitFile>> read_commit_file(const std::filesystem::path& directory,
                                                          bool repair,
                                                          std::vector<std::string>& warnings) {
  const std::filesystem::path file = directory / metadata_file::commit;
  CAIRN_ASSIGN(const auto bytes, read_file(file));
  if (!bytes) return std::optional<codec::CommitFile>();
  auto decoded = codec::decode_commit_file(*bytes);
  if (decoded) return std::optional(*std::move(decoded));
  CAIRN_TRY(repair_metadata_file(file, decoded.error(), repair, warnings));
  return std::optional<codec::CommitFile>();
}

/// The error of a repair if the manifest of RocksDB lost its end, so that it does not list the files `newer`.
Error stale_manifest(const std::vector<std::string>& newer) {
  constexpr std::size_t most_named = 5;
  std::string named;
  for (std::size_t i = 0; i < newer.size() && i < most_named; ++i)
    named += (i == 0 ? "" : ", ") + std::string(metadata_file::store_directory) + "/" + newer[i];
  if (newer.size() > most_named)
    named += " and " + std::to_string(newer.size() - most_named) + " more";
  return codec::corruption(
      "nothing was repaired, because the end of the store's manifest is lost: complete files have "
      "commits that the manifest does not list, and a repair would delete these files: " +
      named + "; restore a backup, or move these files away and repair the rest");
}

/// True if RocksDB's file CURRENT exists, which names the manifest.
bool has_current(const std::filesystem::path& directory) {
  return is_there(directory / metadata_file::store_directory / "CURRENT");
}

/// Checks that the file CURRENT was not lost. Without it RocksDB would create a new store, and delete all tables of the old
/// one.
Status check_current(const std::filesystem::path& directory) {
  CAIRN_TRY(check_regular(directory / metadata_file::store_directory / "CURRENT"));
  if (has_current(directory)) return {};
  std::error_code error;
  std::filesystem::directory_iterator entry(directory / metadata_file::store_directory, error), end;
  for (; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".sst")
      return bad_store(directory, " lacks its file CURRENT, and has tables");
  return {};
}

/// Checks that a repair is possible: all damaged files belong to derived families, and the manifest is complete. Otherwise
/// nothing is changed. Uses a store that is open read-only: opening it for writing would recover the log, and delete table
/// files that the manifest does not list.
Status check_repair(const std::filesystem::path& directory, const StoreOptions& options,
                    std::vector<std::string>& warnings) {
  const std::filesystem::path place = directory / metadata_file::store_directory;
  if (!has_current(directory)) return {};  // a new store
  CAIRN_ASSIGN(const auto store, RocksStore::open_to_inspect(place, options));
  CAIRN_ASSIGN(const auto files, store->damaged_files());
  CAIRN_TRY(check_repairable(files));
  CAIRN_ASSIGN(const auto newer, store->newer_files());
  if (!newer.empty()) return stale_manifest(newer);
  for (const DamagedFile& file : files)
    warnings.push_back(std::string(to_string(file.family)) + " is rebuilt from the records, as " +
                       file.name + " is damaged: " + file.problem);
  return {};
}

/// Adds the advice to restore a backup to an error of a repair, if the error has no advice yet.
Error unrepairable(Error error) {
  const bool has_advice = error.message.find("backup") != std::string::npos;
  // No advice for other io_errors: an error of the disk may be temporary, but a missing file stays missing.
  const bool is_missing = error.message.find(std::strerror(ENOENT)) != std::string::npos;
  if ((error.code == ErrorCode::corruption || is_missing) && !has_advice)
    error.message += "; no repair can rebuild this: restore a backup";
  return error;
}

/// Returns the settings of the store. Its budget of memory is reduced later, as vector indexes grow (Core::share_memory()).
StoreOptions store_options(const Options& options,
                           std::shared_ptr<rocksdb::FileSystem> file_system) {
  StoreOptions store;
  store.create_if_missing = options.create_if_missing;
  store.read_only = options.mode == OpenMode::read_only;
  store.repair = options.repair && !store.read_only;
  store.bulk = options.mode == OpenMode::bulk_load;
  store.syncs_commits =
      !store.bulk && options.home.empty() && options.durability == Durability::sync;
  // The posting cache gets the other eighth.
  store.memory_bytes = options.memory_bytes - options.memory_bytes / 8;
  store.background_threads = options.background_threads;
  store.file_system = std::move(file_system);
  return store;
}

/// Returns how a commit is written, and whether it waits for the disk.
WriteMode write_mode(const Options& options) {
  if (options.mode == OpenMode::bulk_load) return WriteMode::unlogged;
  // With a home, the local copy may be lost: a commit is in the home before it is written here.
  const bool waits = options.home.empty() && options.durability == Durability::sync;
  return waits ? WriteMode::sync : WriteMode::async;
}

/// The maximal size of the pieces in which the postings of a new index are written ahead of its commit.
constexpr std::size_t most_piece_bytes = std::size_t{64} << 20;
/// The same with a home: half of the maximal size of a record in its log.
constexpr std::size_t most_shipped_piece_bytes = std::size_t{16} << 20;

std::size_t piece_bytes(const Options& options) {
  return std::min(options.transaction_bytes,
                  options.home.empty() ? most_piece_bytes : most_shipped_piece_bytes);
}

VectorIndexManager::Place vector_place(const std::filesystem::path& directory,
                                       const Options& options) {
  return {directory / metadata_file::vector_directory, "", options.background_threads,
          options.mode == OpenMode::read_only, options.vector_memory_bytes};
}

}  // namespace

Result<std::shared_ptr<Core>> Core::open(const std::filesystem::path& directory,
                                         const Options& options,
                                         std::shared_ptr<rocksdb::FileSystem> file_system) {
  auto core = open_as_it_is(directory, options, std::move(file_system));
  const bool repairs = options.repair && options.mode != OpenMode::read_only;
  return core || !repairs ? std::move(core) : unrepairable(core.error());
}

Result<std::shared_ptr<Core>> Core::open_as_it_is(
    const std::filesystem::path& directory, const Options& options,
    std::shared_ptr<rocksdb::FileSystem> file_system) {
  CAIRN_ASSIGN(Opening opening, prepare(directory, options));
  const StoreOptions settings = store_options(options, std::move(file_system));
  if (!options.home.empty()) {
    if (!is_there(directory / metadata_file::home)) CAIRN_TRY(check_current(directory));
    CAIRN_TRY(attach_home(opening, options, settings));
    return open_with(std::move(opening), options);
  }
  if (!settings.read_only) CAIRN_TRY(check_current(directory));
  if (!settings.read_only) CAIRN_TRY(check_stored_format(directory, settings));
  if (settings.repair) CAIRN_TRY(check_repair(directory, settings, opening.warnings));
  auto store = RocksStore::open(directory / metadata_file::store_directory, settings);
  // An incomplete store causes various errors. A reader gets the error that explains the cause.
  const bool is_reader = options.mode == OpenMode::read_only;
  if (!store && is_reader && is_unfinished(directory)) {
    return unfinished(directory, store.error().message);
  }
  if (!store) return store.error();
  opening.store = *std::move(store);
  return open_with(std::move(opening), options);
}

Result<std::shared_ptr<Core>> Core::open_with(Opening opening, const Options& options) {
  // If a later step fails, destroying the core closes everything in the right order.
  std::shared_ptr<Core> core(new Core(options, std::move(opening)), &Core::let_go);
  CAIRN_TRY(core->start());
  for (const std::string& warning : core->warnings())
    core->messages().tell(LogLevel::warning, "open", warning);
  return core;
}

Result<Core::Opening> Core::prepare(const std::filesystem::path& directory,
                                    const Options& options) {
  CAIRN_TRY(check_limits(options));
  if (!options.home.empty()) CAIRN_TRY(check_home_options(options));
  if (options.home.empty() && options.home_history)
    return Error{ErrorCode::invalid_argument, "Options::home_history needs Options::home", {}};
  CAIRN_TRY(check_place(directory, options));
  CAIRN_TRY(check_directories(directory));
  if (options.home.empty()) CAIRN_TRY(check_not_newer(directory));
  const auto sharing = options.mode == OpenMode::read_only ? LockFile::Sharing::shared
                                                           : LockFile::Sharing::exclusive;
  CAIRN_ASSIGN(LockFile lock, LockFile::take(directory / metadata_file::lock, sharing));
  std::vector<std::string> warnings;
  // A read-only database repairs nothing.
  const bool repairs = options.repair && options.mode != OpenMode::read_only;
  // The metadata files of a copy are not checked: the copy is compared with its home, and downloaded again if it does not
  // fit.
  if (!options.home.empty() && is_there(directory / metadata_file::home))
    return Opening{directory, std::move(lock), {}, nullptr, std::move(warnings)};
  if (options.home.empty()) CAIRN_TRY(check_no_copy(directory, options));
  CAIRN_TRY(check_bulk_mark(directory));
  CAIRN_TRY(check_format_file(directory, repairs, warnings));
  CAIRN_ASSIGN(auto commit_file, read_commit_file(directory, repairs, warnings));
  return Opening{directory, std::move(lock), std::move(commit_file), nullptr, std::move(warnings)};
}

Core::Core(const Options& options, Opening opening)
    : options_(options),
      telemetry_(std::make_shared<Telemetry>()),
      messages_(options.log),
      statements_(telemetry_, options),
      files_(options.file_root),
      directory_(std::move(opening.directory)),
      lock_(std::move(opening.lock)),
      database_id_(opening.commit_file ? opening.commit_file->database_id : ""),
      commit_bound_(opening.commit_file ? opening.commit_file->commit : 0),
      warnings_(std::move(opening.warnings)),
      home_(std::move(opening.home)),
      store_(std::move(opening.store)),
      cache_(options.memory_bytes / 8),
      ids_(*store_),
      turn_(options.writer_idle_limit),
      committer_(*store_, ids_, write_mode(options), piece_bytes(options)),
      vectors_(*store_, cache_, vector_place(directory_, options)),
      segment_files_(*store_, directory_ / metadata_file::segment_directory, options, messages_) {}

Status Core::start() {
  warnings_.insert(warnings_.end(), store_->warnings().begin(), store_->warnings().end());
  CAIRN_TRY(check_identity());
  if (!is_read_only()) CAIRN_TRY(keep_format_file(directory_, *store_));
  if (options_.mode == OpenMode::bulk_load) CAIRN_TRY(begin_bulk_load());
  CAIRN_TRY(repair_derived());
  CAIRN_TRY(load_state());
  // Everything that recovery found is on disk, so the number in COMMIT may rise.
  if (!is_read_only()) CAIRN_TRY(write_commit_file(state_->commit));
  share_memory();
  if (is_read_only()) return {};
  CAIRN_TRY(lock_.sign(database_id_));
  CAIRN_TRY(start_maintenance());
  const std::lock_guard lock(maintenance_mutex_);
  work_ = true;  // an index that was rebuilt may need a segment
  work_arrived_.notify_one();
  return {};
}

// Called before the first write without a log. From now on the database cannot be opened again unless the bulk load is
// finished.
Status Core::begin_bulk_load() const {
  CAIRN_ASSIGN(const std::uint64_t commit, MetaReader(*store_).commit());
  return write_file(directory_ / metadata_file::bulk,
                    codec::encode(codec::CommitFile{database_id_, commit}));
}

Status Core::repair_derived() {
  if (is_read_only()) return upgrade_derived(*store_, Rebuild::nothing, warnings_);
  if (!repairs()) return upgrade_derived(*store_, Rebuild::outdated, warnings_);
  std::error_code error;
  // Errors are ignored: a file that could not be erased is checked when it is loaded, like any other.
  std::filesystem::remove_all(directory_ / metadata_file::vector_directory, error);
  std::filesystem::remove_all(directory_ / metadata_file::segment_directory, error);
  CAIRN_TRY(upgrade_derived(*store_, Rebuild::everything, warnings_));
  return store_->end_repair();
}

Status Core::check_identity() {
  const MetaReader meta(*store_);
  CAIRN_ASSIGN(const std::string id, meta.database_id());
  // If neither the store nor COMMIT has an id, the database is new. If only COMMIT has one, the store lost its content,
  // which RocksDB itself does not notice.
  if (id.empty() && database_id_.empty()) {
    CAIRN_TRY(check_never_filled(directory_));
    return initialize();
  }
  CAIRN_ASSIGN(const auto format, meta.format());
  if (format) CAIRN_TRY(codec::check_supported(*format));
  CAIRN_ASSIGN(const std::uint64_t commit, meta.commit());
  if (id != database_id_ && !database_id_.empty()) {
    return bad_store(directory_, " is empty or belongs to another database");
  }
  if (!format) return bad_store(directory_, " does not say its format");
  // COMMIT is written before the first commit. Without it, lost commits cannot be detected.
  if (database_id_.empty() && commit > 0 && !is_there(directory_ / metadata_file::commit)) {
    const std::string file = (directory_ / metadata_file::commit).string();
    if (!repairs())
      return codec::corruption(
          file +
          " is missing, which says how many commits the store must have; replace it by the file of "
          "a backup, or open for writing with repair, which rebuilds it from the store");
    warnings_.push_back(file + " was missing and is rebuilt from the store, which ends at commit " +
                        std::to_string(commit));
  }
  // The newest commits are missing although they were on disk: a log file or the end of the manifest was lost.
  if (commit < commit_bound_) {
    const std::uint64_t count = commit_bound_ - commit;
    const std::string lost = " ends at commit " + std::to_string(commit) + ", but commit " +
                             std::to_string(commit_bound_) +
                             " was on disk: " + std::to_string(count) +
                             (count == 1 ? " commit is lost" : " commits are lost");
    if (!options_.repair) return bad_store(directory_, lost);
    warnings_.push_back("the store" + lost);
  }
  database_id_ = id;
  return {};
}

// Writes commit 0. The file FORMAT is written after it.
Status Core::initialize() {
  if (is_read_only()) return unfinished(directory_);
  database_id_ = home_ ? home_->database_id() : draw_database_id();
  StoreBatch batch(*store_);
  MetaWriter meta(batch);
  meta.put_format({});
  meta.put_database_id(database_id_);
  meta.put_commit(0);
  put_present_layouts(batch);
  return store_->write(batch, WriteMode::sync);
}

Status Core::load_state() {
  const MetaReader meta(*store_);
  auto state = std::make_shared<State>();
  CAIRN_ASSIGN(state->commit, meta.commit());
  CAIRN_ASSIGN(state->counters, load_counters(*store_));
  CAIRN_ASSIGN(state->catalog, load_catalog(*store_));
  if (!is_read_only())
    CAIRN_TRY(erase_unfinished_texts(*store_, write_mode(options_), *state->catalog));
  CAIRN_ASSIGN(state->texts, load_text_states(*store_, *state->catalog));
  state->id_hints = std::make_shared<ExternalIdHints>(options_.memory_bytes / 64);
  state->text_cache = std::make_shared<TextCache>(options_.memory_bytes / 8);
  state->segments = std::make_shared<SegmentSet>(
      *store_, options_.segments, options_.memory_bytes / 8,
      [this] {
        const auto lock = vectors_.lock();
        share_memory();
      },
      [this](SegmentBuilder::Job job) { return segment_builder_.add(std::move(job)); });
  state->segments->begin(state->commit);
  CAIRN_TRY(segment_files_.open(*state->segments, database_id_, state->commit, warnings_));
  state->text_progress = std::make_shared<TextProgress>();
  state->telemetry = telemetry_;
  state->store = store_->snapshot();
  // Sets the commit from which on cached postings are valid.
  cache_.advance(state->commit, {});
  const auto lock = vectors_.lock();
  vectors_.bind(database_id_);
  CAIRN_TRY(vectors_.open(state, warnings_));
  state->vectors = vectors_.states();
  publish(std::move(state));
  return {};
}

}  // namespace cairn::engine
