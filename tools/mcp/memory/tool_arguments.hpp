#pragma once
// Arguments of a tool as values, and the options that every tool has.

#include "tools/mcp/caller/token_budget.hpp"
#include "tools/mcp/protocol/answer.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

enum class AnswerFormat : std::uint8_t { toon, json, markdown };

/// max_tokens, format and cursor.
struct AnswerOptions {
  std::size_t max_tokens = usual_tokens;
  AnswerFormat format = AnswerFormat::markdown;
  std::size_t offset = 0;   ///< where the cursor begins
  std::string fingerprint;  ///< of the request, so that a cursor goes with it alone

  /// For the results from `next` on.
  [[nodiscard]] std::string cursor(std::size_t next) const;
};

/// Threads: one.
class ToolArguments {
 public:
  /// Errors: invalid_argument for numbers and texts that no value can hold.
  [[nodiscard]] static Result<ToolArguments> read(std::string_view tool,
                                                  const json::object& arguments);

  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Null for one that is absent or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name, bool usual = false) const;
  [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t usual) const;
  [[nodiscard]] const Map& all() const noexcept { return map_; }
  [[nodiscard]] const AnswerOptions& answer() const noexcept { return answer_; }

  /// Copy the argument into a request under its other name, where it is there.
  void pass(std::string_view name, Map& request, std::string_view as) const;
  void pass(std::string_view name, Map& request) const { pass(name, request, name); }

 private:
  [[nodiscard]] Status read_answer(std::string_view tool);

  Map map_;
  AnswerOptions answer_;
};

/// The members of every input schema: max_tokens, format and cursor, to be put behind others.
inline constexpr std::string_view answer_schema =
    R"("max_tokens":{"type":"integer","minimum":200,"maximum":50000,"default":2000},)"
    R"("format":{"enum":["toon","json","markdown"]},)"
    R"("cursor":{"type":"string"})";

}  // namespace cairn::tools::mcp
