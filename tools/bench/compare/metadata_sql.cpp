// The questions in SQL, over a table or view `memories` with a column for each property. {names}
// stand for parts that each engine writes in its own way, such as tags. Parameters are $1 to $4.
// The file also has SQLite as an engine.

#include "tools/bench/compare/metadata_peer.hpp"
#include "tools/bench/sqlite_file.hpp"

#include <filesystem>

namespace cairn::compare {
namespace {

const std::string filtered = " FROM memories WHERE kind = $1 AND (source = $2 OR importance >= $3)";

// Applies the filter once and counts each field over the filtered rows.
const std::string facets =
    "WITH found AS MATERIALIZED (SELECT source, agent, importance" + filtered +
    ") SELECT 'source=' || source, count(*) FROM found GROUP BY source UNION ALL "
    "SELECT 'agent=' || agent, count(*) FROM found GROUP BY agent UNION ALL "
    "SELECT 'importance=' || importance, count(*) FROM found GROUP BY importance";

}  // namespace

// Both SQL engines share these texts; fill_in() replaces the {names}.
std::vector<std::string> sql_of(Shape shape) {
  const std::string few = " FROM memories WHERE agent = $1 AND kind = $2";
  const std::string narrow = few + " AND source = $3";
  const std::string many = " FROM memories WHERE kind = $1 AND importance >= $2";
  const std::string count = "SELECT count(*)";
  const std::string newest = " ORDER BY created DESC LIMIT 20";
  switch (shape) {
    case Shape::count_equal:
      return {count + " FROM memories WHERE kind = $1 AND (source = $2 OR agent = $3 OR pinned)"};
    case Shape::count_range:
      return {count + filtered + " AND tokens < $4"};
    case Shape::count_period:
      return {count + " FROM memories WHERE {has} AND created >= $2 AND NOT pinned"};
    case Shape::facets:
      return {facets};
    case Shape::facet_tags:
      return {"{by_tag}"};
    case Shape::group:
      return {"SELECT 'source=' || source, count(*)" + filtered + " GROUP BY 1"};
    case Shape::newest_narrow:
      return {count + narrow, "SELECT id, created" + narrow + newest};
    case Shape::newest_few:
      return {count + few, "SELECT id, created" + few + newest};
    case Shape::newest_many:
      return {count + many, "SELECT id, created" + many + newest};
  }
  return {};
}

std::string fill_in(std::string text, const std::map<std::string, std::string>& names) {
  for (const auto& [name, meaning] : names) {
    const std::string mark = "{" + name + "}";
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), meaning);
  }
  return text;
}

// SQLite with JSON in one table, tags in separate tables, WAL, a large cache, ANALYZE and prepared
// statements. The questions read `memories`, which depends on the setting:
//   covered   a table with a column and an index for each property, an index that covers counts and facets, and one
//             for each question about the newest records: a careful user who knows the questions would do so
//   json      a view of the JSON with an index on the expression of each property, but none for a specific question:
//             a user who does not know the questions would do so
// (In Debian's SQLite, an index on JSON expressions or on virtual generated columns cannot cover a
// query. The view still works: SQLite substitutes its expressions into the statements and then
// finds their indexes.)

namespace {

constexpr const char* properties[] = {"kind",   "source", "agent",   "session", "importance",
                                      "tokens", "score",  "created", "pinned"};

// Columns of indexes that cover counts and facets, and the newest records of each filter.
constexpr const char* covering[] = {"kind, source, importance, agent, tokens, pinned",
                                    "kind, created, importance", "agent, kind, created",
                                    "agent, kind, source, created"};

// {keyed} stands for a table that has both the properties and the key.
const std::map<Get, const char*> texts_of_gets = {
    {Get::by_id, "SELECT body FROM bodies WHERE id = $1"},
    {Get::by_id_property, "SELECT created FROM memories WHERE id = $1"},
    {Get::by_id_statement, "SELECT created FROM memories WHERE id = $1"},
    {Get::by_key, "SELECT body FROM bodies WHERE key = $1"},
    {Get::by_key_property, "SELECT created FROM {keyed} WHERE key = $1"},
    {Get::by_key_values,
     "SELECT id, kind, source, agent, session, importance, tokens, score, created, pinned, "
     "json_extract(body, '$.tags') FROM {keyed} WHERE key = $1"}};

std::string expression_of(const std::string& property) {
  return "json_extract(body, '$." + property + "')";
}

class SqlitePeer final : public MetadataPeer {
 public:
  explicit SqlitePeer(SqliteSetting setting) : is_covered_(setting == SqliteSetting::covered) {}
  std::string name() const override { return is_covered_ ? "SQLite, covered" : "SQLite, JSON"; }

