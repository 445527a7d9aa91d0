#pragma once
// RetrieverKind, for the syntax tree and the bound query.

#include <cstdint>

namespace cairn::query {

/// The kind of a retriever. `ranked` is a full-text index with the features of cairn::recall().
enum class RetrieverKind : std::uint8_t { vector, full_text, graph, ranked };

}  // namespace cairn::query
