#pragma once
// The index that a procedure searches.

#include "codec/entity_kind.hpp"
#include "query/syntax/retriever_kind.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>

namespace cairn::engine {
class Catalog;
}

namespace cairn::query {

/// What the procedure searches: an index of vectors or of texts, of nodes or of relationships. Neo4j has a procedure for
/// each, and so must refuse an index of the other.
struct ProcedureSearch {
  RetrieverKind retriever = RetrieverKind::vector;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Errors: type_error where `name` is no string; not_found with the nearest name; invalid_argument where the index is of
/// another kind, with the procedure for it.
[[nodiscard]] Result<std::uint32_t> find_procedure_index(const engine::Catalog& catalog,
                                                         const Value& name, ProcedureSearch search);

}  // namespace cairn::query
