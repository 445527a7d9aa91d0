#pragma once
// LogCheck: checks whether the logs of a store contain the commits that the metadata files promise. Private to this
// folder.

#include "engine/store/log_filter.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/store_options.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rocksdb {
class Env;
class Status;
}  // namespace rocksdb

namespace cairn::engine {

/// What COMMIT and TAIL promise that the store contains. A missing or damaged file promises nothing.
struct LogPromise {
  std::string commit_file;  ///< the path of COMMIT if it is missing, else empty
  std::string tail_file;  ///< the path of TAIL if it is missing although COMMIT exists, else empty
  std::string database_id;  ///< empty: unknown
  /// Table files contain all commits up to this one, so no log is needed for them.
  std::uint64_t in_files = 0;
  std::uint64_t acknowledged = 0;  ///< the newest commit that was acknowledged
  bool is_synced = true;           ///< acknowledged commits were on disk before the acknowledgement

  /// The newest commit that must have survived even a power cut.
  [[nodiscard]] std::uint64_t durable() const noexcept {
    return is_synced ? acknowledged : in_files;
  }
};

/// Reads the promises of COMMIT and TAIL. A TAIL that is damaged, or belongs to another database, only adds a
/// warning: a power cut may damage it, and it is only a lower bound.
/// Errors: io_error; corruption if one of them is not a regular file.
[[nodiscard]] Result<LogPromise> read_promise(const std::filesystem::path& database,
                                              std::vector<std::string>& warnings);

/// An environment in which each log of a store exists and is empty, for opening the store without its logs. `env` must
/// outlive it.
[[nodiscard]] std::unique_ptr<rocksdb::Env> with_emptied_logs(rocksdb::Env& env);

/// Checks the logs before the store is opened.
class LogCheck {
 public:
  LogCheck(rocksdb::Env& env, std::string directory, const StoreOptions& options,
           LogPromise promise)
      : env_(env),
        directory_(std::move(directory)),
        options_(options),
        promise_(std::move(promise)) {}

  /// Refuses logs of another database, logs of another state of this database, and logs with a gap. Also refuses a
  /// store that lacks commits that must have survived a power cut; the error says how many. Changes nothing.
  /// A repair accepts such logs. Any opening accepts logs after a gap that a power cut may have left. In both cases
  /// end() is where these logs begin. lost() describes the lost commits that a power cut may have taken. `thoroughly`
  /// compares all checksums. It is needed if the store is opened with damaged tables, because RocksDB then ignores
  /// damage of logs too.
  [[nodiscard]] Status run(bool thoroughly);
  /// Determines where a replay must end, without refusing anything. RocksDB aborts on records of another database.
  [[nodiscard]] Status look();
  /// Where the replay has to end; nullopt if it ends with the last log.
  [[nodiscard]] const std::optional<LogEnd>& end() const noexcept { return end_; }
  /// Renames the logs from end() on, because RocksDB deletes logs that it did not replay. Adds a warning for each log.
  [[nodiscard]] Status set_aside(std::vector<std::string>& warnings);
  /// Undoes set_aside() after the opening failed with `failure`. Returns the error to report.
  [[nodiscard]] Error put_back(Error failure);
  /// Describes acknowledged commits that the logs lack, although the logs are undamaged. Empty if they lack none.
  [[nodiscard]] const std::string& lost() const noexcept { return lost_; }
  /// Describes a TAIL that is missing although this version had written it. Empty otherwise.
  [[nodiscard]] const std::string& missing() const noexcept { return missing_; }
  /// True if a log is damaged before its end. RocksDB may silently ignore a part that was never written.
  [[nodiscard]] bool is_damaged() const noexcept { return is_damaged_; }
  /// True if a log ends within the header of a record, which RocksDB reports as damage in its strict mode. The
  /// checksums were compared.
  [[nodiscard]] bool ends_in_part() const noexcept { return ends_in_part_; }

  /// Reads the state of the store without its logs, which the functions below need. Errors: io_error if the disk
  /// failed; then no log may be judged.
  [[nodiscard]] Status look_at_files();
  /// True if the replay may end at this damage, because no commit is lost that was on disk when it was acknowledged.
  [[nodiscard]] bool may_drop(const LogDamage& damage);
  /// The number of commits that are lost with the damage, as far as known.
  [[nodiscard]] std::uint64_t commits_behind(const LogDamage& damage);
  /// The number of the first log that RocksDB replays; 0 if unknown.
  [[nodiscard]] std::uint64_t first_replayed() { return files() ? files()->first_replayed : 0; }

  [[nodiscard]] const LogPromise& promise() const noexcept { return promise_; }

 private:
  /// The state of the store without its logs.
  struct Files {
    std::uint64_t commit = 0;
    std::uint64_t first_log = 0;       ///< the first log that may have commits that the tables lack
    std::uint64_t first_replayed = 0;  ///< the first log that RocksDB replays
  };
  /// Opens the store for reading without its logs. nullopt if that fails.
  [[nodiscard]] std::optional<Files> read_files();
  /// True if the status is OK. Stores an error of the disk in read_failure_.
  [[nodiscard]] bool is_read(const rocksdb::Status& status);
  /// Returns the result of read_files(), which runs only once.
  [[nodiscard]] const std::optional<Files>& files();
  /// The first log that does not continue the commits before it.
  struct Misfit {
    std::size_t log = 0;  ///< the index of the log
    std::string problem;
    bool has_gap = false;  ///< true: commits are missing before the log
  };
  [[nodiscard]] std::optional<Misfit> find_misfit(const std::vector<NamedNotes>& logs);
  /// Checks one log. `last_` is the newest commit before it.
  [[nodiscard]] std::optional<Misfit> misfit(const NamedNotes& log, std::size_t i);
  /// True if the log belongs to another database.
  [[nodiscard]] bool is_foreign(const NamedNotes& log) const;
  [[nodiscard]] bool are_plain(const std::vector<NamedNotes>& logs) const;
  /// Refuses a store that has commits although COMMIT is missing.
  [[nodiscard]] Status check_new(const std::vector<NamedNotes>& logs);
  /// Compares the newest commit of tables and logs with the promises.
  [[nodiscard]] Status check_lost();
  /// True if the store may be opened without the logs from the misfit on.
  [[nodiscard]] bool may_end_before(const Misfit& misfit) const;

  rocksdb::Env& env_;
  const std::string directory_;
  const StoreOptions& options_;
  const LogPromise promise_;
  std::string lost_;
  std::string missing_;
  bool is_damaged_ = false;
  bool ends_in_part_ = false;
  std::uint64_t last_ = 0;  // the newest commit of the tables and the fitting logs
  std::optional<LogEnd> end_;
  std::string end_problem_;
  std::vector<std::string> behind_;  // the names of the logs from end_ on
  std::size_t set_aside_ = 0;        // how many of them are renamed, counted from the last one
  bool has_asked_ = false;           // read_files() was called
  std::optional<Files> files_;
  std::optional<Error> read_failure_;
};

}  // namespace cairn::engine
