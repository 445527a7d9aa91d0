#pragma once
// The distinct values of a path with the ids that have each: what counting by value reads.

#include "codec/id_set.hpp"
#include "codec/keys.hpp"
#include "engine/view.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace cairn::engine {

/// `value` is the index form of one scalar (codec::append_index_value), valid during the call.
/// An error ends the visit.
using VisitPosting = std::function<Status(std::string_view value, const codec::IdSet& ids)>;

/// Visit each value once, in no promised order; ids are not reduced to the visible ones. `entry` is
/// scalar or element. Cost: one pass over the path's entries. Errors: unsupported for a view that
/// has no index of its own.
[[nodiscard]] Status visit_values(const View& view, codec::EntityKind kind, std::uint32_t path,
                                  codec::EntryKind entry, const VisitPosting& visit);

}  // namespace cairn::engine
