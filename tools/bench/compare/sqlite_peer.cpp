// Mapped file and large cache, so that nothing is read from the disk; ANALYZE, so that the planner
// takes the index over p where that is worth it.
#include "tools/bench/compare/sqlite_peer.hpp"

#ifdef CAIRN_WITH_SQLITE
#include <sqlite3.h>

#include <stdexcept>
#endif

namespace cairn::compare {
#ifdef CAIRN_WITH_SQLITE
namespace {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct EndStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, EndStatement>;

/// dot(blob, blob) of floats; both as long, or nothing.
void dot(sqlite3_context* context, int, sqlite3_value** values) {
  const int bytes = sqlite3_value_bytes(values[0]);
  const auto* a = static_cast<const float*>(sqlite3_value_blob(values[0]));
  const auto* b = static_cast<const float*>(sqlite3_value_blob(values[1]));
  if (bytes != sqlite3_value_bytes(values[1])) return sqlite3_result_null(context);
  sqlite3_result_double(context,
                        dot_product(a, b, static_cast<std::size_t>(bytes) / sizeof(float)));
}

class SqliteScan final : public SqlitePeer {
 public:
  [[nodiscard]] std::string name() const override { return "SQLite"; }
  [[nodiscard]] std::vector<std::size_t> efforts() const override { return {0}; }
  void bound(std::optional<std::int64_t> top) override { top_ = top; }

  Status open(const VectorRows& rows, std::span<const std::int64_t> p, const std::string& file) {
    dimension_ = rows.dimension;
    sqlite3* database = nullptr;
    const int code = sqlite3_open(file.c_str(), &database);
    database_.reset(database);
    if (code != SQLITE_OK) return failure();
    CAIRN_TRY(run("PRAGMA cache_size=-1048576; PRAGMA mmap_size=4294967296"));
    const bool is_filled = prepare("SELECT id, p, v FROM w").has_value();  // all in one transaction
    if (!is_filled) CAIRN_TRY(fill(rows, p));
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    if (sqlite3_create_function(database, "dot", 2, flags, nullptr, dot, nullptr, nullptr) !=
        SQLITE_OK)
      return failure();
    const std::string order = " ORDER BY dot(v, $1) DESC LIMIT $2";
    CAIRN_ASSIGN(plain_, prepare("SELECT id FROM w" + order));
    CAIRN_ASSIGN(filtered_, prepare("SELECT id FROM w WHERE p < $3" + order));
    return {};
  }

  void search(const float* query, std::size_t k, std::size_t,
              std::vector<std::uint32_t>& out) override {
    sqlite3_stmt* statement = (top_ ? filtered_ : plain_).get();
    sqlite3_bind_blob(statement, 1, query, static_cast<int>(dimension_ * sizeof(float)),
                      SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, static_cast<sqlite3_int64>(k));
    if (top_) sqlite3_bind_int64(statement, 3, *top_);
    out.clear();
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
      out.push_back(static_cast<std::uint32_t>(sqlite3_column_int64(statement, 0)));
    sqlite3_reset(statement);
    if (code != SQLITE_DONE) throw std::runtime_error(failure().message);
  }

 private:
  Status fill(const VectorRows& rows, std::span<const std::int64_t> p) {
    CAIRN_TRY(run("BEGIN; CREATE TABLE w(id INTEGER PRIMARY KEY, p INTEGER, v BLOB)"));
    CAIRN_ASSIGN(const StatementPtr insert, prepare("INSERT INTO w VALUES($1, $2, $3)"));
    for (std::size_t row = 0; row < rows.count(); ++row) {
      sqlite3_bind_int64(insert.get(), 1, static_cast<sqlite3_int64>(row));
      sqlite3_bind_int64(insert.get(), 2, p[row]);
      sqlite3_bind_blob(insert.get(), 3, rows.row(row),
                        static_cast<int>(rows.dimension * sizeof(float)), SQLITE_STATIC);
      if (sqlite3_step(insert.get()) != SQLITE_DONE) return failure();
      sqlite3_reset(insert.get());
    }
    return run("CREATE INDEX w_p ON w(p); COMMIT; ANALYZE");
  }

  Error failure() const {
    return {ErrorCode::io_error, std::string("SQLite: ") + sqlite3_errmsg(database_.get()),
            std::nullopt};
  }
  Status run(const char* text) {
    if (sqlite3_exec(database_.get(), text, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return failure();
  }
  Result<StatementPtr> prepare(const std::string& text) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), text.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      return failure();
    return StatementPtr(statement);
  }

  std::unique_ptr<sqlite3, CloseDatabase> database_;
  StatementPtr plain_, filtered_;
  std::size_t dimension_ = 0;
  std::optional<std::int64_t> top_;
};

}  // namespace

Result<std::unique_ptr<SqlitePeer>> make_sqlite_peer(const VectorRows& rows,
                                                     std::span<const std::int64_t> p,
                                                     const std::string& file) {
  auto peer = std::make_unique<SqliteScan>();
  CAIRN_TRY(peer->open(rows, p, file));
  return std::unique_ptr<SqlitePeer>(std::move(peer));
}
#else
Result<std::unique_ptr<SqlitePeer>> make_sqlite_peer(const VectorRows&,
                                                     std::span<const std::int64_t>,
                                                     const std::string&) {
  return std::unique_ptr<SqlitePeer>();
}
#endif

}  // namespace cairn::compare
