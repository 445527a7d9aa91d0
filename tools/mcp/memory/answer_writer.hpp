#pragma once
// AnswerWriter: builds answers with as many results as the token budget permits.

#include "tools/mcp/memory/tool_answer.hpp"

#include <cairn/value.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cairn::tools::mcp {

/// Results in the form of an answer: text to be framed, or values.
struct ResultBody {
  std::string text;
  List values;
  std::size_t count = 0;
  bool is_cut = false;  ///< a result was too large and is only shown in part
};

/// Makes the body of the first `count` results. With `bytes`, each text in them is cut to about
/// that size.
using MakeBody = std::function<ResultBody(std::size_t count, std::optional<std::size_t> bytes)>;

/// An answer, and the tokens of the larger of its two forms.
struct Rendering {
  ToolResult result;
  std::size_t tokens = 0;
};

/// Builds one answer of a tool.
class AnswerWriter {
 public:
  /// Shortens the head, so that there is room for results. Lifetime: the options must outlive the
  /// writer.
  AnswerWriter(AnswerHead head, const AnswerOptions& options);

  /// Shows as many of the `available` results as fit, from the first on. A result that does not fit
  /// alone is cut.
  [[nodiscard]] ToolResult fit(std::size_t available, const MakeBody& make) const;
  /// Writes an answer; `body` shows some of the `available` results.
  [[nodiscard]] Rendering write(const ResultBody& body, std::size_t available) const;

 private:
  [[nodiscard]] Rendering write_without_results(std::size_t available) const;
  [[nodiscard]] bool fits(const Rendering& one) const { return one.tokens <= options_.max_tokens; }
  /// Returns the cursor of the next result; nullopt if there is none. A result that could not be
  /// shown at all is skipped.
  [[nodiscard]] std::optional<std::string> cursor(const ResultBody& body,
                                                  std::size_t available) const;
  /// Returns how many results there are at least, if only that is known.
  [[nodiscard]] std::optional<std::size_t> least_total(std::size_t available) const;
  [[nodiscard]] std::string message(const ResultBody& body, std::size_t available) const;
  /// Returns the structured form, which states that it takes `tokens`.
  [[nodiscard]] Map structured(const ResultBody& body, std::size_t available,
                               std::size_t tokens) const;
  [[nodiscard]] Rendering write_with(const ResultBody& body, std::size_t available,
                                     std::size_t tokens) const;
  [[nodiscard]] std::string plain_text(const Map& answer) const;

  AnswerHead head_;
  const AnswerOptions& options_;
};

}  // namespace cairn::tools::mcp
