// A log that is missing, emptied, cut exactly behind a record, or another one, is a sound log to RocksDB. What
// tells are the notes at the ends of records (codec/commit_note.hpp), the promises of COMMIT and TAIL, and that commits
// are numbered without a gap:
//
//   files .. F | logs F+1 .. L | promised P       P > L: commits are lost
//   files .. F | logs X .. L                      X > F+1: a log before them is lost; X <= F: it is of an older copy
//   another database's name                       the log is not this one's
//
// F costs an opening of the store for reading, so that it is asked for only where X or L leave a doubt (are_plain()):
// neither after a process that closed the database nor, for most, after one that was killed.
#include "engine/store/log_check.hpp"

#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/commit_note.hpp"
#include "codec/meta.hpp"
#include "engine/store/column_family.hpp"
#include "engine/store/emptied_logs.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/side_file.hpp"
#include "engine/store/tuning.hpp"

#include <rocksdb/db.h>
#include <rocksdb/wal_filter.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

namespace cairn::engine {
namespace {

/// Learns which logs are needed.
class NeededLogs final : public rocksdb::WalFilter {
 public:
  void ColumnFamilyLogNumberMap(const std::map<std::uint32_t, std::uint64_t>& logs,
                                const std::map<std::string, std::uint32_t>& families) override {
    const auto meta = families.find(std::string(to_string(Family::meta)));
    const auto log = meta == families.end() ? logs.end() : logs.find(meta->second);
    if (log != logs.end()) first_log_ = log->second;
  }
  const char* Name() const override { return "cairn.NeededLogs"; }

  [[nodiscard]] std::uint64_t first_log() const noexcept { return first_log_; }

