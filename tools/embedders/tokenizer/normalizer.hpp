#pragma once
// Normalizers: the steps of a tokenizer that change a text before it is split.

#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <vector>

namespace cairn::tools {

/// A step that changes a text. Threads: any number at once.
using Normalizer = std::function<Status(AlignedText&)>;

/// Reads the member "normalizer" of a tokenizer. Null gives no steps; a sequence gives several. Errors:
/// corruption; unsupported, with its name, for a normalizer or a setting that is not there.
[[nodiscard]] Result<std::vector<Normalizer>> read_normalizers(const Value& value);

// The kinds that have a file of their own. Errors: as above.

/// Precompiled: replaces texts by a map of sentencepiece.
[[nodiscard]] Result<Normalizer> read_precompiled(const Settings& settings);
/// BertNormalizer: without control characters, ideographs as words, lower case, no accents.
[[nodiscard]] Result<Normalizer> read_bert_normalizer(const Settings& settings);

/// Applies the normalizers in order. Errors: those of a normalizer; resource_limit if the text becomes
/// more than about 32 times as long.
[[nodiscard]] Status normalise(AlignedText& text, const std::vector<Normalizer>& normalizers);

/// Removes the points of a kind.
void remove_points(AlignedText& text, bool (*is_removed)(char32_t) noexcept);

}  // namespace cairn::tools
