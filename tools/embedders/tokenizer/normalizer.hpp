#pragma once
// Normalizers: the steps of a tokenizer that change a text before it is split.

#include "tools/embedders/tokenizer/aligned_text.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <vector>

namespace cairn::tools {

/// Threads: any number at once.
using Normalizer = std::function<Status(AlignedText&)>;

/// Reads the member "normalizer" of a tokenizer. Null is no step; a sequence is several. Errors:
/// corruption; unsupported, with its name, for a normalizer or a setting that is not there.
[[nodiscard]] Result<std::vector<Normalizer>> read_normalizers(const Value& value);

/// Applies one after the other.
[[nodiscard]] Status normalise(AlignedText& text, const std::vector<Normalizer>& normalizers);

}  // namespace cairn::tools
