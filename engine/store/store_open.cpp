// Opens the store, and decides what to do about a damaged log:
//
// the notes in the logs (log_check.hpp): another database, or less than COMMIT and TAIL promise --> refuse
//   | nothing promised is missing
// tables with a damaged end (damaged_ends.cpp) --> primary family: refuse; derived families: ignored here, and rebuilt
//   |                                              at the end
// logs after a gap, for a repair or after a power cut: renamed; renamed back if the opening fails
// strict open --success--> done
//   | corruption                          (any other error is returned)
// read the logs ourselves
//   | no damage found  -----------------> not the log: refuse with the error of RocksDB. For reading only, and for a
//   |                                      repair, open without the damaged table files
//   | the damage loses commits that were on disk when they were acknowledged --> refuse, except for a repair. If commits
//   |                                      wait for the disk, valid commits after the damage prove such a loss
//   | the damage loses other commits only
// open up to the damage, with a warning about what was dropped; damaged table files as above
//
// The logs are read while no database is open, after the strict attempt has failed. After a tolerant opening the
// recovered commits are in table files, so the same damage is not met again.

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/meta.hpp"
#include "engine/store/background_threads.hpp"
#include "engine/store/file_system.hpp"
#include "engine/store/full_disk.hpp"
#include "engine/store/log_check.hpp"
#include "engine/store/log_filter.hpp"
#include "engine/store/manifest_tail.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace cairn::engine {
namespace {

/// The number of commits as text; empty if unknown.
std::string counted(std::uint64_t commits) {
  if (commits == 0) return "";
  return " (" + std::to_string(commits) + (commits == 1 ? " commit)" : " commits)");
}

/// The error of a damaged log: names the file, the position and the possible fixes.
Error damaged_log(const std::string& directory, const LogDamage& damage, std::uint64_t commits) {
  return Error{ErrorCode::corruption,
               "log " + directory + "/" + damage.file + " is damaged at byte " +
                   std::to_string(damage.offset) + ", and " +
                   (damage.valid_behind ? "valid commits follow the damage"
                                        : "the damaged part contained acknowledged commits") +
                   counted(commits) +
                   "; restore a backup, or drop these commits by "
                   "`cairn check --repair`",
               {}};
}

/// The warning about dropped content of a log.
std::string dropped(const LogDamage& damage, std::uint64_t commits) {
  const bool has_behind = damage.valid_behind || commits > 0;
  return "log " + damage.file +
         (has_behind ? " was damaged or not completely on disk"
                     : " ended in an unfinished commit") +
         "; dropped " + std::to_string(damage.dropped_bytes) + " bytes from byte " +
         std::to_string(damage.offset) + " on" +
         (has_behind ? ", and all later commits" + counted(commits) : "");
}

/// The warning about damaged table files that were ignored.
std::string opened_in_spite_of(const Error& refused) {
  return "opened in spite of damage; reading a damaged part returns an error: " + refused.message;
}

/// Returns the families that the store has.
Result<std::vector<Family>> families_of(const std::string& directory, rocksdb::Env* env) {
  rocksdb::DBOptions options;
  // The environment of the store, so that the file system of a test is used here too.
  options.env = env;
  std::vector<std::string> names;
  const auto status = rocksdb::DB::ListColumnFamilies(options, directory, &names);
  if (!status.ok()) return to_error(status, "store " + directory);
  std::vector<Family> families;
  for (const Family family : all_families)
    if (std::find(names.begin(), names.end(), to_string(family)) != names.end())
      families.push_back(family);
  return families;
}

/// Checks that the store has all families, because only an opening for writing can add one. OpenForReadOnly() would
/// fail with a list of names and without a fix.
Status check_families(const std::string& directory, rocksdb::Env* env) {
  const auto present = families_of(directory, env);
  if (!present) return {};  // the opening reports the problem
  for (const Family family : all_families) {
    if (std::find(present->begin(), present->end(), family) != present->end()) continue;
    return Error{ErrorCode::unsupported,
                 "store " + directory + " lacks the family `" + std::string(to_string(family)) +
                     "`: an earlier version wrote the store, or a repair was interrupted; open the "
                     "database for writing once, which adds the family, or repair it again",
                 {}};
  }
  return {};
}

/// RocksDB throws if it cannot start a thread. Threads were tried before, but others may have used them up since.
template <class Open>
rocksdb::Status open_with_threads(const Open& open) {
  try {
    return open();
  } catch (const std::system_error& problem) {
    return rocksdb::Status::MemoryLimit(no_thread(problem.what()).message);
  }
}

/// Creates a store and then its families, all at once: DB::Open() would write the file of options, and read it again, for
/// each of them. The next opening adds those that are missing after a crash.
rocksdb::Status create(const rocksdb::DBOptions& settings, const std::string& directory,
                       const std::vector<rocksdb::ColumnFamilyDescriptor>& families,
                       std::vector<rocksdb::ColumnFamilyHandle*>& handles, rocksdb::DB*& store) {
  rocksdb::Status status =
      rocksdb::DB::Open(settings, directory, {families.front()}, &handles, &store);
  if (!status.ok()) return status;
  std::vector<rocksdb::ColumnFamilyHandle*> others;
  const auto close = [&] {
    for (auto* made : {&others, &handles}) {
      for (auto* handle : *made) store->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
      made->clear();
    }
    store->Close().PermitUncheckedError();
    delete std::exchange(store, nullptr);
  };
  try {
    handles.reserve(families.size());
    status = store->CreateColumnFamilies({families.begin() + 1, families.end()}, &others);
  } catch (...) {  // a store that remains open would keep its lock
    close();
    throw;
  }
  if (!status.ok()) {
    close();
    return status;
  }
  handles.insert(handles.end(), others.begin(), others.end());
  return status;
}

/// Erases unfinished files, which a crash may have left.
void erase_unfinished_files(const std::filesystem::path& directory) {
  std::error_code problem;
  std::vector<std::filesystem::path> files;
  for (auto at = std::filesystem::directory_iterator(directory, problem);
       !problem && at != std::filesystem::directory_iterator(); at.increment(problem))
    if (at->path().extension() == unfinished_suffix) files.push_back(at->path());
  for (const auto& file : files) std::filesystem::remove(file, problem);
}

}  // namespace

