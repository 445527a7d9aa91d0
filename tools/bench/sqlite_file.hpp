#pragma once
// SqliteFile: a SQLite database whose calls return our errors. Only the comparisons use it, because
// only they link SQLite.

#include <cairn/result.hpp>

#include <sqlite3.h>

#include <memory>
#include <optional>
#include <string>

namespace cairn::tools {

struct EndStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
/// A prepared statement. Must be destroyed before its file.
using SqliteStatement = std::unique_ptr<sqlite3_stmt, EndStatement>;

/// An open database; the destructor closes it. All calls return io_error. Not thread-safe.
class SqliteFile {
 public:
  /// Makes the file if it does not exist.
  Status open(const std::string& file) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open(file.c_str(), &database);
    database_.reset(database);
    return code == SQLITE_OK ? Status() : failure();
  }
  [[nodiscard]] sqlite3* get() const noexcept { return database_.get(); }

  /// Runs one or several statements and ignores their rows.
  Status run(const std::string& text) {
    const int code = sqlite3_exec(get(), text.c_str(), nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? Status() : failure();
  }
  Result<SqliteStatement> prepare(const std::string& text) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(get(), text.c_str(), -1, &statement, nullptr);
    if (code != SQLITE_OK) return failure();
    return SqliteStatement(statement);
  }
  /// The error of the last call.
  [[nodiscard]] Error failure() const {
    return {ErrorCode::io_error, std::string("SQLite: ") + sqlite3_errmsg(get()), std::nullopt};
  }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace cairn::tools
