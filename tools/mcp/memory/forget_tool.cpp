// The tool forget_memories: hides records, restores them, or erases them for good, optionally also
// from the files.

#include "tools/mcp/memory/conditions.hpp"
#include "tools/mcp/memory/confirmation.hpp"
#include "tools/mcp/memory/elapsed.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <cairn/transaction.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

/// Returns the request for the selected records, by id or by conditions.
Result<Map> target_of(const ToolArguments& arguments, const Conditions& conditions, bool erase) {
  Map request;
  List ids;
  List external_ids;
  CAIRN_TRY(arguments.sort_ids("ids", ids, external_ids));
  if (const Value* given = arguments.find("external_ids"))
    external_ids.insert(external_ids.end(), given->list()->begin(), given->list()->end());
  if (arguments.has("ids") && (!ids.empty() || external_ids.empty()))
    request.emplace("id", std::move(ids));
  if (!external_ids.empty() || arguments.has("external_ids"))
    request.emplace("external_id", std::move(external_ids));
  if (!conditions.empty())
    request.emplace("selection",
                    Map{{"filter", conditions.whole_filter()}, {"include_deleted", erase}});
  return request;
}

/// The memories that a request names, as requests of one each: {id: 7},
/// {external_id: 'm-1'}. At most as many as an answer can list.
std::vector<Map> named_ones(const Map& request) {
  constexpr std::size_t most = 20;
  std::vector<Map> ones;
  for (const char* name : {"id", "external_id"})
    if (const auto found = request.find(name); found != request.end())
      for (const Value& one : found->second.as_list())
        if (ones.size() < most) ones.push_back(Map{{name, one}});
  return ones;
}

/// Returns for each of the memories whether it is there.
Result<std::vector<bool>> are_there(const MemoryCaller& caller, const std::vector<Map>& ones,
                                    bool with_hidden, const std::stop_token& stop) {
  List requests;
  for (Map one : ones) {
    one.emplace("include_deleted", with_hidden);
    requests.emplace_back(std::move(one));
  }
  CAIRN_ASSIGN(const CalledRows found,
               caller.call("UNWIND range(0, size($ones) - 1) AS i "
                           "CALL memory.find($ones[i]) YIELD record RETURN i",
                           {{"ones", std::move(requests)}}, stop));
  std::vector<bool> are(ones.size());
  for (const auto& row : found.rows) are[static_cast<std::size_t>(row[0].as_integer())] = true;
  return are;
}

/// Returns "the id 7 or the external id "m-1"" for the memories of which `are`
/// says `what`; empty if there are none.
std::string names_of(const std::vector<Map>& ones, const std::vector<bool>& are, bool what) {
  std::string names;
  for (std::size_t i = 0; i < ones.size(); ++i)
    if (are[i] == what) names += (names.empty() ? "" : " or ") + named_memory(ones[i]);
  return names;
}

/// Names the memories that would be forgotten and are not there.
Result<std::vector<std::string>> remarks_on_missing(const MemoryCaller& caller, const Map& request,
                                                    bool erase, const std::stop_token& stop) {
  const std::vector<Map> ones = named_ones(request);
  std::vector<std::string> remarks;
  CAIRN_ASSIGN(const auto are, are_there(caller, ones, erase, stop));
  if (const std::string names = names_of(ones, are, false); !names.empty())
    remarks.push_back("no memory has " + names + (erase ? "" : ", or it is hidden already") +
                      "; search_memory gives ids");
  return remarks;
}

/// Names the memories that are not restored: those that are not there, and
/// those that are not hidden.
Result<std::vector<std::string>> remarks_on_restoring(const MemoryCaller& caller,
                                                      const Map& request,
                                                      const std::stop_token& stop) {
  const std::vector<Map> ones = named_ones(request);
  std::vector<std::string> remarks;
  CAIRN_ASSIGN(const auto are, are_there(caller, ones, true, stop));
  if (const std::string names = names_of(ones, are, false); !names.empty())
    remarks.push_back("no memory has " + names +
                      "; list_memories with include_deleted gives ids of hidden memories");
  CAIRN_ASSIGN(const auto are_shown, are_there(caller, ones, false, stop));
  if (const std::string names = names_of(ones, are_shown, true); !names.empty())
    remarks.push_back("not hidden, so not restored: " + names);
  return remarks;
}

constexpr const char* forget_statement =
    "CALL memory.forget($request) YIELD matched, forgotten RETURN matched, forgotten";

