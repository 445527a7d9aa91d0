#include "engine/write/left_sessions.hpp"

#include "engine/catalog/catalog.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/write/graph_editor.hpp"

#include <cairn/memory/session.hpp>

namespace cairn::engine {

Status LeftSessions::note(const Catalog& catalog, std::uint32_t name_space,
                          const std::vector<Adjacent>& relationships) {
  const auto type = catalog.find_type(memory::session_relationship);
  if (!type) return {};
  for (const Adjacent& step : relationships) {
    if (step.type != *type || !step.outgoing || sessions_.contains(step.other)) continue;
    CAIRN_ASSIGN(const auto record, records_.node(step.other));
    if (record && record->header.name_space == name_space) sessions_.insert(step.other);
  }
  return {};
}

Status LeftSessions::note(const Catalog& catalog, const codec::RelationshipRecord& relationship) {
  if (catalog.find_type(memory::session_relationship) != relationship.type) return {};
  CAIRN_ASSIGN(const auto record, records_.node(relationship.source));
  if (!record) return {};
  return note(catalog, record->header.name_space,
              {{0, relationship.type, relationship.target, true}});
}

Status LeftSessions::erase_empty(const Catalog& catalog, GraphEditor& editor) {
  for (const std::uint64_t session : sessions_) {
    CAIRN_ASSIGN(const bool goes, is_empty(catalog, session));
    if (goes) CAIRN_TRY(editor.erase_node(session));
  }
  sessions_.clear();
  return {};
}

// Reads at most one relationship, because a session may have very many.
Result<bool> LeftSessions::is_empty(const Catalog& catalog, std::uint64_t session) const {
  CAIRN_ASSIGN(const auto node, records_.load_node(session, catalog));
  if (!node || !memory::is_name_alone(*node)) return false;
  std::vector<Adjacent> left;
  AdjacencyReader::Request request;
  request.node = session;
  request.limit = 1;
  CAIRN_TRY(adjacency_.read(request, left));
  return left.empty();
}

}  // namespace cairn::engine
