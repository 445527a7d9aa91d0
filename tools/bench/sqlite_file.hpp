#pragma once
// SqliteFile: a database of SQLite, with errors as ours are. For the comparisons, which alone link SQLite.

#include <cairn/result.hpp>

#include <sqlite3.h>

#include <memory>
#include <optional>
#include <string>

namespace cairn::tools {

struct EndStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
/// Ends before its file.
using SqliteStatement = std::unique_ptr<sqlite3_stmt, EndStatement>;

/// Closed at the end of its scope. Errors of all calls: io_error. Not safe from two threads.
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

  /// One statement or several, whose rows nobody wants.
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
  /// Of the last call.
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
