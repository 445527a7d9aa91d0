#pragma once
// OPTIONS of CREATE VECTOR INDEX and CREATE FULLTEXT INDEX.

#include <cairn/result.hpp>

namespace cairn::engine {
struct IndexRequest;
}

namespace cairn::query {

struct ExecutionContext;
struct SchemaCommand;

/// Sets the kind of index and what its options say; the rest stays as by default. Errors: type_error
/// where OPTIONS is no map, invalid_argument for an option that is not known or out of sense.
[[nodiscard]] Status read_index_options(const SchemaCommand& command, ExecutionContext& context,
                                        engine::IndexRequest& request);

}  // namespace cairn::query
