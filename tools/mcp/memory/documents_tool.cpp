// The tool search_documents: finds chunks of files that `cairn ingest` has read, and documents
// among the memories, with their sources.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/graph.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

/// An index to search, and the condition on its records.
struct TextSource {
  const char* index;
  Value records;
};

Value has_label(const char* label) { return Map{{"operator", "has_label"}, {"value", label}}; }

/// The passages of ingested files.
TextSource ingested_files() { return {"chunk_content", has_label("Chunk")}; }

/// The documents among the memories, and the parts of long ones.
TextSource documents_in_memory() {
  return {"memory_contents",
          Map{{"operator", "OR"}, {"filters", List{has_label("Chunk"), has_label("Document")}}}};
}

Value condition(const char* field, const char* op, Value value) {
  return Map{{"field", field}, {"operator", op}, {"value", std::move(value)}};
}

/// Normalises extensions: "py" and ".PY" become ".py".
Value extensions(const List& given) {
  List normal;
  for (const Value& one : given) {
    if (one.string() == nullptr) continue;
    std::string text = one.string()->starts_with('.') ? "" : ".";
    for (const char letter : *one.string())
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    normal.push_back(std::move(text));
  }
  return normal;
}

/// Adds the directories. A relative one is below the directory that was ingested.
void add_directories(const ToolArguments& arguments, List& filters) {
  const Value* given = arguments.find("directories");
  if (given == nullptr || given->list() == nullptr || given->list()->empty()) return;
  List absolute;
  List relative;
  bool is_all = false;
  for (const Value& one : *given->list()) {
    if (one.string() == nullptr) {
      absolute.push_back(one);  // the filter refuses it
      continue;
    }
    const std::filesystem::path path = std::filesystem::path(*one.string()).lexically_normal();
    if (path == "." || path == "./") is_all = true;
    (path.is_absolute() ? absolute : relative).push_back(path.generic_string());
  }
  if (is_all) return;
  List either;
  if (!absolute.empty()) either.push_back(condition("file_path", "in_directory", absolute));
  if (!relative.empty()) either.push_back(condition("relative_path", "in_directory", relative));
  filters.push_back(Map{{"operator", "OR"}, {"filters", std::move(either)}});
}

/// Combines the filters, which must all hold. Of a list of values one is enough, except for tags.
Value filter_of(const ToolArguments& arguments, const Value& records) {
  List filters{records};
  const auto add = [&](const char* name, const char* field, const char* op) {
    const Value* value = arguments.find(name);
    if (value == nullptr || (value->list() != nullptr && value->list()->empty())) return;
    filters.push_back(condition(field, op, *value));
  };
  add("file_types", "file_type", "in");
  add("languages", "language", "in");
  add_directories(arguments, filters);
  add("tags", "tags", "contains_all");
  add("modified_after", "modified_time", "since");
  add("max_chunk_index", "chunk_index", "less_or_equal");
  const Value* given = arguments.find("file_extensions");
  if (given != nullptr && given->list() != nullptr && !given->list()->empty())
    filters.push_back(condition("file_ext", "in", extensions(*given->list())));
  return Map{{"operator", "AND"}, {"filters", filters}};
}

memory::OutputItem item_of_chunk(const std::vector<Value>& row) {
  memory::OutputItem item;
  if (const auto* node = row[0].get_if<Node>()) {
    item.record = memory::record_of(*node);
    item.record.metadata.erase("embedding");
  }
  item.score = row[1].as_float();
  return item;
}

/// True if the namespaces that the server reads have passages of files. Parts of a long memory have
/// the label Chunk too.
Result<bool> has_files(const MemoryCaller& caller, const std::stop_token& stop) {
  CAIRN_ASSIGN(const CalledRows called,
               caller.call("MATCH (c:Chunk) WHERE NOT c:Memory RETURN true LIMIT 1", {}, stop));
  return !called.rows.empty();
}

/// Returns the best `limit` hits of a source. Errors: not_found if its index does not exist.
Result<CalledRows> find_in(const TextSource& source, const MemoryCaller& caller,
                           const ToolArguments& arguments, std::size_t limit,
                           const std::stop_token& stop) {
  const Map options{{"filter", filter_of(arguments, source.records)},
                    {"index", source.index},
                    {"limit", static_cast<std::int64_t>(limit)}};
  return caller.call("CALL db.recall($text, $options) YIELD node, score RETURN node, score",
                     {{"text", arguments.text("text")}, {"options", options}}, stop);
}

bool is_without_index(const Result<CalledRows>& called) {
  return !called && called.error().code == ErrorCode::not_found;
}

