#pragma once
// Converts texts to the terms of a full-text index. Queries are converted by the same steps, so
// that a query finds other forms of its words.
//
// text -> words (Unicode) -> without elided articles -> parts of identifiers -> NFKC and case folding
//      -> without diacritics -> stems
//
// Diacritics are removed before stemming, so that a word written without them has the same stem.
//
// An index of several languages stems each text in the language of the text (text_language.hpp), or
// in all languages if that is unclear. A question is stemmed in all languages: the stems of a word
// are alternatives, of which the best counts.

#include "engine/fulltext/text_language.hpp"
#include "engine/fulltext/word_breaker.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// What terms are made of. The options are stored with the index, since a change would make an
/// existing index return wrong results.
struct AnalyzerOptions {
  /// Stemmer's language; "none" does not stem words. Several languages are joined by commas.
  std::string language = "english";
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
  /// Indexes compound_mark() of long words.
  bool split_compounds = false;
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
  /// Another stem of the word of the token before it.
  bool is_other_form = false;
};

/// The terms that count as one word: its stems, and those of its irregular forms.
using WordForms = std::vector<std::string>;

/// The forms of each word of tokens.
[[nodiscard]] std::vector<WordForms> forms_of_words(const std::vector<Token>& tokens);

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

  explicit Analyzer(AnalyzerOptions options);
  /// Makes an analyzer for a question. If the options have several languages, the language of the
  /// question decides which of its words are stop words.
  Analyzer(AnalyzerOptions options, std::string_view question);
  /// Checks that the language has a stemmer, and if there are several languages, that each can be
  /// recognised. Errors: invalid_argument, naming some languages.
  [[nodiscard]] static Status check(const AnalyzerOptions& options);

  [[nodiscard]] const AnalyzerOptions& options() const noexcept { return options_; }
  /// The languages of texts that belong together. Texts that do not show their language are stemmed
  /// in these. Cost: none with a single language.
  [[nodiscard]] LanguageSet usual_languages(std::span<const std::vector<std::string>> texts) const;
  /// All terms of a text, in ascending order of positions. `usual` are the languages to assume if
  /// the text does not show its own.
  [[nodiscard]] std::vector<Token> index_tokens(std::string_view text, LanguageSet usual) const;
  [[nodiscard]] std::vector<Token> index_tokens(std::string_view text) const {
    return index_tokens(text, all_);
  }
  /// Calls `visit(FoundTerm)` for each term of index_tokens(). Faster, since most words are neither
  /// copied nor stemmed.
  template <class Visit>
  void for_each_index_term(std::string_view text, LanguageSet usual, const Visit& visit) const {
    const auto visit_tokens = [&](const std::vector<Token>& tokens) {
      for (const Token& token : tokens)
        if (!token.term.empty())
          visit(
              FoundTerm{token.term, token.position, token.is_extra || token.is_other_form, false});
    };
    if (!has_short_path()) return visit_tokens(index_tokens(text, usual));
    std::vector<Token> parts;
    std::string folded;
    TextWork unlimited(nullptr);
    std::uint32_t position = 0;
    for (const WordRange& word : break_words(text)) {
      const std::string_view letters = text.substr(word.begin, word.end - word.begin);
      if (is_simple(letters)) {
        fold_simple(letters, folded);
        visit(FoundTerm{folded, position++, false, true});
        continue;
      }
      parts.clear();
      static_cast<void>(  // without limits it does not fail
          append_word(text, word.begin, word.end, {all_, all_}, position, parts, unlimited));
      visit_tokens(parts);
    }
  }
  template <class Visit>
  void for_each_index_term(std::string_view text, const Visit& visit) const {
    for_each_index_term(text, all_, visit);
  }
  /// The term of a FoundTerm. Valid until the next call in this thread. Cost: a lookup in the
  /// thread's cache of stems.
  [[nodiscard]] std::string_view term_of(const FoundTerm& found) const;
  /// The terms of a query: like index_tokens(), but in all languages and without beginnings of
  /// words. Stop words are marked. For words of the index, which are short; the text of a query may be of any length.
  [[nodiscard]] std::vector<Token> query_tokens(std::string_view text) const;
  /// The same within limits. Errors: those of `work`.
  [[nodiscard]] Result<std::vector<Token>> query_tokens(std::string_view text,
                                                        TextWork& work) const;
  /// Adds the stems of the other forms of an irregular word in the language of the question, see
  /// irregular_forms(). Returns false if there are none.
  bool add_irregular_forms(WordForms& stems) const;
  /// True if the words of the question may be compounds or parts of compounds: false if the
  /// question is in a language without compounds.
  [[nodiscard]] bool may_ask_for_compounds() const noexcept {
    const LanguageSet asked = stop_words_ == 0 ? all_ : stop_words_;
    return options_.split_compounds && (compounds_ & asked) != 0;
  }
  /// True if texts may be in a language that has no compounds.
  [[nodiscard]] bool has_texts_without_compounds() const noexcept { return compounds_ != all_; }
  /// The words of a phrase, once for each language whose stems differ from those of the languages
  /// before. Extra terms are left out. Errors: those of `work`.
  [[nodiscard]] Result<std::vector<std::vector<Token>>> phrase_tokens(std::string_view phrase,
                                                                      TextWork& work) const;
  /// The terms of a text in its own languages, without beginnings of words. Stop words are marked. Errors: those of
  /// `work`.
  [[nodiscard]] Result<std::vector<Token>> text_tokens(std::string_view text, TextWork& work) const;
  /// The folded word without stemming and without an elided article, for prefixes and patterns.
  [[nodiscard]] std::string folded(std::string_view word) const;

 private:
  /// The languages in which words are stemmed, and those whose stop words are marked.
  struct Languages {
    LanguageSet stems = 1;
    LanguageSet stop_words = 1;
  };
  /// An elided beginning of a word; 0 bytes if the word has none or if the options do not split
  /// elisions.
  struct Elision {
    std::size_t bytes = 0;
    bool is_name = false;   ///< of a name: the whole word is indexed too
    bool is_short = false;  ///< of an article or the like: a query looks up only the rest
  };
  [[nodiscard]] Elision elision_of(std::string_view word, LanguageSet languages) const;
  [[nodiscard]] std::string fold(std::string_view word) const;
  [[nodiscard]] bool is_dropped(std::string_view word, std::string_view folded,
                                LanguageSet languages) const;
  /// Appends a word or part: its stem, and with several languages its different stems.
  void append_forms(std::string_view text, WordRange range, Languages languages,
                    std::uint32_t position, std::vector<Token>& out) const;
  [[nodiscard]] Status append_word(std::string_view text, std::size_t begin, std::size_t end,
                                   Languages languages, std::uint32_t& position,
                                   std::vector<Token>& out, TextWork& work) const;
  [[nodiscard]] Result<std::vector<Token>> tokens_in(std::string_view text, Languages languages,
                                                     TextWork& work) const;
  [[nodiscard]] LanguageSet languages_of(std::string_view text, LanguageSet usual) const;
  /// The languages in which a word of a text is stemmed.
  [[nodiscard]] LanguageSet languages_of_word(std::string_view word, LanguageSet text) const;
  void append_grams(std::vector<Token>& tokens) const;
  static void append_marks(std::vector<Token>& tokens);
  /// True if words need not become tokens.
  [[nodiscard]] bool has_short_path() const {
    return options_.gram_length == 0 && languages_.size() == 1 && !options_.split_compounds;
  }
  /// True if a word is plain ASCII with one part, such that only its first letter can be upper
  /// case.
  [[nodiscard]] bool is_simple(std::string_view word) const;
  static void fold_simple(std::string_view word, std::string& folded);

  AnalyzerOptions options_;
  std::vector<std::string> languages_;
  LanguageSet all_ = 1;
  LanguageSet compounds_ = 0;   // languages that have compounds
  LanguageSet stop_words_ = 1;  // languages whose stop words a question may have
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

/// Returns the stems of the other forms of the irregular word with the stem `term`, which the stemmer
/// does not bring together: give and gave, child and children. Empty if the word is regular or the
/// language is not English. They are alternatives of a word of a query; indexed texts keep their
/// terms. The strings are valid for the whole run.
[[nodiscard]] std::span<const std::string> irregular_forms(std::string_view language,
                                                           std::string_view term);

}  // namespace cairn::engine
