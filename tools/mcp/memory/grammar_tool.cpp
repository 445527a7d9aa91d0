// The tool grammar: returns the grammar of the language in parts, for models with constrained
// decoding.

#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <cairn/language_grammar.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// Returns lines from the cursor on, within the budget. Errors: invalid_argument if a single line
/// is too long.
Result<ToolResult> part_of(std::string_view grammar, const AnswerOptions& options) {
  const auto lines = lines_of(grammar);
  constexpr std::size_t of_the_frame = 60;
  std::size_t tokens = of_the_frame;
  std::size_t next = std::min(options.offset, lines.size());
  std::string part;
  for (; next < lines.size(); ++next) {
    const std::size_t more = estimate_tokens(json::serialize(json::string(lines[next])));
    if (tokens + more > options.max_tokens) break;
    tokens += more;
    part += lines[next];
  }
  if (part.empty() && next < lines.size())
    return Error{
        ErrorCode::invalid_argument,
        "the next rule has " + std::to_string(lines[next].size()) + " bytes: raise max_tokens",
        std::nullopt};
  json::object answer{
      {"success", true},
      {"message", next < lines.size() ? "A part of the grammar; its cursor gives the next"
                                      : "The grammar, to its end"},
      {"tokens", tokens},
      {"grammar", part}};
  if (next < lines.size()) answer["cursor"] = options.cursor(next);
  return structured_result(std::move(answer), part);
}

Answer<ToolResult> run_grammar(const json::object& given) {
  const auto arguments = ToolArguments::read("grammar", given);
  if (!arguments) return answer_error(arguments.error());
  const std::string form = arguments->text("form");
  const auto grammar = language_grammar(form.empty() ? "gbnf" : form);
  if (!grammar) return answer_error(grammar.error());
  const auto part = part_of(*grammar, arguments->answer());
  return part ? Answer<ToolResult>(*part) : answer_error(part.error());
}

}  // namespace

Tool grammar_tool() {
  Tool tool;
  tool.name = "grammar";
  tool.title = "Grammar of the language";
  tool.description =
      "The grammar of statements for query: gbnf for constrained decoding by llama.cpp (about "
      "40,000 tokens), ebnf to be read (4,000). Example: {\"form\": \"ebnf\", \"max_tokens\": "
      "5000}";
  tool.input_schema = input_schema(R"("form":{"enum":["gbnf","ebnf"],"default":"gbnf"})");
  tool.output_schema = json_object(
      R"({"type":"object","properties":{"success":{"type":"boolean"},"message":{"type":"string"},)"
      R"("tokens":{"type":"integer"},"cursor":{"type":"string"},"grammar":{"type":"string"}},)"
      R"("required":["success","message","tokens","grammar"]})");
  tool.annotations = {
      .read_only = true, .destructive = false, .idempotent = true, .open_world = false};
  tool.call = [](const json::object& arguments, Context&) { return run_grammar(arguments); };
  return tool;
}

}  // namespace cairn::tools::mcp
