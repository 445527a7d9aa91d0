#pragma once
// Sessions as nodes: a memory creates the node of a session with the first record of the session,
// and each record of the session has a relationship to it.
//
//     MATCH (s:Session {id: 's1'})<-[:IN_SESSION]-(m:Memory) RETURN m.content
//
// The name of a session is text of its user, so the node of the session is erased with the
// session's last record.

#include <cairn/graph.hpp>
#include <cairn/value.hpp>

#include <string>
#include <string_view>

namespace cairn::memory {

/// The only label of a session.
inline constexpr std::string_view session_label = "Session";
/// The type of the relationship from a record to its session.
inline constexpr std::string_view session_relationship = "IN_SESSION";
/// The prefix of the external ids of sessions, which no record's external id may have. The name
/// follows it.
inline constexpr std::string_view session_prefix = "session:";

/// Returns true for a session as a memory creates it: with a name and a time, and nothing added.
/// Sessions to which a program has added properties or labels are never erased automatically.
[[nodiscard]] inline bool is_name_alone(const Node& node) {
  const Value& name = node.property("id");
  return node.has_label(session_label) && node.labels().size() == 1 && name.string() != nullptr &&
         node.external_id() == std::string(session_prefix) + *name.string() &&
         node.properties().size() == 2 && !node.property("created_at").is_null();
}

}  // namespace cairn::memory
