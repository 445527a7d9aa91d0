#pragma once
// AnswerWriter: answers with as many results as their budget holds.

#include "tools/mcp/memory/tool_answer.hpp"

#include <cairn/value.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace cairn::tools::mcp {

/// Results as an answer shows them: text to be framed, or values.
struct ResultBody {
  std::string text;
  List values;
  std::size_t count = 0;
  bool is_cut = false;  ///< a result was too large and is shown in part
};

/// The body of the first `count` results; with `bytes`, each text in them cut to about so many.
using MakeBody = std::function<ResultBody(std::size_t count, std::optional<std::size_t> bytes)>;

/// An answer and what it costs, in the larger of its two forms.
struct Rendering {
  ToolResult result;
  std::size_t tokens = 0;
};

class AnswerWriter {
 public:
  /// What the head says is cut, so that it leaves room for results. Lifetime: of the options.
  AnswerWriter(AnswerHead head, const AnswerOptions& options);

  /// As many of the `available` results as fit, from the first on; one that does not fit alone is cut.
  [[nodiscard]] ToolResult fit(std::size_t available, const MakeBody& make) const;
  /// `available` results are there, of which `body` has some.
  [[nodiscard]] Rendering write(const ResultBody& body, std::size_t available) const;

 private:
  [[nodiscard]] bool fits(const Rendering& one) const { return one.tokens <= options_.max_tokens; }
  /// Behind a result that could not be shown at all, the next one.
  [[nodiscard]] std::optional<std::string> cursor(const ResultBody& body,
                                                  std::size_t available) const;
  [[nodiscard]] std::string message(const ResultBody& body, std::size_t available) const;
  /// The structured form, which says that it takes `tokens`.
  [[nodiscard]] Map structured(const ResultBody& body, std::size_t available,
                               std::size_t tokens) const;
  [[nodiscard]] Rendering write_with(const ResultBody& body, std::size_t available,
                                     std::size_t tokens) const;
  [[nodiscard]] std::string plain_text(const Map& answer) const;

  AnswerHead head_;
  const AnswerOptions& options_;
};

}  // namespace cairn::tools::mcp
