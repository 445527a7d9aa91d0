// The embedding model of a vector index. The first embedder that writes into an index declares the model, in the same
// transaction. Only one transaction writes at a time, so a second embedder with another model is refused.
//
// Vectors without a known model may exist, from an older database or supplied by the caller. They
// remain and are searched, because they may be of the right model. The caller gets a warning about
// these vectors. Vectors of a second named model cannot be added later.
#include "engine/graph/index_members.hpp"
#include "engine/write/definitions.hpp"

namespace cairn::engine {
namespace {

using codec::IndexEntry;

/// True if one of these entities has a vector in the index.
template <class Ids>
Result<bool> any_has_vector(const VectorMembers& members, const Ids& ids) {
  for (const std::uint64_t id : ids) {
    CAIRN_ASSIGN(const auto vector, members.find(id));
    if (vector) return true;
  }
  return false;
}

/// True if the index has vectors. The vectors of the transaction count too.
Result<bool> has_vectors(std::uint32_t id, const IndexEntry& entry, const GraphView& view,
                         const WriteSet& write_set) {
  const auto state = view.state().vectors.find(id);
  if (state != view.state().vectors.end() && state->second->size() > 0) return true;
  if (state == view.state().vectors.end()) {
    // The transaction created the index, so all existing members must be looked at.
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
         "\" has vectors of an unknown model; from now on it accepts only vectors of the model \"" +
         std::string(model.name) +
         "\". If another model made the old ones, write their texts again";
}

}  // namespace cairn::engine
