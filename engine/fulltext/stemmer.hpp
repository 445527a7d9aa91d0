#pragma once
// Stems of words by language, as Snowball has them. The only place that knows libstemmer.

#include <string>
#include <string_view>

namespace cairn::engine {

/// Whether `language` is one that stem() knows: "english", "german", "french", ... or "none".
[[nodiscard]] bool is_stemmer_language(std::string_view language);

/// The stem of a folded word; the word itself for "none" and for a language that is not known. Valid
/// until the thread's next call. Threads: any; each keeps stemmers and stems of its own.
[[nodiscard]] std::string_view stem(const std::string& language, std::string_view word);

}  // namespace cairn::engine
