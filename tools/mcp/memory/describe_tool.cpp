// The tool describe_memory: lists kinds, metadata keys, labels, namespaces and indexes, or the
// values of a field.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/resources.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::tools::mcp {
namespace {

using TableRows = std::vector<std::vector<Value>>;

/// Appends the rows (what, name, count) of a statement. Returns its warnings.
Result<std::vector<std::string>> add_rows(const MemoryCaller& caller, std::string_view statement,
                                          const Parameters& parameters, const std::stop_token& stop,
                                          TableRows& rows) {
  CAIRN_ASSIGN(CalledRows called, caller.call(statement, parameters, stop));
  for (std::vector<Value>& row : called.rows) rows.push_back(std::move(row));
  return std::move(called.warnings);
}

/// Counts labels in the namespace of the server only.
Status add_labels(const MemoryCaller& caller, const std::stop_token& stop, TableRows& rows) {
  CAIRN_TRY(add_rows(caller,
                     std::string(label_counts)
                         .append("RETURN what, name, count ORDER BY count DESC, name LIMIT 50"),
                     {}, stop, rows));
  return {};
}

/// Adds what is not of the memory calls: labels, namespaces and indexes.
Status add_others(const MemoryCaller& caller, const std::stop_token& stop, TableRows& rows) {
  CAIRN_TRY(add_labels(caller, stop, rows));
  CAIRN_TRY(add_rows(caller,
                     "CALL db.namespaces() YIELD name, nodes RETURN 'namespace' AS what, name, "
                     "nodes AS count",
                     {}, stop, rows));
  CAIRN_TRY(add_rows(caller,
                     "CALL db.indexes() YIELD name, type, state, labelsOrTypes, properties, "
                     "entries WHERE type IN ['VECTOR', 'FULLTEXT'] RETURN 'index' AS what, name + "
                     "' (' + type + ', ' + state + ')' AS name, entries AS count",
                     {}, stop, rows));
  return {};
}

/// Returns the warnings: of a field that no record has.
Result<std::vector<std::string>> add_all(const MemoryCaller& caller, const Map& request,
                                         const std::stop_token& stop, TableRows& rows) {
  CAIRN_ASSIGN(auto warnings, add_rows(caller,
                                       "CALL memory.describe($request) YIELD what, name, count "
                                       "RETURN what, name, count",
                                       {{"request", request}}, stop, rows));
  if (!request.contains("field")) CAIRN_TRY(add_others(caller, stop, rows));
  return warnings;
}

Answer<ToolResult> run_describe(const MemoryCaller& caller, const json::object& given,
                                Context& context) {
  const auto arguments = ToolArguments::read("describe_memory", given);
  if (!arguments) return answer_error(arguments.error());
  Map request;
  arguments->pass("field", request);
  arguments->pass("sessionId", request, "session");
  arguments->pass("nodeTypes", request, "kinds");
  arguments->pass("nested", request);
  AnswerTable table{{"what", "name", "count"}, {}};
  auto warnings = add_all(caller, request, context.stop(), table.rows);
  if (!warnings) return answer_error(warnings.error());
  AnswerHead head;
  head.origin = caller.origin();
  head.warnings = *std::move(warnings);
  head.total = table.rows.size();
  head.first = std::min(arguments->answer().offset, table.rows.size());
  table.rows.erase(table.rows.begin(),
                   table.rows.begin() + static_cast<std::ptrdiff_t>(head.first));
  head.message = request.contains("field")
                     ? "Values of a field, most frequent first"
                     : "Records, kinds, keys of metadata, labels, namespaces, indexes";
  return answer_table(std::move(table), std::move(head), arguments->answer());
}

}  // namespace

Tool describe_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "describe_memory";
  tool.title = "Describe the memory";
  tool.description =
      "What is stored: kinds, metadata keys with counts, labels, namespaces, indexes; with field "
      "its values. Ask before "
      "filtering by a key you are not sure of. Example: {\"field\": \"tags\"}";
  tool.input_schema =
      input_schema(R"("field":{"type":"string"},"sessionId":{"type":"string"},)"
                   R"("nodeTypes":{"type":"array","items":{"type":"string"}},)"
                   R"("nested":{"type":"boolean","description":"Keys within maps too"})");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_describe(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
