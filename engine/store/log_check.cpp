// Detects lost, replaced and foreign logs. To RocksDB, a log that is missing, empty, cut after a record, or from
// another store looks sound. The evidence comes from the notes at the ends of records (codec/commit_note.hpp), the
// promises of COMMIT and TAIL, and the rule that commit numbers have no gaps:
//
// tables: up to F | logs: F+1 to L | promised: P     P > L: commits are lost
// tables: up to F | logs: X to L                     X > F+1: an earlier log is lost; X <= F: the log is of an older copy
// the id of another database                         the log belongs to another database
//
// F is found by opening the store for reading, which takes time. So F is only determined if X and L leave a doubt
// (are_plain()). They leave none if the last process closed the database, and usually none if it was killed.
#include "engine/store/log_check.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/commit_note.hpp"
#include "codec/meta.hpp"
#include "engine/store/column_family.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/tuning.hpp"

#include <rocksdb/db.h>
#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

namespace cairn::engine {
namespace {

/// Finds out which logs RocksDB needs. RocksDB passes the first needed log of each family before a replay.
class NeededLogs final : public rocksdb::WalFilter {
 public:
  void ColumnFamilyLogNumberMap(const std::map<std::uint32_t, std::uint64_t>& logs,
                                const std::map<std::string, std::uint32_t>& families) override {
    const auto meta = families.find(std::string(to_string(Family::meta)));
    const auto log = meta == families.end() ? logs.end() : logs.find(meta->second);
    if (log != logs.end()) first_log_ = log->second;
    for (const auto& [family, number] : logs) first_replayed_ = std::min(first_replayed_, number);
  }
  const char* Name() const override { return "cairn.NeededLogs"; }

  [[nodiscard]] std::uint64_t first_log() const noexcept { return first_log_; }
  [[nodiscard]] std::uint64_t first_replayed() const noexcept {
    return std::min(first_log_, first_replayed_);
  }

