// Results as text: Markdown for a language model, the formats of document search, JSON.
//
// Clients parse these formats, so they must not change by a byte. Content is the record's own and is not escaped in
// Markdown. Metadata stays on one line, so that it cannot imitate the structure of the text.

#include "codec/utf8.hpp"
#include "query/format/format_functions.hpp"

#include <cairn/json.hpp>
#include <cairn/memory/output.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <set>

namespace cairn::query {
namespace {

using memory::Output;
using memory::OutputFormat;
using memory::OutputItem;
using memory::Record;

/// Limits of what each format shows, because a model has a limited context.
constexpr std::size_t shown_relationships = 3;
constexpr std::size_t shown_fields = 5;
constexpr std::size_t shown_chunks = 5;
// Fields that every record has. These fields are shown last, so that they do not displace more specific fields.
constexpr std::array<std::string_view, 4> bookkeeping = {"created_at", "updated_at",
                                                         "schemaVersion", "sessionId"};

// Returns the external id, or the number if there is no external id, or "". An external id of digits would look like
// the number of another record, so it is shown as a field, and the id is the number.
std::string id_of(const Record& record) {
  if (!record.external_id.empty() && !looks_like_number(record.external_id))
    return record.external_id;
  return record.id.value == 0 ? std::string() : std::to_string(record.id.value);
}

// Returns a text unchanged, and any other value as JSON.
std::string plain(const Value& value) {
  return value.string() != nullptr ? value.as_string() : to_json(value);
}

/// Escapes a text for the only XML-like tag in the Markdown output.
std::string attribute(std::string_view text) {
  std::string out;
  for (const char sign : text) {
    const std::string_view written = sign == '&'   ? "&amp;"
                                     : sign == '<' ? "&lt;"
                                     : sign == '>' ? "&gt;"
                                     : sign == '"' ? "&quot;"
                                                   : std::string_view(&sign, 1);
    out += written;
  }
  return out;
}

// Rounds to whole percent, with halves rounded up.
std::string percent(double score) {
  constexpr double most = 1e15;  // floats represent all integers up to this one
  if (!std::isfinite(score)) return "0";
  return std::to_string(std::llround(std::clamp(std::floor(score * 100 + 0.5), -most, most)));
}

// The property `weight` of a relationship; 1 if it is not a number.
double weight_of(const Relationship& relationship) {
  const Value& weight = relationship.property("weight");
  if (const auto* integer = weight.get_if<std::int64_t>()) return static_cast<double>(*integer);
  const auto* floating = weight.get_if<double>();
  return floating == nullptr ? 1 : *floating;
}

std::string two_digits(double number) {
  std::array<char, 400> text{};  // the largest float has 309 digits before the point
  std::snprintf(text.data(), text.size(), "%.2f", number);
  return text.data();
}

/// Appends the strongest relationships. Relationships of equal weight are sorted by id, so that the text is always the
/// same.
void append_relationships(std::string& out, std::vector<Relationship> relationships) {
  if (relationships.empty()) return;
  std::ranges::sort(relationships, [](const Relationship& a, const Relationship& b) {
    const double first = weight_of(a);
    const double second = weight_of(b);
    return first != second ? first > second : a.id() < b.id();
  });
  out += "\n\n**Related Concepts** (from knowledge graph):";
  for (std::size_t i = 0; i < std::min(shown_relationships, relationships.size()); ++i)
    out += "\n- [" + relationships[i].type() +
           "] (strength: " + two_digits(weight_of(relationships[i])) + ")";
}

// The names of the fields to show: first all columns of a statement's row, then filtered fields, other fields, and
// those of every record, each group by name. So the requested fields are among the five fields that are shown.
std::vector<std::string> context_fields(const Output& output, const OutputItem& item) {
  const auto rank = [&](const std::string& name) {
    if (std::ranges::count(output.filtered_fields, name) > 0) return 0;
    return std::ranges::count(bookkeeping, name) > 0 ? 2 : 1;
  };
  std::vector<std::string> names;
  for (const auto& [name, value] : item.columns) names.push_back(name);
  const std::size_t columns = names.size();
  for (const auto& [name, value] : item.record.metadata)
    if (!item.columns.contains(name)) names.push_back(name);
  const auto metadata = names.begin() + static_cast<std::ptrdiff_t>(columns);
  std::sort(metadata, names.end(), [&](const std::string& a, const std::string& b) {
    return std::pair(rank(a), std::string_view(a)) < std::pair(rank(b), std::string_view(b));
  });
  if (!output.shows_all_fields && names.size() > columns + shown_fields)
    names.resize(columns + shown_fields);
  return names;
}

// The value of a column or of a metadata field.
const Value& field_of(const OutputItem& item, const std::string& name) {
  const auto column = item.columns.find(name);
  return column != item.columns.end() ? column->second : item.record.metadata.at(name);
}

// Line ends are escaped: metadata with line ends could imitate headings and marks of the output.
std::string in_one_line(const std::string& text) {
  std::string out;
  for (const char sign : text)
    out += sign == '\n' ? "\\n" : sign == '\r' ? "\\r" : std::string(1, sign);
  return out;
}

/// Appends the fields. A check mark shows which fields the search filtered by.
void append_context(std::string& out, const Output& output, const OutputItem& item) {
  const std::string& external_id = item.record.external_id;
  if (item.record.metadata.empty() && item.columns.empty() && !looks_like_number(external_id))
    return;
  out += "\n\n**Context**:";
  if (looks_like_number(external_id)) out += "\n- external_id: " + external_id;
  for (const std::string& name : context_fields(output, item)) {
    if (name == "external_id" && looks_like_number(external_id)) continue;
    const bool is_filtered = std::ranges::count(output.filtered_fields, name) > 0;
    out += std::string("\n- ") + (is_filtered ? "✓ " : "") + in_one_line(name) + ": " +
           in_one_line(plain(field_of(item, name)));
  }
}

std::string joined(const std::vector<std::string>& texts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i)
    text += (i == 0 ? std::string() : std::string(separator)) + texts[i];
  return text;
}

/// The Markdown page for a language model.
std::string markdown_text(const Output& output) {
  std::string out = "# Memory Search Results\n\nFound " + std::to_string(output.items.size()) +
                    " relevant memories";
  if (!output.filtered_fields.empty())
    out += " (filtered by: " + joined(output.filtered_fields, ", ") + ")";
  out += ":\n\n";
  for (std::size_t i = 0; i < output.items.size(); ++i) {
    const OutputItem& item = output.items[i];
    out += (i == 0 ? "" : "\n\n") + std::string("## Memory ") + std::to_string(i + 1);
    if (item.score) out += " (relevance: " + percent(*item.score) + "%)";
    out += '\n';
    // Rows of a statement that are not records have no id to look up.
    const std::string id = id_of(item.record);
    if (!id.empty()) out += "<memory-node id=\"" + attribute(id) + "\" />\n";
    out += item.record.content;
    append_relationships(out, item.relationships);
    append_context(out, output, item);
  }
  return out;
}

// Escapes a path for a URL: unreserved characters and the slash stay.
std::string percent_encoded(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char byte : path) {
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') ||
                          std::string_view("-._~/").find(byte) != std::string_view::npos;
    const auto code = static_cast<unsigned char>(byte);
    if (is_plain)
      out += byte;
    else
      ((out += '%') += digits[code >> 4U]) += digits[code & 15U];
  }
  return out;
}

