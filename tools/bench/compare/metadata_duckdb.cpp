// DuckDB by its C functions, which a shared library brings: no Debian package and no header of it is
// needed. Declarations are those of the functions used here.
// The library's C interface is stable by name; the declarations were written from its
// documentation.

#include "tools/bench/compare/metadata_peer.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <fstream>

namespace cairn::compare {
namespace {

using Handle = void*;
using Index = std::uint64_t;
using State = int;  // 0: success
/// Only its size matters to us, which the library fills in; fields are read by functions.
struct DuckResult {
  Index unused[3];
  void* columns;
  char* message;
  void* data;
};

struct Functions {
  State (*open)(const char*, Handle*) = nullptr;
  void (*close)(Handle*) = nullptr;
  State (*connect)(Handle, Handle*) = nullptr;
  void (*disconnect)(Handle*) = nullptr;
  State (*query)(Handle, const char*, DuckResult*) = nullptr;
  State (*prepare)(Handle, const char*, Handle*) = nullptr;
  const char* (*prepare_error)(Handle) = nullptr;
  void (*destroy_prepare)(Handle*) = nullptr;
  State (*bind_int64)(Handle, Index, std::int64_t) = nullptr;
  State (*bind_varchar)(Handle, Index, const char*) = nullptr;
  State (*execute_prepared)(Handle, DuckResult*) = nullptr;
  const char* (*result_error)(DuckResult*) = nullptr;
  Index (*row_count)(DuckResult*) = nullptr;
  std::int64_t (*value_int64)(DuckResult*, Index, Index) = nullptr;
  char* (*value_varchar)(DuckResult*, Index, Index) = nullptr;
  void (*free)(void*) = nullptr;
  void (*destroy_result)(DuckResult*) = nullptr;
  const char* (*library_version)() = nullptr;
};

template <class Function>
void load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

/// The library stays loaded until the program ends.
Result<Functions> load_functions(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Error{ErrorCode::not_found, dlerror(), std::nullopt};
  Functions f;
  load(library, "duckdb_open", f.open);
  load(library, "duckdb_close", f.close);
  load(library, "duckdb_connect", f.connect);
  load(library, "duckdb_disconnect", f.disconnect);
  load(library, "duckdb_query", f.query);
  load(library, "duckdb_prepare", f.prepare);
  load(library, "duckdb_prepare_error", f.prepare_error);
  load(library, "duckdb_destroy_prepare", f.destroy_prepare);
  load(library, "duckdb_bind_int64", f.bind_int64);
  load(library, "duckdb_bind_varchar", f.bind_varchar);
  load(library, "duckdb_execute_prepared", f.execute_prepared);
  load(library, "duckdb_result_error", f.result_error);
  load(library, "duckdb_row_count", f.row_count);
  load(library, "duckdb_value_int64", f.value_int64);
  load(library, "duckdb_value_varchar", f.value_varchar);
  load(library, "duckdb_free", f.free);
  load(library, "duckdb_destroy_result", f.destroy_result);
  load(library, "duckdb_library_version", f.library_version);
  const bool is_whole = f.open && f.close && f.connect && f.disconnect && f.query && f.prepare &&
                        f.prepare_error && f.destroy_prepare && f.bind_int64 && f.bind_varchar &&
                        f.execute_prepared && f.result_error && f.row_count && f.value_int64 &&
                        f.value_varchar && f.free && f.destroy_result && f.library_version;
  if (is_whole) return f;
  return Error{ErrorCode::unsupported, file + " lacks a function of DuckDB's", std::nullopt};
}

const std::map<Get, const char*> texts_of_gets = {
    {Get::by_id, "SELECT kind, * FROM memories WHERE id = $1"},
    {Get::by_id_property, "SELECT created FROM memories WHERE id = $1"},
    {Get::by_id_statement, "SELECT created FROM memories WHERE id = $1"},
    {Get::by_key, "SELECT kind, * FROM memories WHERE key = $1"},
    {Get::by_key_property, "SELECT created FROM memories WHERE key = $1"},
    {Get::by_key_values, "SELECT kind, * FROM memories WHERE key = $1"}};

class DuckPeer final : public MetadataPeer {
 public:
  explicit DuckPeer(const Functions& functions) : f_(functions) {}
  DuckPeer(const DuckPeer&) = delete;
  DuckPeer& operator=(const DuckPeer&) = delete;
  ~DuckPeer() override {
    for (auto& [shape, statements] : statements_)
      for (Handle& statement : statements) f_.destroy_prepare(&statement);
    for (auto& [get, statement] : gets_) f_.destroy_prepare(&statement);
    if (connection_ != nullptr) f_.disconnect(&connection_);
    if (database_ != nullptr) f_.close(&database_);
  }

  std::string name() const override { return std::string("DuckDB ") + f_.library_version(); }

  /// One thread, as the others have. Columns of their own types, tags as a list: DuckDB's best
  /// form.
  Status open(const std::string& file, const std::string& json_lines, const Records& records) {
    const bool is_new = !std::filesystem::exists(file);
    if (f_.open(file.c_str(), &database_) != 0 || f_.connect(database_, &connection_) != 0)
      return Error{ErrorCode::io_error, "DuckDB cannot open " + file, std::nullopt};
    CAIRN_TRY(run("SET threads = 1"));
    if (is_new) CAIRN_TRY(fill(json_lines, records));
    const std::map<std::string, std::string> names = {
        {"has", "list_contains(tags, $1)"},
        {"by_tag",
         "SELECT 'tags=' || tag, count(*) FROM (SELECT unnest(tags) AS tag FROM memories WHERE "
         "kind = $1 AND (source = $2 OR importance >= $3)) GROUP BY tag"}};
    for (const Shape shape : shapes)
      for (const std::string& text : sql_of(shape)) {
        CAIRN_ASSIGN(const Handle statement, prepare(fill_in(text, names)));
        statements_[shape].push_back(statement);
      }
    for (const auto& [get, text] : texts_of_gets) {
      CAIRN_ASSIGN(gets_[get], prepare(text));
    }
    return {};
  }

