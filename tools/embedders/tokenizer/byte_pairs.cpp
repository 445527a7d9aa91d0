// A piece is a list of parts, at first its code points. The pair of neighbours with the lowest
// rank, the leftmost of equals, is merged into one part. Merging ends when no pair has a rank.
#include "tools/embedders/tokenizer/byte_tokens.hpp"
#include "tools/embedders/tokenizer/settings.hpp"
#include "tools/embedders/tokenizer/token_model.hpp"
#include "tools/text/shown_text.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::tools {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
/// The number of a part that is not a token. Numbers of tokens are below 2^31.
constexpr std::uint32_t no_token = std::numeric_limits<std::uint32_t>::max();

/// The token that two neighbours become, and its rank: the lowest rank is merged first.
struct Merge {
  std::uint32_t rank = 0;
  std::uint32_t id = 0;  ///< of the merged token
};

/// The key of a pair in the table of merges.
std::uint64_t pair_of(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << 32U | right;
}

using Merges = std::unordered_map<std::uint64_t, Merge>;

/// Points [begin, end) of a piece, in a list.
struct Part {
  PointRange range;
  std::uint32_t id = no_token;
  std::size_t before = none;
  std::size_t behind = none;
};

/// A pair that is merged when its turn comes, if its parts are unchanged.
struct Candidate {
  std::uint32_t rank = 0;
  std::size_t left = 0;
  std::uint64_t pair = 0;

  friend bool operator>(const Candidate& a, const Candidate& b) {
    return std::tie(a.rank, a.left) > std::tie(b.rank, b.left);
  }
};

/// Merges the parts of one piece. Candidates wait in a queue by rank. A candidate whose parts have
/// changed meanwhile is skipped. Cost: n log n for n points.
class Merger {
 public:
  Merger(const Merges& merges, std::vector<Part>& parts) : merges_(merges), parts_(parts) {}

  void run() {
    for (std::size_t i = 0; i + 1 < parts_.size(); ++i) offer(i);
    while (!candidates_.empty()) {
      const Candidate next = candidates_.top();
      candidates_.pop();
      if (is_there(next)) merge(next.left, merges_.at(next.pair).id);
    }
  }

 private:
  [[nodiscard]] std::uint64_t pair_at(std::size_t left) const {
    return pair_of(parts_[left].id, parts_[parts_[left].behind].id);
  }
  /// True if the pair of a candidate still exists. A part that was merged into the previous one has
  /// no points.
  [[nodiscard]] bool is_there(const Candidate& candidate) const {
    const Part& part = parts_[candidate.left];
    return part.range.begin != part.range.end && part.behind != none &&
           pair_at(candidate.left) == candidate.pair;
  }

  /// Queues the pair that begins at `left`, if the model merges it.
  void offer(std::size_t left) {
    if (left == none || parts_[left].behind == none) return;
    const auto found = merges_.find(pair_at(left));
    if (found != merges_.end()) candidates_.push({found->second.rank, left, found->first});
  }

  /// Merges `left` and the next part into one, and queues the two new pairs.
  void merge(std::size_t left, std::uint32_t id) {
    Part& part = parts_[left];
    Part& gone = parts_[part.behind];
    part.range.end = gone.range.end;
    part.id = id;
    part.behind = gone.behind;
    gone.range.begin = gone.range.end;
    if (part.behind != none) parts_[part.behind].before = left;
    offer(part.before);
    offer(left);
  }

  const Merges& merges_;
  std::vector<Part>& parts_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

struct PairSettings {
  std::optional<std::uint32_t> unknown;
  std::string word_end;  ///< follows the last point of a word in the vocabulary
  bool fuses_unknown = false;
  bool has_bytes = false;
  bool keeps_words = false;  ///< a piece that is a token is not divided
};

/// The model BPE. Threads: any number at once.
class BytePairs final : public TokenModel {
 public:
  BytePairs(Vocabulary vocabulary, Merges merges, PairSettings settings)
      : vocabulary_(std::move(vocabulary)),
        merges_(std::move(merges)),
        settings_(std::move(settings)) {
    if (settings_.has_bytes) bytes_.emplace(vocabulary_);
  }

  void encode(const AlignedText& text, PointRange piece,
              std::vector<Token>& tokens) const override {
    const EncodedPoints word = encode_points(
        std::u32string_view(text.points).substr(piece.begin, piece.end - piece.begin));
    const auto whole = settings_.keeps_words ? vocabulary_.find(word.bytes) : std::nullopt;
    if (whole) {
      tokens.push_back({*whole, text.origin_of(piece.begin, piece.end)});
      return;
    }
    std::vector<Part> parts = parts_of(word);
    Merger(merges_, parts).run();
    bool was_unknown = false;
    for (std::size_t i = 0; i != none; i = parts[i].behind) {
      const PointRange range = parts[i].range;
      const Origin origin = text.origin_of(piece.begin + range.begin, piece.begin + range.end);
      if (parts[i].id != no_token) tokens.push_back({parts[i].id, origin});
      was_unknown = parts[i].id == no_token &&
                    append_unknown(bytes_of(word, range), origin, was_unknown, tokens);
    }
  }

  [[nodiscard]] std::optional<std::uint32_t> unknown() const override { return settings_.unknown; }
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  static std::string_view bytes_of(const EncodedPoints& word, PointRange range) {
    const std::size_t begin = word.starts[range.begin];
    return std::string_view(word.bytes).substr(begin, word.starts[range.end] - begin);
  }

