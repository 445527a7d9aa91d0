#pragma once
// The pre-tokenizer Metaspace: words begin with a mark that stands for the blank before them.

#include "tools/embedders/tokenizer/pre_tokenizer.hpp"
#include "tools/embedders/tokenizer/settings.hpp"

#include <cairn/result.hpp>

namespace cairn::tools {

[[nodiscard]] Result<PreTokenizer> read_metaspace(const Settings& settings);

}  // namespace cairn::tools
