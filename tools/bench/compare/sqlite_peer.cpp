// SQLite with a function dot() that compares vectors. A mapped file and a large cache avoid reads
// from the disk. Filters are conditions on the column p of the table w, which has an index; ANALYZE gives the planner the
// statistics to choose it.
#include "tools/bench/compare/peer.hpp"

#ifdef CAIRN_WITH_SQLITE
#include "tools/bench/sqlite_file.hpp"

#include <stdexcept>
#endif

namespace cairn::compare {
#ifdef CAIRN_WITH_SQLITE
namespace {

/// SQL function dot(blob, blob) of float vectors; NULL if their lengths differ.
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
  [[nodiscard]] std::vector<std::size_t> efforts() const override { return {by_index, by_scan}; }
  void bound(std::optional<std::int64_t> top) override { top_ = top; }

  Status open(const VectorRows& rows, std::span<const std::int64_t> p, const std::string& file) {
    dimension_ = rows.dimension;
    CAIRN_TRY(database_.open(file));
    CAIRN_TRY(database_.run("PRAGMA cache_size=-1048576; PRAGMA mmap_size=4294967296"));
    const bool is_filled =
        database_.prepare("SELECT id, p, v FROM w").has_value();  // all in one transaction
    if (!is_filled) CAIRN_TRY(fill(rows, p));
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    if (sqlite3_create_function(database_.get(), "dot", 2, flags, nullptr, dot, nullptr, nullptr) !=
        SQLITE_OK)
      return database_.failure();
    const std::string order = " ORDER BY dot(v, ?1) DESC LIMIT ?2";
    CAIRN_ASSIGN(plain_, database_.prepare("SELECT id FROM w" + order));
    CAIRN_ASSIGN(filtered_, database_.prepare("SELECT id FROM w WHERE p < ?3" + order));
    // The plus prevents use of the index, which the planner would choose for every unknown bound.
    CAIRN_ASSIGN(scanned_, database_.prepare("SELECT id FROM w WHERE +p < ?3" + order));
    return {};
  }

  void search(const float* query, std::size_t k, std::size_t effort,
              std::vector<std::uint32_t>& out) override {
    const auto& filtered = effort == by_scan ? scanned_ : filtered_;
    sqlite3_stmt* statement = (top_ ? filtered : plain_).get();
    sqlite3_bind_blob(statement, 1, query, static_cast<int>(dimension_ * sizeof(float)),
                      SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, static_cast<sqlite3_int64>(k));
    if (top_) sqlite3_bind_int64(statement, 3, *top_);
    out.clear();
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
      out.push_back(static_cast<std::uint32_t>(sqlite3_column_int64(statement, 0)));
    sqlite3_reset(statement);
    if (code != SQLITE_DONE) throw std::runtime_error(database_.failure().message);
  }

 private:
  static constexpr std::size_t by_index = 0, by_scan = 1;

  Status fill(const VectorRows& rows, std::span<const std::int64_t> p) {
    CAIRN_TRY(database_.run("BEGIN; CREATE TABLE w(id INTEGER PRIMARY KEY, p INTEGER, v BLOB)"));
    CAIRN_ASSIGN(const tools::SqliteStatement insert,
                 database_.prepare("INSERT INTO w VALUES(?1, ?2, ?3)"));
    for (std::size_t row = 0; row < rows.count(); ++row) {
      sqlite3_bind_int64(insert.get(), 1, static_cast<sqlite3_int64>(row));
      sqlite3_bind_int64(insert.get(), 2, p[row]);
      sqlite3_bind_blob(insert.get(), 3, rows.row(row),
                        static_cast<int>(rows.dimension * sizeof(float)), SQLITE_STATIC);
      if (sqlite3_step(insert.get()) != SQLITE_DONE) return database_.failure();
      sqlite3_reset(insert.get());
    }
    return database_.run("CREATE INDEX w_p ON w(p); COMMIT; ANALYZE");
  }

  tools::SqliteFile database_;
  tools::SqliteStatement plain_, filtered_, scanned_;
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
