#include "query/execute/read/find_index.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/text/built_in_model.hpp"
#include "query/bind/bound_query.hpp"
#include "query/functions/function_entry.hpp"
#include "query/syntax/nearest_name.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Of any kind of index: a name that is only mistyped is likelier than one that is of another kind.
Error no_such_index(const engine::Catalog& catalog, const SearchRetriever& retriever) {
  std::vector<std::string_view> names;
  for (const auto& [id, entry] : catalog.indexes()) names.push_back(entry.name);
  const std::string_view nearest = nearest_name(retriever.index, names);
  std::string message = "there is no index \"" + retriever.index + "\"";
  if (!nearest.empty()) message += "; did you mean \"" + std::string(nearest) + "\"?";
  return {ErrorCode::not_found, std::move(message), retriever.where};
}

/// A question that is a call of embed() says what made it; any other vector does not.
Status check_question(const codec::IndexEntry& index, const SearchRetriever& retriever) {
  const Expression* question = retriever.query.get();
  if (question == nullptr || question->kind != ExpressionKind::function_call ||
      question->function->name != "embed")
    return {};
  const Status status = engine::check_model(index, engine::built_in_model);
  if (status) return {};
  return Error{status.error().code, status.error().message, retriever.where};
}

const char* plural(codec::EntityKind kind) {
  return kind == codec::EntityKind::node ? "nodes" : "relationships";
}

// Recall is of nodes, whatever its index is of, and so is the graph.
std::string advice_for(const SearchRetriever& retriever, const Searched& searched) {
  const bool is_node = searched.kind == codec::EntityKind::node;
  if (retriever.kind == RetrieverKind::ranked && is_node)
    return ", and RANKED INDEX is of nodes; name a full-text index of nodes";
  const std::string other = is_node ? "a relationship: MATCH ()-[r]->() SEARCH r IN (...)"
                                    : "a node: MATCH (n) SEARCH n IN (...)";
  if (retriever.kind == RetrieverKind::ranked)
    return ", and RANKED INDEX is of nodes; write FULLTEXT INDEX for relationships, or search " +
           other;
  if (retriever.kind == RetrieverKind::graph)
    return "; leave out the retriever, or search " + other;
  return std::string("; name an index of ") + plural(searched.kind) + ", or search " + other;
}

/// An index of relationships could never have a node among its hits, so it is an error and not an
/// empty result.
Error wrong_kind(const SearchRetriever& retriever, const Searched& searched,
                 codec::EntityKind found) {
  const std::string source = retriever.kind == RetrieverKind::graph
                                 ? "a retriever by the graph"
                                 : "index \"" + retriever.index + "\"";
  const char* what =
      searched.kind == codec::EntityKind::node ? "` is a node, " : "` is a relationship, ";
  return {ErrorCode::invalid_argument,
          "`" + std::string(searched.variable) + what + source + " is of " + plural(found) +
              advice_for(retriever, searched),
          retriever.where};
}

}  // namespace

// Looked up by name at each start: the index may have been made since the statement was read.
Result<SearchIndex> find_search_index(const engine::Catalog& catalog,
                                      const SearchRetriever& retriever) {
  const auto id = catalog.find_index(retriever.index);
  if (!id) return no_such_index(catalog, retriever);
  const codec::IndexEntry& entry = catalog.indexes().at(*id);
  const auto kind = retriever.kind != RetrieverKind::vector ? codec::IndexKind::full_text
                                                            : codec::IndexKind::vector;
  if (entry.kind != kind)
    return Error{ErrorCode::invalid_argument,
                 "index \"" + retriever.index + "\" is no " +
                     (kind == codec::IndexKind::full_text ? "full-text index" : "vector index"),
                 retriever.where};
  if (kind == codec::IndexKind::vector) CAIRN_TRY(check_question(entry, retriever));
  if (entry.state != codec::IndexState::online)
    return Error{ErrorCode::busy,
                 "index \"" + retriever.index + "\" is not online" +
                     (entry.message.empty() ? "" : ": " + entry.message),
                 retriever.where};
  return SearchIndex{*id, entry.entity};
}

// Nothing for a retriever by the graph. Recall only finds nodes.
Result<std::optional<SearchIndex>> find_retriever_index(const engine::Catalog& catalog,
                                                        const SearchRetriever& retriever,
                                                        const Searched& searched) {
  std::optional<SearchIndex> index;
  if (retriever.kind != RetrieverKind::graph) {
    CAIRN_ASSIGN(index, find_search_index(catalog, retriever));
  }
  const codec::EntityKind found = index ? index->kind : codec::EntityKind::node;
  const bool is_recall = retriever.kind == RetrieverKind::ranked;
  const bool is_allowed = !is_recall || searched.kind == codec::EntityKind::node;
  if (found != searched.kind || !is_allowed) return wrong_kind(retriever, searched, found);
  return index;
}

}  // namespace cairn::query
