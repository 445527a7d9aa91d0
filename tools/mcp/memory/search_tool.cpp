// The tool search_memory: finds memories by meaning, words and relationships, under filters;
// without a query it returns a page of the memories that pass. faceted_search is a variant with
// counts of values.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// The range of results to return.
struct ResultRange {
  std::size_t first = 0;
  std::size_t count = 5;
};

Error wrong_argument(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), {}};
}

/// Reads the range; a cursor takes precedence over a page.
Result<ResultRange> read_range(const ToolArguments& arguments) {
  const std::int64_t page = arguments.number("page", 1);
  const bool has_pages = arguments.has("page") || arguments.has("page_size");
  CAIRN_ASSIGN(const std::int64_t limit, arguments.limit(has_pages ? 10 : 5));
  const std::int64_t size = arguments.number("page_size", limit);
  if (page < 1) return wrong_argument("page must be >= 1");
  if (size < 1) return wrong_argument("page_size must be >= 1");
  if (size > most_results) return wrong_argument("page_size must be <= 100");
  if (arguments.has("limit") && limit != size)
    return wrong_argument("limit and page_size are both the size of a page; give one of them");
  ResultRange range;
  range.count = static_cast<std::size_t>(size);
  constexpr std::int64_t most_pages = 1'000'000;
  if (page > most_pages) return wrong_argument("page must be <= 1000000; filter more narrowly");
  range.first = (static_cast<std::size_t>(page) - 1) * range.count;
  if (arguments.has("cursor")) range.first = arguments.answer().offset;
  return range;
}

/// The results, and the head of the answer.
struct Found {
  std::vector<memory::OutputItem> items;
  AnswerHead head;
};

/// True if the results are passages.
bool wants_passages(const ToolArguments& arguments) {
  return arguments.number("context", 0) != 0 || arguments.has("expand");
}

/// A page without a question has no scores.
Status check_least_score(const ToolArguments& arguments) {
  if (!arguments.has("minScore") || !arguments.text("query").empty()) return {};
  return wrong_argument("minScore needs a query, because a page without one has no scores");
}

/// A passage is one result, and its budget is that of the answer. So the first results decide how
/// many there are, and pages cannot be counted.
Status check_passages(const ToolArguments& arguments) {
  if (!wants_passages(arguments)) return {};
  if (arguments.text("query").empty())
    return wrong_argument("context and expand need a query, because a page has no hits");
  if (arguments.has("page") || arguments.has("page_size"))
    return wrong_argument("context and expand cannot have pages; use limit, or raise max_tokens");
  return {};
}

/// The tokens of an answer that passages may take; the rest is for the frame and the metadata.
std::int64_t tokens_of_passages(std::size_t max_tokens) {
  constexpr std::size_t frame = 120;
  return static_cast<std::int64_t>((max_tokens - frame) * 3 / 4);
}
static_assert(least_tokens > 120);

/// Maps two modes to the names that memory.recall() uses.
Result<std::string> strategy_of(const std::string& mode, bool explore) {
  if (mode.empty() || mode == "hybrid") return std::string("automatic");
  if (mode == "keyword") return std::string("text");
  if (mode == "semantic") return std::string(explore ? "graph_neighborhood" : "vector");
  return wrong_argument("mode must be semantic, keyword or hybrid, got " + mode);
}

memory::OutputItem item_of_hit(const std::vector<Value>& row) {
  memory::OutputItem item;
  item.record = record_from(row[0]);
  item.score = row[1].as_float();
  for (const Value& one : row[3].as_list())
    if (const auto* relationship = one.get_if<Relationship>())
      item.relationships.push_back(*relationship);
  return item;
}

/// Puts the records of a passage in place of the content of its hit, each on lines of its own.
void put_passage(memory::OutputItem& item, const List& passage) {
  item.record.content.clear();
  List ids;
  for (const Value& one : passage) {
    const memory::Record record = record_from(one);
    const Value& role = record.field("role");
    if (!ids.empty()) item.record.content += '\n';
    if (role.string() != nullptr) item.record.content += *role.string() + ": ";
    item.record.content += record.content;
    ids.emplace_back(static_cast<std::int64_t>(record.id.value));
  }
  item.columns.emplace("passage", std::move(ids));
}

