#pragma once

#include <cstdint>

namespace cairn::query {

/// What a retriever of a search asks. `ranked` is a full-text index with the features of cairn::recall().
enum class RetrieverKind : std::uint8_t { vector, full_text, graph, ranked };

}  // namespace cairn::query