// Maps a path of another machine to a path of the caller, by the first root that matches. Whole components are compared:
// /a is not a prefix of /ab.
std::string mapped(const Output& output, const std::string& path) {
  for (const auto& [from, to] : output.roots) {
    if (from.empty() || !path.starts_with(from)) continue;
    if (path.size() > from.size() && from.back() != '/' && path[from.size()] != '/') continue;
    return to + path.substr(from.size());
  }
  return path;
}

const Value& path_field(const Record& record) { return record.field("file_path"); }

/// The links to the files of the hits, each file once.
std::vector<std::string> links_of(const Output& output) {
  std::vector<std::string> links;
  std::set<std::string, std::less<>> seen;
  for (const OutputItem& item : output.items) {
    const Value& path = path_field(item.record);
    if (path.string() == nullptr) continue;
    std::string link = "file://" + percent_encoded(mapped(output, path.as_string()));
    if (seen.insert(link).second) links.push_back(std::move(link));
  }
  return links;
}

// Returns the position of a chunk, such as "2/5". Positions count from 1. Unknown numbers are '?'.
std::string chunk_place(const Record& record) {
  const auto* index = record.field("chunk_index").get_if<std::int64_t>();
  const auto* total = record.field("total_chunks").get_if<std::int64_t>();
  const bool has_place =
      index != nullptr && *index >= 0 && *index < std::numeric_limits<std::int64_t>::max();
  return (has_place ? std::to_string(*index + 1) : "?") + "/" +
         (total == nullptr ? "?" : std::to_string(*total));
}