  Status open(const std::string& file, const Records& records) {
    const bool is_new = !std::filesystem::exists(file);
    CAIRN_TRY(database_.open(file));
    CAIRN_TRY(database_.run(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-524288; "
        "PRAGMA mmap_size=4294967296; PRAGMA temp_store=MEMORY;"));
    if (is_new) CAIRN_TRY(fill(records));
    for (const auto& [get, text] : texts_of_gets) {
      CAIRN_ASSIGN(gets_[get], database_.prepare(fill_in(text, names())));
    }
    for (const Shape shape : shapes)
      for (const std::string& text : sql_of(shape)) {
        CAIRN_ASSIGN(auto statement, database_.prepare(fill_in(text, names())));
        statements_[shape].push_back(std::move(statement));
      }
    return {};
  }

  Result<Answer> ask(const Question& question) override {
    Answer answer;
    for (std::size_t i = 0; i < statements_[question.shape].size(); ++i) {
      sqlite3_stmt* statement = statements_[question.shape][i].get();
      bind(statement, question.operands);
      int code = SQLITE_ROW;
      while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        take(statement, i == 0 && !has_counts(question.shape), answer);
      sqlite3_reset(statement);
      if (code != SQLITE_DONE) return database_.failure();
    }
    return answer;
  }

  Result<std::size_t> get(Get get, std::uint64_t number) override {
    sqlite3_stmt* statement = gets_.at(get).get();
    const std::string key = is_by_key(get) ? key_of(number) : std::string();
    if (is_by_key(get))
      bind_text(statement, 1, key);
    else
      sqlite3_bind_int64(statement, 1, static_cast<sqlite3_int64>(number));
    std::size_t bytes = 0;
    if (sqlite3_step(statement) == SQLITE_ROW)
      for (int i = 0; i < sqlite3_column_count(statement); ++i) bytes += bytes_at(statement, i);
    sqlite3_reset(statement);
    return bytes;
  }

 private:
  std::map<std::string, std::string> names() const {
    return {
        {"keyed", is_covered_ ? "bodies JOIN memories USING (id)" : "memories"},
        {"has", "id IN (SELECT id FROM tags WHERE tag = $1)"},
        {"by_tag",
         "SELECT 'tags=' || tag, count(*) FROM tag_of WHERE id IN (SELECT id FROM memories WHERE "
         "kind = $1 AND (source = $2 OR importance >= $3)) GROUP BY tag"}};
  }

