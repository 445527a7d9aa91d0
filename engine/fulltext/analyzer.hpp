#pragma once
// Converts texts to the terms of a full-text index. Queries are converted by the same steps, so
// that a word is found in another form than it was written in.
//
// text -> words (Unicode) -> without elided articles -> parts of identifiers -> NFKC and case folding
//      -> without diacritics -> stems
//
// Diacritics are removed before stemming, so that a word written without them has the same stem.

#include "engine/fulltext/word_breaker.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// What terms are made of. Part of an index's options, since a change would make an existing index
/// return wrong results.
struct AnalyzerOptions {
  std::string language = "english";  ///< stemmer's language; "none" does not stem words
  /// Removes stop words from queries. The index has all words.
  bool drop_stop_words = true;
  /// Indexes the parts of snake_case, camelCase and file.name as well as the whole.
  bool split_code = true;
  /// Indexes the beginnings of words up to this number of letters as terms; 0 indexes none.
  std::uint8_t gram_length = 0;
  /// Makes "café" equal to "cafe", in texts and in queries.
  bool fold_diacritics = false;
  /// Indexes the TextFeatures of each text as terms.
  bool mark_features = false;
  /// Makes "l'avion" equal to "avion", by elided_bytes() of the language.
  bool split_elisions = false;
  friend bool operator==(const AnalyzerOptions&, const AnalyzerOptions&) = default;
};

/// A term and its place in the text.
struct Token {
  std::string term;
  /// Number of the word, counted from the beginning of the text.
  std::uint32_t position = 0;
  std::uint32_t begin = 0;  ///< byte at which it begins in the text
  std::uint32_t end = 0;    ///< byte after its last
  bool is_stop_word = false;
  /// An additional term of its position: a whole identifier, a beginning of a word.
  bool is_extra = false;
};

/// A term as Analyzer::for_each_index_term() finds it in a text. `word` is valid only during the
/// visit.
struct FoundTerm {
  std::string_view word;  ///< the term, or a folded word that term_of() stems
  std::uint32_t position = 0;
  bool is_extra = false;
  /// `word` is folded but not stemmed. A caller that knows the word already need not call
  /// term_of().
  bool is_folded_word = false;
};

/// Converts texts and queries to terms. Threads: any number at once; stemmers and their caches are
/// thread-local.
class Analyzer {
 public:
  /// Maximum length of a term. Longer terms are cut, in texts and in queries.
  static constexpr std::size_t max_term_bytes = 128;

  explicit Analyzer(AnalyzerOptions options) : options_(std::move(options)) {}
  /// Checks that the language has a stemmer. Errors: invalid_argument, naming some languages.
  [[nodiscard]] static Status check(const AnalyzerOptions& options);

  [[nodiscard]] const AnalyzerOptions& options() const noexcept { return options_; }
  /// All terms of a text, in ascending order of positions.
  [[nodiscard]] std::vector<Token> index_tokens(std::string_view text) const;
  /// Calls `visit(FoundTerm)` for each term of index_tokens(). Faster, since most words are neither
  /// copied nor stemmed.
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
  /// The term of a FoundTerm. Valid until the next call in this thread. Cost: a lookup in the
  /// thread's cache of stems.
  [[nodiscard]] std::string_view term_of(const FoundTerm& found) const;
  /// The terms of a query: like index_tokens(), but without beginnings of words. Stop words are
  /// marked.
  [[nodiscard]] std::vector<Token> query_tokens(std::string_view text) const;
  /// The folded word without stemming and without an elided article, for prefixes and patterns.
  [[nodiscard]] std::string folded(std::string_view word) const;

 private:
  /// Bytes of the word's elided beginning; 0 if it has none or if they are not split off.
  [[nodiscard]] std::size_t elision_of(std::string_view word) const;
  [[nodiscard]] std::string fold(std::string_view word) const;
  [[nodiscard]] bool is_dropped(std::string_view word, std::string_view folded) const;
  [[nodiscard]] Token make_token(std::string_view text, std::size_t begin, std::size_t end,
                                 std::uint32_t position) const;
  void append_word(std::string_view text, std::size_t begin, std::size_t end,
                   std::uint32_t& position, std::vector<Token>& out) const;
  void append_grams(std::vector<Token>& tokens) const;
  /// True if a word is plain ASCII with one part, such that only its first letter can be upper
  /// case.
  [[nodiscard]] bool is_simple(std::string_view word) const;
  static void fold_simple(std::string_view word, std::string& folded);

  AnalyzerOptions options_;
};

/// True if `language` has a stemmer: "english", "german", "french", ... or "none".
[[nodiscard]] bool is_stemmer_language(std::string_view language);

/// Returns the stem of a folded word by Snowball's stemmer. For "none" and for unknown languages it
/// is the word itself.
///
/// Valid until the next call in this thread. Threads: any number at once, each with its own
/// stemmers and cache.
[[nodiscard]] std::string_view stem(const std::string& language, std::string_view word);

/// True if the language (by its stemmer's name) has elisions: short words that lose their vowel
/// before the next word and are joined to it by an apostrophe, as in "l'avion".
[[nodiscard]] bool has_elisions(std::string_view language);

/// Returns the bytes of an elided beginning including its apostrophe, straight or curly: 2 for
/// "L'avion" in French. Returns 0 if the word or the language has no elision, or if nothing follows
/// the apostrophe.
[[nodiscard]] std::size_t elided_bytes(std::string_view language, std::string_view word);

/// True if a word with such a beginning is also a word of its own, like the name "O'Brien" in
/// English.
[[nodiscard]] bool is_name_with_elision(std::string_view language);

}  // namespace cairn::engine
