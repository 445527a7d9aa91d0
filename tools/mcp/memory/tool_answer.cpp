// Formats records and rows in the requested format. Stored text is escaped first, so that it cannot
// imitate the structure of an answer.

#include "tools/mcp/memory/tool_answer.hpp"

#include "tools/mcp/memory/answer_writer.hpp"

#include <cairn/graph.hpp>
#include <cairn/json.hpp>
#include <cairn/value.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {

// Rows with any columns as text for a model.

namespace {

Value plain_value(const Value& value);

Map plain_map(const Map& map) {
  Map plain;
  for (const auto& [name, value] : map) plain.emplace(name, plain_value(value));
  return plain;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\n' || letter == '\r') {
      out += letter == '\n' ? "\\n" : "\\r";
      continue;
    }
    if (letter == '|' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string field_text(const Value& value) {
  return escaped(value.string() != nullptr ? *value.string() : to_json(value));
}

template <class Text>
std::string line_of(const std::vector<Text>& fields, std::string_view bar) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += bar;
    if constexpr (std::is_same_v<Text, std::string>)
      line += escaped(fields[i]);
    else
      line += field_text(fields[i]);
  }
  return line;
}

/// Converts nodes, relationships and paths to maps, and vectors to their dimension, since models
/// cannot use the numbers.
Value plain_value(const Value& value) {
  if (const auto* vector = value.get_if<Vector>())
    return "(vector of " + std::to_string(vector->components().size()) + ")";
  if (const auto* node = value.get_if<Node>())
    return Map{{"id", static_cast<std::int64_t>(node->id().value)},
               {"labels", List(node->labels().begin(), node->labels().end())},
               {"properties", plain_map(node->properties())}};
  if (const auto* one = value.get_if<Relationship>())
    return Map{{"id", static_cast<std::int64_t>(one->id().value)},
               {"type", std::string(one->type())},
               {"properties", plain_map(one->properties())}};
  if (value.path() != nullptr) return to_json(value);
  if (value.map() != nullptr) return plain_map(*value.map());
  if (value.list() == nullptr) return value;
  List plain;
  for (const Value& one : *value.list()) plain.push_back(plain_value(one));
  return plain;
}

/// Formats column names and rows with fields separated by '|'. Bars, backslashes and line ends in a
/// field are escaped as in TOON.
std::string toon_table(const std::vector<std::string>& columns,
                       const std::vector<std::vector<Value>>& rows) {
  std::string text = "# " + line_of(columns, "|") + "\n";
  for (const auto& row : rows) text += line_of(row, "|") + "\n";
  return text;
}

std::string markdown_table(const std::vector<std::string>& columns,
                           const std::vector<std::vector<Value>>& rows) {
  std::string text = "| " + line_of(columns, " | ") + " |\n|";
  for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
  text += '\n';
  for (const auto& row : rows) text += "| " + line_of(row, " | ") + " |\n";
  return text;
}

/// Returns one map per row.
List table_values(const std::vector<std::string>& columns,
                  const std::vector<std::vector<Value>>& rows) {
  List values;
  for (const auto& row : rows) {
    Map map;
    for (std::size_t i = 0; i < row.size(); ++i) map.insert_or_assign(columns[i], row[i]);
    values.push_back(std::move(map));
  }
  return values;
}

}  // namespace

