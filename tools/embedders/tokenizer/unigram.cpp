// Dynamic programming over the positions of a piece: the best path to a position is the best path
// to an earlier position, extended by a token. Of equally good paths, the path with the longest
// last token counts.
#include "tools/embedders/tokenizer/byte_tokens.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/token_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

/// The score of an unknown code point is the score of the worst token minus this penalty.
constexpr double unknown_penalty = 10;
/// No published model has tokens of more than some dozens of bytes.
constexpr std::size_t most_token_bytes = 1'024;

struct ScoredToken {
  std::string text;
  std::uint32_t id = 0;
  double score = 0;
};

/// The tokens that a text begins with, from the shortest on, by narrowing a range of sorted tokens.
class Prefixes {
 public:
  // Sorts the tokens, and notes for each byte where the tokens that begin with it start.
  explicit Prefixes(std::vector<ScoredToken> tokens) : tokens_(std::move(tokens)) {
    std::ranges::sort(tokens_, {}, &ScoredToken::text);
    std::size_t at = 0;
    for (std::size_t byte = 0; byte < starts_.size(); ++byte) {
      while (at < tokens_.size() && static_cast<std::uint8_t>(tokens_[at].text[0]) < byte) ++at;
      starts_[byte] = at;
    }
  }

  /// Calls use(token) for each token with which `text` begins. Precondition: `text` is not empty.
  /// Cost: two binary searches for each byte of the longest token.
  template <class Use>
  void for_each(std::string_view text, const Use& use) const {
    const auto first = static_cast<std::uint8_t>(text[0]);
    const ScoredToken* begin = tokens_.data() + starts_[first];
    const ScoredToken* end = tokens_.data() + starts_[first + 1U];
    for (std::size_t depth = 1; begin != end; ++depth) {
      if (begin->text.size() == depth) use(*begin++);
      if (depth == text.size() || begin == end) return;
      const auto next = static_cast<std::uint8_t>(text[depth]);
      const auto byte_of = [&](const ScoredToken& token) {
        return static_cast<std::uint8_t>(token.text[depth]);
      };
      begin = std::ranges::lower_bound(begin, end, next, {}, byte_of);
      end = std::ranges::upper_bound(begin, end, next, {}, byte_of);
    }
  }

 private:
  std::vector<ScoredToken> tokens_;        // sorted by their bytes
  std::array<std::size_t, 257> starts_{};  // of the tokens with each first byte
};

/// The model Unigram. Threads: any number at once.
class Unigram final : public TokenModel {
 public:
  Unigram(Vocabulary vocabulary, std::vector<ScoredToken> tokens, std::uint32_t unknown,
          double unknown_score, bool has_bytes)
      : vocabulary_(std::move(vocabulary)),
        prefixes_(std::move(tokens)),
        unknown_(unknown),
        unknown_score_(unknown_score) {
    if (has_bytes) bytes_.emplace(vocabulary_);
  }

  void encode(const AlignedText& text, PointRange piece,
              std::vector<Token>& tokens) const override {
    const EncodedPoints word = encode_points(
        std::u32string_view(text.points).substr(piece.begin, piece.end - piece.begin));
    for (const Step& step : best_way(word)) {
      const Origin origin =
          text.origin_of(piece.begin + step.range.begin, piece.begin + step.range.end);
      if (step.token) tokens.push_back({*step.token, origin});
      if (!step.token) append_unknown(word, step.range, origin, tokens);
    }
  }

  [[nodiscard]] std::optional<std::uint32_t> unknown() const override { return unknown_; }
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  /// A token, or unknown points.
  struct Step {
    PointRange range;
    std::optional<std::uint32_t> token;
  };
  /// The best path to a position, stored as its last step.
  struct Place {
    double score = -std::numeric_limits<double>::infinity();
    std::size_t begin = 0;  ///< of the last step
    std::optional<std::uint32_t> token;
    bool is_reached = false;

    void offer(double offered, std::size_t from, std::optional<std::uint32_t> by) {
      if (is_reached && !(offered > score)) return;
      *this = {offered, from, by, true};
    }
  };

  /// Appends a token for each byte if the vocabulary has all of them, otherwise the unknown token.
  void append_unknown(const EncodedPoints& word, PointRange range, Origin origin,
                      std::vector<Token>& tokens) const {
    const std::size_t begin = word.starts[range.begin];
    const auto bytes = std::string_view(word.bytes).substr(begin, word.starts[range.end] - begin);
    if (!bytes_ || !bytes_->append(bytes, origin, tokens)) tokens.push_back({unknown_, origin});
  }

