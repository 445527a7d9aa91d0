#include "tools/mcp/memory/confirmation.hpp"

#include <utility>

namespace cairn::tools::mcp {
namespace {

constexpr std::string_view question = "confirm";

ToolResult refusal(std::string_view what, std::uint64_t count) {
  return tool_error("Nothing was done. To " + std::string(what) + ", call again with confirm: " +
                    std::to_string(count) + ", once that is what the user wants");
}

InputRequired form(std::string_view what, std::uint64_t count) {
  InputRequired required;
  required.requests[question] = elicitation(
      "May the agent " + std::string(what) + "?",
      json_object(
          R"({"type":"object","properties":{"yes":{"type":"boolean","title":"Yes, do it"}},"required":["yes"]})"));
  // The number is signed with the state: when the answer arrives, it must still be the number that
  // was asked about.
  required.state = json::value(json::object{{"count", count}});
  return required;
}

bool has_agreed(const Context& context, std::uint64_t count) {
  const json::object* given = context.accepted(question);
  if (given == nullptr || !context.state().is_object()) return false;
  const json::value* yes = given->if_contains("yes");
  const json::value* asked = context.state().as_object().if_contains("count");
  return yes != nullptr && yes->is_bool() && yes->as_bool() && asked != nullptr &&
         asked->is_number() && asked->to_number<std::uint64_t>() == count;
}

}  // namespace

std::optional<Answer<ToolResult>> ask_for(std::string_view what, std::uint64_t count,
                                          std::uint64_t unasked, const ToolArguments& arguments,
                                          const Context& context) {
  if (count <= unasked) return std::nullopt;
  return ask_always(what, count, arguments, context);
}

std::optional<Answer<ToolResult>> ask_always(std::string_view what, std::uint64_t count,
                                             const ToolArguments& arguments,
                                             const Context& context) {
  const std::int64_t confirmed = arguments.number("confirm", -1);
  if (confirmed >= 0 && static_cast<std::uint64_t>(confirmed) == count) return std::nullopt;
  if (has_agreed(context, count)) return std::nullopt;
  if (context.can_elicit() && context.response(question) == nullptr) return form(what, count);
  return refusal(what, count);
}

}  // namespace cairn::tools::mcp
