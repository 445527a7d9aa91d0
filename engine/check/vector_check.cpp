// Every member is looked for in its index; with all of them found, the sizes tell of members that should
// not be. One pass over the members' vectors an index.
#include "engine/check/partial_checks.hpp"
#include "engine/graph/index_members.hpp"

namespace cairn::engine {
namespace {

using Report = std::function<void(std::string, std::string)>;

Status check_vector_state(const GraphView& view, const codec::IndexEntry& entry,
                          const VectorState& state, const Report& report) {
  CAIRN_ASSIGN(const auto members, VectorMembers::of(entry, view.records(), view.postings()));
  std::uint64_t count = 0;
  for (const std::uint64_t id : members.grouped().to_vector()) {
    const auto vector = members.find(id);
    if (!vector || !*vector) continue;  // a damaged one was reported with its record
    ++count;
    if (state.find(id)) continue;
    report("vector index " + entry.name, "it lacks " + entity_text(entry.entity, id));
  }
  if (state.size() != count) {
    report("vector index " + entry.name,
           "it holds " + std::to_string(state.size()) + " vectors, not " + std::to_string(count));
  }
  return {};
}

}  // namespace

Status check_vectors(const GraphView& view, const Report& report) {
  for (const auto& [id, entry] : view.catalog().indexes()) {
    if (entry.kind != codec::IndexKind::vector) continue;
    const auto state = view.state().vectors.find(id);
    if (state == view.state().vectors.end()) {
      report("vector index " + entry.name, "it is not loaded");
      continue;
    }
    CAIRN_TRY(check_vector_state(view, entry, *state->second, report));
  }
  return {};
}

}  // namespace cairn::engine
