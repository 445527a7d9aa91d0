#pragma once
// Lists of which the index does not tell what is in them, looked at in their records.

#include "codec/entity_kind.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string>
#include <vector>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

class Budget;
class GraphReader;

/// Lists of records: each of `ids` has one at the path.
struct ListsAtPath {
  codec::EntityKind kind = codec::EntityKind::node;
  const std::vector<std::string>& keys;  ///< the property path
  const codec::Bitmap& ids;
};

/// The ids for which `value IN list` is false: neither true nor unknown. Cost: one property of each
/// record. Errors: those of the budget and of the store.
[[nodiscard]] Result<codec::Bitmap> lists_without(GraphReader& graph, Budget& budget,
                                                  const ListsAtPath& lists, const Value& value);

}  // namespace cairn::query
