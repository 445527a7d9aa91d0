#pragma once
// Pre-tokenizers: the steps of a tokenizer that split a text into words.

#include "tools/embedders/tokenizer/pieces.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <vector>

namespace cairn::tools {

/// Threads: any number at once.
using PreTokenizer = std::function<Status(Pieces&)>;

/// Reads the member "pre_tokenizer" of a tokenizer. Null is no step; a sequence is several. Errors:
/// corruption; unsupported, with its name, for a pre-tokenizer or a setting that is not there.
[[nodiscard]] Result<std::vector<PreTokenizer>> read_pre_tokenizers(const Value& value);

}  // namespace cairn::tools
