#pragma once
// Ids by the index of a path: asking it, and sets of ids with their algebra, where "all but" is
// looked up at the end only.

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

// Selection: ids found so far, or all entities but some, with the algebra of both. "All" is what the
// statement may see; it is only looked up at the end, if it is needed at all.

struct Selection {
  codec::Bitmap ids;
  bool all_but = false;  ///< every entity except `ids`
  bool exact = true;     ///< false: more than was asked for, never less

  [[nodiscard]] static Selection nothing() { return {}; }
  [[nodiscard]] static Selection everything(bool is_exact) { return {{}, true, is_exact}; }
  [[nodiscard]] bool empty() const noexcept { return !all_but && ids.empty(); }
};

[[nodiscard]] Selection intersect(const Selection& a, const Selection& b);
[[nodiscard]] Selection unite(const Selection& a, const Selection& b);
/// a without b. What is taken away must not be too much, so of an inexact b nothing is.
[[nodiscard]] Selection subtract(const Selection& a, const Selection& b);

// What the lookups of properties and of fields have in common: asking the index of one path, and which
// values it knows.

/// No property is a node, a relationship or a path.
[[nodiscard]] bool can_be_stored(const Value& value);
/// A vector equals the list of its components, which is how the index knows it.
[[nodiscard]] Value as_indexed(const Value& value);
/// To be looked at again in the records; of nothing, nothing has to be.
[[nodiscard]] Selection inexact(Selection selection);

/// What the index of a path answers; nullopt where the catalog has no such path. A path whose index is
/// not complete answers with everything.
[[nodiscard]] Result<std::optional<Selection>> ask_path(GraphReader& graph, codec::EntityKind kind,
                                                        const std::vector<std::string>& keys,
                                                        engine::IndexPredicate question);

/// The dates of a path by id (engine::path_instants); null also where the path is not indexed.
[[nodiscard]] Result<engine::InstantColumn::Ptr> kept_instants(GraphReader& graph,
                                                               codec::EntityKind kind,
                                                               const std::vector<std::string>& keys,
                                                               double spent = 0);

/// The ids of a path by value (engine::path_column); null also where the path is not indexed.
[[nodiscard]] Result<engine::SortedColumn::Ptr> kept_order(GraphReader& graph,
                                                           codec::EntityKind kind,
                                                           const std::vector<std::string>& keys,
                                                           double spent = 0);

/// The ids that `find` gives for every one of the values; all ids if there are no values.
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

/// The union of what `find` gives for each value. One pass over all sets: a list of a thousand
/// constants costs a thousand lookups and one union.
template <class Find>
[[nodiscard]] Result<Selection> unite_each(const List& values, const Find& find) {
  std::vector<codec::Bitmap> sets;
  Selection rest;
  for (const Value& value : values) {
    CAIRN_ASSIGN(Selection one, find(value));
    rest.exact = rest.exact && one.exact;
    if (one.all_but)
      rest = unite(rest, one);
    else
      sets.push_back(std::move(one.ids));
  }
  return unite(rest, {codec::unite_all(sets), false, true});
}

}  // namespace cairn::query