 private:
  std::uint64_t first_log_ = 0;
  std::uint64_t first_replayed_ = std::numeric_limits<std::uint64_t>::max();
};

// Appended to the names of logs that an opening does not replay.
constexpr const char* aside_suffix = ".aside";

/// The options of a family; the defaults for RocksDB's default family.
rocksdb::ColumnFamilyOptions family_settings(const std::string& name, const StoreOptions& options,
                                             const StoreMemory& memory) {
  const auto* const family =
      std::ranges::find(all_families, name, [](Family one) { return to_string(one); });
  return family == all_families.end() ? rocksdb::ColumnFamilyOptions()
                                      : family_options(*family, options, memory);
}

/// The end of a warning that lost commits would not be noticed without the promise.
std::string not_missed(std::uint64_t in_files) {
  return "; if a log is lost, the loss of commits after commit " + std::to_string(in_files) +
         " would not be noticed";
}

/// True if the logs were written by a version that did not write TAIL yet: their records have no notes. The first
/// batch of a new database has no note either.
bool are_earlier(const std::vector<NamedNotes>& logs) {
  return std::ranges::any_of(
      logs, [](const NamedNotes& log) { return log.records > 1 && log.notes.database == 0; });
}

/// The error of a log that does not fit the store, with the possible fixes.
Error not_ours(const std::string& log, const std::string& problem) {
  return codec::corruption("log " + log + " " + problem +
                           "; put this database's own log in its place, restore a backup, or go on "
                           "without it by `cairn check --repair`");
}

}  // namespace

// TAIL only counts if it has the database id of COMMIT, or if COMMIT is missing or damaged. Core reports a damaged
// COMMIT.
Result<LogPromise> read_promise(const std::filesystem::path& database,
                                std::vector<std::string>& warnings) {
  LogPromise promise;
  CAIRN_ASSIGN(const auto commit_bytes, read_file(database / metadata_file::commit));
  if (!commit_bytes) promise.commit_file = (database / metadata_file::commit).string();
  if (commit_bytes) {
    if (const auto file = codec::decode_commit_file(*commit_bytes)) {
      promise.database_id = file->database_id;
      promise.in_files = promise.acknowledged = file->commit;
    }
  }
  const std::filesystem::path place = database / metadata_file::tail;
  const auto tail_bytes = read_file(place);
  if (tail_bytes && !*tail_bytes) {
    if (commit_bytes) promise.tail_file = place.string();
    return promise;
  }
  // These errors are not ignored: somebody put an irregular file there, or a later attempt may be able to read the
  // file.
  if (!tail_bytes) return tail_bytes.error();
  const Result<codec::TailFile> tail = codec::decode_tail_file(**tail_bytes);
  const bool is_ours =
      tail && (promise.database_id.empty() || promise.database_id == tail->database_id);
  if (!is_ours) {
    warnings.push_back(place.string() + " is ignored: " +
                       (tail ? "it belongs to another database" : tail.error().message) +
                       not_missed(promise.in_files));
    return promise;
  }
  promise.database_id = tail->database_id;
  promise.is_synced = tail->synced;
  promise.acknowledged = std::max(promise.acknowledged, tail->commit);
  if (tail->in_files) promise.in_files = promise.acknowledged;
  return promise;
}

// Opens the store for reading with simulated empty logs. All families are opened, because each has its
// own first log. Only `meta` is read, so damage of other families does not matter.
std::optional<LogCheck::Files> LogCheck::read_files() {
  StoreOptions options = options_;
  options.read_only = true;
  const StoreMemory memory = make_store_memory(options);
  NeededLogs filter;
  const std::unique_ptr<rocksdb::Env> env = with_emptied_logs(env_);
  rocksdb::DBOptions settings = database_options(options, memory, env.get());
  settings.wal_filter = &filter;
  settings.paranoid_checks = false;
  std::vector<std::string> names;
  if (!is_read(rocksdb::DB::ListColumnFamilies(settings, directory_, &names))) return std::nullopt;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string& name : names)
    families.push_back({name, family_settings(name, options, memory)});
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* raw = nullptr;
  if (!is_read(rocksdb::DB::OpenForReadOnly(settings, directory_, families, &handles, &raw)))
    return std::nullopt;
  const std::unique_ptr<rocksdb::DB> database(raw);
  std::string value;
  const auto meta = std::ranges::find(handles, std::string(to_string(Family::meta)),
                                      [](const auto* handle) { return handle->GetName(); });
  const auto status = meta == handles.end()
                          ? rocksdb::Status::Corruption("no meta")
                          : database->Get(rocksdb::ReadOptions(), *meta,
                                          std::string(codec::meta_key::commit), &value);
  for (rocksdb::ColumnFamilyHandle* handle : handles)
    database->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  if (status.IsNotFound()) return Files{0, filter.first_log(), filter.first_replayed()};
  const auto commit = codec::decode_number(value);
  if (!is_read(status) || !commit) return std::nullopt;
  return Files{*commit, filter.first_log(), filter.first_replayed()};
}

// Damage is not an error here, because the opening finds it again. A failing disk may work again during the opening, so
// its error is stored.
bool LogCheck::is_read(const rocksdb::Status& status) {
  if (status.IsIOError() && !status.IsPathNotFound())
    read_failure_ = to_error(status, "store " + directory_);
  return status.ok();
}

Status LogCheck::look_at_files() {
  static_cast<void>(files());
  return read_failure_ ? Status(*read_failure_) : Status();
}

const std::optional<LogCheck::Files>& LogCheck::files() {
  if (!has_asked_) files_ = read_files();
  has_asked_ = true;
  return files_;
}

bool LogCheck::is_foreign(const NamedNotes& log) const {
  return !promise_.database_id.empty() && log.notes.database != 0 &&
         log.notes.database != codec::checksum(promise_.database_id);
}

