// Opening a database: who holds it, which format it has, what it must contain, and its first state.
//
// prepare         limits, place, LOCK, FORMAT, BULK, COMMIT        nothing is written but the lock
// check_repair    a repair: can what is damaged be rebuilt?      as of a store for reading only
// store           RocksDB, with the decision about a damaged log
// check_identity  is it the store that COMMIT speaks of, and has it all that was on disk?
// repair_derived    families of another layout are rebuilt
// load_state      catalog, counters, texts, vectors; the first published state
// COMMIT          follows what recovery has brought to disk
//
// The order is that of trust: each step relies on those before it alone, and whatever refuses does
// so before something is written that an older or newer Cairn could not read. Runs on the caller's
// thread; no other thread exists until the last step starts the maintenance.

#include "codec/byte_io.hpp"
#include "engine/check/integrity_check.hpp"
#include "engine/check/upgrade.hpp"
#include "engine/database/core.hpp"
#include "engine/database/opening.hpp"
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
  return Error{ErrorCode::not_found, "there is no database in " + directory.string(), {}};
}

/// `problem`: of the store, in its own words; a copy may lack files that its original had.
Error unfinished(const std::filesystem::path& directory, const std::string& problem = "") {
  return Error{ErrorCode::not_found,
               "the database in " + directory.string() +
                   " was never finished, or files of it are missing" +
                   (problem.empty() ? "" : " (" + problem + ")") +
                   "; if it was cut off while it was made, open it for writing once, which "
                   "finishes it",
               {}};
}

