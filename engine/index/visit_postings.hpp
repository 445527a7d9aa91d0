#pragma once
// The postings of a property one by one, for who writes many records and keeps no list of them.

#include "engine/index/index_entries.hpp"

#include <functional>

namespace cairn::engine {

/// Calls back with the name of each posting, which lives until the call ends. Otherwise as
/// append_property_postings(), which makes a list of them.
using VisitPostingName = std::function<void(std::string_view name)>;
void visit_property_postings(codec::EntityKind kind, std::string_view property, const Value& value,
                             PathSource& paths, const VisitPostingName& visit);

}  // namespace cairn::engine
