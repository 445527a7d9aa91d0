// Errors of the procedures memory.* in the words of the tools. A client knows only the tools, so an error
// about `time_to_live` of memory.remember() would name nothing that the model has written.
#include "tools/mcp/memory/tool_answer.hpp"
#include "tools/text/quantity.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// Parameters of the procedures, and what the tools call them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> parameters{
    {{"boosts", "metadataBoost"},
     {"min_score", "minScore"},
     {"time_to_live", "expires_in"},
     {"session", "sessionId"},
     {"changes", "metadata"},
     {"sort_by", "sortBy"},
     {"kinds", "nodeTypes"}}};

constexpr std::string_view word_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

void replace_words(std::string& text, std::string_view word, std::string_view by) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool is_part = (at > 0 && word_letters.find(text[at - 1]) != word_letters.npos) ||
                         (end < text.size() && word_letters.find(text[end]) != word_letters.npos);
    if (!is_part) text.replace(at, word.size(), by);
    at += is_part ? word.size() : by.size();
  }
}

/// Replaces all parameters, but not in the name of an unknown option, which the caller has written.
std::string in_words_of_tools(const std::string& text) {
  constexpr std::string_view mark = "no option `";
  std::size_t from = text.find(mark);
  std::size_t to = from;
  if (from != text.npos) {
    from += mark.size();
    to = text.find('`', from);
  }
  if (to == text.npos) from = to = text.size();
  std::string before = text.substr(0, from);
  std::string after = text.substr(to);
  for (std::string* part : {&before, &after})
    for (const auto& [parameter, as] : parameters) replace_words(*part, parameter, as);
  return before + text.substr(from, to - from) + after;
}

/// The place in a tool's arguments that becomes the map of a procedure.
std::string place_of(std::string_view call, const std::string& tool) {
  if (call == "memory.list()") return "criteria of " + tool;
  if (call == "memory.add()") return "memories of " + tool;
  return tool;
}

}  // namespace

std::string memories(std::uint64_t count) { return counted(count, "memory", "memories"); }

std::string named_memory(const Map& request) {
  constexpr std::size_t longest = 60;
  if (const auto id = request.find("id"); id != request.end())
    return "the id " + id->second.to_text();
  const Value& name = request.at("external_id");
  const std::string text = name.string() == nullptr ? name.to_text() : *name.string();
  return "the external id \"" + cut_text(as_data_line(text), longest) + "\"";
}

// The text after ", got " is what the caller has sent, and is not changed. Errors of memory.list() are not changed
// either, because its criteria have the same names in the tool and in the procedure.
ToolResult answer_error(const Error& error, const ToolArguments& arguments) {
  constexpr std::string_view prefix = "memory.";
  Error in_words = error;
  const std::size_t end = error.message.find(", got ");
  std::string words = error.message.substr(0, end);
  const std::size_t call = words.find(prefix);
  const std::size_t behind = call == words.npos ? call : words.find("()", call);
  if (behind == words.npos) return answer_error(error);
  const std::string name = words.substr(call, behind + 2 - call);
  if (name.find(' ') != name.npos) return answer_error(error);
  std::string before = words.substr(0, call);
  std::string after = words.substr(behind + 2);
  if (name != "memory.list()") {
    before = in_words_of_tools(before);
    after = in_words_of_tools(after);
  }
  in_words.message = before + place_of(name, arguments.tool()) + after;
  if (end != error.message.npos) in_words.message += error.message.substr(end);
  return answer_error(in_words);
}

}  // namespace cairn::tools::mcp
