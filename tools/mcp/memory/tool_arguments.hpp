#pragma once
// The arguments of a tool as values, and the options that every tool has.

#include "tools/mcp/caller/token_budget.hpp"
#include "tools/mcp/protocol/answer.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools::mcp {

/// The most results in one answer; also `maximum` of `limit` in the input schemas.
inline constexpr std::int64_t most_results = 100;

enum class AnswerFormat : std::uint8_t { toon, json, markdown };

/// The options max_tokens, format and cursor.
struct AnswerOptions {
  std::size_t max_tokens = usual_tokens;
  AnswerFormat format = AnswerFormat::markdown;
  std::size_t offset = 0;   ///< number of results before the cursor
  std::string fingerprint;  ///< of the request, so that a cursor is only valid for it

  /// Returns a cursor for the results from `next` on.
  [[nodiscard]] std::string cursor(std::size_t next) const;
};

/// The arguments of one call. Threads: one.
class ToolArguments {
 public:
  /// Errors: invalid_argument for numbers and texts that a value cannot hold.
  [[nodiscard]] static Result<ToolArguments> read(std::string_view tool,
                                                  const json::object& arguments);

  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Returns nullptr if the argument is absent or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name, bool usual = false) const;
  /// Returns `usual` if the argument is absent or not a number. A float that is too large or too
  /// small becomes the nearest number that fits.
  [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t usual) const;
  /// Returns `limit`, the number of results in one answer. Errors: invalid_argument unless it is
  /// between 1 and most_results.
  [[nodiscard]] Result<std::int64_t> limit(std::int64_t usual) const;
  /// The name of the tool.
  [[nodiscard]] const std::string& tool() const noexcept { return tool_; }
  [[nodiscard]] const Map& all() const noexcept { return map_; }
  [[nodiscard]] const AnswerOptions& answer() const noexcept { return answer_; }

  /// Sorts ids by what they are: a number is an id, and a text is an external id. Both lists may be
  /// empty. Errors: invalid_argument for a text of digits, which could be either.
  [[nodiscard]] Status sort_ids(std::string_view name, List& ids, List& external_ids) const;

  /// Copies an argument, if present, into a request under another name.
  void pass(std::string_view name, Map& request, std::string_view as) const;
  void pass(std::string_view name, Map& request) const { pass(name, request, name); }

 private:
  [[nodiscard]] Status read_answer(std::string_view tool);

  std::string tool_;
  Map map_;
  AnswerOptions answer_;
};

/// The members max_tokens, format and cursor of every input schema.
inline constexpr std::string_view answer_schema =
    R"("max_tokens":{"type":"integer","minimum":200,"maximum":50000,"default":2000},)"
    R"("format":{"enum":["toon","json","markdown"]},)"
    R"("cursor":{"type":"string"})";

/// Returns the argument among `names` that other tools call `unknown`, or whose
/// name is like it; empty if there is none. Valid as long as the names.
[[nodiscard]] std::string_view meant_argument(std::string_view unknown,
                                              const std::vector<std::string>& names);

}  // namespace cairn::tools::mcp
