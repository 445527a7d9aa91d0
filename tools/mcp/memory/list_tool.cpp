// The tool list_memories: lists records, by kind with the kind's criteria, newest first or sorted
// by a field.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

constexpr std::int64_t usual_limit = 20;

/// True for episodes and insights, which have conditions of their own.
bool is_plain_list(const std::string& of) { return of == "episodes" || of == "insights"; }

bool says_nothing(const Value& value) {
  return value == Value(false) || value == Value("") || value == Value(List());
}

/// Lists of episodes and insights have none of these: left out in silence, they would widen the list.
Status check_plain(const ToolArguments& arguments) {
  for (const char* name :
       {"nodeTypes", "sessionId", "metadataFilters", "sortBy", "include_deleted"})
    if (const Value* given = arguments.find(name); given != nullptr && !says_nothing(*given))
      return Error{ErrorCode::invalid_argument,
                   std::string(name) + " does not go with of: " + arguments.text("of") +
                       ", which takes criteria, tags, date_from and date_to; without `of`, "
                       "nodeTypes goes with all filters",
                   std::nullopt};
  return {};
}

Error wrong_criteria(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

/// Of a condition within the criteria and another one beside them, one would be left out in silence.
Status check_criteria(const ToolArguments& arguments, const Map& criteria) {
  using Names = std::pair<const char*, const char*>;  // within, beside
  for (const auto& [within, beside] :
       {Names("of", "of"), Names("limit", "limit"), Names("offset", "cursor")})
    if (criteria.contains(within))
      return wrong_criteria("criteria has `" + std::string(within) + "`; give " + beside +
                            " beside criteria, as an argument of its own");
  std::vector<Names> either = {
      {"sort_by", "sortBy"}, {"descending", "descending"}, {"include_deleted", "include_deleted"}};
  if (is_plain_list(arguments.text("of")))
    either = {{"tags", "tags"}, {"date_from", "date_from"}, {"date_to", "date_to"}};
  for (const auto& [within, beside] : either)
    if (criteria.contains(within) && arguments.has(beside))
      return wrong_criteria("criteria has `" + std::string(within) + "`, and " + beside +
                            " is beside criteria; give one of them");
  return {};
}

/// Adds a filter to that of the criteria, if they have one.
void add_filter(Map& request, Value filter) {
  const auto own = request.find("filter");
  if (own == request.end()) {
    request.emplace("filter", std::move(filter));
    return;
  }
  own->second = Map{{"operator", "AND"}, {"filters", List{own->second, std::move(filter)}}};
}

/// The members of memory.list() or memory.search().
Result<Map> list_request(const ToolArguments& arguments, const Conditions& conditions) {
  const std::string of = arguments.text("of");
  Map request;
  const Value* criteria = arguments.find("criteria");
  const bool has_criteria =
      criteria != nullptr && (criteria->map() == nullptr || !criteria->map()->empty());
  if (of.empty() && has_criteria)
    return Error{ErrorCode::invalid_argument,
                 "criteria needs `of`, whose fields they are; without `of`, give metadataFilters",
                 std::nullopt};
  if (criteria != nullptr) {
    CAIRN_TRY(check_criteria(arguments, *criteria->map()));
    request = *criteria->map();
  }
  if (!of.empty()) request.insert_or_assign("of", of);
  CAIRN_ASSIGN(const std::int64_t limit, arguments.limit(usual_limit));
  request.insert_or_assign("limit", limit);
  request.insert_or_assign("offset", static_cast<std::int64_t>(arguments.answer().offset));
  if (is_plain_list(of)) {
    CAIRN_TRY(check_plain(arguments));
    for (const char* name : {"tags", "date_from", "date_to"}) arguments.pass(name, request);
    return request;
  }
  add_filter(request, of.empty() ? conditions.whole_filter() : conditions.filter());
  arguments.pass("sortBy", request, "sort_by");
  arguments.pass("descending", request);
  arguments.pass("include_deleted", request);
  return request;
}

Answer<ToolResult> run_list(const MemoryCaller& caller, const json::object& given,
                            Context& context) {
  const auto arguments = ToolArguments::read("list_memories", given);
  if (!arguments) return answer_error(arguments.error());
  const auto conditions = read_conditions(*arguments);
  if (!conditions) return answer_error(conditions.error());
  const auto request = list_request(*arguments, *conditions);
  if (!request) return answer_error(request.error());
  const bool is_typed = !arguments->text("of").empty();
  auto called = caller.call(std::string("CALL memory.") + (is_typed ? "list" : "search") +
                                "($request) YIELD records, total, has_next_page "
                                "RETURN records, total, has_next_page",
                            {{"request", *request}}, context.stop());
  if (!called) return answer_error(called.error(), *arguments);
  const std::vector<Value>& row = called->rows.at(0);
  std::vector<memory::OutputItem> items;
  for (const Value& record : row[0].as_list()) {
    items.emplace_back();
    items.back().record = record_from(record);
  }
  AnswerHead head;
  head.origin = caller.origin();
  head.first = arguments->answer().offset;
  const auto total = static_cast<std::uint64_t>(row[1].as_integer());
  head.total = total;
  head.has_more = row[2] == Value(true);
  conditions->take_own_names(called->warnings);
  explain_absence(called->warnings, "Memory", no_memories);
  head.warnings = std::move(called->warnings);
  head.warnings.insert(head.warnings.end(), conditions->remarks.begin(), conditions->remarks.end());
  head.message = std::to_string(items.size()) + " of " + std::to_string(total) + " " +
                 (is_typed ? arguments->text("of") : "memories");
  add_expiry(caller, items, head, context.stop());
  return answer_records(std::move(items), std::move(head), arguments->answer());
}

}  // namespace

Tool list_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "list_memories";
  tool.title = "List memories";
  tool.description =
      "List memories without a question: of one kind, a session, with tags; hidden ones too with "
      "include_deleted. "
      "Example: {\"of\": \"tasks\", \"criteria\": {\"status\": \"pending\"}}";
  tool.input_schema = input_schema(
      R"("of":{"enum":["messages","cognitive_processes","documents","tasks","episodes","insights"]},)"
      R"("criteria":{"type":"object","description":"Of `of`: status, priority, role, thread, process_type, source, title, category, io_category, ..."},)"
      R"("nodeTypes":{"type":"array","items":{"type":"string"}},"sessionId":{"type":"string"},)"
      R"("tags":{"type":"array","items":{"type":"string"}},"date_from":{"type":"string"},"date_to":{"type":"string"},)"
      R"("metadataFilters":{"type":"array","items":{"type":"object"}},"sortBy":{"type":"string"},)"
      R"("descending":{"type":"boolean"},"include_deleted":{"type":"boolean"},)"
      R"("limit":{"type":"integer","minimum":1,"maximum":100,"default":20})");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_list(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
