#pragma once
// Pre-tokenizers: the steps of a tokenizer that split a text into words.

#include "tools/embedders/tokenizer/pieces.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <vector>

namespace cairn::tools {

/// A step that splits the pieces of a text. Threads: any number at once.
using PreTokenizer = std::function<Status(Pieces&)>;

/// Reads the member "pre_tokenizer" of a tokenizer. Null gives no steps; a sequence gives several. Errors:
/// corruption; unsupported, with its name, for a pre-tokenizer or a setting that is not there.
[[nodiscard]] Result<std::vector<PreTokenizer>> read_pre_tokenizers(const Value& value);

// The kinds that have a file of their own. Errors: as above.

/// ByteLevel: words by the rules of GPT-2, each byte as a visible character.
[[nodiscard]] Result<PreTokenizer> read_byte_level(const Settings& settings);
/// Metaspace: words begin with a mark that stands for the blank before them.
[[nodiscard]] Result<PreTokenizer> read_metaspace(const Settings& settings);

}  // namespace cairn::tools
