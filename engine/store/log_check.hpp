#pragma once
// Whether the logs of a store have what the metadata files beside it promise. Private to this folder.

#include "engine/store/log_filter.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/store_options.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rocksdb {
class Env;
class Status;
}  // namespace rocksdb

namespace cairn::engine {

/// What COMMIT and TAIL say that the store has. A file that is missing or damaged promises nothing.
struct LogPromise {
  std::string commit_file;         ///< where COMMIT is missing: its path
  std::string tail_file;           ///< where TAIL is missing beside COMMIT: its path
  std::string database_id;         ///< empty: not known
  std::uint64_t in_files = 0;      ///< up to this commit no log is needed
  std::uint64_t acknowledged = 0;  ///< this commit and those before it
  bool is_synced = true;           ///< they were on disk before that

  /// The commit that not even a power cut may take.
  [[nodiscard]] std::uint64_t durable() const noexcept {
    return is_synced ? acknowledged : in_files;
  }
};

/// Errors: io_error of COMMIT; corruption where one is not a regular file. Of a TAIL that is damaged, cannot be read or is of
/// another database, a warning: a power cut may leave it, and it is a lower bound only.
[[nodiscard]] Result<LogPromise> read_promise(const std::filesystem::path& database,
                                              std::vector<std::string>& warnings);

/// Looks at the logs before the store is opened.
class LogCheck {
 public:
  LogCheck(rocksdb::Env& env, std::string directory, const StoreOptions& options,
           LogPromise promise)
      : env_(env),
        directory_(std::move(directory)),
        options_(options),
        promise_(std::move(promise)) {}

  /// Refuses logs of another database, of another state of this one or with a gap, and a store that lacks
  /// commits which not even a power cut may take; says how many. Changes nothing.
  /// A repair goes on without such logs, as does any opening with logs behind a gap that a power cut may have left:
  /// `end()` is where they begin. Commits that a power cut may take are `lost()`.
  /// `thoroughly`: compare all checksums, as an opening that leaves damaged tables passes over damage of logs too.
  [[nodiscard]] Status run(bool thoroughly);
  /// The same without refusing: where a replay must end. RocksDB aborts on records of another database.
  [[nodiscard]] Status look();
  /// Where the replay has to end; empty where it ends with the last log.
  [[nodiscard]] const std::optional<LogEnd>& end() const noexcept { return end_; }
  /// Rename the logs from `end()` on, as RocksDB deletes what it has passed by. Gives a warning of each.
  [[nodiscard]] Status set_aside(std::vector<std::string>& warnings);
  /// The opening failed: undo set_aside(). Gives the error to return.
  [[nodiscard]] Error put_back(Error failure);
  /// A sentence about acknowledged commits that whole logs lack; empty where they lack none.
  [[nodiscard]] const std::string& lost() const noexcept { return lost_; }
  /// A sentence about a TAIL that this version has written and that is gone; empty where it is there, or never was.
  [[nodiscard]] const std::string& missing() const noexcept { return missing_; }
  /// Whether a log is not whole up to its end. RocksDB may pass over what was never written in it without a word.
  [[nodiscard]] bool is_damaged() const noexcept { return is_damaged_; }
  /// Whether a log ends in a part of a header, which RocksDB's strict mode takes for damage. Checksums were compared.
  [[nodiscard]] bool ends_in_part() const noexcept { return ends_in_part_; }

  /// Read what the store has without its logs, which the answers below rest on.
  /// Errors: io_error, if the disk failed; then no log may be judged.
  [[nodiscard]] Status look_at_files();
  /// Whether this damage may be dropped: it takes nothing that was on disk when it was acknowledged.
  [[nodiscard]] bool may_drop(const LogDamage& damage);
  /// How many commits go with it, as far as anything tells.
  [[nodiscard]] std::uint64_t commits_behind(const LogDamage& damage);
  /// Logs of smaller numbers are not read by RocksDB; 0 where nothing tells.
  [[nodiscard]] std::uint64_t first_replayed() { return files() ? files()->first_replayed : 0; }

  [[nodiscard]] const LogPromise& promise() const noexcept { return promise_; }

 private:
  /// What the store has without its logs.
  struct Files {
    std::uint64_t commit = 0;
    std::uint64_t first_log = 0;  ///< no commit of a log of a smaller number is missing in them
    std::uint64_t first_replayed = 0;  ///< logs of smaller numbers are not read by RocksDB
  };
  [[nodiscard]] std::optional<Files> read_files();
  /// Keeps an error of the disk.
  [[nodiscard]] bool is_read(const rocksdb::Status& status);
  /// Read once; empty where they cannot be read.
  [[nodiscard]] const std::optional<Files>& files();
  /// The first log that does not go on from what is before it.
  struct Misfit {
    std::size_t log = 0;
    std::string problem;
    bool has_gap = false;
  };
  [[nodiscard]] std::optional<Misfit> find_misfit(const std::vector<NamedNotes>& logs);
  [[nodiscard]] std::optional<Misfit> misfit(const NamedNotes& log, std::size_t i);
  [[nodiscard]] bool is_foreign(const NamedNotes& log) const;
  [[nodiscard]] bool are_plain(const std::vector<NamedNotes>& logs) const;
  [[nodiscard]] Status check_new(const std::vector<NamedNotes>& logs);
  [[nodiscard]] Status check_lost();
  [[nodiscard]] bool may_end_before(const Misfit& misfit) const;

  rocksdb::Env& env_;
  const std::string directory_;
  const StoreOptions& options_;
  const LogPromise promise_;
  std::string lost_;
  std::string missing_;
  bool is_damaged_ = false;
  bool ends_in_part_ = false;
  std::uint64_t last_ = 0;  // the commit that tables and fitting logs end with
  std::optional<LogEnd> end_;
  std::string end_problem_;
  std::vector<std::string> behind_;  // the logs from there on
  std::size_t set_aside_ = 0;        // how many of them, from the last one on, have another name
  bool has_asked_ = false;
  std::optional<Files> files_;
  std::optional<Error> read_failure_;
};

}  // namespace cairn::engine
