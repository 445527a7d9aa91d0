#pragma once
// Reads the arguments of procedures, and finds the index that a procedure searches.

#include "codec/entity_kind.hpp"

#include <cairn/result.hpp>
#include <cairn/retriever_kind.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

struct ExecutionContext;

// Each function converts an argument to the required type.
// Errors: type_error. The message has the expected type and the given value.

[[nodiscard]] Error wrong_argument(std::string_view what, const Value& value);

/// `what` names the argument in the error, such as "the name of an index".
[[nodiscard]] Result<std::string> text_of(std::string_view what, const Value& value);
/// Reads a list of texts. A single text is a list with one element.
[[nodiscard]] Result<std::vector<std::string>> texts_of(std::string_view what, const Value& value);
/// Reads a map. Null is an empty map.
[[nodiscard]] Result<Map> properties_of(std::string_view what, const Value& value);
/// Reads a whole number of at least 1. A float with a whole value is accepted, because JavaScript
/// sends such numbers.
[[nodiscard]] Result<std::size_t> count_of(std::string_view what, const Value& value);

// Finding the index that a procedure searches.

/// Which kind of index a procedure searches. Neo4j has separate procedures for nodes and
/// relationships, and each procedure must reject indexes of the other kind.
struct ProcedureSearch {
  RetrieverKind retriever = RetrieverKind::vector;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Errors: type_error if `name` is not a string; those of find_search_index(); invalid_argument if the
/// index covers the other kind of entity, with the procedure to use instead.
[[nodiscard]] Result<std::uint32_t> find_procedure_index(ExecutionContext& context,
                                                         const Value& name, ProcedureSearch search);

}  // namespace cairn::query
