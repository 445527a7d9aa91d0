// The tool tag_rules: manages rules that tag memories whose text matches, and applies them to
// stored memories.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/confirmation.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <cairn/transaction.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace cairn::tools::mcp {
namespace {

/// An action: its statement, and the message for its rows.
struct RuleAction {
  std::string_view name;
  const char* statement;
  const char* message;
  std::string_view needs;  ///< a required argument; empty: none
};

constexpr const char* run_columns =
    "YIELD rule, matched, newlyTagged, records, recordsMatched, recordsChanged, run "
    "RETURN rule, matched, newlyTagged, records, recordsMatched, recordsChanged, run";
const std::string count_statement = std::string("CALL db.rules.count($filter) ") + run_columns;
const std::string apply_statement = std::string("CALL db.rules.apply($filter) ") + run_columns;

const std::array<RuleAction, 7>& rule_actions() {
  static const std::array<RuleAction, 7> actions = {
      {{"list",
        "CALL db.rules.list() YIELD name, pattern, tags, fields, kinds "
        "RETURN name, pattern, tags, fields, kinds",
        "Rules", ""},
       {"put", "CALL db.rules.put($name, $pattern, $tags, $options)", "Stored the rule", "pattern"},
       {"drop", "CALL db.rules.drop($name)", "Dropped the rule; its tags stay", "name"},
       {"preview",
        "CALL db.rules.preview($filter) YIELD node, tags "
        "RETURN id(node) AS id, node.content AS content, tags",
        "Tags that memories would get", ""},
       {"count", count_statement.c_str(), "What apply would do", ""},
       {"apply", apply_statement.c_str(), "Tagged; undo takes the run's number", ""},
       {"undo", "CALL db.rules.undo($run) YIELD records RETURN records", "Tags taken away",
        "run"}}};
  return actions;
}

Parameters parameters_of(const ToolArguments& arguments, const Conditions& conditions) {
  Map options;
  arguments.pass("fields", options);
  arguments.pass("nodeTypes", options, "kinds");
  const auto given = [&](const char* name) {
    const Value* value = arguments.find(name);
    return value == nullptr ? Value() : *value;
  };
  return {{"name", given("name")}, {"pattern", given("pattern")},
          {"tags", given("tags")}, {"run", given("run")},
          {"options", options},    {"filter", conditions.empty() ? Value() : conditions.filter()}};
}

/// Reads the filters; arguments of a rule are not conditions.
Result<Conditions> filters_of(const ToolArguments& arguments) {
  Conditions conditions;
  const Value* filters = arguments.find("metadataFilters");
  if (filters == nullptr) return conditions;
  for (const Value& one : *filters->list()) {
    CAIRN_ASSIGN(const Filter filter, filter_from(one));
    conditions.filters.push_back(one);
    for (std::string& field : memory::fields_of(filter)) conditions.fields.push_back(field);
  }
  return conditions;
}

/// Asks before an action is committed that has changed many memories. Its transaction is still open.
std::optional<Answer<ToolResult>> ask_to_keep(const ToolArguments& arguments, bool undoes,
                                              const CalledRows& done, const Context& context) {
  constexpr std::size_t changed_by_apply = 5;
  const std::size_t column = undoes ? 0 : changed_by_apply;
  const std::uint64_t count =
      done.rows.empty() ? 0 : static_cast<std::uint64_t>(done.rows.front()[column].as_integer());
  return ask_for((undoes ? "take the tags of a run from " : "tag ") + memories(count), {count},
                 unasked_records, arguments, context);
}

/// Runs apply or undo, and keeps the changes of many memories only if that was agreed to.
std::variant<CalledRows, Answer<ToolResult>> run_if_agreed(const MemoryCaller& caller,
                                                           const ToolArguments& arguments,
                                                           const RuleAction& action,
                                                           const Parameters& parameters,
                                                           const Context& context) {
  auto transaction = caller.database().begin(TransactionMode::write);
  if (!transaction) return Answer<ToolResult>(answer_error(transaction.error()));
  auto done = caller.call_in(*transaction, action.statement, parameters, context.stop());
  if (!done) return Answer<ToolResult>(answer_error(done.error()));
  if (auto asked = ask_to_keep(arguments, action.name == "undo", *done, context))
    return *std::move(asked);
  if (const Status kept = transaction->commit(); !kept)
    return Answer<ToolResult>(answer_error(kept.error()));
  return *std::move(done);
}

Answer<ToolResult> run_rules(const MemoryCaller& caller, const json::object& given,
                             Context& context) {
  const auto arguments = ToolArguments::read("tag_rules", given);
  if (!arguments) return answer_error(arguments.error());
  const auto conditions = filters_of(*arguments);
  if (!conditions) return answer_error(conditions.error());
  const auto& actions = rule_actions();
  const auto action = std::ranges::find(actions, arguments->text("action"), &RuleAction::name);
  if (action == actions.end())
    return tool_error("action must be list, put, drop, preview, count, apply or undo, got " +
                      arguments->text("action"));
  if (!action->needs.empty() && !arguments->has(action->needs))
    return tool_error("the action " + std::string(action->name) + " needs " +
                      std::string(action->needs));
  const Parameters parameters = parameters_of(*arguments, *conditions);
  Result<CalledRows> called = CalledRows();
  if (action->name == "apply" || action->name == "undo") {
    auto done = run_if_agreed(caller, *arguments, *action, parameters, context);
    if (auto* answer = std::get_if<Answer<ToolResult>>(&done)) return std::move(*answer);
    called = std::get<CalledRows>(std::move(done));
  } else {
    called = caller.call(action->statement, parameters, context.stop());
  }
  if (!called) return answer_error(called.error());
  AnswerHead head;
  head.origin = caller.origin();
  head.message = action->message;
  head.total = called->rows.size();
  head.first = std::min(arguments->answer().offset, called->rows.size());
  head.warnings = std::move(called->warnings);
  called->rows.erase(called->rows.begin(),
                     called->rows.begin() + static_cast<std::ptrdiff_t>(head.first));
  return answer_table({std::move(called->columns), std::move(called->rows)}, std::move(head),
                      arguments->answer());
}

}  // namespace

Tool rules_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "tag_rules";
  tool.title = "Tag memories by rules";
  tool.description =
      "Rules that tag memories whose text matches a regular expression, also those stored before. "
      "preview and count write nothing, apply adds tags, undo takes a run back. Example: "
      "{\"action\": \"put\", \"name\": \"tea\", \"pattern\": \"(?i)\\\\btea\\\\b\", \"tags\": "
      "[\"drink\"]}, then {\"action\": \"apply\"}";
  tool.input_schema = input_schema(
      R"("action":{"enum":["list","put","drop","preview","count","apply","undo"]},"name":{"type":"string"},)"
      R"("pattern":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},)"
      R"("fields":{"type":"array","items":{"type":"string"},"description":"content unless given"},)"
      R"("nodeTypes":{"type":"array","items":{"type":"string"}},"run":{"type":"integer"},)"
      R"("metadataFilters":{"type":"array","items":{"type":"object"},"description":"of preview, count, apply"},)"
      R"("confirm":{"type":"integer"})",
      R"("action")");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = false, .destructive = true, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_rules(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