Result<Map> recall_request(const ToolArguments& arguments, const Conditions& conditions,
                           const ResultRange& range) {
  const bool explore = arguments.flag("explore", true);
  CAIRN_ASSIGN(const std::string strategy, strategy_of(arguments.text("mode"), explore));
  const bool has_passages = wants_passages(arguments);
  // One more than requested shows whether there are more.
  const std::size_t limit = has_passages ? range.count : range.first + range.count + 1;
  Map request{{"query", arguments.text("query")},
              {"strategy", strategy},
              {"include_relationships", explore},
              {"limit", static_cast<std::int64_t>(limit)}};
  arguments.pass("context", request);
  arguments.pass("expand", request);
  if (has_passages)
    request.emplace("max_tokens", tokens_of_passages(arguments.answer().max_tokens));
  if (!conditions.empty()) request.emplace("filter", conditions.filter());
  arguments.pass("metadataBoost", request, "boosts");
  return request;
}

/// The hits of a range.
Found hits_in(const std::vector<std::vector<Value>>& rows, const ResultRange& range) {
  Found found;
  const std::size_t end = std::min(rows.size(), range.first + range.count);
  for (std::size_t i = range.first; i < end; ++i) found.items.push_back(item_of_hit(rows[i]));
  found.head.first = range.first;
  found.head.page_size = range.count;
  found.head.has_more = rows.size() > range.first + range.count;
  if (!found.head.has_more) found.head.total = rows.size();
  return found;
}

/// The hits with their passages, from the first of the range on. A hit whose passage has no room is
/// shortened, so that those after it are shown.
Found passages_in(const std::vector<std::vector<Value>>& rows, const ResultRange& range) {
  constexpr std::size_t shown_bytes = 200;
  Found found;
  std::int64_t left_out = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int64_t missing = rows[i][5].as_integer();
    left_out += missing;
    if (i < range.first) continue;
    memory::OutputItem& item = found.items.emplace_back(item_of_hit(rows[i]));
    if (!rows[i][4].as_list().empty())
      put_passage(item, rows[i][4].as_list());
    else if (missing > 0 && i > 0)
      item.record.content = cut_text(item.record.content, shown_bytes);
    if (missing > 0) item.columns.emplace("left_out", missing);
  }
  found.head.first = range.first;
  if (left_out > 0)
    found.head.warnings.push_back("left out, for max_tokens: " + std::to_string(left_out) +
                                  " memories around the hits");
  return found;
}

/// Removes the hits whose shown score is below minScore. Returns a remark if no hit remains.
std::optional<std::string> keep_best(std::vector<std::vector<Value>>& rows,
                                     const ToolArguments& arguments) {
  const Value* least = arguments.find("minScore");
  if (least == nullptr || rows.empty()) return std::nullopt;
  const auto* whole = least->get_if<std::int64_t>();
  const double wanted = whole == nullptr ? least->as_float() : static_cast<double>(*whole);
  const Value best = rows.front()[1];
  std::erase_if(rows, [&](const std::vector<Value>& row) { return row[1].as_float() < wanted; });
  if (!rows.empty()) return std::nullopt;
  return "no hit has the minScore of " + least->to_text() + "; the best has " + best.to_text();
}