Error foreign(const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    return Error{ErrorCode::invalid_argument,
                 directory.string() + " is a file, and a database is a directory",
                 {}};
  return Error{ErrorCode::invalid_argument,
               directory.string() +
                   " has files in it that are no Cairn database; name a new or "
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

/// Files that follow the first batch of a store, once that is on disk.
constexpr std::array following_files = {metadata_file::format, metadata_file::commit,
                                        metadata_file::tail};

/// Of a store that has nothing. No repair makes anything of it.
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

/// The store is there, but neither of the files that follow it.
bool is_unfinished(const std::filesystem::path& directory) {
  return !is_there(directory / metadata_file::format) &&
         !is_there(directory / metadata_file::commit);
}

/// A new database may be made where nothing but a lock of ours is.
/// What is there and is not ours must not be filled with files.
Status check_place(const std::filesystem::path& directory, const Options& options) {
  // A copy is made again wherever its home is.
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
    // Another process may make the database at this moment; who of them goes on is for the lock to say.
    return is_there(directory / metadata_file::store_directory) ? Status() : foreign(directory);
  }
  if (error)
    return Error{ErrorCode::io_error,
                 "cannot read the directory " + directory.string() + ": " + error.message(),
                 {}};
  return make_directory(directory);  // its maker may not have waited for the disk
}

/// A damaged file refuses as well: guessing would risk what it protects from. A repair goes by what the
/// store says of itself, and the file is rewritten.
Status repair_metadata_file(const std::filesystem::path& file, Error damage, bool repair,
                            std::vector<std::string>& warnings) {
  if (!repair) {
    damage.message =
        file.string() + ": " + damage.message +
        "; put the backup's in its place, or open for writing with repair, which makes "
        "it again from the store";
    return damage;
  }
  warnings.push_back(file.string() + " is rebuilt from the store: " + damage.message);
  return {};
}

/// Before the store is opened, which would already write: a newer database stays as it is.
Status check_format_file(const std::filesystem::path& directory, bool repair,
                         std::vector<std::string>& warnings) {
  const std::filesystem::path file = directory / metadata_file::format;
  CAIRN_ASSIGN(const auto bytes, read_file(file));
  if (!bytes) return {};
  const auto format = codec::decode_format_record(*bytes);
  if (format) return codec::check_supported(*format);
  return repair_metadata_file(file, format.error(), repair, warnings);
}

/// FORMAT where it is missing, by a crash behind the first commit or in a copy, or, in a repair, damaged. The
/// store says its format itself, but an older program would write before it reads that.
Status keep_format_file(const std::filesystem::path& directory, const RocksStore& store) {
  CAIRN_ASSIGN(const auto bytes, read_file(directory / metadata_file::format));
  if (bytes && codec::decode_format_record(*bytes)) return {};
  CAIRN_ASSIGN(const auto format, MetaReader(store).format());
  return format ? write_file(directory / metadata_file::format, codec::encode(*format)) : Status();
}

Status check_bulk_mark(const std::filesystem::path& directory) {
  if (!is_there(directory / metadata_file::bulk)) return {};
  return Error{ErrorCode::conflict,
               "a bulk load into " + directory.string() +
                   " did not end, so that the database is incomplete; erase the directory, or put "
                   "its backup back, and load again",
               {}};
}

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

Error stale_manifest(const std::vector<std::string>& newer) {
  constexpr std::size_t most_named = 5;
  std::string named;
  for (std::size_t i = 0; i < newer.size() && i < most_named; ++i)
    named += (i == 0 ? "" : ", ") + std::string(metadata_file::store_directory) + "/" + newer[i];
  if (newer.size() > most_named)
    named += " and " + std::to_string(newer.size() - most_named) + " more";
  return codec::corruption(
      "nothing was repaired, as the store's manifest has lost its end: whole files hold commits "
      "that it does not know of, and a repair would delete " +
      named + "; restore a backup, or move these away and repair what is left without them");
}

bool has_current(const std::filesystem::path& directory) {
  return is_there(directory / metadata_file::store_directory / "CURRENT");
}

/// Where that file was lost RocksDB would make a new store in the place, and delete all tables of the old one.
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

/// A repair rebuilds what is derived, whatever state its files are in, and changes nothing if anything else
/// cannot be read. Checked on a store opened for reading only: opening for writing decides about the log and deletes
/// table files that the manifest does not name.
Status check_repair(const std::filesystem::path& directory, const StoreOptions& options,
                    std::vector<std::string>& warnings) {
  const std::filesystem::path place = directory / metadata_file::store_directory;
  if (!has_current(directory)) return {};  // nothing is there yet
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

/// What is left to do where a repair cannot work and its error does not say so.
Error unrepairable(Error error) {
  const bool has_advice = error.message.find("backup") != std::string::npos;
  // A disk that fails may do so no more tomorrow; a file that is missing stays so.
  const bool is_missing = error.message.find(std::strerror(ENOENT)) != std::string::npos;
  if ((error.code == ErrorCode::corruption || is_missing) && !has_advice)
    error.message += "; no repair can make this again: restore a backup";
  return error;
}

/// Postings get an eighth of the budget; vector states take their part as they grow.
StoreOptions store_options(const Options& options,
                           std::shared_ptr<rocksdb::FileSystem> file_system) {
  StoreOptions store;
  store.create_if_missing = options.create_if_missing;
  store.read_only = options.mode == OpenMode::read_only;
  store.repair = options.repair && !store.read_only;
  store.bulk = options.mode == OpenMode::bulk_load;
  store.syncs_commits =
      !store.bulk && options.home.empty() && options.durability == Durability::sync;
  // The posting cache has the eighth that is missing here.
  store.memory_bytes = options.memory_bytes - options.memory_bytes / 8;
  store.background_threads = options.background_threads;
  store.file_system = std::move(file_system);
  return store;
}

/// What a commit waits for.
WriteMode write_mode(const Options& options) {
  if (options.mode == OpenMode::bulk_load) return WriteMode::unlogged;
  // A copy of a home may be lost: what counts is in the home before.
  const bool waits = options.home.empty() && options.durability == Durability::sync;
  return waits ? WriteMode::sync : WriteMode::async;
}

/// The largest piece that is written before the commit of a new index.
constexpr std::size_t most_piece_bytes = std::size_t{64} << 20;
/// Half of what a record of a home takes.
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
  if (settings.repair) CAIRN_TRY(check_repair(directory, settings, opening.warnings));
  auto store = RocksStore::open(directory / metadata_file::store_directory, settings);
  // Half a store has many faults, which a reader can only misread.
  const bool is_reader = options.mode == OpenMode::read_only;
  if (!store && is_reader && is_unfinished(directory)) {
    return unfinished(directory, store.error().message);
  }
  if (!store) return store.error();
  opening.store = *std::move(store);
  return open_with(std::move(opening), options);
}

Result<std::shared_ptr<Core>> Core::open_with(Opening opening, const Options& options) {
  // From here on failures close what is open in the order of the members.
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
  CAIRN_TRY(check_place(directory, options));
  CAIRN_TRY(check_directories(directory));
  const auto sharing = options.mode == OpenMode::read_only ? LockFile::Sharing::shared
                                                           : LockFile::Sharing::exclusive;
  CAIRN_ASSIGN(LockFile lock, LockFile::take(directory / metadata_file::lock, sharing));
  std::vector<std::string> warnings;
  // Who only reads makes nothing again.
  const bool repairs = options.repair && options.mode != OpenMode::read_only;
  // Files of a copy are looked at only to be erased.
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
      vectors_(*store_, cache_, vector_place(directory_, options)) {}

Status Core::start() {
  warnings_.insert(warnings_.end(), store_->warnings().begin(), store_->warnings().end());
  CAIRN_TRY(check_identity());
  if (!is_read_only()) {
    CAIRN_TRY(keep_format_file(directory_, *store_));
    CAIRN_TRY(lock_.sign(database_id_));
  }
  if (options_.mode == OpenMode::bulk_load) CAIRN_TRY(begin_bulk_load());
  CAIRN_TRY(repair_derived());
  CAIRN_TRY(load_state());
  // What recovery found is on disk: the bound may follow.
  if (!is_read_only()) CAIRN_TRY(write_commit_file(state_->commit));
  share_memory();
  if (is_read_only()) return {};
  CAIRN_TRY(start_maintenance());
  const std::lock_guard lock(maintenance_mutex_);
  work_ = true;  // an index rebuilt may want a segment
  work_arrived_.notify_one();
  return {};
}

// Before the first unlogged write: from now on the database is either loaded to the end or refused.
Status Core::begin_bulk_load() const {
  CAIRN_ASSIGN(const std::uint64_t commit, MetaReader(*store_).commit());
  return write_file(directory_ / metadata_file::bulk,
                    codec::encode(codec::CommitFile{database_id_, commit}));
}

/// What is derived has the present layout, or is rebuilt.
Status Core::repair_derived() {
  if (is_read_only()) return upgrade_derived(*store_, Rebuild::nothing, warnings_);
  if (!repairs()) return upgrade_derived(*store_, Rebuild::outdated, warnings_);
  std::error_code error;
  // Errors are let go: a file that stays is checked like any other when it is loaded.
  std::filesystem::remove_all(directory_ / metadata_file::vector_directory, error);
  CAIRN_TRY(upgrade_derived(*store_, Rebuild::everything, warnings_));
  return store_->end_repair();
}

/// The store is the one that the metadata file speaks of, and lacks no commit that was on disk.
Status Core::check_identity() {
  const MetaReader meta(*store_);
  CAIRN_ASSIGN(const std::string id, meta.database_id());
  // Neither knows a database: new. If COMMIT does and the store does not, the store was emptied,
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
  // COMMIT is there before the first commit. Without it nothing tells whether all of them are.
  if (database_id_.empty() && commit > 0 && !is_there(directory_ / metadata_file::commit)) {
    const std::string file = (directory_ / metadata_file::commit).string();
    if (!repairs())
      return codec::corruption(
          file +
          " is missing, which says how many commits the store must have; put the backup's in its "
          "place, or open for writing with repair, which rebuilds it from the store");
    warnings_.push_back(file + " was missing and is rebuilt from the store, which ends at commit " +
                        std::to_string(commit));
  }
  // A suffix of acknowledged commits is gone: a lost log or a lost part of the manifest.
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

/// The first commit of a new database, number 0. FORMAT follows the store.
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

/// The state that the store holds, with every vector index loaded or rebuilt.
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
  state->text_progress = std::make_shared<TextProgress>();
  state->telemetry = telemetry_;
  state->store = store_->snapshot();
  // Tells the cache where it stands: entries begin with this commit.
  cache_.advance(state->commit, {});
  const auto lock = vectors_.lock();
  vectors_.bind(database_id_);
  CAIRN_TRY(vectors_.open(state, warnings_));
  state->vectors = vectors_.states();
  publish(std::move(state));
  return {};
}

}  // namespace cairn::engine