  /// Extends the best path to a point by each token that begins there.
  void go_on(const EncodedPoints& word, std::size_t at, std::vector<Place>& places) const {
    const double score = places[at].score;
    const auto rest = std::string_view(word.bytes).substr(word.starts[at]);
    bool has_single = false;
    std::size_t end = at;
    prefixes_.for_each(rest, [&](const ScoredToken& token) {
      while (word.starts[end] < word.starts[at] + token.text.size()) ++end;
      places[end].offer(score + token.score, at, token.id);
      has_single = has_single || end == at + 1;
    });
    if (!has_single) places[at + 1].offer(score + unknown_score_, at, std::nullopt);
  }

  /// Returns the best path. Adjacent unknown code points form one step.
  [[nodiscard]] std::vector<Step> best_way(const EncodedPoints& word) const {
    const std::size_t count = word.starts.size() - 1;
    std::vector<Place> places(count + 1);
    places[0].score = 0;
    for (std::size_t at = 0; at < count; ++at) go_on(word, at, places);
    std::vector<Step> way;
    for (std::size_t end = count; end > 0; end = places[end].begin) {
      const Place& place = places[end];
      const bool joins = !way.empty() && !place.token && !way.back().token;
      if (joins) way.back().range.begin = place.begin;
      if (!joins) way.push_back({{place.begin, end}, place.token});
    }
    std::ranges::reverse(way);
    return way;
  }

  const Vocabulary vocabulary_;
  const Prefixes prefixes_;
  const std::uint32_t unknown_;
  const double unknown_score_;
  std::optional<ByteTokens> bytes_;
};

/// Reads a pair of a token and its score.
Result<ScoredToken> read_token(const Value& value, std::size_t id) {
  const List* const pair = value.list();
  const Error wrong = wrong_model("the token of number " + std::to_string(id) +
                                  " is not a pair of a text and a score");
  if (pair == nullptr || pair->size() != 2 || (*pair)[0].string() == nullptr) return wrong;
  const auto* const whole = (*pair)[1].get_if<std::int64_t>();
  const auto* const real = (*pair)[1].get_if<double>();
  if (whole == nullptr && real == nullptr) return wrong;
  const double score = real == nullptr ? static_cast<double>(*whole) : *real;
  const std::string& text = *(*pair)[0].string();
  if (!std::isfinite(score) || text.size() > most_token_bytes) return wrong;
  return ScoredToken{text, static_cast<std::uint32_t>(id), score};
}

Result<std::vector<ScoredToken>> read_tokens(const Settings& settings) {
  CAIRN_ASSIGN(const List* const list, settings.list("vocab"));
  std::vector<ScoredToken> tokens;
  tokens.reserve(list->size());
  for (const Value& value : *list) {
    CAIRN_ASSIGN(auto token, read_token(value, tokens.size()));
    tokens.push_back(std::move(token));
  }
  if (tokens.empty()) return settings.wrong("vocab", "a list with tokens");
  return tokens;
}

}  // namespace

Result<std::unique_ptr<TokenModel>> read_unigram(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"unk_id", "vocab", "byte_fallback"}));
  CAIRN_ASSIGN(auto tokens, read_tokens(settings));
  CAIRN_ASSIGN(const auto unknown, settings.number("unk_id"));
  CAIRN_ASSIGN(const bool has_bytes, settings.flag("byte_fallback", false));
  if (!unknown || *unknown >= tokens.size())
    return settings.wrong("unk_id", "the number of a token");
  const double unknown_score =
      std::ranges::min(tokens, {}, &ScoredToken::score).score - unknown_penalty;
  tokens[*unknown].score = unknown_score;
  Vocabulary vocabulary;
  for (const ScoredToken& token : tokens) vocabulary.set(token.text, token.id);
  // Of several tokens with the same text, the last one counts.
  std::erase_if(tokens, [&](const ScoredToken& token) {
    return token.text.empty() || vocabulary.find(token.text) != token.id;
  });
  return std::unique_ptr<TokenModel>(std::make_unique<Unigram>(
      std::move(vocabulary), std::move(tokens), *unknown, unknown_score, has_bytes));
}

}  // namespace cairn::tools