  Result<Answer> ask(const Question& question) override {
    Answer answer;
    for (std::size_t i = 0; i < statements_[question.shape].size(); ++i) {
      const Handle statement = statements_[question.shape][i];
      bind(statement, question.operands);
      DuckResult result{};
      if (f_.execute_prepared(statement, &result) != 0) return failure(result);
      take(result, i == 0 && !has_counts(question.shape), question.shape, answer);
      f_.destroy_result(&result);
    }
    return answer;
  }

  /// A text is fetched and its length given, so that no peer may leave it unread.
  Result<std::size_t> get(Get get, std::uint64_t number) override {
    const Handle statement = gets_.at(get);
    if (is_by_key(get))
      f_.bind_varchar(statement, 1, key_of(number).c_str());
    else
      f_.bind_int64(statement, 1, static_cast<std::int64_t>(number));
    DuckResult result{};
    if (f_.execute_prepared(statement, &result) != 0) return failure(result);
    std::size_t bytes = 0;
    if (f_.row_count(&result) > 0) bytes = text_at(result, 0, 0).size();
    f_.destroy_result(&result);
    return bytes;
  }

 private:
  /// By its own reader of JSON, which is much faster than inserts.
  Status fill(const std::string& json_lines, const Records& records) {
    std::ofstream out(json_lines);
    for (std::size_t i = 0; i < records.size(); ++i) out << json_text(records[i], i + 1) << "\n";
    out.close();
    CAIRN_TRY(
        run("CREATE TABLE memories(id BIGINT PRIMARY KEY, kind VARCHAR, source VARCHAR, agent "
            "VARCHAR, session VARCHAR, tags VARCHAR[], importance BIGINT, tokens BIGINT, "
            "score DOUBLE, created VARCHAR, pinned BOOLEAN, key VARCHAR UNIQUE)"));
    CAIRN_TRY(run("INSERT INTO memories SELECT *, 'memory/' || id FROM read_json('" + json_lines +
                  "', format = 'newline_delimited', columns = {id: 'BIGINT', kind: 'VARCHAR', "
                  "source: 'VARCHAR', agent: 'VARCHAR', session: 'VARCHAR', tags: 'VARCHAR[]', "
                  "importance: 'BIGINT', tokens: 'BIGINT', score: 'DOUBLE', created: 'VARCHAR', "
                  "pinned: 'BOOLEAN'})"));
    std::filesystem::remove(json_lines);
    return run("CHECKPOINT");
  }

  void bind(Handle statement, const std::vector<Operand>& operands) {
    // One too many for a statement with fewer parameters is refused, and harmless.
    for (Index i = 0; i < operands.size(); ++i) {
      if (operands[i].is_number)
        f_.bind_int64(statement, i + 1, operands[i].number);
      else
        f_.bind_varchar(statement, i + 1, operands[i].text.c_str());
    }
  }

  /// DuckDB gives a copy of its own, which is ours to free.
  std::string text_at(DuckResult& result, Index column, Index row) {
    char* text = f_.value_varchar(&result, column, row);
    const std::string copy = text == nullptr ? "" : text;
    f_.free(text);
    return copy;
  }

  void take(DuckResult& result, bool is_total, Shape shape, Answer& answer) {
    const auto number = [&](Index column, Index row) {
      return static_cast<std::uint64_t>(f_.value_int64(&result, column, row));
    };
    for (Index row = 0; row < f_.row_count(&result); ++row) {
      if (is_total)
        answer.total = number(0, row);
      else if (has_ids(shape))
        answer.ids.push_back(number(0, row));
      else
        answer.counts[text_at(result, 0, row)] = number(1, row);
    }
  }

  Error failure(DuckResult& result) {
    const char* text = f_.result_error(&result);
    Error error{ErrorCode::io_error, std::string("DuckDB: ") + (text == nullptr ? "?" : text),
                std::nullopt};
    f_.destroy_result(&result);
    return error;
  }
  Status run(const std::string& text) {
    DuckResult result{};
    if (f_.query(connection_, text.c_str(), &result) != 0) return failure(result);
    f_.destroy_result(&result);
    return {};
  }
  Result<Handle> prepare(const std::string& text) {
    Handle statement = nullptr;
    if (f_.prepare(connection_, text.c_str(), &statement) == 0) return statement;
    Error error{ErrorCode::io_error, std::string("DuckDB: ") + f_.prepare_error(statement),
                std::nullopt};
    f_.destroy_prepare(&statement);
    return error;
  }

  Functions f_;
  Handle database_ = nullptr;
  Handle connection_ = nullptr;
  std::map<Get, Handle> gets_;
  std::map<Shape, std::vector<Handle>> statements_;
};

}  // namespace

PeerResult make_duckdb_peer(const std::string& library, const std::string& file,
                            const std::string& json_lines, const Records& records) {
  CAIRN_ASSIGN(const Functions functions, load_functions(library));
  auto peer = std::make_unique<DuckPeer>(functions);
  CAIRN_TRY(peer->open(file, json_lines, records));
  return std::unique_ptr<MetadataPeer>(std::move(peer));
}

}  // namespace cairn::compare
