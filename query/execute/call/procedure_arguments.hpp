#pragma once
// What procedures take: their arguments by name, and the index that one of them searches.

#include "codec/entity_kind.hpp"
#include "query/syntax/retriever_kind.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {
class Catalog;
}  // namespace cairn::engine

namespace cairn::query {

// Arguments of procedures as what they must be. Errors: type_error, with what was expected and what was given.

[[nodiscard]] Error wrong_argument(std::string_view what, const Value& value);

/// `what` is how the error names it: "the name of an index".
[[nodiscard]] Result<std::string> text_of(std::string_view what, const Value& value);
/// One text stands for a list of it.
[[nodiscard]] Result<std::vector<std::string>> texts_of(std::string_view what, const Value& value);
/// Null is an empty one.
[[nodiscard]] Result<Map> properties_of(std::string_view what, const Value& value);
/// A number of 1 or more; a float may be whole, as the numbers of JavaScript are.
[[nodiscard]] Result<std::size_t> count_of(std::string_view what, const Value& value);

// The index that a procedure searches.

/// What the procedure searches: an index of vectors or of texts, of nodes or of relationships. Neo4j has a procedure for
/// each, and so must refuse an index of the other.
struct ProcedureSearch {
  RetrieverKind retriever = RetrieverKind::vector;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Errors: type_error where `name` is not a string; not_found with the nearest name; invalid_argument where the index is of
/// another kind, with the procedure for it.
[[nodiscard]] Result<std::uint32_t> find_procedure_index(const engine::Catalog& catalog,
                                                         const Value& name, ProcedureSearch search);

}  // namespace cairn::query