/// Returns the memories that a request selects. The transaction holds the writer lock, so others
/// cannot write between this question and its changes. Nothing is changed in it yet.
std::string identity_of_selected(const MemoryCaller& caller, const Map& request,
                                 std::uint64_t total, const std::stop_token& stop) {
  constexpr std::uint64_t most_known = 1'000;
  const auto selection = request.find("selection");
  if (selection == request.end() || total > most_known) return {};  // named, or very many
  Map search = *selection->second.map();
  search.insert_or_assign("own_only", true);
  search.insert_or_assign("limit", static_cast<std::int64_t>(most_known));
  const auto found = caller.call(
      "CALL memory.search($request) YIELD records RETURN [record IN records | record.id]",
      {{"request", std::move(search)}}, stop);
  // The texts may need more memory than a statement has.
  return found ? identity_of(found->rows.at(0)[0].as_list()) : std::string();
}

/// Asks before it erases many memories for good.
std::optional<Answer<ToolResult>> ask_to_erase(const MemoryCaller& caller,
                                               const ToolArguments& arguments, const Map& request,
                                               std::uint64_t total, const Context& context) {
  if (total <= unasked_records) return std::nullopt;
  return ask_for("erase " + memories(total) + " for good",
                 {total, identity_of_selected(caller, request, total, context.stop())},
                 unasked_records, arguments, context);
}

/// Scrubs the files after erasing. What was erased stays erased even if this fails. The progress is in seconds: the number
/// of tables would tell how much others have stored.
Answer<ToolResult> scrub_files(const MemoryCaller& caller, const ToolArguments& arguments,
                               AnswerHead head, Context& context) {
  const auto scrub = [&] { return caller.call("CALL db.scrub()", {}, context.stop()); };
  auto done = run_with_progress(scrub, std::nullopt, context);
  if (!done)
    return answer_error(
        {done.error().code,
         head.message + ", but the files may still have them: " + done.error().message,
         {}});
  Map receipt;
  for (std::size_t i = 0; i < done->columns.size(); ++i)
    if (!done->rows.at(0)[i].is_null()) receipt.emplace(done->columns[i], done->rows[0][i]);
  head.message += ". No file of the database has them any more";
  // A caller who may not use all namespaces gets no commit.
  const auto commit = receipt.find("commit");
  if (commit != receipt.end()) head.message += ", as of commit " + commit->second.to_text();
  const auto backups = receipt.find("backups");
  if (backups != receipt.end() && !backups->second.as_list().empty())
    head.message += "; " + std::to_string(backups->second.as_list().size()) +
                    " backups still have what they had: " + backups->second.to_text();
  head.metadata.emplace("receipt", std::move(receipt));
  return answer_message(std::move(head), arguments.answer());
}

Answer<ToolResult> hide_or_erase(const MemoryCaller& caller, const ToolArguments& arguments,
                                 const Conditions& conditions, const Map& request, bool erase,
                                 Context& context) {
  Map asked_for = request;
  asked_for.insert_or_assign("erase", erase);
  Map dry_run = asked_for;
  dry_run.insert_or_assign("dry_run", true);
  auto transaction = caller.database().begin(TransactionMode::write);
  if (!transaction) return answer_error(transaction.error(), arguments);
  auto tried = caller.call_in(*transaction, forget_statement, {{"request", std::move(dry_run)}},
                              context.stop());
  if (!tried) return answer_error(tried.error(), arguments);
  conditions.take_own_names(tried->warnings);
  AnswerHead head;
  const auto total = static_cast<std::uint64_t>(tried->rows.at(0)[0].as_integer());
  head.total = total;
  head.warnings = tried->warnings;
  head.warnings.insert(head.warnings.end(), conditions.remarks.begin(), conditions.remarks.end());
  const auto missing = remarks_on_missing(caller, request, erase, context.stop());
  if (!missing) return answer_error(missing.error(), arguments);
  head.warnings.insert(head.warnings.end(), missing->begin(), missing->end());
  const std::string of = memories(total);
  head.message = std::string("Would ") + (erase ? "erase " : "hide ") + of +
                 "; nothing is written in a dry run";
  if (arguments.flag("dry_run")) return answer_message(std::move(head), arguments.answer());
  if (erase)
    if (auto asked = ask_to_erase(caller, arguments, request, total, context))
      return *std::move(asked);
  const auto done =
      caller.call_in(*transaction, forget_statement, {{"request", asked_for}}, context.stop());
  if (!done) return answer_error(done.error(), arguments);
  if (const Status kept = transaction->commit(); !kept)
    return answer_error(kept.error(), arguments);
  const std::int64_t forgotten = done->rows.at(0)[1].as_integer();
  head.message = (erase ? "Erased " : "Hid ") + std::to_string(forgotten) + " of " +
                 std::to_string(total) + " memories" +
                 (erase || forgotten == 0 ? "" : "; action restore shows them again");
  if (arguments.flag("scrub")) return scrub_files(caller, arguments, std::move(head), context);
  return answer_message(std::move(head), arguments.answer());
}

