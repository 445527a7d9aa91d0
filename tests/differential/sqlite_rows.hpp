#pragma once
// SqliteRows: rows of SQLite as lines of text, in a database in memory.

#include <cairn/value.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace cairn::test {

/// Returns the form of a cell in which both engines are compared: a real has twelve digits and always a point, and a
/// boolean is written as SQLite writes it.
[[nodiscard]] std::string cell_text(const Value& value);

class SqliteRows {
 public:
  /// Throws where SQLite refuses; so do the others.
  SqliteRows();

  void execute(const std::string& text);
  /// One row; the values are bound, not written out.
  void insert(const std::string& table, const std::vector<Value>& cells);
  /// The cells of a row joined by " | ".
  [[nodiscard]] std::vector<std::string> lines(const std::string& text);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace cairn::test
