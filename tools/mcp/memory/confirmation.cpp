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

/// The number stays out, so that the model does not pass it as `confirm`.
ToolResult declined() {
  return tool_error("Nothing was done, because the user declined. Do not repeat this call");
}

bool has_said_yes(const Context& context) {
  const json::object* given = context.accepted(question);
  const json::value* yes = given == nullptr ? nullptr : given->if_contains("yes");
  return yes != nullptr && yes->is_bool() && yes->as_bool();
}

bool was_asked_about(const Context& context, std::uint64_t count) {
  if (!context.state().is_object()) return false;
  const json::value* asked = context.state().as_object().if_contains("count");
  return asked != nullptr && asked->is_number() && asked->to_number<std::uint64_t>() == count;
}

/// Asks the user. The model must not answer in the user's place, so its `confirm` does not count.
std::optional<Answer<ToolResult>> ask_user(std::string_view what, std::uint64_t count,
                                           const Context& context) {
  if (context.response(question) == nullptr) return form(what, count);
  if (!has_said_yes(context)) return declined();
  if (!was_asked_about(context, count)) return form(what, count);
  return std::nullopt;
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
  if (context.can_elicit()) return ask_user(what, count, context);
  const std::int64_t confirmed = arguments.number("confirm", -1);
  if (confirmed >= 0 && static_cast<std::uint64_t>(confirmed) == count) return std::nullopt;
  return refusal(what, count);
}

}  // namespace cairn::tools::mcp
