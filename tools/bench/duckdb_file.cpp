// Loads DuckDB's C interface from a shared library. The interface is stable by function name; the
// declarations below follow its documentation.
#include "tools/bench/duckdb_file.hpp"

#include <dlfcn.h>

#include <optional>
#include <utility>

namespace cairn::tools {
namespace {

using Handle = void*;
using Index = std::uint64_t;
using State = int;  // 0: success

/// The library fills in the members and functions read them; only the size of the struct matters
/// here.
struct DuckResult {
  Index unused[3];
  void* columns;
  char* message;
  void* data;
};

template <class Function>
bool load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

struct DuckFunctions {
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
  Index (*column_count)(DuckResult*) = nullptr;
  std::int64_t (*value_int64)(DuckResult*, Index, Index) = nullptr;
  char* (*value_varchar)(DuckResult*, Index, Index) = nullptr;
  void (*free)(void*) = nullptr;
  void (*destroy_result)(DuckResult*) = nullptr;
  const char* (*library_version)() = nullptr;

  [[nodiscard]] Error failure(DuckResult& result) const {
    const char* const text = result_error(&result);
    Error error{ErrorCode::io_error, std::string("DuckDB: ") + (text == nullptr ? "?" : text),
                std::nullopt};
    destroy_result(&result);
    return error;
  }
};

namespace {

Result<DuckFunctions> load_functions(const std::string& file) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return Error{ErrorCode::not_found, dlerror(), std::nullopt};
  DuckFunctions f;
  const bool is_whole =
      load(library, "duckdb_open", f.open) && load(library, "duckdb_close", f.close) &&
      load(library, "duckdb_connect", f.connect) &&
      load(library, "duckdb_disconnect", f.disconnect) && load(library, "duckdb_query", f.query) &&
      load(library, "duckdb_prepare", f.prepare) &&
      load(library, "duckdb_prepare_error", f.prepare_error) &&
      load(library, "duckdb_destroy_prepare", f.destroy_prepare) &&
      load(library, "duckdb_bind_int64", f.bind_int64) &&
      load(library, "duckdb_bind_varchar", f.bind_varchar) &&
      load(library, "duckdb_execute_prepared", f.execute_prepared) &&
      load(library, "duckdb_result_error", f.result_error) &&
      load(library, "duckdb_row_count", f.row_count) &&
      load(library, "duckdb_column_count", f.column_count) &&
      load(library, "duckdb_value_int64", f.value_int64) &&
      load(library, "duckdb_value_varchar", f.value_varchar) &&
      load(library, "duckdb_free", f.free) &&
      load(library, "duckdb_destroy_result", f.destroy_result) &&
      load(library, "duckdb_library_version", f.library_version);
  if (is_whole) return f;
  return Error{ErrorCode::unsupported, file + " lacks a function of DuckDB's C interface",
               std::nullopt};
}

}  // namespace

DuckStatement::DuckStatement(const DuckFunctions& functions, void* handle)
    : functions_(&functions), handle_(handle) {}

DuckStatement::DuckStatement(DuckStatement&& other) noexcept
    : functions_(other.functions_), handle_(std::exchange(other.handle_, nullptr)) {}

DuckStatement& DuckStatement::operator=(DuckStatement&& other) noexcept {
  std::swap(functions_, other.functions_);
  std::swap(handle_, other.handle_);
  return *this;
}

DuckStatement::~DuckStatement() {
  if (handle_ != nullptr) functions_->destroy_prepare(&handle_);
}

// DuckDB refuses a parameter that the statement does not have; this is harmless here.
void DuckStatement::bind(std::size_t number, std::int64_t value) {
  functions_->bind_int64(handle_, number, value);
}

void DuckStatement::bind(std::size_t number, const std::string& value) {
  functions_->bind_varchar(handle_, number, value.c_str());
}

struct DuckRows::Content {
  const DuckFunctions* functions = nullptr;
  mutable DuckResult result{};
};

DuckRows::DuckRows() : content_(std::make_unique<Content>()) {}
DuckRows::DuckRows(DuckRows&& other) noexcept = default;
DuckRows::~DuckRows() {
  if (content_ && content_->functions != nullptr)
    content_->functions->destroy_result(&content_->result);
}

std::size_t DuckRows::size() const { return content_->functions->row_count(&content_->result); }

std::size_t DuckRows::columns() const {
  return content_->functions->column_count(&content_->result);
}

std::int64_t DuckRows::number(std::size_t row, std::size_t column) const {
  return content_->functions->value_int64(&content_->result, column, row);
}

// DuckDB returns a copy, which this function must free.
std::string DuckRows::text(std::size_t row, std::size_t column) const {
  char* const text = content_->functions->value_varchar(&content_->result, column, row);
  std::string copy = text == nullptr ? "" : text;
  content_->functions->free(text);
  return copy;
}

DuckFile::~DuckFile() {
  if (connection_ != nullptr) functions_->disconnect(&connection_);
  if (database_ != nullptr) functions_->close(&database_);
}

Status DuckFile::open(const std::string& library, const std::string& file) {
  CAIRN_ASSIGN(DuckFunctions functions, load_functions(library));
  functions_ = {new DuckFunctions(functions), [](const DuckFunctions* one) { delete one; }};
  if (functions_->open(file.c_str(), &database_) == 0 &&
      functions_->connect(database_, &connection_) == 0)
    return {};
  return Error{ErrorCode::io_error, "DuckDB cannot open " + file, std::nullopt};
}

std::string DuckFile::version() const { return functions_->library_version(); }

Status DuckFile::run(const std::string& text) {
  DuckResult result{};
  if (functions_->query(connection_, text.c_str(), &result) != 0)
    return functions_->failure(result);
  functions_->destroy_result(&result);
  return {};
}

Result<DuckStatement> DuckFile::prepare(const std::string& text) {
  Handle statement = nullptr;
  if (functions_->prepare(connection_, text.c_str(), &statement) == 0)
    return DuckStatement(*functions_, statement);
  Error error{ErrorCode::io_error, std::string("DuckDB: ") + functions_->prepare_error(statement),
              std::nullopt};
  functions_->destroy_prepare(&statement);
  return error;
}

Result<DuckRows> DuckFile::execute(const DuckStatement& statement) {
  DuckRows rows;
  DuckResult result{};
  if (functions_->execute_prepared(statement.get(), &result) != 0)
    return functions_->failure(result);
  rows.content_->functions = functions_.get();
  rows.content_->result = result;
  return rows;
}

}  // namespace cairn::tools
