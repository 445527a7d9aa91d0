// FTS5 either without a copy of the texts (content=''), as in Cairn's index, or with one, as in
// Cairn's records. Commits are durable, as Cairn's are. Groups for the filter are in a separate
// table with an index.
#include "tools/bench/compare_text.hpp"
#include "tools/bench/sqlite_file.hpp"

#include <filesystem>

namespace cairn::tools {
namespace {

class SqliteEngine final : public TextEngine {
 public:
  SqliteEngine(std::string file, std::string tokenizer, KeptTexts texts)
      : file_(std::move(file)), tokenizer_(std::move(tokenizer)), texts_(texts) {}

  std::string name() const override { return texts_ == KeptTexts::yes ? "FTS5+txt" : "FTS5"; }

  /// content='' makes an index without the texts, as for Xapian. The plus in +rowid keeps the
  /// planner from starting with the groups, which would query the full-text table once for each
  /// row.
  Status open() {
    CAIRN_TRY(database_.open(file_));
    CAIRN_TRY(database_.run(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-262144;"));
    CAIRN_TRY(database_.run(
        "CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(content, " +
        std::string(texts_ == KeptTexts::yes ? "" : "content='', ") + "tokenize='" + tokenizer_ +
        "'); "
        "CREATE TABLE IF NOT EXISTS groups(id INTEGER PRIMARY KEY, grp INTEGER); "
        "CREATE INDEX IF NOT EXISTS by_group ON groups(grp);"));
    CAIRN_ASSIGN(insert_, database_.prepare("INSERT INTO texts(rowid, content) VALUES(?1, ?2)"));
    CAIRN_ASSIGN(insert_group_, database_.prepare("INSERT INTO groups(id, grp) VALUES(?1, ?2)"));
    CAIRN_ASSIGN(all_, database_.prepare("SELECT rowid, rank FROM texts WHERE texts MATCH ?1 "
                                         "ORDER BY rank LIMIT 10"));
    CAIRN_ASSIGN(filtered_, database_.prepare(
                                "SELECT rowid, rank FROM texts WHERE texts MATCH ?1 AND +rowid IN "
                                "(SELECT id FROM groups WHERE grp = ?2) ORDER BY rank LIMIT 10"));
    return {};
  }

  /// Adds all texts in one transaction. Row ids start from 1.
  Status add(std::span<const std::string> texts, std::uint64_t first) override {
    CAIRN_TRY(database_.run("BEGIN"));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const auto id = static_cast<sqlite3_int64>(first + i);
      sqlite3_bind_int64(insert_.get(), 1, id + 1);
      bind_text(insert_.get(), texts[i]);
      CAIRN_TRY(run_once(insert_.get()));
      sqlite3_bind_int64(insert_group_.get(), 1, id + 1);
      sqlite3_bind_int64(insert_group_.get(), 2,
                         static_cast<sqlite3_int64>((first + i) % text_groups));
      CAIRN_TRY(run_once(insert_group_.get()));
    }
    return database_.run("COMMIT");
  }

  /// Finalizes the statements before closing the connection. Closing merges the WAL into the file,
  /// so that the size of the file counts everything.
  Status reopen() override {
    CAIRN_TRY(database_.run("PRAGMA wal_checkpoint(TRUNCATE)"));
    insert_.reset();
    insert_group_.reset();
    all_.reset();
    filtered_.reset();
    database_ = {};
    return open();
  }

  /// Sums the sizes of the tables of FTS5: postings and document lengths.
  Result<std::uint64_t> index_bytes() override {
    CAIRN_ASSIGN(const SqliteStatement sum,
                 database_.prepare("SELECT sum(length(block)) FROM texts_data UNION ALL "
                                   "SELECT sum(length(sz)) + 9 * count(*) FROM texts_docsize"));
    std::uint64_t bytes = 0;
    while (sqlite3_step(sum.get()) == SQLITE_ROW)
      bytes += static_cast<std::uint64_t>(sqlite3_column_int64(sum.get(), 0));
    return bytes;
  }

  /// Puts each word in quotation marks, so that none acts as an operator. +rowid makes SQLite apply
  /// the filter after the match.
  Result<std::size_t> search(const TextQuestion& question) override {
    std::string text;
    for (const std::string& word : question.words)
      text += (text.empty() ? "" : question.needs_all ? " AND " : " OR ") + ('"' + word + '"');
    sqlite3_stmt* statement = (question.group ? filtered_ : all_).get();
    bind_text_at(statement, 1, text);
    if (question.group)
      sqlite3_bind_int64(statement, 2, static_cast<sqlite3_int64>(*question.group));
    std::size_t hits = 0;
    int code = SQLITE_ROW;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) ++hits;
    sqlite3_reset(statement);
    if (code != SQLITE_DONE) return database_.failure();
    return hits;
  }

 private:
  Status run_once(sqlite3_stmt* statement) {
    const int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? Status() : database_.failure();
  }
  static void bind_text(sqlite3_stmt* statement, const std::string& text) {
    bind_text_at(statement, 2, text);
  }
  /// The text must remain valid until the statement is reset.
  static void bind_text_at(sqlite3_stmt* statement, int at, const std::string& text) {
    sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), nullptr);
  }

  std::string file_;
  std::string tokenizer_;
  KeptTexts texts_;
  SqliteFile database_;
  SqliteStatement insert_, insert_group_, all_, filtered_;  // destroyed before the database
};

}  // namespace

Result<std::unique_ptr<TextEngine>> make_sqlite_engine(const std::string& file,
                                                       const TextWorkload& workload,
                                                       KeptTexts texts) {
  const bool has_stems = workload.analyzer == "english";
  auto engine =
      std::make_unique<SqliteEngine>(file, has_stems ? "porter unicode61" : "unicode61", texts);
  CAIRN_TRY(engine->open());
  return std::unique_ptr<TextEngine>(std::move(engine));
}

}  // namespace cairn::tools