namespace {

std::string quoted_lines(const std::string& text, bool with_first) {
  std::string quoted = with_first ? "> " : "";
  for (const char letter : text) {
    quoted += letter;
    if (letter == '\n') quoted += "> ";
  }
  return quoted;
}

/// Escapes an item, so that no part of it looks like structure of the answer.
memory::OutputItem harmless(memory::OutputItem item) {
  memory::Record& record = item.record;
  record.content = as_data(std::string_view(record.content));
  record.kind = as_data_line(record.kind);
  record.external_id = as_data_line(record.external_id);
  record.metadata = as_data(Value(record.metadata)).as_map();
  item.columns = as_data(Value(item.columns)).as_map();
  std::erase_if(item.relationships,
                [](const Relationship& one) { return as_data_line(one.type()) != one.type(); });
  return item;
}

void cut_item(memory::OutputItem& item, std::size_t bytes) {
  memory::Record& record = item.record;
  record.content = cut_text(record.content, bytes);
  record.kind = cut_text(record.kind, 40);
  // A truncated name would identify nothing, so it is dropped; the id remains.
  if (record.external_id.size() > std::max<std::size_t>(bytes, 64)) record.external_id.clear();
  std::size_t left = bytes;
  std::erase_if(record.metadata, [&](const auto& field) {
    const std::size_t size = field.first.size() + to_json(field.second).size() + 8;
    const bool is_dropped = size > left;
    left -= is_dropped ? 0 : size;
    return is_dropped;
  });
  item.relationships.clear();
  item.columns.clear();
}

Value item_value(const memory::OutputItem& item) {
  Map map{{"id", static_cast<std::int64_t>(item.record.id.value)},
          {"kind", item.record.kind},
          {"content", item.record.content},
          {"metadata", item.record.metadata}};
  if (!item.record.external_id.empty()) map.emplace("external_id", item.record.external_id);
  if (item.record.is_deleted) map.emplace("is_deleted", true);
  if (item.score) map.emplace("score", *item.score);
  map.insert(item.columns.begin(), item.columns.end());
  List related;
  for (const Relationship& one : item.relationships)
    related.push_back(Map{{"type", as_data_line(one.type())},
                          {"from", static_cast<std::int64_t>(one.source().value)},
                          {"to", static_cast<std::int64_t>(one.target().value)}});
  if (!related.empty()) map.emplace("relationships", std::move(related));
  return map;
}

// Limits for the fields of the filter that an answer names.
constexpr std::size_t most_fields = 8;
constexpr std::size_t longest_field = 60;

/// Returns the place of these results among all, for the first line of TOON.
memory::OutputPage page_of(const AnswerHead& head, std::size_t count, std::size_t available) {
  memory::OutputPage page;
  // A page that the budget has shortened is still of the size that was asked for. A cursor may lead
  // into the middle of such a page; the results from there on count as a page of their own.
  const bool is_at_page = head.page_size > 0 && head.first % head.page_size == 0;
  page.page_size = is_at_page ? head.page_size : std::max<std::size_t>(count, 1);
  page.has_total = head.total.has_value();
  page.total = head.total.value_or(0);
  const auto pages_for = [&](std::uint64_t results) {
    return (results + page.page_size - 1) / page.page_size;
  };
  page.page = pages_for(head.first) + 1;
  const std::uint64_t end = std::min<std::uint64_t>(head.first + count, page.total);
  page.total_pages = is_at_page ? pages_for(page.total)
                                : page.page - (count == 0 ? 1 : 0) + pages_for(page.total - end);
  page.has_more = count < available || head.has_more;
  return page;
}

ResultBody body_of(const memory::Output& output, AnswerFormat format,
                   memory::OutputFormat markdown_as) {
  ResultBody body;
  body.count = output.items.size();
  if (format == AnswerFormat::json) {
    for (const memory::OutputItem& item : output.items) body.values.push_back(item_value(item));
  } else if (format == AnswerFormat::toon) {
    body.text = memory::to_text(memory::OutputFormat::toon, output);
  } else {
    memory::Output quoted = output;
    // The others of an answer from documents do not begin a line.
    bool begins_line = true;
    for (memory::OutputItem& item : quoted.items) {
      item.record.content = quoted_lines(item.record.content, begins_line);
      begins_line = markdown_as == memory::OutputFormat::markdown;
    }
    body.text = memory::to_text(markdown_as, quoted);
  }
  return body;
}

}  // namespace

ToolResult answer_records(std::vector<memory::OutputItem> items, AnswerHead head,
                          const AnswerOptions& options, memory::OutputFormat markdown_as) {
  for (memory::OutputItem& item : items) item = harmless(std::move(item));
  if (head.filtered.size() > most_fields) head.filtered.resize(most_fields);
  for (std::string& field : head.filtered) field = cut_text(as_data_line(field), longest_field);
  const AnswerWriter writer(head, options);
  return writer.fit(items.size(), [&](std::size_t count, std::optional<std::size_t> bytes) {
    memory::Output output;
    output.items.assign(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count));
    output.page = page_of(head, count, items.size());
    output.filtered_fields = head.filtered;
    output.shows_all_fields = true;
    if (bytes) cut_item(output.items.front(), *bytes);
    ResultBody body = body_of(output, options.format, markdown_as);
    body.is_cut = bytes.has_value();
    return body;
  });
}

