#include "tests/differential/sqlite_rows.hpp"

#include <sqlite3.h>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace cairn::test {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;

void check(sqlite3* database, int code, const std::string& text) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  throw std::runtime_error(std::string("SQLite: ") + sqlite3_errmsg(database) + " in " + text);
}

Prepared prepare(sqlite3* database, const std::string& text) {
  sqlite3_stmt* statement = nullptr;
  check(database, sqlite3_prepare_v2(database, text.c_str(), -1, &statement, nullptr), text);
  return Prepared(statement);
}

/// -0.0 is 0.0 in either language.
std::string real_text(double real) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.12g", real + 0.0);
  const std::string digits = text.data();
  return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
}

std::string column_text(sqlite3_stmt* statement, int column) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return "null";
    case SQLITE_INTEGER:
      return std::to_string(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
      return real_text(sqlite3_column_double(statement, column));
    default:
      return std::string("'") +
             reinterpret_cast<const char*>(sqlite3_column_text(statement, column)) + "'";
  }
}

int bind(sqlite3_stmt* statement, int at, const Value& value) {
  switch (value.type()) {
    case ValueType::boolean:
      return sqlite3_bind_int(statement, at, value.as_bool() ? 1 : 0);
    case ValueType::integer:
      return sqlite3_bind_int64(statement, at, value.as_integer());
    case ValueType::floating:
      return sqlite3_bind_double(statement, at, value.as_float());
    case ValueType::string: {
      const auto& text = value.as_string();
      return sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()),
                               SQLITE_TRANSIENT);
    }
    default:
      return sqlite3_bind_null(statement, at);
  }
}

}  // namespace

std::string cell_text(const Value& value) {
  switch (value.type()) {
    case ValueType::boolean:
      return value.as_bool() ? "1" : "0";
    case ValueType::integer:
      return std::to_string(value.as_integer());
    case ValueType::floating:
      return real_text(value.as_float());
    case ValueType::string:
      return "'" + std::string(value.as_string()) + "'";
    default:
      return "null";
  }
}

void SqliteRows::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

SqliteRows::SqliteRows() {
  sqlite3* database = nullptr;
  const int code = sqlite3_open(":memory:", &database);
  database_.reset(database);
  check(database, code, ":memory:");
}

void SqliteRows::execute(const std::string& text) {
  check(database_.get(), sqlite3_exec(database_.get(), text.c_str(), nullptr, nullptr, nullptr),
        text);
}

void SqliteRows::insert(const std::string& table, const std::vector<Value>& cells) {
  std::string text = "INSERT INTO " + table + " VALUES (";
  for (std::size_t i = 0; i < cells.size(); ++i) text += i == 0 ? "?" : ", ?";
  const Prepared statement = prepare(database_.get(), text + ")");
  for (std::size_t i = 0; i < cells.size(); ++i)
    check(database_.get(), bind(statement.get(), static_cast<int>(i) + 1, cells[i]), text);
  check(database_.get(), sqlite3_step(statement.get()), text);
}

std::vector<std::string> SqliteRows::lines(const std::string& text) {
  const Prepared statement = prepare(database_.get(), text);
  std::vector<std::string> lines;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
    std::string line;
    for (int i = 0; i < sqlite3_column_count(statement.get()); ++i)
      line += (i == 0 ? "" : " | ") + column_text(statement.get(), i);
    lines.push_back(std::move(line));
  }
  check(database_.get(), code, text);
  return lines;
}

}  // namespace cairn::test