// The order matters: RocksDB asserts that no handle exists when it closes, and the environment must live until its
// threads have ended.
RocksStore::Impl::~Impl() { close(); }

void RocksStore::Impl::close() {
  if (database == nullptr) return;
  for (rocksdb::ColumnFamilyHandle*& handle : handles) {
    if (handle != nullptr) database->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    handle = nullptr;
  }
  database->Close().PermitUncheckedError();
  database.reset();
}

// Opens all families, and creates missing ones. A family that an older version did not have is created empty.
// upgrade_derived() then finds by its layout that it must be filled.
rocksdb::Status RocksStore::Impl::open(const Recovery& recovery) {
  return open(recovery, {all_families.begin(), all_families.end()});
}

rocksdb::Status RocksStore::Impl::open(const Recovery& recovery,
                                       const std::vector<Family>& wanted) {
  rocksdb::DBOptions database_settings = database_options(options, memory, env.get());
  full_disk = std::make_shared<FullDisk>();
  database_settings.listeners.push_back(full_disk);
  database_settings.listeners.push_back(compaction_priority());
  database_settings.wal_recovery_mode = recovery.mode;
  database_settings.paranoid_checks = recovery.files == BadFiles::refuse;
  using Option = rocksdb::WalFilter::WalProcessingOption;
  const bool refuses = recovery.files == BadFiles::refuse;
  if (recovery.end)
    log_filter = std::make_unique<StopAt>(*recovery.end);
  else
    log_filter =
        std::make_unique<LogOrder>(refuses ? Option::kCorruptedRecord : Option::kStopReplay);
  database_settings.wal_filter = log_filter.get();
  // The family "default" must exist; it remains empty.
  std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions()}};
  for (const Family family : wanted) {
    families.emplace_back(std::string(to_string(family)), family_options(family, options, memory));
    // A compaction that meets damage would stop all writes.
    families.back().options.disable_auto_compactions = options.repair || leaves_tables;
  }
  std::vector<rocksdb::ColumnFamilyHandle*> opened;
  rocksdb::DB* raw = nullptr;
  const bool is_there = !env->FileExists(directory + "/CURRENT").IsNotFound();
  const auto status = open_with_threads([&] {
    if (options.read_only)
      return rocksdb::DB::OpenForReadOnly(database_settings, directory, families, &opened, &raw);
    if (!is_there) return create(database_settings, directory, families, opened, raw);
    return rocksdb::DB::Open(database_settings, directory, families, &opened, &raw);
  });
  if (!status.ok()) return status;
  database.reset(raw);
  database->DestroyColumnFamilyHandle(opened.front()).PermitUncheckedError();
  // Handles have the order of the descriptors: the default family comes first.
  for (std::size_t i = 0; i < wanted.size(); ++i) handles[position(wanted[i])] = opened[i + 1];
  // A log that the opening wrote, or an older log, may have failed during the opening.
  const rocksdb::Status failed = log_latch->failure();
  if (!failed.ok()) close();
  return failed;
}