  /// Makes one part for each code point. The token of the last code point has the suffix that marks
  /// the end of a word.
  [[nodiscard]] std::vector<Part> parts_of(const EncodedPoints& word) const {
    const std::size_t count = word.starts.size() - 1;
    std::vector<Part> parts(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view point = bytes_of(word, {i, i + 1});
      const bool is_last = i + 1 == count;
      const auto id = is_last && !settings_.word_end.empty()
                          ? vocabulary_.find(std::string(point) + settings_.word_end)
                          : vocabulary_.find(point);
      parts[i] = {{i, i + 1}, id.value_or(no_token), i == 0 ? none : i - 1, is_last ? none : i + 1};
    }
    return parts;
  }

  /// Returns true if the last token is the unknown one.
  bool append_unknown(std::string_view bytes, Origin origin, bool was_unknown,
                      std::vector<Token>& tokens) const {
    if (bytes_ && bytes_->append(bytes, origin, tokens)) return false;
    if (!settings_.unknown) return false;
    if (was_unknown && settings_.fuses_unknown)
      tokens.back().origin.end = origin.end;
    else
      tokens.push_back({*settings_.unknown, origin});
    return true;
  }

  const Vocabulary vocabulary_;
  const Merges merges_;
  const PairSettings settings_;
  std::optional<ByteTokens> bytes_;
};

/// The two tokens of a merge, which is a list or a text with a blank between them.
std::optional<std::pair<std::string, std::string>> sides_of(const Value& value) {
  if (const List* const list = value.list()) {
    if (list->size() != 2 || (*list)[0].string() == nullptr || (*list)[1].string() == nullptr)
      return std::nullopt;
    return std::pair((*list)[0].as_string(), (*list)[1].as_string());
  }
  const auto* const text = value.string();
  const std::size_t blank = text == nullptr ? std::string::npos : text->find(' ');
  if (blank == std::string::npos) return std::nullopt;
  return std::pair(text->substr(0, blank), text->substr(blank + 1));
}

/// Reads the merges; the place in the list is the rank. Errors: corruption if a merge is not a pair
/// of tokens, or one of its tokens is not in the vocabulary.
Result<Merges> read_merges(const Settings& settings, const Vocabulary& vocabulary) {
  CAIRN_ASSIGN(const List* const list, settings.list("merges"));
  Merges merges;
  merges.reserve(list->size());
  std::uint32_t rank = 0;
  for (const Value& value : *list) {
    const auto sides = sides_of(value);
    if (!sides)
      return wrong_model("the merge of rank " + std::to_string(rank) + " is not a pair of tokens");
    CAIRN_ASSIGN(const auto left, vocabulary.must_find(sides->first));
    CAIRN_ASSIGN(const auto right, vocabulary.must_find(sides->second));
    CAIRN_ASSIGN(const auto merged, vocabulary.must_find(sides->first + sides->second));
    merges.insert_or_assign(pair_of(left, right), Merge{rank++, merged});
  }
  return merges;
}

/// Refuses settings with an effect, which Cairn does not have.
Status check_unused(const Settings& settings) {
  CAIRN_ASSIGN(const auto prefix, settings.optional_text("continuing_subword_prefix"));
  const Value& dropout = settings.member("dropout");
  const bool drops = !dropout.is_null() && dropout != Value(0.0) && dropout != Value(0);
  if (prefix.value_or("").empty() && !drops) return {};
  return unknown_part(settings.name() + " has the setting " +
                      (drops ? "\"dropout\"" : "\"continuing_subword_prefix\"") +
                      ", which Cairn does not know");
}

Result<PairSettings> read_settings(const Settings& settings, const Vocabulary& vocabulary) {
  PairSettings read;
  CAIRN_ASSIGN(const auto unknown, settings.optional_text("unk_token"));
  if (unknown) {
    CAIRN_ASSIGN(read.unknown, vocabulary.must_find(*unknown));
  }
  CAIRN_ASSIGN(const auto word_end, settings.optional_text("end_of_word_suffix"));
  read.word_end = word_end.value_or("");
  CAIRN_ASSIGN(read.fuses_unknown, settings.flag("fuse_unk", false));
  CAIRN_ASSIGN(read.has_bytes, settings.flag("byte_fallback", false));
  CAIRN_ASSIGN(read.keeps_words, settings.flag("ignore_merges", false));
  return read;
}

}  // namespace

Result<std::unique_ptr<TokenModel>> read_byte_pairs(const Settings& settings) {
  CAIRN_TRY(settings.check_names({"dropout", "unk_token", "continuing_subword_prefix",
                                  "end_of_word_suffix", "fuse_unk", "byte_fallback",
                                  "ignore_merges", "vocab", "merges"}));
  CAIRN_TRY(check_unused(settings));
  CAIRN_ASSIGN(auto vocabulary, Vocabulary::of(settings));
  CAIRN_ASSIGN(auto merges, read_merges(settings, vocabulary));
  CAIRN_ASSIGN(auto read, read_settings(settings, vocabulary));
  return std::unique_ptr<TokenModel>(
      std::make_unique<BytePairs>(std::move(vocabulary), std::move(merges), std::move(read)));
}

}  // namespace cairn::tools
