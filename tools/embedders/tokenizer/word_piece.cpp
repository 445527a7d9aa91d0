// The models WordPiece and WordLevel.
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/token_model.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

constexpr std::uint32_t usual_longest_word = 100;

std::u32string_view points_of(const AlignedText& text, PointRange piece) {
  return std::u32string_view(text.points).substr(piece.begin, piece.end - piece.begin);
}

class WordPiece final : public TokenModel {
 public:
  WordPiece(Vocabulary vocabulary, std::uint32_t unknown, const std::string& prefix,
            std::size_t longest_word)
      : vocabulary_(std::move(vocabulary)), unknown_(unknown), longest_word_(longest_word) {
    for (const auto& [token, id] : vocabulary_.ids()) {
      if (token.starts_with(prefix)) inner_.emplace(token.substr(prefix.size()), id);
      longest_token_ = std::max(longest_token_, token.size());
    }
  }

  void encode(const AlignedText& text, PointRange piece,
              std::vector<Token>& tokens) const override {
    const std::size_t before = tokens.size();
    if (piece.end - piece.begin <= longest_word_ && divide(text, piece, tokens)) return;
    tokens.resize(before);
    tokens.push_back({unknown_, text.origin_of(piece.begin, piece.end)});
  }

  [[nodiscard]] std::optional<std::uint32_t> unknown() const override { return unknown_; }
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  /// Returns false if a part of the word has no token.
  bool divide(const AlignedText& text, PointRange piece, std::vector<Token>& tokens) const {
    const EncodedPoints word = encode_points(points_of(text, piece));
    const std::size_t count = word.starts.size() - 1;
    for (std::size_t begin = 0; begin < count;) {
      const TokenIds& ids = begin == 0 ? vocabulary_.ids() : inner_;
      const auto [id, end] = longest_from(word, begin, ids);
      if (end == begin) return false;
      tokens.push_back({id, text.origin_of(piece.begin + begin, piece.begin + end)});
      begin = end;
    }
    return true;
  }

  struct Found {
    std::uint32_t id = 0;
    std::size_t end = 0;  ///< the begin of the search if no token fits
  };

  // Returns the longest token that begins at this code point. If there is none, the end equals
  // `begin`.
  [[nodiscard]] Found longest_from(const EncodedPoints& word, std::size_t begin,
                                   const TokenIds& ids) const {
    for (std::size_t end = word.starts.size() - 1; end > begin; --end) {
      const std::size_t length = word.starts[end] - word.starts[begin];
      if (length > longest_token_) continue;
      const auto found = ids.find(std::string_view(word.bytes).substr(word.starts[begin], length));
      if (found != ids.end()) return {found->second, end};
    }
    return {0, begin};
  }

  const Vocabulary vocabulary_;
  TokenIds inner_;  // of tokens within words, without the prefix that marks them
  const std::uint32_t unknown_;
  const std::size_t longest_word_;  // in points
  std::size_t longest_token_ = 0;   // in bytes
};

class WordLevel final : public TokenModel {
 public:
  WordLevel(Vocabulary vocabulary, std::optional<std::uint32_t> unknown)
      : vocabulary_(std::move(vocabulary)), unknown_(unknown) {}

  void encode(const AlignedText& text, PointRange piece,
              std::vector<Token>& tokens) const override {
    const auto found = vocabulary_.find(to_utf8(points_of(text, piece)));
    const auto id = found ? found : unknown_;
    if (id) tokens.push_back({*id, text.origin_of(piece.begin, piece.end)});
  }

  [[nodiscard]] std::optional<std::uint32_t> unknown() const override { return unknown_; }
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  const Vocabulary vocabulary_;
  const std::optional<std::uint32_t> unknown_;
};

}  // namespace

Result<std::unique_ptr<TokenModel>> read_word_piece(const Settings& settings) {
  CAIRN_TRY(settings.check_names(
      {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"}));
  CAIRN_ASSIGN(auto vocabulary, Vocabulary::of(settings));
  CAIRN_ASSIGN(const std::string unknown, settings.text("unk_token"));
  CAIRN_ASSIGN(const std::uint32_t unknown_id, vocabulary.must_find(unknown));
  CAIRN_ASSIGN(const std::string prefix, settings.text("continuing_subword_prefix"));
  CAIRN_ASSIGN(const auto longest_word, settings.number("max_input_chars_per_word"));
  return std::unique_ptr<TokenModel>(std::make_unique<WordPiece>(
      std::move(vocabulary), unknown_id, prefix, longest_word.value_or(usual_longest_word)));
}

Result<std::unique_ptr<TokenModel>> read_word_level(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"unk_token", "vocab"}));
  CAIRN_ASSIGN(auto vocabulary, Vocabulary::of(settings));
  CAIRN_ASSIGN(const auto unknown, settings.optional_text("unk_token"));
  const auto unknown_id = unknown ? vocabulary.find(*unknown) : std::nullopt;
  return std::unique_ptr<TokenModel>(
      std::make_unique<WordLevel>(std::move(vocabulary), unknown_id));
}

}  // namespace cairn::tools
