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
// the column is made and cached. Null if absent.
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

// A set of ids or its complement, and whether it is exact. Complements are never written out: NOT
// of a label with ten records is "all but ten" until it meets a set. Cost: that of one set
// operation.

// The four cases of each function are De Morgan's: "all but a" and "all but b" is "all but a or b".
Selection intersect(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::unite(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(b.ids, a.ids), false, exact};
  if (b.all_but) return {codec::subtract(a.ids, b.ids), false, exact};
  return {codec::intersect(a.ids, b.ids), false, exact};
}

// De Morgan on "all but" sets:
//    ~A | ~B = ~(A & B)      ~A | B = ~(A - B)      A | B as it is
// One inexact side makes the whole inexact: its surplus may be in no other.
Selection unite(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::intersect(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(a.ids, b.ids), true, exact};
  if (b.all_but) return {codec::subtract(b.ids, a.ids), true, exact};
  return {codec::unite(a.ids, b.ids), false, exact};
}

// Taking away too much would lose records, so of an inexact set nothing is taken; the result is
// then too large and says so.
Selection subtract(const Selection& a, const Selection& b) {
  if (!b.exact) return {a.ids, a.all_but, false};
  return intersect(a, {b.ids, !b.all_but, true});
}

}  // namespace cairn::query
