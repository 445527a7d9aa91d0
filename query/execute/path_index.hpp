#pragma once
// Finds ids by the index of a property path. Combines sets of ids, where complements are expanded
// only at the end.

#include "codec/bitmap.hpp"
#include "engine/index/instant_column.hpp"
#include "engine/index/path_column.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/sequence.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {

// Selection: ids found so far, or all entities except some. "All" means all entities that the
// statement may see. Their set is looked up only at the end, and only if needed.

struct Selection {
  codec::Bitmap ids;
  bool all_but = false;  ///< every entity except `ids`
  bool exact = true;     ///< false: a superset of the requested ids

  [[nodiscard]] static Selection nothing() { return {}; }
  [[nodiscard]] static Selection everything(bool is_exact) { return {{}, true, is_exact}; }
  [[nodiscard]] bool empty() const noexcept { return !all_but && ids.empty(); }
};

[[nodiscard]] Selection intersect(const Selection& a, const Selection& b);
[[nodiscard]] Selection unite(const Selection& a, const Selection& b);
/// Returns `a` without `b`. If `b` is inexact, returns `a` as an inexact selection, because `b` may
/// contain too many ids.
[[nodiscard]] Selection subtract(const Selection& a, const Selection& b);

// Functions that PropertyLookup and FieldLookup share: lookups in the index of one path, and which
// values this index contains.

/// False for nodes, relationships and paths, which cannot be values of properties.
[[nodiscard]] bool can_be_stored(const Value& value);
/// Converts a vector to the list of its components, because it equals that list and is indexed as
/// such.
[[nodiscard]] Value as_indexed(const Value& value);
/// Marks the selection as inexact, so that its records are checked again.
[[nodiscard]] Selection inexact(Selection selection);

/// Looks up a predicate in the index of a path. Returns nullopt if the catalog has no such path. If
/// the index is not complete, returns everything as an inexact selection.
[[nodiscard]] Result<std::optional<Selection>> ask_path(GraphReader& graph, codec::EntityKind kind,
                                                        const std::vector<std::string>& keys,
                                                        engine::IndexPredicate question);

/// Returns the dates of a path by id, or nullptr if the path is not indexed, or as
/// engine::path_instants() does.
[[nodiscard]] Result<engine::InstantColumn::Ptr> kept_instants(GraphReader& graph,
                                                               codec::EntityKind kind,
                                                               const std::vector<std::string>& keys,
                                                               double spent = 0);

/// Returns the ids of a path by value, or nullptr if the path is not indexed, or as
/// engine::path_column() does.
[[nodiscard]] Result<engine::CurrentOrder::Ptr> kept_order(GraphReader& graph,
                                                           codec::EntityKind kind,
                                                           const std::vector<std::string>& keys,
                                                           double spent = 0);

/// Returns the ids that `find` returns for every one of the values. Returns all ids if there are no
/// values.
template <class Find>
[[nodiscard]] Result<Selection> intersect_each(const List& values, const Find& find) {
  Selection all = Selection::everything(true);
  for (const Value& value : values) {
    CAIRN_ASSIGN(const Selection one, find(value));
    all = intersect(all, one);
    if (all.empty()) break;
  }
  return all;
}

/// Returns the union of the ids that `find` returns for each value. Up to a thousand sets are
/// combined in one pass. They are combined earlier if together they have many ids.
template <class Find>
[[nodiscard]] Result<Selection> unite_each(const List& values, const Find& find) {
  constexpr std::size_t most_sets = 1'000;
  constexpr std::uint64_t most_ids = 4'000'000;
  std::vector<codec::Bitmap> sets;
  std::uint64_t ids = 0;
  Selection rest;
  for (const Value& value : values) {
    CAIRN_ASSIGN(Selection one, find(value));
    rest.exact = rest.exact && one.exact;
    if (one.all_but) rest = unite(rest, one);
    if (one.all_but || one.ids.empty()) continue;
    ids += one.ids.cardinality();
    sets.push_back(std::move(one.ids));
    if (sets.size() < most_sets && ids < most_ids) continue;
    sets = {codec::unite_all(sets)};
    ids = 0;
  }
  return unite(rest, {codec::unite_all(sets), false, true});
}

}  // namespace cairn::query