/// The source of a hit. Every source has the same keys, so absent values are null. A column with the name of a key does
/// not replace the key's value.
Value source_of(const Output& output, const OutputItem& item) {
  const Record& record = item.record;
  const Value& path = path_field(record);
  Map source{{"file", path.string() == nullptr ? path : Value(mapped(output, path.as_string()))},
             {"file_name", record.field("file_name")},
             {"file_type", record.field("file_type")},
             {"chunk", chunk_place(record)},
             {"modified", record.field("modified_time")}};
  source.insert(item.columns.begin(), item.columns.end());
  return source;
}

// The content of a record, or the columns of a row that is not a record.
std::string content_of(const OutputItem& item) {
  const Record& record = item.record;
  if (record.id.value != 0 || !record.external_id.empty() || !record.content.empty())
    return record.content;
  std::vector<std::string> columns;
  for (const auto& [name, value] : item.columns)
    columns.push_back(in_one_line(name) + ": " + in_one_line(plain(value)));
  return joined(columns, ", ");
}

std::string answer_text(const Output& output) {
  std::vector<std::string> contents;
  for (const OutputItem& item : output.items) contents.push_back(content_of(item));
  return joined(contents, ". ");
}

/// A JSON object; keys are sorted by name.
std::string rag_text(const Output& output) {
  List sources;
  for (const OutputItem& item : output.items) sources.push_back(source_of(output, item));
  const auto links = links_of(output);
  return to_json(Map{{"links", List(links.begin(), links.end())},
                     {"output", answer_text(output)},
                     {"metadata", std::move(sources)},
                     {"total_results", static_cast<std::int64_t>(output.items.size())}});
}

/// Sources, chunks and answer, in this order. Empty parts are left out, except for the answer.
std::string rag_markdown_text(const Output& output) {
  std::vector<std::string> parts;
  const auto links = links_of(output);
  if (!links.empty())
    parts.push_back("**Sources (" + std::to_string(links.size()) + "):**\n- " +
                    joined(links, "\n- "));
  std::vector<std::string> chunks;
  for (std::size_t i = 0; i < std::min(shown_chunks, output.items.size()); ++i) {
    const Record& record = output.items[i].record;
    const auto word = [&](const char* field) {
      const Value& value = record.field(field);
      return value.is_null() ? std::string("?") : plain(value);
    };
    std::string line = "- " + word("file_name") + " (chunk " + chunk_place(record) + ", " +
                       word("file_type") + ")";
    for (const auto& [name, value] : output.items[i].columns)
      line += ", " + in_one_line(name) + ": " + in_one_line(plain(value));
    chunks.push_back(std::move(line));
  }
  if (!chunks.empty()) parts.push_back("\n**Chunks:**\n" + joined(chunks, "\n"));
  parts.push_back("\n**Answer:**\n" + answer_text(output));
  return joined(parts, "\n");
}