 private:
  std::uint64_t first_log_ = 0;
};

std::uint64_t number_of(const NamedNotes& log) {
  return std::strtoull(log.file.c_str(), nullptr, 10);
}

Error not_ours(const std::string& log, const std::string& problem) {
  return codec::corruption("log " + log + " " + problem +
                           "; put this database's own log in its place, restore a backup, or go on "
                           "without it by `cairn check --repair`");
}

}  // namespace

// TAIL counts for the database of COMMIT alone; what is wrong with COMMIT is Core's to say.
Result<LogPromise> read_promise(const std::filesystem::path& database,
                                std::vector<std::string>& warnings) {
  LogPromise promise;
  CAIRN_ASSIGN(const auto commit_bytes, read_file(database / side_file::commit));
  if (commit_bytes) {
    if (const auto file = codec::decode_commit_file(*commit_bytes)) {
      promise.database_id = file->database_id;
      promise.in_files = promise.acknowledged = file->commit;
    }
  }
  const std::filesystem::path place = database / side_file::tail;
  CAIRN_ASSIGN(const auto tail_bytes, read_file(place));
  if (!tail_bytes) return promise;
  const auto tail = codec::decode_tail_file(*tail_bytes);
  const bool is_ours =
      tail && (promise.database_id.empty() || promise.database_id == tail->database_id);
  if (!is_ours) {
    warnings.push_back(place.string() + " is passed over: " +
                       (tail ? "it is of another database" : tail.error().message) +
                       "; commits behind commit " + std::to_string(promise.in_files) +
                       " that a lost log had would not be missed");
    return promise;
  }
  promise.database_id = tail->database_id;
  promise.is_synced = tail->synced;
  promise.acknowledged = std::max(promise.acknowledged, tail->commit);
  if (tail->in_files) promise.in_files = promise.acknowledged;
  return promise;
}

// Opened for reading, with logs that are empty. What of other families is missing or damaged does not matter.
std::optional<LogCheck::Files> LogCheck::read_files() const {
  StoreOptions options = options_;
  options.read_only = true;
  const StoreMemory memory = make_store_memory(options);
  NeededLogs filter;
  const std::unique_ptr<rocksdb::Env> env =
      rocksdb::NewCompositeEnv(std::make_shared<EmptiedLogs>(env_.GetFileSystem()));
  rocksdb::DBOptions settings = database_options(options, memory, env.get());
  settings.wal_filter = &filter;
  settings.paranoid_checks = false;
  const std::vector<rocksdb::ColumnFamilyDescriptor> families = {
      {rocksdb::kDefaultColumnFamilyName, rocksdb::ColumnFamilyOptions()},
      {std::string(to_string(Family::meta)), family_options(Family::meta, options, memory)}};
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* raw = nullptr;
  if (!rocksdb::DB::OpenForReadOnly(settings, directory_, families, &handles, &raw).ok())
    return std::nullopt;
  const std::unique_ptr<rocksdb::DB> database(raw);
  std::string value;
  const auto status = database->Get(rocksdb::ReadOptions(), handles[1],
                                    std::string(codec::meta_key::commit), &value);
  for (rocksdb::ColumnFamilyHandle* handle : handles)
    database->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  if (status.IsNotFound()) return Files{0, filter.first_log()};
  const auto commit = codec::decode_number(value);
  if (!status.ok() || !commit) return std::nullopt;
  return Files{*commit, filter.first_log()};
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

/// Nothing leaves a doubt: the logs go on from what COMMIT names, to at least what TAIL names.
bool LogCheck::are_plain(const std::vector<NamedNotes>& logs) const {
  std::uint64_t last = 0;
  for (const NamedNotes& log : logs) {
    if (!log.is_whole || is_foreign(log)) return false;
    if (log.notes.first == 0) continue;
    const bool is_next =
        last == 0 ? log.notes.first <= promise_.in_files + 1 : log.notes.first == last + 1;
    if (!is_next) return false;
    last = log.notes.last;
  }
  return last == 0 ? promise_.in_files >= promise_.acknowledged
                   : last >= std::max(promise_.acknowledged, promise_.in_files);
}

// From the newest on: where this is cut off, what is left has the same fault.
Status LogCheck::set_aside(const std::vector<NamedNotes>& logs, std::size_t from,
                           const std::string& problem, std::vector<std::string>& warnings) {
  for (std::size_t i = logs.size(); i-- > from;) {
    const std::string name = directory_ + "/" + logs[i].file;
    const auto status = env_.RenameFile(name, name + ".aside");
    if (!status.ok()) return to_error(status, name);
    warnings.push_back("log " + logs[i].file + " was set aside as " + logs[i].file +
                       ".aside: " + (i == from ? problem : "a log before it was"));
  }
  return {};
}

Status LogCheck::run(std::vector<std::string>& warnings) {
  if (env_.FileExists(directory_).IsNotFound()) return {};  // a new database
  CAIRN_ASSIGN(const auto seen, read_log_notes(env_, directory_, Trust::lengths));
  if (are_plain(seen)) return {};
  CAIRN_ASSIGN(const auto logs, read_log_notes(env_, directory_, Trust::checksums));
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (!is_foreign(logs[i])) continue;
    const std::string problem = "is of another database";
    if (!options_.repair || options_.read_only)
      return not_ours(directory_ + "/" + logs[i].file, problem);
    CAIRN_TRY(set_aside(logs, i, problem, warnings));
    return check_lost({logs.begin(), logs.begin() + static_cast<std::ptrdiff_t>(i)}, warnings);
  }
  return check_lost(logs, warnings);
}

// Logs before the first one that is needed may be there still: a process died before it had erased them.
Status LogCheck::check_lost(const std::vector<NamedNotes>& logs,
                            std::vector<std::string>& warnings) {
  if (!files()) return {};  // opening says what is wrong
  std::uint64_t last = files()->commit;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const NamedNotes& log = logs[i];
    if (number_of(log) < files()->first_log) continue;
    if (log.notes.first != 0 && log.notes.first != last + 1) {
      const bool has_gap = log.notes.first > last;
      const std::string problem =
          "begins with commit " + std::to_string(log.notes.first) +
          ", but what is before it ends with commit " + std::to_string(last) +
          (has_gap ? ": a log is lost, and a repair is possible where no table has later commits"
                   : ": it is of another state of this database");
      // Of logs whose names were not on disk yet a power cut may leave the later ones.
      const bool is_cut = has_gap && !promise_.is_synced && last >= promise_.durable();
      if (options_.read_only || (!options_.repair && !is_cut))
        return not_ours(directory_ + "/" + log.file, problem);
      CAIRN_TRY(set_aside(logs, i, problem, warnings));
      break;
    }
    if (log.notes.first != 0) last = log.notes.last;
    if (!log.is_whole) {
      is_damaged_ = true;
      return {};
    }
  }
  if (last >= promise_.acknowledged) return {};
  const std::uint64_t count = promise_.acknowledged - last;
  lost_ = "the store ends at commit " + std::to_string(last) + ", but commit " +
          std::to_string(promise_.acknowledged) + " was acknowledged: " + std::to_string(count) +
          (count == 1 ? " commit is lost" : " commits are lost");
  if (options_.repair || last >= promise_.durable()) return {};
  return codec::corruption("store " + directory_ + ": " + lost_ +
                           "; put the log back if it was moved, restore a backup, or go on without "
                           "them by `cairn check --repair`");
}

// What a later commit was written behind was on disk, where commits are waited for.
bool LogCheck::may_drop(const LogDamage& damage) {
  if (promise_.is_synced && damage.valid_behind) return false;
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