Result<Found> recall(const MemoryCaller& caller, const ToolArguments& arguments,
                     const Conditions& conditions, const std::stop_token& stop) {
  CAIRN_ASSIGN(const ResultRange range, read_range(arguments));
  CAIRN_ASSIGN(const Map request, recall_request(arguments, conditions, range));
  CAIRN_ASSIGN(CalledRows called,
               caller.call("CALL memory.recall($request) YIELD record, score, stage, "
                           "relationships, passage, left_out "
                           "RETURN record, score, stage, relationships, passage, left_out",
                           {{"request", request}}, stop));
  explain_absence(called.warnings, "Memory", no_memories);
  const auto none_left = keep_best(called.rows, arguments);
  Found found =
      wants_passages(arguments) ? passages_in(called.rows, range) : hits_in(called.rows, range);
  found.head.warnings.insert(found.head.warnings.end(), called.warnings.begin(),
                             called.warnings.end());
  if (none_left) found.head.warnings.push_back(*none_left);
  if (!called.rows.empty() && called.rows.front()[2] != Value("asked"))
    found.head.warnings.push_back("Nothing matched as asked; found by " +
                                  called.rows.front()[2].as_string());
  found.head.message = "Found " + memories(found.items.size()) +
                       (conditions.empty() ? "" : " with metadata filtering") +
                       (arguments.flag("explore", true) ? " with graph exploration" : "");
  return found;
}

Result<Found> page(const MemoryCaller& caller, const ToolArguments& arguments,
                   const Conditions& conditions, const std::stop_token& stop) {
  CAIRN_ASSIGN(const ResultRange range, read_range(arguments));
  Map request{{"limit", static_cast<std::int64_t>(range.count)},
              {"offset", static_cast<std::int64_t>(range.first)},
              {"filter", conditions.whole_filter()}};
  CAIRN_ASSIGN(CalledRows called,
               caller.call("CALL memory.search($request) YIELD records, total, has_next_page "
                           "RETURN records, total, has_next_page",
                           {{"request", request}}, stop));
  const std::vector<Value>& row = called.rows.at(0);
  Found found;
  for (const Value& record : row[0].as_list()) {
    found.items.emplace_back();
    found.items.back().record = record_from(record);
  }
  found.head.first = range.first;
  found.head.page_size = range.count;
  const auto total = static_cast<std::uint64_t>(row[1].as_integer());
  found.head.total = total;
  found.head.has_more = row[2] == Value(true);
  conditions.take_own_names(called.warnings);
  explain_absence(called.warnings, "Memory", no_memories);
  found.head.warnings = std::move(called.warnings);
  found.head.message = std::to_string(found.items.size()) + " of " + std::to_string(total) +
                       " memories, newest first";
  return found;
}

/// Adds lines such as "tags: drink 3, hot 1" with counts over all records that pass.
Status add_facets(const MemoryCaller& caller, const ToolArguments& arguments, Conditions conditions,
                  const std::stop_token& stop, AnswerHead& head) {
  const Value* fields = arguments.find("facets");
  if (fields == nullptr) return {};
  conditions.filters.push_back(Map{{"operator", "has_label"}, {"value", "Memory"}});
  List requests;
  for (const Value& field : *fields->list())
    requests.push_back(field == Value("created_at") ? Value(Map{{"field", field}, {"by_age", true}})
                                                    : Value(Map{{"field", field}, {"limit", 10}}));
  CAIRN_ASSIGN(const CalledRows counts,
               caller.call("CALL db.facets($filter, $fields) YIELD field, value, count "
                           "RETURN field, collect(value) AS values, collect(count) AS counts",
                           {{"filter", conditions.whole_filter()}, {"fields", requests}}, stop));
  for (const auto& row : counts.rows) {
    std::string line = "facet " + row[0].as_string() + ":";
    const List& values = row[1].as_list();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string shown =
          values[i].string() != nullptr ? *values[i].string() : to_json(values[i]);
      line += (i == 0 ? " " : ", ") + cut_text(shown, 40) + " " + row[2].as_list()[i].to_text();
    }
    head.facets.push_back(std::move(line));
  }
  return {};
}