/// True if the logs leave no doubt: they continue what COMMIT promises, without a gap, to at least the commit in
/// TAIL.
bool LogCheck::are_plain(const std::vector<NamedNotes>& logs) const {
  std::uint64_t last = 0;
  for (const NamedNotes& log : logs) {
    if (!log.is_whole || log.ends_in_part || is_foreign(log)) return false;
    if (log.notes.first == 0) continue;
    const bool is_next =
        last == 0 ? log.notes.first <= promise_.in_files + 1 : log.notes.first == last + 1;
    if (!is_next) return false;
    last = log.notes.last;
  }
  return last == 0 ? promise_.in_files >= promise_.acknowledged
                   : last >= std::max(promise_.acknowledged, promise_.in_files);
}

// Begins with the newest log. If this is interrupted, the remaining logs have the same fault, and the next opening
// finds it.
Status LogCheck::set_aside(std::vector<std::string>& warnings) {
  for (std::size_t i = behind_.size(); i-- > 0; ++set_aside_) {
    const std::string name = directory_ + "/" + behind_[i];
    const auto status = env_.RenameFile(name, name + aside_suffix);
    if (!status.ok()) return put_back(to_error(status, name));
    warnings.push_back(
        "log " + behind_[i] + " was renamed to " + behind_[i] + aside_suffix +
        " and not replayed: " + (i == 0 ? "it " + end_problem_ : "an earlier log was renamed"));
  }
  return {};
}

Error LogCheck::put_back(Error failure) {
  for (std::size_t i = behind_.size() - set_aside_; i < behind_.size(); ++i) {
    const std::string name = directory_ + "/" + behind_[i];
    env_.RenameFile(name + aside_suffix, name).PermitUncheckedError();
  }
  if (set_aside_ > 0)
    failure.message = "log " + directory_ + "/" + behind_.front() + " " + end_problem_ +
                      ", and the store cannot be opened without it (" + failure.message +
                      "); put this database's own log in its place or restore a backup";
  set_aside_ = 0;
  return failure;
}

// A log of another database never fits. A needed log must begin with the commit that follows all earlier ones.
std::optional<LogCheck::Misfit> LogCheck::misfit(const NamedNotes& log, std::size_t i) {
  if (is_foreign(log)) return Misfit{i, "belongs to another database", false};
  const std::uint64_t begin = log.notes.first;
  const bool is_needed = files() && log_number(log.file) >= files()->first_log;
  if (!is_needed || begin == 0 || begin == last_ + 1) return std::nullopt;
  const bool has_gap = begin > last_;
  return Misfit{
      i,
      "begins with commit " + std::to_string(begin) +
          ", but the commits before it end with commit " + std::to_string(last_) +
          (has_gap ? ": a log is lost" : ": it belongs to another state of this database"),
      has_gap};
}

// Obsolete logs may still exist, if a process died before it had deleted them. They are skipped.
std::optional<LogCheck::Misfit> LogCheck::find_misfit(const std::vector<NamedNotes>& logs) {
  last_ = files() ? files()->commit : 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (log_number(logs[i].file) < first_replayed()) continue;
    if (auto found = misfit(logs[i], i)) return found;
    last_ = std::max(last_, logs[i].notes.last);
    if (logs[i].is_whole) continue;
    is_damaged_ = true;
    return std::nullopt;
  }
  return std::nullopt;
}

// If commits do not wait for the disk, a power cut may lose a log and leave later ones.
bool LogCheck::may_end_before(const Misfit& misfit) const {
  const bool is_cut = misfit.has_gap && !promise_.is_synced && last_ >= promise_.durable();
  return is_cut || (options_.repair && !options_.read_only);
}