Answer<ToolResult> restore(const MemoryCaller& caller, const ToolArguments& arguments,
                           const Map& request, const std::stop_token& stop) {
  if (request.contains("selection"))
    return tool_error(
        "restore takes ids or external_ids; list_memories with include_deleted gives them");
  constexpr const char* statement = "CALL memory.restore($request) YIELD restored RETURN restored";
  const bool is_dry_run = arguments.flag("dry_run");
  const Parameters parameters{{"request", request}};
  auto remarks = remarks_on_restoring(caller, request, stop);
  if (!remarks) return answer_error(remarks.error(), arguments);
  const auto done = is_dry_run ? caller.try_call(statement, parameters, stop)
                               : caller.call(statement, parameters, stop);
  if (!done) return answer_error(done.error(), arguments);
  AnswerHead head;
  head.total = static_cast<std::uint64_t>(done->rows.at(0)[0].as_integer());
  const std::string of = memories(*head.total);
  head.message =
      is_dry_run ? "Would restore " + of + "; nothing is written in a dry run" : "Restored " + of;
  head.warnings = *std::move(remarks);
  return answer_message(std::move(head), arguments.answer());
}

/// Returns the action; `erase: true` is another form of the action erase. Errors: invalid_argument for
/// an unknown action, and for two different ones.
Result<std::string> action_of(const ToolArguments& arguments) {
  const std::string action = arguments.text("action");
  const bool erases = arguments.flag("erase");
  if (!action.empty() && action != "hide" && action != "restore" && action != "erase")
    return Error{
        ErrorCode::invalid_argument, "action must be hide, restore or erase, got " + action, {}};
  if (erases && !action.empty() && action != "erase")
    return Error{ErrorCode::invalid_argument,
                 "erase: true and action " + action + " contradict each other; leave one out",
                 {}};
  if (action == "erase" && arguments.has("erase") && !erases)
    return Error{ErrorCode::invalid_argument,
                 "erase: false and action erase contradict each other; leave one out",
                 {}};
  return erases ? "erase" : action;
}

Answer<ToolResult> run_forget(const MemoryCaller& caller, const json::object& given,
                              Context& context) {
  const auto arguments = ToolArguments::read("forget_memories", given);
  if (!arguments) return answer_error(arguments.error());
  const auto action = action_of(*arguments);
  if (!action) return answer_error(action.error());
  const bool erase = *action == "erase";
  if (arguments->flag("scrub") && !erase)
    return tool_error("scrub goes with action erase: what is hidden stays in the files");
  const auto conditions = read_conditions(*arguments);
  if (!conditions) return answer_error(conditions.error());
  if (const Status lists = check_lists(*conditions); !lists) return answer_error(lists.error());
  const auto request = target_of(*arguments, *conditions, erase);
  if (!request) return answer_error(request.error());
  if (request->contains("selection") && request->size() > 1)
    return tool_error("Give ids and external_ids, or filters, and not both");
  if (request->empty())
    return tool_error("Say which memories: ids, external_ids, or filters that they pass");
  return *action == "restore"
             ? restore(caller, *arguments, *request, context.stop())
             : hide_or_erase(caller, *arguments, *conditions, *request, erase, context);
}

}  // namespace

Tool forget_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "forget_memories";
  tool.title = "Forget memories";
  tool.description =
      "Hide memories (they can be restored), or erase them for good. By ids, external_ids or "
      "filters. Try with dry_run first; "
      "erasing more than 20 needs confirm with its number. Example: {\"ids\": [7, 9], \"action\": "
      "\"hide\"}";
  tool.input_schema = input_schema(
      R"("action":{"enum":["hide","restore","erase"],"default":"hide"},"erase":{"type":"boolean"},)"
      R"("ids":{"type":"array","items":{"type":["integer","string"]}},"external_ids":{"type":"array","items":{"type":"string"}},)"
      R"("metadataFilters":{"type":"array","items":{"type":"object"}},"nodeTypes":{"type":"array","items":{"type":"string"}},)"
      R"("sessionId":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},)"
      R"("date_to":{"type":"string","description":"Older than: 1y"},"dry_run":{"type":"boolean"},"confirm":{"type":"integer"},)"
      R"("scrub":{"type":"boolean","description":"Also from the files"})");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = false, .destructive = true, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_forget(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
