#pragma once
// Analyzer: text to the terms of a full-text index. Index and question go the same way, so that what
// was written one way is found when asked for another.
//
// text -> words (Unicode) -> parts of identifiers -> NFKC and case folding -> stems

#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

struct AnalyzerOptions {
  std::string language = "english";  ///< of the stems; "none" keeps words as they are
  bool drop_stop_words = true;       ///< from questions; the index has every word
  bool split_code = true;            ///< snake_case, camelCase and file.name also by their parts
  std::uint8_t gram_length = 0;  ///< beginnings of words up to this length are terms too; 0: none
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
  /// The same without beginnings of words; stop words are marked.
  [[nodiscard]] std::vector<Token> query_tokens(std::string_view text) const;
  /// A word as it stands before stemming, for prefixes and patterns.
  [[nodiscard]] static std::string folded(std::string_view word);

 private:
  [[nodiscard]] Token make_token(std::string_view text, std::size_t begin, std::size_t end,
                                 std::uint32_t position) const;
  void append_word(std::string_view text, std::size_t begin, std::size_t end,
                   std::uint32_t& position, std::vector<Token>& out) const;
  void append_grams(std::vector<Token>& tokens) const;

  AnalyzerOptions options_;
};

}  // namespace cairn::engine
