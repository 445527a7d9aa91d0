#pragma once
// EmptiedDatabase: a database for inputs that commit; it is emptied before each input.

#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace cairn::fuzz {

/// Emptying is faster than creating a new database. Names remain in the catalog, so a new database
/// is created when there are many.
class EmptiedDatabase {
 public:
  /// Uses a database in `directory`, which must outlive this object.
  explicit EmptiedDatabase(std::filesystem::path directory) : directory_(std::move(directory)) {}

  [[nodiscard]] Database& get() { return *database_; }
  /// Erases all records and drops all indexes.
  void empty();
  void drop_indexes();
  /// Discards the database after an input that left it in an unknown state; the next input gets a
  /// new one.
  void abandon() { database_.reset(); }

 private:
  void open();

  const std::filesystem::path directory_;
  std::uint64_t opened_ = 0;
  std::uint64_t clean_commit_ = 0;  // the database is empty if no later commit exists
  std::optional<Database> database_;
};

/// Returns a database in its own directory. It is never destroyed, because at exit the store's
/// static objects are destroyed first.
template <int number>
EmptiedDatabase& emptied_database() {
  static const test::TemporaryDirectory directory;
  static EmptiedDatabase& database = *std::make_unique<EmptiedDatabase>(directory.path()).release();
  return database;
}

}  // namespace cairn::fuzz
