#pragma once
// Text to terms: words, their stems and elided articles, by language.

#include "engine/fulltext/word_breaker.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// Analyzer: text to the terms of a full-text index. Index and question go the same way, so that what
// was written one way is found when asked for another.
//
// text -> words (Unicode) -> no elided articles -> parts of identifiers -> NFKC and case folding
//      -> no diacritics -> stems
//
// Diacritics go before the stems: what is written without them must come to the same stem.

struct AnalyzerOptions {
  std::string language = "english";  ///< of the stems; "none" keeps words as they are
  bool drop_stop_words = true;       ///< from questions; the index has every word
  bool split_code = true;            ///< snake_case, camelCase and file.name also by their parts
  std::uint8_t gram_length = 0;  ///< beginnings of words up to this length are terms too; 0: none
  bool fold_diacritics = false;  ///< "café" is "cafe", in texts and in questions
  bool mark_features = false;    ///< of an index: TextFeatures of each text are terms too
  bool split_elisions = false;   ///< "l'avion" is "avion", as elided_bytes() of the language says
  friend bool operator==(const AnalyzerOptions&, const AnalyzerOptions&) = default;
};

/// One term and where it stands.
struct Token {
  std::string term;
  std::uint32_t position = 0;  ///< in words from the beginning of the text
  std::uint32_t begin = 0;     ///< bytes
  std::uint32_t end = 0;
  bool is_stop_word = false;
  bool is_extra = false;  ///< another reading of its place: a whole identifier, a beginning
};

/// A term as it is found in a text; its bytes live until the next one.
struct FoundTerm {
  std::string_view word;  ///< the term itself, or what Analyzer::term_of() makes it of
  std::uint32_t position = 0;
  bool is_extra = false;
  bool is_folded_word = false;  ///< without its stem yet: who knows the word need not ask for it
};

class Analyzer {
 public:
  /// No term is longer, in bytes: what is longer is cut, at both sides alike.
  static constexpr std::size_t max_term_bytes = 128;

  explicit Analyzer(AnalyzerOptions options) : options_(std::move(options)) {}
  /// Errors: invalid_argument for a language that is not known, naming some that are.
  [[nodiscard]] static Status check(const AnalyzerOptions& options);

  [[nodiscard]] const AnalyzerOptions& options() const noexcept { return options_; }
  /// All terms of a text, by ascending position.
  [[nodiscard]] std::vector<Token> index_tokens(std::string_view text) const;
  /// The same, one by one.
  template <class Visit>
  void for_each_index_term(std::string_view text, const Visit& visit) const {
    const auto visit_tokens = [&](const std::vector<Token>& tokens) {
      for (const Token& token : tokens)
        if (!token.term.empty())
          visit(FoundTerm{token.term, token.position, token.is_extra, false});
    };
    if (options_.gram_length > 0) return visit_tokens(index_tokens(text));
    std::vector<Token> parts;
    std::string folded;
    std::uint32_t position = 0;
    for (const WordRange& word : break_words(text)) {
      const std::string_view letters = text.substr(word.begin, word.end - word.begin);
      if (is_simple(letters)) {
        fold_simple(letters, folded);
        visit(FoundTerm{folded, position++, false, true});
        continue;
      }
      parts.clear();
      append_word(text, word.begin, word.end, position, parts);
      visit_tokens(parts);
    }
  }
  /// Valid until the thread's next call. Cost: a look into what the thread has stemmed before.
  [[nodiscard]] std::string_view term_of(const FoundTerm& found) const;
  /// The same without beginnings of words; stop words are marked.
  [[nodiscard]] std::vector<Token> query_tokens(std::string_view text) const;
  /// A word as it stands before stemming, for prefixes and patterns; without an elided article.
  [[nodiscard]] std::string folded(std::string_view word) const;

 private:
  /// 0 for words without, and where it is not asked for.
  [[nodiscard]] std::size_t elision_of(std::string_view word) const;
  [[nodiscard]] std::string fold(std::string_view word) const;
  [[nodiscard]] bool is_dropped(std::string_view word, std::string_view folded) const;
  [[nodiscard]] Token make_token(std::string_view text, std::size_t begin, std::size_t end,
                                 std::uint32_t position) const;
  void append_word(std::string_view text, std::size_t begin, std::size_t end,
                   std::uint32_t& position, std::vector<Token>& out) const;
  void append_grams(std::vector<Token>& tokens) const;
  /// Has one part, and folds by its first letter alone.
  [[nodiscard]] bool is_simple(std::string_view word) const;
  static void fold_simple(std::string_view word, std::string& folded);

  AnalyzerOptions options_;
};

// Stems of words by language, as Snowball has them. The only place that knows libstemmer.

/// Whether `language` is one that stem() knows: "english", "german", "french", ... or "none".
[[nodiscard]] bool is_stemmer_language(std::string_view language);

/// The stem of a folded word; the word itself for "none" and for a language that is not known. Valid
/// until the thread's next call. Threads: any; each keeps stemmers and stems of its own.
[[nodiscard]] std::string_view stem(const std::string& language, std::string_view word);

// Small words that lose their vowel to the next word and hang on it by an apostrophe: "l'avion".

/// Whether words of the language (as stemmers name it) have such beginnings.
[[nodiscard]] bool has_elisions(std::string_view language);

/// Bytes of such a beginning with its apostrophe, straight or curly: 2 for "L'avion" in French. 0
/// where the word has none, where nothing is behind it, and in a language without.
[[nodiscard]] std::size_t elided_bytes(std::string_view language, std::string_view word);

/// Whether the word with its beginning is a word of its own, as is the name "O'Brien" in English.
[[nodiscard]] bool is_name_with_elision(std::string_view language);

}  // namespace cairn::engine