// Numbered contents, each with its metadata on one line.
std::string context_text(const Output& output) {
  std::string out;
  for (std::size_t i = 0; i < output.items.size(); ++i) {
    const OutputItem& item = output.items[i];
    out += (i == 0 ? "[" : "\n\n[") + std::to_string(i + 1) + "] " + item.record.content;
    std::vector<std::string> fields;
    for (const std::string& name : context_fields(output, item))
      fields.push_back(in_one_line(name) + ": " + in_one_line(plain(field_of(item, name))));
    if (!fields.empty()) out += "\nMetadata: " + joined(fields, ", ");
  }
  return out;
}

// Shortens a text to 100 code points.
std::string cut(const std::string& text) {
  const std::size_t end = codec::utf8_offset(text, 100);
  return in_one_line(text.substr(0, end)) + (end < text.size() ? "..." : "");
}

// An end of a relationship: its content, or only its id if it is not among the results.
std::string end_text(const Output& output, NodeId id) {
  const auto found = std::ranges::find(
      output.items, id, [](const OutputItem& item) -> NodeId { return item.record.id; });
  const bool is_known = found != output.items.end() && !found->record.content.empty();
  return is_known ? cut(found->record.content) : "#" + std::to_string(id.value);
}

// Returns the relationships grouped by type, each once, in descending order of weight.
std::string triplets_text(const Output& output) {
  std::map<std::string, std::map<std::uint64_t, const Relationship*>> types;
  for (const OutputItem& item : output.items)
    for (const Relationship& one : item.relationships) types[one.type()][one.id().value] = &one;
  std::string out;
  for (const auto& [type, relationships] : types) {
    out += (out.empty() ? "" : "\n\n") + in_one_line(type) + ":";
    std::vector<const Relationship*> order;
    for (const auto& [id, one] : relationships) order.push_back(one);
    std::ranges::stable_sort(order, std::greater<>(),
                             [](const Relationship* one) { return weight_of(*one); });
    for (const Relationship* one : order)
      out += "\n- " + end_text(output, one->source()) + " -- " + end_text(output, one->target()) +
             " (" + two_digits(weight_of(*one)) + ")";
  }
  return out;
}

/// Optional keys are written only if they have a value, so a record that was not ranked has no score.
Value item_value(const OutputItem& item) {
  const Record& record = item.record;
  Map map = {{"id", static_cast<std::int64_t>(record.id.value)},
             {"kind", record.kind},
             {"content", record.content},
             {"metadata", record.metadata}};
  if (!item.columns.empty()) map.emplace("columns", item.columns);
  if (!record.external_id.empty()) map.emplace("external_id", record.external_id);
  if (item.score) map.emplace("score", *item.score);
  List relationships(item.relationships.begin(), item.relationships.end());
  if (!relationships.empty()) map.emplace("relationships", std::move(relationships));
  return map;
}

// A page as JSON, with its figures.
std::string json_text(const Output& output) {
  List results;
  for (const OutputItem& item : output.items) results.push_back(item_value(item));
  const auto number = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
  Map page{{"results", std::move(results)},
           {"page", number(output.page.page)},
           {"page_size", number(output.page.page_size)},
           {"has_more", output.page.has_more}};
  if (output.page.has_total) {
    page.emplace("total", number(output.page.total));
    page.emplace("total_pages", number(output.page.total_pages));
  }
  return to_json(page);
}

struct FormatEntry {
  std::string_view name;
  std::string (*write)(const Output&);
};
// Indexed by OutputFormat.
constexpr std::array<FormatEntry, 7> formats = {{{"markdown", markdown_text},
                                                 {"toon", toon_text},
                                                 {"rag", rag_text},
                                                 {"rag_markdown", rag_markdown_text},
                                                 {"json", json_text},
                                                 {"context", context_text},
                                                 {"triplets", triplets_text}}};

