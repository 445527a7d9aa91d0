// LOAD CSV. A record is a list of texts or, with headers, a map by the names in the first record.
// As in Neo4j, all fields are texts, missing fields are null, and fields beyond the headers are
// dropped. The batch that takes a record charges its memory. Before that, the statement's memory
// limit bounds the record.

#include "engine/files/file_root.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/functions/call.hpp"

#include <cairn/csv.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace cairn::query {
namespace {

// Opens files for statements.

/// Opens a regular file below Options::file_root. The path must be relative to it, without `..` and
/// without symbolic links.
/// Errors: unsupported without a root or if StatementOptions::use_files is false; invalid_argument
/// for other paths; not_found; io_error.
Result<CsvSource> open_statement_file(const ExecutionContext& context, std::string_view path) {
  CAIRN_ASSIGN(const engine::FileRoot* files, files_of(context));
  CAIRN_ASSIGN(engine::FileDescriptor opened, files->open_for_reading(path));
  const auto file = std::make_shared<engine::FileDescriptor>(std::move(opened));
  return CsvSource([file, name = std::string(path)](std::span<char> room) -> Result<std::size_t> {
    ssize_t count = 0;
    do count = ::read(file->value(), room.data(), room.size());
    while (count < 0 && errno == EINTR);
    if (count >= 0) return static_cast<std::size_t>(count);
    return Error{ErrorCode::io_error, "cannot read " + name + ": " + std::strerror(errno),
                 std::nullopt};
  });
}

// Reading this many bytes takes about as long as a step.
constexpr std::size_t bytes_a_step = 1'024;

Value value_of(CsvField& field) {
  return field.is_missing() ? Value() : Value(std::move(field.text));
}

// Reads the records of a file one by one.
class CsvRows final : public RowSource {
 public:
  CsvRows(ExecutionContext& context, CsvReader reader, bool has_headers)
      : context_(context), reader_(std::move(reader)), has_headers_(has_headers) {}

  // Reads the first record as names. Duplicate names are an error, because a map has only one entry
  // per name.
  Status read_headers() {
    if (!has_headers_) return {};
    CAIRN_TRY(read());
    for (CsvField& field : record_) {
      if (std::ranges::find(names_, field.text) != names_.end())
        return reader_.error(
            ErrorCode::invalid_argument,
            "two columns are named '" + field.text + "'; rename one, or read without HEADERS");
      names_.push_back(std::move(field.text));
    }
    return {};
  }

  Result<bool> next(std::vector<Value>& row) override {
    CAIRN_ASSIGN(const bool is_there, read());
    if (is_there) row.assign(1, has_headers_ ? as_map() : as_list());
    return is_there;
  }

 private:
  // Counts steps by the bytes of the record, because long records take longer to read.
  Result<bool> read() {
    const std::uint64_t before = reader_.bytes();
    CAIRN_ASSIGN(const bool is_there, reader_.next(record_));
    CAIRN_TRY(context_.budget.step(1 + (reader_.bytes() - before) / bytes_a_step));
    return is_there;
  }

  Value as_list() {
    List items;
    for (CsvField& field : record_) items.push_back(value_of(field));
    return Value(std::move(items));
  }

  // Fields that the record lacks are null, and fields without a name are dropped.
  Value as_map() {
    Map entries;
    for (std::size_t i = 0; i < names_.size(); ++i)
      entries[names_[i]] = i < record_.size() ? value_of(record_[i]) : Value();
    return Value(std::move(entries));
  }

  ExecutionContext& context_;
  CsvReader reader_;
  bool has_headers_;
  std::vector<std::string> names_;
  std::vector<CsvField> record_;
};

// The delimiter must be a single byte that has no other meaning in CSV.
Result<char> delimiter_of(const Value& value) {
  const std::string* text = value.string();
  const bool is_fit = text != nullptr && text->size() == 1 && *text != "\"" && *text != "\n" &&
                      *text != "\r" && static_cast<unsigned char>(text->front()) < 0x80;
  if (is_fit) return text->front();
  return Error{
      ErrorCode::invalid_argument,
      "FIELDTERMINATOR must be one ASCII character other than a quote or a line break, got " +
          value.to_text(),
      std::nullopt};
}

/// Neo4j users write file:///people.csv for a file in the import directory.
std::string_view without_scheme(std::string_view path) {
  for (const std::string_view scheme : {"file:///", "file:"})
    if (path.starts_with(scheme)) return path.substr(scheme.size());
  return path;
}

}  // namespace

// The parser translates LOAD CSV to this call, so the arguments have this order.
Result<std::unique_ptr<RowSource>> load_csv(ExecutionContext& context,
                                            std::span<const Value> arguments) {
  const std::string* path = arguments[0].string();
  if (path == nullptr)
    return Error{ErrorCode::type_error,
                 "LOAD CSV needs the path of a file as a string, got " + described(arguments[0]),
                 std::nullopt};
  const bool* headers = arguments.size() > 1 ? arguments[1].get_if<bool>() : nullptr;
  CsvOptions form;
  if (arguments.size() > 2) {
    CAIRN_ASSIGN(form.delimiter, delimiter_of(arguments[2]));
  }
  form.max_record_bytes = std::min(form.max_record_bytes, context.budget.memory_bytes());
  form.max_field_bytes = std::min(form.max_field_bytes, form.max_record_bytes);
  CAIRN_ASSIGN(CsvSource source, open_statement_file(context, without_scheme(*path)));
  auto rows = std::make_unique<CsvRows>(context, CsvReader(*path, std::move(source), form),
                                        headers != nullptr && *headers);
  CAIRN_TRY(rows->read_headers());
  return std::unique_ptr<RowSource>(std::move(rows));
}

}  // namespace cairn::query
