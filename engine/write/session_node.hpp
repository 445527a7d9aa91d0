#pragma once
// The node of a session, which a memory creates with the first record of the session. Its name is a text of a user.

#include <cairn/graph.hpp>
#include <cairn/value.hpp>

#include <string>
#include <string_view>

namespace cairn::engine {

inline constexpr std::string_view session_label = "Session";
/// The type of the relationship from a record to its session.
inline constexpr std::string_view session_relationship = "IN_SESSION";
/// The prefix of the external ids of sessions; no record's external id may begin with it.
inline constexpr std::string_view session_prefix = "session:";

/// True for a session as a memory creates it: a name and a time, to which nobody has added anything.
[[nodiscard]] inline bool is_name_alone(const Node& node) {
  const Value& name = node.property("id");
  return node.has_label(session_label) && node.labels().size() == 1 && name.string() != nullptr &&
         node.external_id() == std::string(session_prefix) + *name.string() &&
         node.properties().size() == 2 && !node.property("created_at").is_null();
}

}  // namespace cairn::engine
