#pragma once
// ClusterTokens: the copy that a node has of the tokens of the cluster. The tokens are in a home of
// their own.

#include "engine/home/home_watch.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace cairn::query::cluster {

/// The tokens as a database of this node. Threads: any.
class ClusterTokens {
 public:
  /// Opens the copy in a directory. Errors: busy if another node uses it; those of Database::open();
  /// those of opening the store.
  [[nodiscard]] static Result<std::unique_ptr<ClusterTokens>> open(
      const std::filesystem::path& directory, const std::string& homes);

  /// A database with the tokens, and nothing else.
  [[nodiscard]] Database& database() noexcept { return database_; }
  /// Updates the copy. If the store does not answer, the copy stays unchanged. Cost: a small request, unless tokens have
  /// changed.
  void renew();

 private:
  ClusterTokens(Database database, std::filesystem::path directory, std::string home,
                engine::HomeWatch watch)
      : database_(std::move(database)),
        directory_(std::move(directory)),
        home_(std::move(home)),
        watch_(std::move(watch)) {}

  /// The tokens of a home, by key.
  using Notes = std::map<std::string, std::string>;

  [[nodiscard]] static Result<Notes> tokens_of(const Database& database);
  /// Reads the tokens in the home.
  [[nodiscard]] Result<Notes> fetch() const;
  /// Makes the tokens of database_ those of `wanted`.
  [[nodiscard]] Status take(const Notes& wanted);

  Database database_;
  const std::filesystem::path directory_;
  const std::string home_;
  std::mutex mutex_;  // guards the members below
  engine::HomeWatch watch_;
  bool is_fetched_ = false;  // by this process; an earlier process may have left the copy
  std::optional<codec::HomeHead> fetched_;  // the head of the home when it was fetched
};

}  // namespace cairn::query::cluster