Status RocksStore::Impl::prepare(const std::filesystem::path& place, const StoreOptions& wanted) {
  log_latch = std::make_shared<LogLatch>();
  log_latch->watch(LockPlace::of(place.parent_path() / metadata_file::lock));
  log_room = std::make_shared<LogRoom>();
  env = make_private_env(wanted.file_system, wanted.syncs_commits, log_latch, log_room);
  memory = make_store_memory(wanted);
  directory = place.string();
  options = wanted;
  return start_background_threads(*env, background_jobs(options));
}

// Does not try the strict opening if damage is already known: RocksDB takes zeros up to the end of a block for
// padding, and continues after them.
Status RocksStore::Impl::open_as_promised(LogCheck& logs, std::vector<std::string>& warnings) {
  const bool leaves = options.read_only || options.repair;
  const BadFiles known = leaves_tables ? BadFiles::leave : BadFiles::refuse;
  const auto mode = logs.ends_in_part() ? rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords
                                        : rocksdb::WALRecoveryMode::kAbsoluteConsistency;
  const auto status = logs.is_damaged() ? rocksdb::Status::Corruption("a log is damaged")
                                        : open({.mode = mode, .files = known, .end = logs.end()});
  if (status.ok()) return {};
  const Error refused = to_error(status, "store " + directory);
  if (!status.IsCorruption()) return refused;
  CAIRN_ASSIGN(const LogDamage damage, inspect_logs(*env, directory, logs.first_replayed()));
  if (damage.file.empty()) {
    // The logs are whole, so table files may be damaged.
    if (!leaves || !open({.mode = mode, .files = BadFiles::leave, .end = logs.end()}).ok())
      return refused;
    warnings.push_back(opened_in_spite_of(refused));
    return {};
  }
  CAIRN_TRY(logs.look_at_files());
  const std::uint64_t commits = logs.commits_behind(damage);
  if (!logs.may_drop(damage) && !options.repair) return damaged_log(directory, damage, commits);
  // A replay up to the damage loses nothing that was promised. It stops at `end`, because the tolerant mode alone
  // would refuse a tail of zeros.
  const LogEnd end{log_number(damage.file), damage.records};
  Recovery recovery{rocksdb::WALRecoveryMode::kPointInTimeRecovery, known, end};
  const auto again = open(recovery);
  if (!again.ok()) {
    const Error files = to_error(again, "store " + directory);
    // A power cut may damage both logs and tables. If commits follow the damage of the log, it is unknown which
    // tables contain some of them, so the store is refused then.
    recovery.files = BadFiles::leave;
    const bool both = again.IsCorruption() && leaves && !damage.valid_behind;
    if (!both || !open(recovery).ok()) return files;
    warnings.push_back(opened_in_spite_of(files));
  }
  warnings.push_back(dropped(damage, commits));
  return {};
}

Status RocksStore::Impl::check_reads() const {
  const rocksdb::Status failed = log_latch->failure();
  return failed.ok() ? Status() : to_error(failed, "store " + directory);
}

std::string RocksStore::Impl::database_id() const {
  std::string id;
  const std::string key(codec::meta_key::database_id);
  const auto status = database->Get(rocksdb::ReadOptions(), handle(Family::meta), key, &id);
  return status.ok() && codec::is_database_id(id) ? id : std::string();
}