/// Adds the hits of another source, best first. A part of a long memory is in both indexes, and
/// becomes one hit, with its better score.
void add_hits(CalledRows& all, CalledRows more) {
  const auto score = [](const std::vector<Value>& row) { return row[1].as_float(); };
  const auto better = [&](const auto& a, const auto& b) { return score(a) > score(b); };
  all.rows.insert(all.rows.end(), std::make_move_iterator(more.rows.begin()),
                  std::make_move_iterator(more.rows.end()));
  std::ranges::stable_sort(all.rows, better);
  std::set<NodeId> known;
  std::erase_if(all.rows, [&](const std::vector<Value>& row) {
    const auto* node = row[0].get_if<Node>();
    return node != nullptr && !known.insert(node->id()).second;
  });
  for (std::string& warning : more.warnings)
    if (std::ranges::find(all.warnings, warning) == all.warnings.end())
      all.warnings.push_back(std::move(warning));
}

/// Searches ingested files and the documents among the memories. Whether files are searched depends only on visible
/// records: the index may be there because another namespace has files.
Result<CalledRows> find_texts(const MemoryCaller& caller, const ToolArguments& arguments,
                              std::size_t limit, const std::stop_token& stop) {
  CAIRN_ASSIGN(const bool has_passages, has_files(caller, stop));
  std::vector<TextSource> sources;
  if (has_passages) sources.push_back(ingested_files());
  sources.push_back(documents_in_memory());
  CalledRows all;
  for (const TextSource& source : sources) {
    auto called = find_in(source, caller, arguments, limit, stop);
    if (is_without_index(called)) continue;
    if (!called) return called.error();
    add_hits(all, *std::move(called));
  }
  if (all.rows.size() > limit) all.rows.resize(limit);
  if (has_passages || !all.rows.empty()) return all;
  const std::string remark =
      "no files were read into this memory: cairn ingest DB DIRECTORY reads them";
  explain_absence(all.warnings, "Chunk", remark);
  if (std::ranges::find(all.warnings, remark) == all.warnings.end()) all.warnings.push_back(remark);
  return all;
}

Answer<ToolResult> run_documents(const MemoryCaller& caller, const json::object& given,
                                 Context& context) {
  const auto arguments = ToolArguments::read("search_documents", given);
  if (!arguments) return answer_error(arguments.error());
  const std::size_t first = arguments->answer().offset;
  const auto given_limit = arguments->limit(10);
  if (!given_limit) return answer_error(given_limit.error());
  const auto limit = static_cast<std::size_t>(*given_limit);
  const auto called = find_texts(caller, *arguments, first + limit + 1, context.stop());
  if (!called) return answer_error(called.error());
  std::vector<memory::OutputItem> items;
  for (std::size_t i = first; i < std::min(called->rows.size(), first + limit); ++i)
    items.push_back(item_of_chunk(called->rows[i]));
  AnswerHead head;
  head.origin = "ingested files and documents among the memories, " + caller.origin();
  head.first = first;
  head.has_more = called->rows.size() > first + limit;
  if (!head.has_more) head.total = called->rows.size();
  head.warnings = called->warnings;
  if (auto remark = remark_on_age("modified_after", arguments->text("modified_after")))
    head.warnings.push_back(*std::move(remark));
  head.message = "Found " + counted(items.size(), "chunk", "chunks");
  return answer_records(std::move(items), std::move(head), arguments->answer(),
                        memory::OutputFormat::rag_markdown);
}

}  // namespace

Tool documents_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "search_documents";
  tool.title = "Search documents";
  tool.description =
      "Find passages in ingested files and in documents among the memories, with sources and "
      "links. Filters combine; a "
      "list means any of it, tags mean "
      "all. Example: {\"text\": \"how is a log repaired\", \"file_extensions\": [\".cpp\"], "
      "\"directories\": [\"src/engine\"]}";
  tool.input_schema = input_schema(
      R"("text":{"type":"string"},)"
      R"("file_types":{"type":"array","items":{"enum":["code","doc","data","spreadsheet","presentation","other"]}},)"
      R"("file_extensions":{"type":"array","items":{"type":"string"}},"languages":{"type":"array","items":{"type":"string"}},)"
      R"("directories":{"type":"array","items":{"type":"string"},"description":"Absolute, or below what was ingested"},"tags":{"type":"array","items":{"type":"string"}},)"
      R"("modified_after":{"type":"string"},"max_chunk_index":{"type":"integer","minimum":0,"description":"0: first chunks only"},)"
      R"("limit":{"type":"integer","minimum":1,"maximum":100,"default":10})",
      R"("text")");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_documents(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
