// The tool query: runs a statement. It cannot write unless the server was started with
// --allow-writes. A writing statement runs in a transaction, whose number of changes must be
// confirmed before it commits.

#include "tools/mcp/memory/confirmation.hpp"
#include "tools/mcp/memory/elapsed.hpp"
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"
#include "tools/text/quantity.hpp"

#include <cairn/tokens.hpp>
#include <cairn/transaction.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn::tools::mcp {
namespace {

constexpr std::size_t most_rows = 1'000;
/// Limit for all rows together, which is more than any answer shows.
constexpr std::size_t most_row_bytes = std::size_t{4} << 20;

std::uint64_t count_of(const cairn::Changes& changes) {
  return changes.nodes_created + changes.nodes_deleted + changes.relationships_created +
         changes.relationships_deleted + changes.properties_set + changes.labels_added +
         changes.labels_removed + changes.indexes_added + changes.indexes_removed +
         changes.constraints_added + changes.constraints_removed;
}

Error refused(std::string message) { return {ErrorCode::unsupported, std::move(message), {}}; }

/// Checks whether this server permits the statement.
Status check_role(const MemoryCaller& caller, const Statement& statement) {
  if (statement.needed_role() == Role::read && !statement.is_writing()) return {};
  if (!caller.settings().allow_writes)
    return refused(
        "this server only reads by query; store_memory, update_memories and "
        "forget_memories write, or start it with --allow-writes");
  if (statement.needed_role() <= Role::forget) return caller.check_role(statement);
  return refused(
      "this statement needs the role admin, which the tool `query` does not give; use the shell: "
      "cairn DB");
}

/// Puts the place in the statement before the message, as errors of parsing
/// have it.
Error with_place(Error error) {
  if (error.where && !error.message.starts_with("line "))
    error.message.insert(0, "line " + std::to_string(error.where->line) + ", column " +
                                std::to_string(error.where->column) + ": ");
  return error;
}

Parameters parameters_of(const ToolArguments& arguments) {
  Parameters parameters;
  const Value* given = arguments.find("parameters");
  if (given == nullptr || given->map() == nullptr) return parameters;
  for (const auto& [name, value] : *given->map()) parameters.emplace(name, value);
  return parameters;
}

/// `has_rest`: a cursor gives the rows that are not here.
ToolResult answer_rows(const MemoryCaller& caller, const ToolArguments& arguments,
                       CalledRows called, std::string message, std::size_t first, bool has_rest) {
  AnswerHead head;
  head.origin = caller.origin();
  head.first = first;
  if (!called.is_cut) head.total = first + called.rows.size();
  head.has_more = called.is_cut && has_rest;
  head.warnings = std::move(called.warnings);
  head.message = std::move(message);
  return answer_table({std::move(called.columns), std::move(called.rows)}, std::move(head),
                      arguments.answer());
}

Answer<ToolResult> run_reading(const MemoryCaller& caller, const Statement& statement,
                               const ToolArguments& arguments, Context& context) {
  const std::size_t first = arguments.answer().offset;
  const auto work = [&]() -> Result<CalledRows> {
    CAIRN_ASSIGN(Rows rows, statement.run(caller.database(), parameters_of(arguments),
                                          caller.options(context.stop())));
    return read_rows(std::move(rows), first, {most_rows, most_row_bytes});
  };
  auto called = run_with_progress(work, caller.settings().timeout, context);
  if (!called) return answer_error(with_place(called.error()));
  std::string message = counted(called->rows.size(), "row", "rows");
  if (called->is_cut) message += " and more";
  return answer_rows(caller, arguments, *std::move(called), std::move(message), first, true);
}

/// This tool counts all changes before it commits, so it cannot run a statement that commits in batches.
Error without_batches(Error error) {
  if (error.message.find("} IN TRANSACTIONS can only be executed") != std::string::npos)
    error.message =
        "this tool makes all changes of a statement in one transaction; leave out IN TRANSACTIONS";
  return error;
}

/// Counts the changes in a transaction and commits only if that number was confirmed. Asks even if
/// the number is 0, because procedures do not count all their changes.
Answer<ToolResult> run_writing(const MemoryCaller& caller, const Statement& statement,
                               const ToolArguments& arguments, Context& context) {
  auto transaction = caller.database().begin(TransactionMode::write);
  if (!transaction) return answer_error(transaction.error());
  auto rows = statement.run(*transaction, parameters_of(arguments), caller.options(context.stop()));
  if (!rows) return answer_error(with_place(without_batches(rows.error())));
  auto called = read_rows(*std::move(rows), 0, {most_rows, most_row_bytes});
  if (!called) return answer_error(with_place(called.error()));
  const std::uint64_t count = count_of(called->changes);
  const std::string of = counted(count, "change", "changes");
  if (arguments.flag("dry_run"))
    return answer_rows(caller, arguments, *std::move(called),
                       "Would make " + of + "; nothing is written in a dry run", 0, true);
  if (auto asked = ask_always("make " + of + " by a query", {count}, arguments, context)) {
    transaction->rollback();
    return *std::move(asked);
  }
  const Status committed = transaction->commit();
  if (!committed) return answer_error(committed.error());
  // The statement has run, and must not run again for the rest of its rows.
  std::string message =
      "Made " + of + (called->is_cut ? "; only the first 1000 rows are shown" : "");
  return answer_rows(caller, arguments, *std::move(called), std::move(message), 0, false);
}

Answer<ToolResult> run_query(const MemoryCaller& caller, const json::object& given,
                             Context& context) {
  const auto arguments = ToolArguments::read("query", given);
  if (!arguments) return answer_error(arguments.error());
  const auto statement = Statement::parse(arguments->text("statement"), caller.database());
  if (!statement) return answer_error(with_place(statement.error()));
  const Status allowed = check_role(caller, *statement);
  if (!allowed) return answer_error(allowed.error());
  return statement->is_writing() ? run_writing(caller, *statement, *arguments, context)
                                 : run_reading(caller, *statement, *arguments, context);
}

}  // namespace

Tool query_tool(const MemoryCaller& caller) {
  const bool may_write = caller.settings().allow_writes && caller.settings().may(Role::write);
  Tool tool;
  tool.name = "query";
  tool.title = "Query the graph";
  tool.description =
      std::string("Run one openCypher statement") +
      (may_write ? "; one that writes needs confirm with the number of changes from a dry_run"
                 : ", reading only") +
      ". Values go in parameters. It ends after " + duration_text(caller.settings().timeout) +
      "; EXPLAIN is free. Example: {\"statement\": "
      "\"MATCH (m:Memory)-[r]->(n) "
      "WHERE m.user = $user RETURN m.content, type(r), n.content LIMIT 10\", \"parameters\": "
      "{\"user\": \"ada\"}}";
  tool.input_schema = input_schema(
      std::string(R"("statement":{"type":"string"},"parameters":{"type":"object"})") +
          (may_write ? R"(,"dry_run":{"type":"boolean"},"confirm":{"type":"integer"})" : ""),
      R"("statement")");
  tool.output_schema = output_schema();
  tool.annotations = {.read_only = !may_write,
                      .destructive = may_write,
                      .idempotent = !may_write,
                      .open_world = false};
  tool.call = [&caller](const json::object& arguments, Context& context) {
    return run_query(caller, arguments, context);
  };
  return tool;
}

}  // namespace cairn::tools::mcp
