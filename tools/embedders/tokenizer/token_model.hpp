#pragma once
// TokenModel: divides a piece of a text into tokens of a vocabulary.

#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/pattern.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/vocabulary.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::tools {

/// A token, and the bytes of the text that it stands for.
struct Token {
  std::uint32_t id = 0;
  Origin origin{};

  friend bool operator==(const Token&, const Token&) = default;
};

/// A model that divides pieces into tokens. Threads: any number at once.
class TokenModel {
 public:
  virtual ~TokenModel() = default;
  /// Appends the tokens of a piece. Precondition: the piece is not empty.
  virtual void encode(const AlignedText& text, PointRange piece,
                      std::vector<Token>& tokens) const = 0;
  /// The token for text that has no other token.
  [[nodiscard]] virtual std::optional<std::uint32_t> unknown() const = 0;
  [[nodiscard]] virtual const Vocabulary& vocabulary() const = 0;
};

/// Reads the member "model" of a tokenizer. Errors: corruption; unsupported, with its name, for a
/// model or a setting that is not there.
[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_token_model(const Value& value);

// The kinds of models, each in a file of its own. Errors: as above.

/// BPE: merges pairs of neighbours, the pairs that were most frequent in its training first.
[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_byte_pairs(const Settings& settings);
/// Unigram of sentencepiece: the tokens with the best sum of scores.
[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_unigram(const Settings& settings);
/// WordPiece: divides a word into the longest tokens from the left. A word that cannot be divided
/// completely is unknown.
[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_word_piece(const Settings& settings);
/// WordLevel: a word is one token, or unknown.
[[nodiscard]] Result<std::unique_ptr<TokenModel>> read_word_level(const Settings& settings);

}  // namespace cairn::tools
