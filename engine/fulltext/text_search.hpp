#pragma once
// A full-text question over one index: parsed, turned into leaves, scored.

#include "engine/fulltext/text_hits.hpp"
#include "engine/fulltext/text_reader.hpp"

#include <cairn/result.hpp>

#include <span>
#include <string>

namespace cairn::engine {

/// `field_names` in the order of the index's properties. Errors: corruption.
/// Cost: of plain words, blocks that cannot reach the best k are not decoded; of anything else, every
/// posting of the terms is read.
[[nodiscard]] Result<TextHits> search_text(const TextSources& sources,
                                           std::span<const std::string> field_names,
                                           const TextQuery& query);

}  // namespace cairn::engine
