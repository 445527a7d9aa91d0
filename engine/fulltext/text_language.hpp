#pragma once
// The languages of a text, found by its script, its stop words and its letters. A commit, a check
// and a rebuild analyse a text independently and must agree. So the result depends only on the text
// and the list of languages, and not on a library, model or state.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A set of languages of a list: bit i stands for the language at index i.
using LanguageSet = std::uint32_t;

/// The languages that can be recognised in a text, by the names of their stemmers.
[[nodiscard]] std::span<const std::string_view> known_languages();
/// The languages of an analyzer: "english,german" are two.
[[nodiscard]] std::vector<std::string> split_languages(std::string_view joined);
/// True for a language whose words are joined to compounds without a hyphen.
[[nodiscard]] bool has_compounds(std::string_view language);

/// Evidence for each of some languages, from texts that belong together.
class LanguageEvidence {
 public:
  /// At most 32 languages, of known_languages().
  explicit LanguageEvidence(std::span<const std::string> languages);

  /// Adds the evidence of a text. Cost: reads its first words, some hundred.
  void add(std::string_view text);
  /// The languages of the texts: usually one, and more if they are mixed. Empty if the evidence is
  /// too weak, as in most titles.
  [[nodiscard]] LanguageSet languages() const;

 private:
  void add_word(const std::string& word);

  std::vector<std::uint32_t> known_;  // each language as a set of known ones
  std::vector<double> scores_;        // by language
};

/// The languages among `set` in whose script a word is written: words in Cyrillic letters are
/// Russian, all other words are not.
[[nodiscard]] LanguageSet fitting_script(std::span<const std::string> languages, LanguageSet set,
                                         std::string_view word);

}  // namespace cairn::engine
