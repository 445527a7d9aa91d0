#pragma once
// The normalizer of BERT: without control characters, ideographs as words, lower case, no accents.

#include "tools/embedders/tokenizer/normalizer.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>

namespace cairn::tools {

[[nodiscard]] Result<Normalizer> read_bert_normalizer(const Settings& settings);

/// Removes the points of a kind.
void remove_points(AlignedText& text, bool (*is_removed)(char32_t) noexcept);

}  // namespace cairn::tools
