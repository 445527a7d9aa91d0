#include "query/execute/call/procedure_index.hpp"

#include "engine/catalog/catalog.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/read/find_index.hpp"

#include <string>

namespace cairn::query {
namespace {

/// The one for indexes of the other kind of entity.
std::string other_procedure(ProcedureSearch search) {
  const bool is_vector = search.retriever == RetrieverKind::vector;
  return std::string("db.index.") + (is_vector ? "vector" : "fulltext") +
         (search.kind == codec::EntityKind::node ? ".queryRelationships" : ".queryNodes");
}

}  // namespace

Result<std::uint32_t> find_procedure_index(const engine::Catalog& catalog, const Value& name,
                                           ProcedureSearch search) {
  SearchRetriever retriever;
  retriever.kind = search.retriever;
  CAIRN_ASSIGN(retriever.index, text_of("the name of an index", name));
  auto found = find_search_index(catalog, retriever);
  // Its place would be that of a clause, which a call has not.
  if (!found) return Error{found.error().code, found.error().message, std::nullopt};
  if (found->kind == search.kind) return found->id;
  return Error{ErrorCode::invalid_argument,
               "index \"" + retriever.index + "\" is one of " +
                   (search.kind == codec::EntityKind::node ? "relationships" : "nodes") +
                   "; call " + other_procedure(search),
               std::nullopt};
}

}  // namespace cairn::query
