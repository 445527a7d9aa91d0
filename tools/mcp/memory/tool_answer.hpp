#pragma once
// Answers of the tools within their token budget: records or rows in the requested format, with the
// number of tokens.

#include "tools/mcp/caller/memory_caller.hpp"
#include "tools/mcp/memory/tool_arguments.hpp"
#include "tools/mcp/protocol/answer.hpp"

#include <cairn/memory/output.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// What every answer has besides its results.
struct AnswerHead {
  std::string message;                 ///< our own words
  std::string origin;                  ///< where stored text is from
  Map metadata;                        ///< of the structured form
  std::vector<std::string> warnings;   ///< may name what is stored
  std::vector<std::string> facets;     ///< lines of stored values with counts
  std::optional<std::uint64_t> total;  ///< of all pages, where it is known
  std::size_t first = 0;               ///< place of the first result among all
  std::size_t page_size = 0;           ///< as it was asked for; 0: as many as there are
  bool has_more = false;               ///< after these results, whatever the budget
  std::vector<std::string> filtered;   ///< fields of the filter, shown first of each record
};

/// Rows with any columns.
struct AnswerTable {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
};

/// Returns as many records as fit, best or newest first. A record that does not fit alone is cut,
/// and the answer says so.
[[nodiscard]] ToolResult answer_records(
    std::vector<memory::OutputItem> items, AnswerHead head, const AnswerOptions& options,
    memory::OutputFormat markdown_as = memory::OutputFormat::markdown);
/// Adds the moment at which each memory expires, if it does, as `expires_at`. A failure becomes a warning.
void add_expiry(const MemoryCaller& caller, std::vector<memory::OutputItem>& items,
                AnswerHead& head, const std::stop_token& stop);
/// Returns as many rows as fit.
[[nodiscard]] ToolResult answer_table(AnswerTable table, AnswerHead head,
                                      const AnswerOptions& options);
/// Returns a message without results.
[[nodiscard]] ToolResult answer_message(AnswerHead head, const AnswerOptions& options);
/// If no record has `label`, puts `remark` in place of the warnings of names that no record has.
void explain_absence(std::vector<std::string>& warnings, std::string_view label,
                     std::string_view remark);
/// Of explain_absence() for memories.
inline constexpr std::string_view no_memories = "no memory is stored here yet; store_memory does";
/// Returns an error, with stored text in it escaped.
[[nodiscard]] ToolResult answer_error(const Error& error);
/// Returns an error of a procedure in the words of the tool that called it: with the name of the
/// tool and those of its parameters.
[[nodiscard]] ToolResult answer_error(const Error& error, const ToolArguments& arguments);

/// Returns "1 memory" or "12,345 memories".
[[nodiscard]] std::string memories(std::uint64_t count);
/// Returns "the id 7" or "the external id "m-1"" for a request {id: 7} or
/// {external_id: 'm-1'}.
[[nodiscard]] std::string named_memory(const Map& request);

/// Returns the schema of the structured form of every answer.
[[nodiscard]] json::object output_schema();

/// Converts a record returned by the procedures memory.*.
[[nodiscard]] memory::Record record_from(const Value& value);

}  // namespace cairn::tools::mcp