Status RocksStore::Impl::begin_notes(const std::string& id, std::uint64_t commit) {
  if (id.empty()) return {};
  log_database = codec::checksum(id);
  return tail.begin(std::filesystem::path(directory).parent_path() / metadata_file::tail,
                    {id, commit, options.syncs_commits, false});
}

std::optional<std::uint64_t> RocksStore::Impl::commit() const {
  std::string value;
  const std::string key(codec::meta_key::commit);
  const auto status = database->Get(rocksdb::ReadOptions(), handle(Family::meta), key, &value);
  const auto number = codec::decode_number(value);
  if (!status.ok() || !number) return std::nullopt;
  return *number;
}

// Begins notes only in the store that was promised. In any other store the notes remain as evidence.
Status RocksStore::Impl::resume_notes(const LogPromise& promise) {
  const std::string id = database_id();
  is_new = id.empty() && promise.database_id.empty();
  // Core refuses this store.
  if (!promise.database_id.empty() && id != promise.database_id) return {};
  const auto found = commit();
  if (!found) return {};
  if (*found < promise.durable() && !options.repair)
    return codec::corruption("store " + directory + " ends at commit " + std::to_string(*found) +
                             ", but commit " + std::to_string(promise.durable()) +
                             " was on disk; restore a backup, or drop the lost commits by "
                             "`cairn check --repair`");
  return begin_notes(id, *found);
}

Result<std::unique_ptr<RocksStore>> RocksStore::open(const std::filesystem::path& directory,
                                                     const StoreOptions& options) {
  std::unique_ptr<RocksStore> store(new RocksStore());
  Impl& impl = *store->impl_;
  CAIRN_TRY(impl.prepare(directory, options));
  const LogLatch::Recovering recovering(*impl.log_latch);
  if (options.read_only) CAIRN_TRY(check_families(impl.directory, impl.env.get()));
  if (!options.read_only) erase_unfinished_files(directory);
  std::vector<std::string>& warnings = store->warnings_;
  CAIRN_ASSIGN(LogPromise promise, read_promise(directory.parent_path(), warnings));
  LogCheck logs(*impl.env, impl.directory, options, std::move(promise));
  std::vector<DamagedEnd> ends;
  if (!options.read_only && !options.repair) {
    CAIRN_ASSIGN(ends, impl.find_damaged_ends());
  }
  CAIRN_TRY(logs.run(!ends.empty()));
  if (!logs.missing().empty()) warnings.push_back(logs.missing());
  if (auto torn = torn_manifest(*impl.env->GetFileSystem(), impl.directory); !torn.empty())
    warnings.push_back(std::move(torn));
  CAIRN_TRY(impl.check_reads());
  if (!options.read_only) CAIRN_TRY(logs.set_aside(warnings));
  impl.leaves_tables = !ends.empty();
  if (const Status opened = impl.open_as_promised(logs, warnings); !opened)
    return logs.put_back(opened.error());
  if (!logs.lost().empty()) warnings.push_back(logs.lost());
  if (!options.read_only) {
    CAIRN_TRY(impl.resume_notes(logs.promise()));
    if (!ends.empty()) CAIRN_TRY(store->rebuild(ends));
  }
  CAIRN_TRY(impl.check_reads());
  return store;
}

Result<std::unique_ptr<RocksStore>> RocksStore::open_to_inspect(
    const std::filesystem::path& directory, const StoreOptions& options) {
  std::unique_ptr<RocksStore> store(new RocksStore());
  Impl& impl = *store->impl_;
  CAIRN_TRY(impl.prepare(directory, options));
  impl.options.read_only = true;
  CAIRN_ASSIGN(const auto families, families_of(impl.directory, impl.env.get()));
  std::vector<std::string> ignored;  // the later opening reports them
  CAIRN_ASSIGN(LogPromise promise, read_promise(directory.parent_path(), ignored));
  LogCheck logs(*impl.env, impl.directory, impl.options, std::move(promise));
  CAIRN_TRY(logs.look());
  const auto status =
      impl.open({rocksdb::WALRecoveryMode::kPointInTimeRecovery, Impl::BadFiles::leave, logs.end()},
                families);
  if (!status.ok()) return to_error(status, "store " + impl.directory);
  return store;
}

}  // namespace cairn::engine
