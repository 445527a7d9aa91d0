#pragma once
// Whether the logs of a store have what the side files beside it promise. Private to this folder.

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
}

namespace cairn::engine {

/// What COMMIT and TAIL say that the store has. A file that is missing or damaged promises nothing.
struct LogPromise {
  std::string database_id;         ///< empty: not known
  std::uint64_t in_files = 0;      ///< up to this commit no log is needed
  std::uint64_t acknowledged = 0;  ///< this commit and those before it
  bool is_synced = true;           ///< they were on disk before that

  /// The commit that not even a power cut may take.
  [[nodiscard]] std::uint64_t durable() const noexcept {
    return is_synced ? acknowledged : in_files;
  }
};

/// Errors: io_error. Of a damaged TAIL, or one of another database, a warning: a power cut may leave it.
[[nodiscard]] Result<LogPromise> read_promise(const std::filesystem::path& database,
                                              std::vector<std::string>& warnings);

/// Looks at the logs before the store is opened, and changes nothing but their names.
class LogCheck {
 public:
  LogCheck(rocksdb::Env& env, std::string directory, const StoreOptions& options,
           LogPromise promise)
      : env_(env),
        directory_(std::move(directory)),
        options_(options),
        promise_(std::move(promise)) {}

  /// Refuses logs of another database, of another state of this one or with a gap, and a store that lacks
  /// commits which not even a power cut may take; says how many. A repair sets such logs aside and says so,
  /// as does an opening for writing with logs behind a gap that a power cut may have left.
  /// Commits that a power cut may take are `lost()`.
  [[nodiscard]] Status run(std::vector<std::string>& warnings);
  /// A sentence about acknowledged commits that whole logs lack; empty where they lack none.
  [[nodiscard]] const std::string& lost() const noexcept { return lost_; }
  /// Whether a log is not whole up to its end. RocksDB may pass over what was never written in it without a word.
  [[nodiscard]] bool is_damaged() const noexcept { return is_damaged_; }

  /// Whether this damage may be dropped: it takes nothing that was on disk when it was acknowledged.
  [[nodiscard]] bool may_drop(const LogDamage& damage);
  /// How many commits go with it, as far as anything tells.
  [[nodiscard]] std::uint64_t commits_behind(const LogDamage& damage);

  [[nodiscard]] const LogPromise& promise() const noexcept { return promise_; }

 private:
  /// What the store has without its logs.
  struct Files {
    std::uint64_t commit = 0;
    std::uint64_t first_log = 0;  ///< logs of smaller numbers are not needed
  };
  [[nodiscard]] std::optional<Files> read_files() const;
  /// Read once; empty where they cannot be read.
  [[nodiscard]] const std::optional<Files>& files();
  [[nodiscard]] bool is_foreign(const NamedNotes& log) const;
  [[nodiscard]] bool are_plain(const std::vector<NamedNotes>& logs) const;
  [[nodiscard]] Status check_lost(const std::vector<NamedNotes>& logs,
                                  std::vector<std::string>& warnings);
  [[nodiscard]] Status set_aside(const std::vector<NamedNotes>& logs, std::size_t from,
                                 const std::string& problem, std::vector<std::string>& warnings);

  rocksdb::Env& env_;
  const std::string directory_;
  const StoreOptions& options_;
  const LogPromise promise_;
  std::string lost_;
  bool is_damaged_ = false;
  bool has_asked_ = false;
  std::optional<Files> files_;
};

}  // namespace cairn::engine
