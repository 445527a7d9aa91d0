#include "tools/mcp/protocol/capability.hpp"

namespace cairn::tools::mcp {
namespace {

std::string_view capability_name(std::string_view method) {
  if (method == "elicitation/create") return "elicitation";
  if (method == "sampling/createMessage") return "sampling";
  if (method == "roots/list") return "roots";
  return {};
}

}  // namespace

bool can_ask(const json::object& capabilities, std::string_view method) {
  const std::string_view name = capability_name(method);
  const json::value* found = name.empty() ? nullptr : capabilities.if_contains(name);
  const json::object* capability = found == nullptr ? nullptr : found->if_object();
  if (capability == nullptr) return false;
  // A client that gives no details about elicitation supports forms; others may support only URLs.
  return name != "elicitation" || capability->empty() || capability->contains("form");
}

json::object capability_of(std::string_view method) {
  const std::string_view name = capability_name(method);
  if (name.empty()) return {};
  return {{name, json::object()}};
}

}  // namespace cairn::tools::mcp