Answer<ToolResult> run_search(const MemoryCaller& caller, const json::object& given,
                              Context& context) {
  const auto arguments = ToolArguments::read("search_memory", given);
  if (!arguments) return answer_error(arguments.error());
  if (const Status checked = check_passages(*arguments); !checked)
    return answer_error(checked.error());
  if (const Status checked = check_least_score(*arguments); !checked)
    return answer_error(checked.error());
  const auto conditions = read_conditions(*arguments);
  if (!conditions) return answer_error(conditions.error());
  const std::string query = arguments->text("query");
  auto found = query.empty() ? page(caller, *arguments, *conditions, context.stop())
                             : recall(caller, *arguments, *conditions, context.stop());
  if (!found) return answer_error(found.error(), *arguments);
  const Status counted = add_facets(caller, *arguments, *conditions, context.stop(), found->head);
  // A failed count is a warning, because the results are still useful.
  if (!counted) found->head.warnings.push_back("facets: " + counted.error().message);
  found->head.warnings.insert(found->head.warnings.end(), conditions->remarks.begin(),
                              conditions->remarks.end());
  add_expiry(caller, found->items, found->head, context.stop());
  found->head.origin = caller.origin();
  found->head.filtered = conditions->fields;
  found->head.metadata = {
      {"query", query},
      {"explored", !query.empty() && arguments->flag("explore", true)},
      {"resultCount", static_cast<std::int64_t>(found->items.size())},
      {"filtersApplied", static_cast<std::int64_t>(conditions->filters.size())}};
  return answer_records(std::move(found->items), std::move(found->head), arguments->answer());
}

}  // namespace

Tool search_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "search_memory";
  tool.title = "Search memories";
  tool.description =
      "Find memories by a question, under filters that bind first. Without query: a page of what "
      "passes the filters, newest "
      "first. Ask it before you answer what may be known from before. Example: {\"query\": \"what "
      "does Ada drink\", "
      "\"metadataFilters\": [{\"field\": \"user\", \"operator\": \"equals\", \"value\": \"ada\"}]}";
  tool.input_schema = input_schema(
      std::string(
          R"("query":{"type":"string"},"mode":{"enum":["semantic","keyword","hybrid"]},)"
          R"("explore":{"type":"boolean","default":true,"description":"Also what is related"},)"
          R"("context":{"type":"integer","description":"Records around each hit"},)"
          R"("expand":{"enum":["session"]},)") +
      std::string(condition_schema) +
      R"(,"metadataBoost":{"type":"object","description":"{field: factor}"},"minScore":{"type":"number","description":"Least score shown, 0 to 1"},)"
      R"("limit":{"type":"integer","minimum":1,"maximum":100,"default":5},)"
      R"("page":{"type":"integer"},"page_size":{"type":"integer","maximum":100},)"
      R"("facets":{"type":"array","items":{"type":"string"},"description":"Fields to count values of"})");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_search(caller, arguments, context);
  };
  return tool;
}

namespace {

/// Searches by conditions only, newest first, with counts of tags, kinds and ages.
Answer<ToolResult> run_faceted(const MemoryCaller& caller, json::object given, Context& context) {
  if (!given.contains("format")) given["format"] = "toon";
  if (!given.contains("page")) given["page"] = 1;
  const json::value* counts = given.if_contains("include_facets");
  const bool has_counts = counts == nullptr || *counts != json::value(false);
  given.erase("include_facets");
  if (has_counts && !given.contains("facets")) given["facets"] = {"tags", "kind", "created_at"};
  return run_search(caller, given, context);
}

}  // namespace

Tool faceted_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "faceted_search";
  tool.title = "Search by facets";
  tool.description =
      "Memories by tags, type and time alone, newest first, with counts of tags, kinds and ages "
      "over all that match. Example: {\"tags\": [\"python\", \"api\"], \"tag_match_all\": "
      "true, \"memory_type\": \"decision\", \"date_from\": \"30d\"}";
  tool.input_schema = input_schema(
      std::string(
          R"("facets":{"type":"array","items":{"type":"string"},"description":"fields to count; tags, kind and created_at unless given"},)"
          R"("include_facets":{"type":"boolean","default":true},"page":{"type":"integer","default":1},)"
          R"("page_size":{"type":"integer","maximum":100,"default":10},)") +
      std::string(condition_schema));
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_faceted(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
