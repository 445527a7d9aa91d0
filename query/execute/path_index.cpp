// Functions to query the index of a property path, and the algebra of id sets. While the index of a
// path is being built, it returns every entity as an inexact candidate.
#include "query/execute/path_index.hpp"

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/lookup_result.hpp"

namespace cairn::query {

bool can_be_stored(const Value& value) {
  return !entity_of(value) && value.type() != ValueType::path;
}

// Vectors are indexed as the list of their numbers.
Value as_indexed(const Value& value) {
  List storage;
  return value.type() == ValueType::vector ? Value(*sequence_of(value, storage)) : value;
}

// Marks a selection as inexact. An empty set is always exact.
Selection inexact(Selection selection) {
  selection.exact = selection.empty();
  return selection;
}

namespace {

/// A filter may look up a million values, most of which no record has.
constexpr std::uint64_t steps_of_lookup = 8;

}  // namespace

// Returns nullopt if no record ever had the path. The caller decides whether nullopt means no
// entities or all entities. If the path is still being indexed, returns all entities as an inexact
// selection.
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
  CAIRN_TRY(graph.budget().step(steps_of_lookup));
  CAIRN_ASSIGN(engine::LookupResult found, graph.view().lookup(question));
  if (graph.meter != nullptr) graph.meter->ids_touched += found.ids.cardinality();
  return std::optional(Selection{std::move(found.ids), false, found.exact});
}

namespace {

/// Returns nullopt if there is no such path or if it is still being indexed.
std::optional<std::uint32_t> online_path(GraphReader& graph, codec::EntityKind kind,
                                         const std::vector<std::string>& keys) {
  const engine::Catalog& catalog = graph.catalog();
  const auto path = catalog.find_path(kind, engine::join_path(keys));
  const bool is_online = path && catalog.path(*path)->state == codec::IndexState::online;
  return is_online ? path : std::nullopt;
}

}  // namespace

// `spent` is the time in microseconds that the caller would spend without the column. When enough
// time has added up, the column is built and cached. Returns nullptr until then.
Result<engine::InstantColumn::Ptr> kept_instants(GraphReader& graph, codec::EntityKind kind,
                                                 const std::vector<std::string>& keys,
                                                 double spent) {
  const auto path = online_path(graph, kind, keys);
  if (!path) return engine::InstantColumn::Ptr();
  return engine::path_instants(graph.view(), kind, *path, spent);
}

Result<engine::CurrentOrder::Ptr> kept_order(GraphReader& graph, codec::EntityKind kind,
                                             const std::vector<std::string>& keys, double spent) {
  const auto path = online_path(graph, kind, keys);
  if (!path) return engine::CurrentOrder::Ptr();
  return engine::path_column(graph.view(), kind, *path, spent);
}

// A Selection is a set of ids or a complement, with a flag for exactness. Complements are never
// expanded: NOT of a label with ten records is "all but ten" until it is combined with a set. Each
// function costs one set operation.

// By De Morgan's rules, "all but a" and "all but b" is "all but a or b".
Selection intersect(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::unite(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(b.ids, a.ids), false, exact};
  if (b.all_but) return {codec::subtract(a.ids, b.ids), false, exact};
  return {codec::intersect(a.ids, b.ids), false, exact};
}

// De Morgan's rules for complements:
//    ~A | ~B = ~(A & B)      ~A | B = ~(A - B)
// If one side is inexact, the union is inexact too, because its surplus ids may not be in the other
// side.
Selection unite(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::intersect(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(a.ids, b.ids), true, exact};
  if (b.all_but) return {codec::subtract(b.ids, a.ids), true, exact};
  return {codec::unite(a.ids, b.ids), false, exact};
}

// Subtracting an inexact set could remove too many records, so nothing is subtracted. The result is
// then marked inexact.
Selection subtract(const Selection& a, const Selection& b) {
  if (!b.exact) return {a.ids, a.all_but, false};
  return intersect(a, {b.ids, !b.all_but, true});
}

}  // namespace cairn::query
