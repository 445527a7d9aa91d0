// The model of an index is declared once, by the first embedder that writes into it, and in the
// transaction that does: two who come at once are one after the other here, and the second is refused.
//
// Vectors that are there without a name (of an older database, or brought by the caller) stay and are
// searched: to refuse them would lose what may be right. They are reported, and nobody can mix in a
// second named model behind them.
#include "engine/graph/index_members.hpp"
#include "engine/write/definitions.hpp"

namespace cairn::engine {
namespace {

using codec::IndexEntry;

/// Whether one of these entities is in the index.
template <class Ids>
Result<bool> any_has_vector(const VectorMembers& members, const Ids& ids) {
  for (const std::uint64_t id : ids) {
    CAIRN_ASSIGN(const auto vector, members.find(id));
    if (vector) return true;
  }
  return false;
}

/// Whether the index has vectors, those of the transaction included.
Result<bool> has_vectors(std::uint32_t id, const IndexEntry& entry, const GraphView& view,
                         const WriteSet& write_set) {
  const auto state = view.state().vectors.find(id);
  if (state != view.state().vectors.end() && state->second->size() > 0) return true;
  if (state == view.state().vectors.end()) {
    // Made by this transaction: all that are there already tell.
    CAIRN_ASSIGN(const auto members, VectorMembers::of(entry, view.records(), view.postings()));
    return any_has_vector(members, members.grouped().to_vector());
  }
  std::vector<std::uint64_t> touched;
  for (const auto& [kind, entity] : write_set.vector_entities())
    if (kind == entry.entity) touched.push_back(entity);
  return any_has_vector(VectorMembers::by_record(entry, view.records()), touched);
}

}  // namespace

Result<std::string> declare_model(std::string_view index, const EmbeddingModel& model,
                                  const GraphView& view, const WriteSet& write_set,
                                  CatalogEditor& catalog) {
  CAIRN_TRY(check_model_name(model.name));
  CAIRN_ASSIGN(const std::uint32_t id, find_vector_index(catalog.current(), index));
  IndexEntry entry = catalog.current().indexes().at(id);
  CAIRN_TRY(check_model(entry, model));
  if (!entry.model.empty() || model.name.empty()) return std::string();
  CAIRN_ASSIGN(const bool is_filled, has_vectors(id, entry, view, write_set));
  entry.model = model.name;
  catalog.put_index(id, std::move(entry));
  if (!is_filled) return std::string();
  return "index \"" + std::string(index) +
         "\" has vectors of which nobody said what made them; from now on it takes those of the "
         "model \"" +
         std::string(model.name) + "\" alone. If another made them, write their texts again";
}

}  // namespace cairn::engine
