#pragma once
// Words that a question may contain without meaning them.

#include <string_view>

namespace cairn::engine {

/// Whether the folded `word` is one; never for languages that have no list (see the source).
[[nodiscard]] bool is_stop_word(std::string_view language, std::string_view word);

}  // namespace cairn::engine