  // Fills one table that maps tags to records and one that maps records to tags, so that each
  // question has the right one.
  Status fill(const Records& records) {
    CAIRN_TRY(database_.run(
        "CREATE TABLE bodies(id INTEGER PRIMARY KEY, key TEXT UNIQUE, body TEXT); "
        "CREATE TABLE tags(tag TEXT, id INTEGER, PRIMARY KEY(tag, id)) WITHOUT ROWID; "
        "CREATE TABLE tag_of(id INTEGER, tag TEXT, PRIMARY KEY(id, tag)) WITHOUT ROWID; "
        "BEGIN"));
    CAIRN_ASSIGN(const auto record,
                 database_.prepare("INSERT INTO bodies VALUES($1, 'memory/' || $1, $2)"));
    CAIRN_ASSIGN(const auto tag, database_.prepare("INSERT INTO tag_of VALUES($1, $2)"));
    for (std::size_t i = 0; i < records.size(); ++i) {
      CAIRN_TRY(insert(record.get(), i + 1, json_text(records[i])));
      for (const std::string& one : records[i].tags) CAIRN_TRY(insert(tag.get(), i + 1, one));
    }
    CAIRN_TRY(database_.run("INSERT INTO tags SELECT tag, id FROM tag_of ORDER BY tag, id"));
    CAIRN_TRY(is_covered_ ? make_columns() : make_view());
    return database_.run("COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);");
  }
  Status make_columns() {
    std::string values;
    for (const char* property : properties) values += ", " + expression_of(property);
    CAIRN_TRY(database_.run(
        "CREATE TABLE memories(id INTEGER PRIMARY KEY, kind TEXT, source TEXT, agent TEXT, "
        "session TEXT, importance INTEGER, tokens INTEGER, score REAL, created TEXT, "
        "pinned INTEGER); INSERT INTO memories SELECT id" +
        values + " FROM bodies"));
    for (const char* property : properties) CAIRN_TRY(index("memories", property));
    for (const char* columns : covering) CAIRN_TRY(index("memories", columns));
    return {};
  }
  Status make_view() {
    std::string values;
    for (const std::string property : properties) {
      values += ", " + expression_of(property) + " AS " + property;
      CAIRN_TRY(index("bodies", expression_of(property)));
    }
    return database_.run("CREATE VIEW memories AS SELECT id, key, body" + values + " FROM bodies");
  }
  Status index(const std::string& table, const std::string& columns) {
    return database_.run("CREATE INDEX index" + std::to_string(++indexes_) + " ON " + table + "(" +
                         columns + ")");
  }

  Status insert(sqlite3_stmt* statement, std::size_t id, const std::string& text) {
    sqlite3_bind_int64(statement, 1, static_cast<sqlite3_int64>(id));
    bind_text(statement, 2, text);
    const int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? Status() : database_.failure();
  }

  // The name of a parameter, not its position, holds the number of its operand.
  static void bind(sqlite3_stmt* statement, const std::vector<Operand>& operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::string name = "$" + std::to_string(i + 1);
      const int at = sqlite3_bind_parameter_index(statement, name.c_str());
      if (at == 0) continue;
      if (operands[i].is_number)
        sqlite3_bind_int64(statement, at, operands[i].number);
      else
        bind_text(statement, at, operands[i].text);
    }
  }
  static void bind_text(sqlite3_stmt* statement, int at, const std::string& text) {
    sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  }
  static const char* text_at(sqlite3_stmt* statement, int column) {
    const auto* text = sqlite3_column_text(statement, column);
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
  }

  /// Reads the column as a value of its type and returns its size in bytes.
  static std::size_t bytes_at(sqlite3_stmt* statement, int column) {
    const int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_TEXT) return std::string_view(text_at(statement, column)).size();
    if (type == SQLITE_FLOAT) return sqlite3_column_double(statement, column) < 0 ? 9 : 8;
    return sqlite3_column_int64(statement, column) < 0 ? 9 : 8;
  }

  /// Adds a row to the answer. If the first column has integers, they are ids; if it has texts,
  /// they are counted values.
  static void take(sqlite3_stmt* statement, bool is_total, Answer& answer) {
    const auto number = [&](int at) {
      return static_cast<std::uint64_t>(sqlite3_column_int64(statement, at));
    };
    if (is_total)
      answer.total = number(0);
    else if (sqlite3_column_type(statement, 0) == SQLITE_INTEGER)
      answer.ids.push_back(number(0));
    else
      answer.counts[text_at(statement, 0)] = number(1);
  }

  bool is_covered_;
  int indexes_ = 0;  // number of indexes made so far
  tools::SqliteFile database_;
  std::map<Get, tools::SqliteStatement> gets_;
  std::map<Shape, std::vector<tools::SqliteStatement>> statements_;
};

}  // namespace

PeerResult make_sqlite_peer(SqliteSetting setting, const std::string& file,
                            const Records& records) {
  auto peer = std::make_unique<SqlitePeer>(setting);
  CAIRN_TRY(peer->open(file, records));
  return std::unique_ptr<MetadataPeer>(std::move(peer));
}

}  // namespace cairn::compare