Status LogCheck::run(bool thoroughly) {
  if (env_.FileExists(directory_).IsNotFound()) return {};  // a new database
  CAIRN_ASSIGN(const auto seen, read_log_notes(env_, directory_, Trust::lengths));
  if (!promise_.commit_file.empty() && !options_.repair) CAIRN_TRY(check_new(seen));
  if (!promise_.tail_file.empty() && !are_earlier(seen))
    missing_ =
        promise_.tail_file +
        " is missing, which records how many commits the logs must have; an opening for writing "
        "creates it again" +
        not_missed(promise_.in_files);
  if (!thoroughly && are_plain(seen)) return {};
  CAIRN_TRY(look_at_files());
  CAIRN_ASSIGN(const auto logs, read_log_notes(env_, directory_, Trust::checksums));
  ends_in_part_ = std::ranges::any_of(logs, &NamedNotes::ends_in_part);
  const auto found = find_misfit(logs);
  if (!found) return is_damaged_ ? Status() : check_lost();
  if (!may_end_before(*found))
    return not_ours(directory_ + "/" + logs[found->log].file, found->problem);
  end_ = LogEnd{log_number(logs[found->log].file), 0};
  end_problem_ = found->problem;
  for (std::size_t i = found->log; i < logs.size(); ++i) behind_.push_back(logs[i].file);
  return check_lost();
}

Status LogCheck::look() {
  if (env_.FileExists(directory_).IsNotFound()) return {};
  CAIRN_ASSIGN(const auto logs, read_log_notes(env_, directory_, Trust::checksums));
  const auto found = find_misfit(logs);
  if (found) end_ = LogEnd{log_number(logs[found->log].file), 0};
  if (!is_damaged_) return {};
  CAIRN_ASSIGN(const LogDamage damage, inspect_logs(env_, directory_, first_replayed()));
  if (!damage.file.empty()) end_ = LogEnd{log_number(damage.file), damage.records};
  return {};
}

// COMMIT is written before the first commit. Without COMMIT it is unknown how many commits there must be.
Status LogCheck::check_new(const std::vector<NamedNotes>& logs) {
  CAIRN_TRY(look_at_files());
  const bool has_commits =
      std::ranges::any_of(logs, [](const NamedNotes& log) { return log.notes.last > 0; }) ||
      (files() && files()->commit > 0);
  if (!has_commits) return {};
  return codec::corruption(
      promise_.commit_file +
      " is missing, which records how many commits the store must have; restore the file from a "
      "backup, or open for writing with repair, which rebuilds it from the store");
}

/// Precondition: the logs fit the store.
Status LogCheck::check_lost() {
  if (!files() || last_ >= promise_.acknowledged)
    return {};  // if the tables cannot be read, the opening reports it
  const std::uint64_t count = promise_.acknowledged - last_;
  lost_ = "the store ends at commit " + std::to_string(last_) + ", but commit " +
          std::to_string(promise_.acknowledged) + " was acknowledged: " + std::to_string(count) +
          (count == 1 ? " commit is lost" : " commits are lost");
  if (options_.repair || last_ >= promise_.durable()) return {};
  return codec::corruption(
      "store " + directory_ + ": " + lost_ +
      "; put the log back if it was moved or renamed (by an opening: to NUMBER.log" + aside_suffix +
      "), restore a backup, or drop the lost commits by `cairn check --repair`");
}

// If commits wait for the disk, everything before a later commit was on disk. Otherwise a power cut may have left a
// hole in the log. A changed byte is not a hole.
bool LogCheck::may_drop(const LogDamage& damage) {
  if (damage.valid_behind && (promise_.is_synced || !damage.torn)) return false;
  if (!files()) return !damage.valid_behind;
  return std::max(files()->commit, damage.last_before) >= promise_.durable();
}

std::uint64_t LogCheck::commits_behind(const LogDamage& damage) {
  if (!files()) return 0;
  const std::uint64_t before = std::max(files()->commit, damage.last_before);
  const std::uint64_t behind = std::max(promise_.acknowledged, damage.last_behind);
  return behind > before ? behind - before : 0;
}

}  // namespace cairn::engine