/// Collects each field of a filter once, in the order of the filter.
void add_fields(const Filter& filter, std::vector<std::string>& fields) {
  if (!filter.field.empty() && std::ranges::count(fields, filter.field) == 0)
    fields.push_back(filter.field);
  // The fields below any_element are fields of elements.
  if (filter.op == FilterOperator::any_element) return;
  for (const Filter& part : filter.filters) add_fields(part, fields);
}

// The number of pages, rounded up without an overflow.
std::uint64_t pages_of(std::uint64_t total, std::uint64_t size) {
  return size == 0 ? 0 : total / size + (total % size == 0 ? 0 : 1);
}

}  // namespace
}  // namespace cairn::query

namespace cairn::memory {

std::optional<OutputFormat> find_output_format(std::string_view name) {
  const auto* found = std::ranges::find(query::formats, name, &query::FormatEntry::name);
  if (found == query::formats.end()) return std::nullopt;
  return static_cast<OutputFormat>(found - query::formats.begin());
}

std::vector<std::string> fields_of(const Filter& filter) {
  std::vector<std::string> fields;
  query::add_fields(filter, fields);
  return fields;
}

// A recall is one page, whose total is the number of hits.
Output output_of(const RecallResult& result, const Filter& filter) {
  Output output;
  for (const Hit& hit : result.hits)
    output.items.push_back({record_of(hit), hit.score, hit.relationships});
  output.page = {1, result.hits.size(), result.hits.size(), result.hits.empty() ? 0U : 1U, false};
  output.filtered_fields = fields_of(filter);
  return output;
}

// If the offset is not a multiple of the limit, the page number is that of its first record.
Output output_of(const Page& page, const Filter& filter) {
  Output output;
  for (const Record& record : page.records) output.items.push_back({record, std::nullopt, {}});
  const std::uint64_t number = page.limit == 0 ? 1 : page.offset / page.limit + 1;
  output.page = {number, page.limit, page.total, query::pages_of(page.total, page.limit),
                 page.has_next_page};
  output.filtered_fields = fields_of(filter);
  return output;
}

Output output_of(const FacetedPage& page, const Filter& filter) {
  Output output;
  for (const Node& node : page.nodes) output.items.push_back({record_of(node), std::nullopt, {}});
  output.page = {static_cast<std::uint64_t>(page.page), static_cast<std::uint64_t>(page.page_size),
                 page.total, page.total_pages, page.has_more};
  output.filtered_fields = fields_of(filter);
  return output;
}

std::string to_text(OutputFormat format, const Output& output) {
  return query::formats[static_cast<std::size_t>(format)].write(output);
}

// The answer of an agent's tool call: a text for the model, and figures for the program that made the call.
Value search_answer(const Output& output, std::string_view query, bool explored) {
  const auto count = static_cast<std::int64_t>(output.items.size());
  const auto filters = static_cast<std::int64_t>(output.filtered_fields.size());
  return Map{{"success", true},
             {"memory", to_text(OutputFormat::markdown, output)},
             {"message", "Found " + std::to_string(count) + " memories" +
                             (filters > 0 ? " with metadata filtering" : "") +
                             (explored ? " with graph exploration" : "")},
             {"metadata", Map{{"query", std::string(query)},
                              {"explored", explored},
                              {"resultCount", count},
                              {"filtersApplied", filters}}}};
}

// An estimate for common tokenizers: four ASCII bytes a token, and one token for every other character.
std::size_t estimate_tokens(std::string_view text) {
  constexpr std::size_t bytes_per_token = 4;
  std::size_t ascii = 0;
  std::size_t others = 0;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    ascii += byte < 0x80U ? 1 : 0;
    others += byte >= 0xC0U ? 1 : 0;
  }
  return (ascii + bytes_per_token - 1) / bytes_per_token + others;
}

}  // namespace cairn::memory
