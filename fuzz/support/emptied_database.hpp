#pragma once
// EmptiedDatabase: a database for inputs that commit, empty before each.

#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace cairn::fuzz {

/// Emptying costs less than opening another one. Names stay in its catalog, so that another one is made
/// once there are many.
class EmptiedDatabase {
 public:
  /// A database in `directory`, which must outlive this object.
  explicit EmptiedDatabase(std::filesystem::path directory) : directory_(std::move(directory)) {}

  [[nodiscard]] Database& get() { return *database_; }
  /// Erase all records and drop all indexes.
  void empty();
  void drop_indexes();
  /// Make a new database for the next input, as the state of the last one is unknown.
  void abandon() { database_.reset(); }

 private:
  void open();

  const std::filesystem::path directory_;
  std::uint64_t opened_ = 0;
  std::uint64_t clean_commit_ = 0;  // nothing has been committed since
  std::optional<Database> database_;
};

/// One of its own directory. It is never destroyed: at exit the store's own static objects are gone before ours.
template <int number>
EmptiedDatabase& emptied_database() {
  static const test::TemporaryDirectory directory;
  static EmptiedDatabase& database = *std::make_unique<EmptiedDatabase>(directory.path()).release();
  return database;
}

}  // namespace cairn::fuzz
