#include "tools/mcp/memory/confirmation.hpp"

#include "tools/mcp/protocol/request_state.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {
namespace {

constexpr std::string_view question = "confirm";

ToolResult refusal(std::string_view what, std::uint64_t count) {
  return tool_error("Nothing was done. To " + std::string(what) + ", call again with confirm: " +
                    std::to_string(count) + ", once that is what the user wants");
}

/// A digest, so that the client learns nothing of the database from it.
json::value state_of(const Selection& selection) {
  return json::value(secret_digest(std::to_string(selection.count) + " " + selection.identity));
}

InputRequired form(std::string_view what, const Selection& selection) {
  InputRequired required;
  required.requests[question] = elicitation(
      "May the agent " + std::string(what) + "?",
      json_object(
          R"({"type":"object","properties":{"yes":{"type":"boolean","title":"Yes, do it"}},"required":["yes"]})"));
  // When the answer arrives, the selection must still be the one that was asked about.
  required.state = state_of(selection);
  required.is_used_once = true;
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

/// Asks the user. The model must not answer in the user's place, so its `confirm` does not count.
std::optional<Answer<ToolResult>> ask_user(std::string_view what, const Selection& selection,
                                           const Context& context) {
  if (context.response(question) == nullptr) return form(what, selection);
  if (!has_said_yes(context)) return declined();
  if (context.state() != state_of(selection)) return form(what, selection);
  return std::nullopt;
}

}  // namespace

std::string identity_of(const List& ids) {
  std::vector<std::int64_t> numbers;
  for (const Value& id : ids) numbers.push_back(id.as_integer());
  std::ranges::sort(numbers);
  std::string text = "ids";
  for (const std::int64_t number : numbers) (text += ' ') += std::to_string(number);
  return text;
}

std::optional<Answer<ToolResult>> ask_for(std::string_view what, const Selection& selection,
                                          std::uint64_t unasked, const ToolArguments& arguments,
                                          const Context& context) {
  if (selection.count <= unasked) return std::nullopt;
  return ask_always(what, selection, arguments, context);
}

std::optional<Answer<ToolResult>> ask_always(std::string_view what, const Selection& selection,
                                             const ToolArguments& arguments,
                                             const Context& context) {
  if (context.can_elicit()) return ask_user(what, selection, context);
  const std::int64_t confirmed = arguments.number("confirm", -1);
  if (confirmed >= 0 && static_cast<std::uint64_t>(confirmed) == selection.count)
    return std::nullopt;
  return refusal(what, selection.count);
}

}  // namespace cairn::tools::mcp
