// The tool update_memories: changes one record by its id, or all records that pass a filter.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/confirmation.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <algorithm>
#include <utility>

namespace cairn::tools::mcp {
namespace {

constexpr const char* update_statement =
    "CALL memory.update($request) YIELD matched, changed, record "
    "RETURN matched, changed, record";

Map update_request(const ToolArguments& arguments) {
  Map request;
  arguments.pass("metadata", request, "changes");
  for (const char* name : {"unset", "merge", "content"}) arguments.pass(name, request);
  arguments.pass("expires_in", request, "expires_at");
  return request;
}

std::string message_for_one(bool is_changed, bool is_dry_run) {
  if (is_dry_run)
    return is_changed ? "Would change; nothing is written in a dry run. It would be"
                      : "Would change nothing; it is";
  return is_changed ? "Changed; it is now" : "Nothing changed; it still is";
}

Answer<ToolResult> update_one(const MemoryCaller& caller, const ToolArguments& arguments,
                              const std::stop_token& stop) {
  Map request = update_request(arguments);
  List ids;
  List external_ids;
  if (const Status sorted = arguments.sort_ids("id", ids, external_ids); !sorted)
    return answer_error(sorted.error());
  if (arguments.has("external_id")) external_ids.push_back(*arguments.find("external_id"));
  if (ids.size() + external_ids.size() > 1)
    return tool_error("give id or external_id, and not both: this changes one memory");
  if (ids.empty())
    request.emplace("external_id", external_ids.front());
  else
    request.emplace("id", ids.front());
  const bool is_dry_run = arguments.flag("dry_run");
  const Parameters parameters{{"request", request}};
  auto called = is_dry_run ? caller.try_call(update_statement, parameters, stop)
                           : caller.call(update_statement, parameters, stop);
  if (!called) return answer_error(called.error(), arguments);
  const std::vector<Value>& row = called->rows.at(0);
  if (row[0] == Value(0))
    return tool_error("No memory has " + named_memory(request) +
                      ", or it is hidden. Ids are in the answers of search_memory; a hidden memory "
                      "must be restored before it can be updated");
  AnswerHead head;
  head.origin = caller.origin();
  head.total = 1;
  head.warnings = std::move(called->warnings);
  head.message = message_for_one(!row[1].as_list().empty(), is_dry_run);
  std::vector<memory::OutputItem> items(1);
  items.front().record = record_from(row[2]);
  if (!is_dry_run || !arguments.has("expires_in")) add_expiry(caller, items, head, stop);
  return answer_records(std::move(items), std::move(head), arguments.answer());
}

Answer<ToolResult> update_selected(const MemoryCaller& caller, const ToolArguments& arguments,
                                   const Conditions& conditions, Context& context) {
  Map request = update_request(arguments);
  request.emplace("selection", Map{{"filter", conditions.whole_filter()}});
  request.insert_or_assign("dry_run", true);
  auto tried = caller.call(update_statement, {{"request", request}}, context.stop());
  if (!tried) return answer_error(tried.error(), arguments);
  const List& changed = tried->rows.at(0)[1].as_list();
  const Selection selection{changed.size(), identity_of(changed)};
  AnswerHead head;
  const auto total = static_cast<std::uint64_t>(tried->rows[0][0].as_integer());
  head.total = total;
  conditions.take_own_names(tried->warnings);
  head.warnings = std::move(tried->warnings);
  head.warnings.insert(head.warnings.end(), conditions.remarks.begin(), conditions.remarks.end());
  const std::string of = std::to_string(selection.count) + " of " + std::to_string(total) +
                         " memories that pass the filter";
  head.message = "Would change " + of + "; nothing is written in a dry run";
  if (arguments.flag("dry_run")) return answer_message(std::move(head), arguments.answer());
  if (auto asked = ask_for("change " + of, selection, unasked_records, arguments, context))
    return *std::move(asked);
  request.erase("dry_run");
  const auto done = caller.call_if(
      update_statement, {{"request", request}}, context.stop(), [&](const CalledRows& now) {
        return identity_of(now.rows.at(0)[1].as_list()) == selection.identity;
      });
  if (!done) return answer_error(done.error(), arguments);
  head.message = "Changed " + memories(done->rows.at(0)[1].as_list().size());
  return answer_message(std::move(head), arguments.answer());
}

/// An update only removes a lifetime, by expires_in. A field of that name would do nothing of what it says.
const char* wrong_lifetime(const ToolArguments& arguments) {
  if (arguments.has("expires_in") && arguments.text("expires_in") != "never")
    return "expires_in of update_memories must be \"never\", which removes the lifetime; "
           "store_memory gives one";
  const Value* fields = arguments.find("metadata");
  const Value* unset = arguments.find("unset");
  const bool is_field =
      (fields != nullptr && fields->as_map().contains("expires_at")) ||
      (unset != nullptr && std::ranges::count(unset->as_list(), Value("expires_at")) > 0);
  return is_field ? "expires_at is no field of metadata: expires_in: \"never\" beside metadata "
                    "removes the lifetime, and store_memory gives one"
                  : nullptr;
}

/// Names what to give if nothing is to change; `content` only where it is one memory's.
const char* missing_change(const ToolArguments& arguments, bool is_named) {
  if (arguments.has("metadata") || arguments.has("unset") || arguments.has("content") ||
      arguments.has("expires_in") || !arguments.flag("merge", true))
    return nullptr;
  return is_named ? "update_memories needs what to change: metadata, an object of fields and their "
                    "new values; unset, a list of fields to remove; content, a new text; or "
                    "expires_in: \"never\", which removes the lifetime"
                  : "update_memories needs what to change: metadata, an object of fields and their "
                    "new values; unset, a list of fields to remove; or expires_in: \"never\", "
                    "which removes the lifetime";
}

Answer<ToolResult> run_update(const MemoryCaller& caller, const json::object& given,
                              Context& context) {
  const auto arguments = ToolArguments::read("update_memories", given);
  if (!arguments) return answer_error(arguments.error());
  const auto conditions = read_conditions(*arguments);
  if (!conditions) return answer_error(conditions.error());
  if (const Status lists = check_lists(*conditions); !lists) return answer_error(lists.error());
  const bool is_named = arguments->has("id") || arguments->has("external_id");
  if (is_named == !conditions->empty())
    return tool_error("Give id or external_id for one memory, or filters for all that pass them");
  if (!is_named && arguments->has("content"))
    return tool_error(
        "content is of one memory: give its id or external_id; filters change metadata");
  if (const char* wrong = wrong_lifetime(*arguments)) return tool_error(wrong);
  if (const char* missing = missing_change(*arguments, is_named)) return tool_error(missing);
  return is_named ? update_one(caller, *arguments, context.stop())
                  : update_selected(caller, *arguments, *conditions, context);
}

}  // namespace

Tool update_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "update_memories";
  tool.title = "Update memories";
  tool.description =
      "Change metadata or content of one memory (id or external_id), or metadata of all that pass "
      "filters. Fields are merged; unset takes some away. Try dry_run first; more than 20 need "
      "confirm with its number. "
      "Example: {\"id\": 7, \"metadata\": {\"status\": \"completed\"}, \"unset\": [\"dueDate\"]}";
  tool.input_schema = input_schema(
      R"("id":{"type":["integer","string"]},"external_id":{"type":"string"},"metadata":{"type":"object"},)"
      R"("unset":{"type":"array","items":{"type":"string"}},)"
      R"("merge":{"type":"boolean","default":true,"description":"false: other fields go"},"content":{"type":"string"},"expires_in":{"const":"never"},)"
      R"("metadataFilters":{"type":"array","items":{"type":"object"}},"nodeTypes":{"type":"array","items":{"type":"string"}},)"
      R"("sessionId":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},)"
      R"("dry_run":{"type":"boolean"},"confirm":{"type":"integer"})");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = false, .destructive = true, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_update(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
