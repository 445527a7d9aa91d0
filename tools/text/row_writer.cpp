// Writers for json, jsonl, csv and markdown, which stream row by row. The others are in
// table_writer.cpp and output_writer.cpp.
#include "tools/text/row_writer.hpp"

#include "tools/text/cell_text.hpp"
#include "tools/text/row_writers.hpp"

#include <cairn/json.hpp>

#include <array>
#include <ostream>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::array<std::pair<std::string_view, Format>, 9> formats{
    {{"table", Format::table},
     {"vertical", Format::vertical},
     {"json", Format::json},
     {"jsonl", Format::jsonl},
     {"csv", Format::csv},
     {"markdown", Format::markdown},
     {"llm", Format::llm},
     {"toon", Format::toon},
     {"rag", Format::rag}}};

/// Writes {"column": value, ...} in the order of the columns. A Map would order them by name.
std::string json_row(const std::vector<std::string>& columns, std::span<const Value> values) {
  std::string text = "{";
  for (std::size_t i = 0; i < columns.size(); ++i)
    text += (i == 0 ? "" : ",") + to_json(Value(columns[i])) + ":" + to_json(values[i]);
  return text + "}";
}

/// Writes one JSON array over several lines, or one object per line.
class JsonWriter final : public RowWriter {
 public:
  JsonWriter(std::ostream& out, bool is_array) : out_(out), is_array_(is_array) {}
  void begin(const std::vector<std::string>& columns) override {
    columns_ = columns;
    if (is_array_) out_ << "[";
  }
  void row(std::span<const Value> values) override {
    if (is_array_) out_ << (rows_ == 0 ? "\n" : ",\n");
    out_ << json_row(columns_, values);
    if (!is_array_) out_ << "\n";
    ++rows_;
  }
  void finish() override {
    if (is_array_) out_ << (rows_ == 0 ? "]\n" : "\n]\n");
  }

 private:
  std::ostream& out_;
  bool is_array_;
  std::vector<std::string> columns_;
  std::size_t rows_ = 0;
};

/// RFC 4180: a field with a comma, quote or line end is quoted, and quotes are doubled.
std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// An empty string is written as a pair of quotes, to distinguish it from null.
std::string csv_text(const Value& value) {
  if (const std::string* text = value.string()) return text->empty() ? "\"\"" : csv_quoted(*text);
  std::string json = to_json(value);
  // JSON represents a date or NaN as a string; in CSV it is written without quotes.
  if (json.front() == '"') json = json.substr(1, json.size() - 2);
  return csv_quoted(json);
}

/// Lines end with CRLF, as RFC 4180 requires.
class CsvWriter final : public RowWriter {
 public:
  CsvWriter(std::ostream& out, const RowLook& look)
      : out_(out), null_text_(look.null_text.value_or("")), has_headers_(look.has_headers) {}
  void begin(const std::vector<std::string>& columns) override {
    if (!has_headers_) return;
    for (std::size_t i = 0; i < columns.size(); ++i)
      out_ << (i == 0 ? "" : ",") << csv_quoted(columns[i]);
    if (!columns.empty()) out_ << "\r\n";
  }
  void row(std::span<const Value> values) override {
    for (std::size_t i = 0; i < values.size(); ++i)
      out_ << (i == 0 ? "" : ",") << (values[i].is_null() ? null_text_ : csv_text(values[i]));
    out_ << "\r\n";
  }
  void finish() override {}

 private:
  std::ostream& out_;
  std::string null_text_;  // empty unless set
  bool has_headers_;
};

/// Escapes bars, which would begin another cell.
std::string markdown_text(const Value& value, const std::optional<std::string>& null_text = {}) {
  std::string out;
  for (char c : cell_text(value, null_text))
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

class MarkdownWriter final : public RowWriter {
 public:
  MarkdownWriter(std::ostream& out, const RowLook& look) : out_(out), null_text_(look.null_text) {}
  void begin(const std::vector<std::string>& columns) override {
    for (const std::string& column : columns) out_ << "| " << markdown_text(Value(column)) << " ";
    if (columns.empty()) return;
    out_ << "|\n";
    for (std::size_t i = 0; i < columns.size(); ++i) out_ << "| --- ";
    out_ << "|\n";
  }
  void row(std::span<const Value> values) override {
    for (const Value& value : values) out_ << "| " << markdown_text(value, null_text_) << " ";
    out_ << "|\n";
  }
  void finish() override {}

 private:
  std::ostream& out_;
  std::optional<std::string> null_text_;
};

}  // namespace

std::optional<Format> find_format(std::string_view name) {
  for (const auto& [known, format] : formats)
    if (known == name) return format;
  return std::nullopt;
}

std::string_view format_names() noexcept {
  return "table, vertical, json, jsonl, csv, markdown, llm, toon, rag";
}

std::string_view to_string(Format format) noexcept {
  return formats[static_cast<std::size_t>(format)].first;
}

std::unique_ptr<RowWriter> make_row_writer(Format format, std::ostream& out, const RowLook& look) {
  switch (format) {
    case Format::json:
      return std::make_unique<JsonWriter>(out, true);
    case Format::jsonl:
      return std::make_unique<JsonWriter>(out, false);
    case Format::csv:
      return std::make_unique<CsvWriter>(out, look);
    case Format::markdown:
      return std::make_unique<MarkdownWriter>(out, look);
    case Format::llm:
      return make_output_writer(memory::OutputFormat::markdown, out, look.null_text);
    case Format::toon:
      return make_output_writer(memory::OutputFormat::toon, out);
    case Format::rag:
      return make_output_writer(memory::OutputFormat::rag, out);
    case Format::vertical:
      return make_vertical_writer(out, look);
    case Format::table:
      break;
  }
  return make_table_writer(out, look);
}

}  // namespace cairn::tools
