// What the filter's leaves share in asking the index of a path. A path that is being built answers
// nothing exactly: everything is a candidate until it is online.
#include "query/execute/path_index.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/lookup_result.hpp"

namespace cairn::query {

bool can_be_stored(const Value& value) {
  return !entity_of(value) && value.type() != ValueType::path;
}

// A vector is indexed as the list of its numbers.
Value as_indexed(const Value& value) {
  List storage;
  return value.type() == ValueType::vector ? Value(*sequence_of(value, storage)) : value;
}

// An empty set is exact whatever it was made of.
Selection inexact(Selection selection) {
  selection.exact = selection.empty();
  return selection;
}

// Nothing where no record ever had the path, which a caller turns into "none" or "all" by its own
// question. A path that is still being indexed selects all, inexactly.
Result<std::optional<Selection>> ask_path(GraphReader& graph, codec::EntityKind kind,
                                          const std::vector<std::string>& keys,
                                          engine::IndexPredicate question) {
  const engine::Catalog& catalog = graph.catalog();
  const auto path = catalog.find_path(kind, engine::join_path(keys));
  if (!path) return std::optional<Selection>();
  if (catalog.path(*path)->state != codec::IndexState::online) {
    return std::optional(Selection::everything(false));
  }
  question.kind = kind;
  question.path = *path;
  CAIRN_ASSIGN(engine::LookupResult found, graph.view().lookup(question));
  if (graph.meter != nullptr) graph.meter->ids_touched += found.ids.cardinality();
  return std::optional(Selection{std::move(found.ids), false, found.exact});
}

namespace {

/// A path that is still being indexed is as good as none.
std::optional<std::uint32_t> online_path(GraphReader& graph, codec::EntityKind kind,
                                         const std::vector<std::string>& keys) {
  const engine::Catalog& catalog = graph.catalog();
  const auto path = catalog.find_path(kind, engine::join_path(keys));
  const bool is_online = path && catalog.path(*path)->state == codec::IndexState::online;
  return is_online ? path : std::nullopt;
}

}  // namespace

// `spent` are the microseconds that the caller would pay otherwise; with enough of them over time
// the column is made and kept. Null if absent.
Result<engine::InstantColumn::Ptr> kept_instants(GraphReader& graph, codec::EntityKind kind,
                                                 const std::vector<std::string>& keys,
                                                 double spent) {
  const auto path = online_path(graph, kind, keys);
  if (!path) return engine::InstantColumn::Ptr();
  return engine::path_instants(graph.view(), kind, *path, spent);
}

Result<engine::SortedColumn::Ptr> kept_order(GraphReader& graph, codec::EntityKind kind,
                                             const std::vector<std::string>& keys, double spent) {
  const auto path = online_path(graph, kind, keys);
  if (!path) return engine::SortedColumn::Ptr();
  return engine::path_column(graph.view(), kind, *path, spent);
}

}  // namespace cairn::query