// The moment is a system field, which a record of memory.*() does not have.
void add_expiry(const MemoryCaller& caller, std::vector<memory::OutputItem>& items,
                AnswerHead& head, const std::stop_token& stop) {
  List ids;
  for (const memory::OutputItem& item : items)
    ids.emplace_back(static_cast<std::int64_t>(item.record.id.value));
  if (ids.empty()) return;
  const auto found = caller.call(
      "MATCH (n) WHERE id(n) IN $ids AND n@expires_at IS NOT NULL "
      "RETURN id(n), n@expires_at",
      {{"ids", std::move(ids)}}, stop);
  if (!found) {
    head.warnings.push_back("expires_at: " + found.error().message);
    return;
  }
  for (memory::OutputItem& item : items)
    for (const auto& row : found->rows)
      if (row[0] == Value(static_cast<std::int64_t>(item.record.id.value)))
        item.columns.emplace("expires_at", memory::time_text(to_instant(row[1]).value_or(0)));
}

namespace {

/// Shortens a value by converting it to text.
Value cut_value(const Value& value, std::size_t bytes) {
  const std::string text = value.string() != nullptr ? *value.string() : to_json(value);
  return text.size() <= bytes ? value : Value(cut_text(text, bytes));
}

}  // namespace

ToolResult answer_table(AnswerTable table, AnswerHead head, const AnswerOptions& options) {
  for (std::string& column : table.columns) column = as_data_line(column);
  for (std::vector<Value>& row : table.rows)
    for (Value& value : row) value = as_data(plain_value(value));
  const AnswerWriter writer(std::move(head), options);
  return writer.fit(table.rows.size(), [&](std::size_t count, std::optional<std::size_t> bytes) {
    std::vector<std::vector<Value>> rows(table.rows.begin(),
                                         table.rows.begin() + static_cast<std::ptrdiff_t>(count));
    if (bytes)
      for (Value& value : rows.front())
        value = cut_value(value, *bytes / std::max<std::size_t>(rows.front().size(), 1));
    ResultBody body;
    body.count = count;
    body.is_cut = bytes.has_value();
    if (options.format == AnswerFormat::json)
      body.values = table_values(table.columns, rows);
    else
      body.text = options.format == AnswerFormat::toon ? toon_table(table.columns, rows)
                                                       : markdown_table(table.columns, rows);
    return body;
  });
}

ToolResult answer_message(AnswerHead head, const AnswerOptions& options) {
  return AnswerWriter(std::move(head), options).write(ResultBody(), 0).result;
}

// Fits the smallest budget that a call can have.
ToolResult answer_error(const Error& error) {
  std::string text = cut_text(as_data_line(error.message), 4 * least_tokens - 3);
  while (estimate_tokens(text) > least_tokens) text = cut_text(text, text.size() / 2);
  ToolResult result = tool_error(text);
  // A log goes to more places than an answer, and the message may name what is stored.
  if (error.code == ErrorCode::resource_limit)
    result.logs.push_back(
        {LogLevel::warning, {}, "stopped at a limit, such as that of time, memory or rows"});
  return result;
}

void explain_absence(std::vector<std::string>& warnings, std::string_view label,
                     std::string_view remark) {
  const std::string absence = "no record has the ";
  const std::string of_label = absence + "label " + std::string(label);
  if (std::ranges::find(warnings, of_label) == warnings.end()) return;
  std::erase_if(warnings, [&](const std::string& one) { return one.starts_with(absence); });
  warnings.emplace_back(remark);
}

json::object output_schema() {
  return json_object(
      R"({"type":"object","properties":{"success":{"type":"boolean"},"message":{"type":"string"},)"
      R"("tokens":{"type":"integer"},"cursor":{"type":"string"},"memory":{"type":"string"},)"
      R"("results":{"type":"array"}},"required":["success","message","tokens"]})");
}

memory::Record record_from(const Value& value) {
  memory::Record record;
  const Map* map = value.map();
  if (map == nullptr) return record;
  const auto text = [&](const char* name) {
    const auto found = map->find(name);
    return found == map->end() || found->second.string() == nullptr ? std::string()
                                                                    : *found->second.string();
  };
  record.id = NodeId{static_cast<std::uint64_t>(map->at("id").as_integer())};
  record.external_id = text("external_id");
  record.kind = text("kind");
  record.content = text("content");
  if (const auto metadata = map->find("metadata"); metadata != map->end())
    record.metadata = metadata->second.as_map();
  const auto hidden = map->find("is_deleted");
  record.is_deleted = hidden != map->end() && hidden->second == Value(true);
  return record;
}

}  // namespace cairn::tools::mcp
