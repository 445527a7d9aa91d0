// The tool relate: creates, changes or removes a relationship between two memories.

#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <cairn/transaction.hpp>

#include <utility>

namespace cairn::tools::mcp {
namespace {

Error wrong_end(std::string_view name, const Map& request) {
  return {ErrorCode::not_found,
          "`" + std::string(name) + "`: no memory has " + named_memory(request) +
              "; give an id or an external_id that search_memory has shown",
          std::nullopt};
}

/// Creates or removes a relationship within one transaction.
struct Relating {
  const MemoryCaller& caller;
  const ToolArguments& arguments;
  Transaction& transaction;
  const std::stop_token& stop;

  /// Finds an end by its id or external id. Errors: not_found.
  [[nodiscard]] Result<std::int64_t> end(const char* name) const {
    const Value* given = arguments.find(name);
    const bool is_number = given != nullptr && given->get_if<std::int64_t>() != nullptr;
    const Map request{{is_number ? "id" : "external_id", given == nullptr ? Value() : *given}};
    if (given == nullptr || (!is_number && given->string() == nullptr))
      return wrong_end(name, request);
    CAIRN_ASSIGN(
        const CalledRows found,
        caller.call_in(transaction, "CALL memory.find($request) YIELD record RETURN record.id",
                       {{"request", request}}, stop));
    if (found.rows.empty()) return wrong_end(name, request);
    return found.rows[0][0].as_integer();
  }

  [[nodiscard]] Parameters parameters(std::int64_t from, std::int64_t to) const {
    const Value* properties = arguments.find("properties");
    return {{"from", from},
            {"to", to},
            {"type", arguments.text("type")},
            {"properties", properties == nullptr ? Value(Map()) : *properties}};
  }

  [[nodiscard]] Result<std::string> relate(std::int64_t from, std::int64_t to) const {
    CAIRN_TRY(caller.call_in(
        transaction,
        "MATCH (a), (b) WHERE id(a) = $from AND id(b) = $to "
        "CALL apoc.merge.relationship(a, $type, {}, $properties, b, $properties) YIELD rel "
        "RETURN count(rel)",
        parameters(from, to), stop));
    return std::string("Related ");
  }

  [[nodiscard]] Result<std::string> separate(std::int64_t from, std::int64_t to) const {
    CAIRN_ASSIGN(const CalledRows gone,
                 caller.call_in(transaction,
                                "MATCH (a)-[r]->(b) WHERE id(a) = $from AND id(b) = $to "
                                "AND type(r) = $type DELETE r RETURN count(r)",
                                parameters(from, to), stop));
    if (gone.rows.at(0).at(0) == Value(0))
      return Error{ErrorCode::not_found,
                   "there is no relationship " + std::to_string(from) + " -[" +
                       arguments.text("type") + "]-> " + std::to_string(to) +
                       ", so nothing was removed; check its type and its direction",
                   std::nullopt};
    return std::string("No longer related ");
  }
};

Result<std::string> run_in(const Relating& relating) {
  CAIRN_ASSIGN(const std::int64_t from, relating.end("from"));
  CAIRN_ASSIGN(const std::int64_t to, relating.end("to"));
  const bool removes = relating.arguments.flag("remove");
  CAIRN_ASSIGN(std::string message,
               removes ? relating.separate(from, to) : relating.relate(from, to));
  CAIRN_TRY(relating.transaction.commit());
  return message + std::to_string(from) + " -[" + relating.arguments.text("type") + "]-> " +
         std::to_string(to);
}

Answer<ToolResult> run_relate(const MemoryCaller& caller, const json::object& given,
                              Context& context) {
  const auto arguments = ToolArguments::read("relate", given);
  if (!arguments) return answer_error(arguments.error());
  auto transaction = caller.database().begin(TransactionMode::write);
  if (!transaction) return answer_error(transaction.error());
  const auto message = run_in({caller, *arguments, *transaction, context.stop()});
  if (!message) return answer_error(message.error());
  AnswerHead head;
  head.total = 1;
  head.message = *message;
  return answer_message(std::move(head), arguments->answer());
}

}  // namespace

Tool relate_tool(const MemoryCaller& caller) {
  Tool tool;
  tool.name = "relate";
  tool.title = "Relate two memories";
  tool.description =
      "Make a relationship between two memories, which explore and recall follow; the same again "
      "changes its properties, remove takes it away. from and to are ids or external_ids. Example: "
      "{\"from\": 7, \"to\": \"m-2\", \"type\": \"CAUSED\", \"properties\": {\"weight\": 0.8}}";
  tool.input_schema = input_schema(
      R"("from":{"type":["integer","string"]},"to":{"type":["integer","string"]},"type":{"type":"string"},)"
      R"("properties":{"type":"object"},"remove":{"type":"boolean"})",
      R"("from","to","type")");
  tool.output_schema = output_schema();
  tool.annotations = {
      .read_only = false, .destructive = true, .idempotent = true, .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_relate(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
