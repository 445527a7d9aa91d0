// An embedder that adds up the vectors of a text's words, weighted by rarity, and removes the
// direction that all texts have in common (Arora, Liang, Ma, ICLR 2017). Words that are not in the
// file are ignored. A text without known words gets the first axis, so that it can be stored under
// the cosine metric.
//
// The mapped file is immutable, and the 1-bit codes are made once, so any number of threads may
// call the embedder.

#include "engine/fulltext/word_breaker.hpp"
#include "engine/text/built_in_model.hpp"
#include "engine/text/word_vector_file.hpp"
#include "engine/vector/binary_codes.hpp"

#include <cairn/word_vectors.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {
// 1-bit codes of all words of a file, to select the words that are worth a full comparison with one
// word.
//
// A code has one bit per component: the sign of the component minus the mean of all words. Codes
// are stored in blocks of the same form as the 1-bit codes of the vector index. Scanning takes
// about a nanosecond for each word, a hundredth of the time to read the vectors. The caller then
// compares the best guesses in full.

class WordBinaryCodes {
 public:
  /// Cost: a pass over all vectors, 0.2 s for 340,000 words of 100 components. Memory: about a
  /// quarter of the vectors. The file may be closed afterwards.
  explicit WordBinaryCodes(const WordVectorFile& file);

  /// Returns the places of up to `count` words that are probably most similar to `row`, in no
  /// particular order. Considers the `among` most frequent words. Very similar words are nearly
  /// always included.
  ///
  /// Cost: a nanosecond for each word of 100 components.
  [[nodiscard]] std::vector<std::uint32_t> likely(std::span<const std::int8_t> row,
                                                  std::size_t count, std::size_t among) const;

 private:
  std::vector<std::uint32_t> places_;  // places of words, the most frequent first; rows of codes_
  BinaryCodes codes_;
};

namespace {

// Blocks whose scores fit the first-level cache.
constexpr std::size_t blocks_at_once = 32;

/// Writes the row scaled to length 1, or zeros for a zero row.
void put_unit(std::span<const std::int8_t> row, std::vector<float>& out) {
  const auto squares =
      static_cast<float>(std::inner_product(row.begin(), row.end(), row.begin(), 0));
  // The scale of the word cancels out: its bytes alone determine the direction.
  const float scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  std::ranges::transform(row, out.begin(), [&](std::int8_t component) {
    return scale * static_cast<float>(component);
  });
}

// The mean of all words. It is subtracted, because signs that all words share would not distinguish
// them.
std::vector<float> mean_of(const WordVectorFile& file) {
  std::vector<double> sums(file.header().dimension, 0.0);
  std::vector<float> unit(sums.size());
  for (std::size_t place = 0; place < file.header().words; ++place) {
    put_unit(file.row(place), unit);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += static_cast<double>(unit[i]);
  }
  std::vector<float> mean(sums.size());
  std::ranges::transform(sums, mean.begin(), [&](double sum) {
    return static_cast<float>(sum / static_cast<double>(file.header().words));
  });
  return mean;
}

// A word that may be similar, by its 1-bit code.
struct Guess {
  float score;
  std::uint32_t row;
};

// Reduces `guesses` to the `count` best, in no particular order.
void keep_best(std::vector<Guess>& guesses, std::size_t count) {
  if (guesses.size() <= count) return;
  std::ranges::nth_element(guesses, guesses.begin() + static_cast<std::ptrdiff_t>(count),
                           std::ranges::greater(), &Guess::score);
  guesses.resize(count);
}

// Collects the best guesses. Once it has enough, a guess must be better than the worst one held.
class Best {
 public:
  explicit Best(std::size_t count) : count_(count) {}

  void offer(const float* scores, std::size_t number, std::uint32_t first) {
    bool any = false;
    for (std::size_t i = 0; i < BinaryCodes::block; ++i) any |= scores[i] > least_;
    if (!any) return;
    for (std::size_t i = 0; i < number; ++i)
      if (scores[i] > least_)
        guesses_.push_back({scores[i], first + static_cast<std::uint32_t>(i)});
    // Selects the best only when twice as many guesses have gathered, so that each offer has a
    // constant amortised cost.
    if (guesses_.size() < 2 * count_ + BinaryCodes::block) return;
    keep_best(guesses_, count_);
    least_ = std::ranges::min(guesses_, {}, &Guess::score).score;
  }
  std::vector<Guess> take() {
    keep_best(guesses_, count_);
    return std::move(guesses_);
  }

 private:
  std::size_t count_;
  float least_ = -std::numeric_limits<float>::infinity();
  std::vector<Guess> guesses_;
};

}  // namespace

WordBinaryCodes::WordBinaryCodes(const WordVectorFile& file)
    : places_(file.header().words), codes_(places_.size(), file.header().dimension, false) {
  std::iota(places_.begin(), places_.end(), 0U);
  // Sorts by frequency, so that the `among` most frequent words are the first rows.
  std::ranges::sort(places_, {}, [&](std::uint32_t place) { return file.rank(place); });
  const std::vector<float> mean = mean_of(file);
  std::vector<float> rest(mean.size());
  for (std::size_t row = 0; row < places_.size(); ++row) {
    put_unit(file.row(places_[row]), rest);
    std::ranges::transform(rest, mean, rest.begin(), std::minus());
    codes_.set(row, rest, 0);
  }
  codes_.seal();
}

// Scores some blocks of codes at a time, so that their scores stay in the cache until the best are
// taken.
std::vector<std::uint32_t> WordBinaryCodes::likely(std::span<const std::int8_t> row,
                                                   std::size_t count, std::size_t among) const {
  constexpr std::size_t block = BinaryCodes::block;
  std::vector<float> weights(row.size());
  put_unit(row, weights);
  const SignQuery query = codes_.prepare(weights, 0, 0, 0);
  const std::size_t words = std::min(among, places_.size());
  const std::size_t blocks = (words + block - 1) / block;
  std::vector<float> scores(blocks_at_once * block);
  Best best(count);
  for (std::size_t first = 0; first < blocks; first += blocks_at_once) {
    const std::size_t taken = std::min(blocks_at_once, blocks - first);
    codes_.score(query, first, taken, scores.data());
    for (std::size_t i = 0; i < taken; ++i) {
      const std::size_t begin = (first + i) * block;
      best.offer(&scores[i * block], std::min(block, words - begin),
                 static_cast<std::uint32_t>(begin));
    }
  }
  std::vector<std::uint32_t> places;
  for (const Guess& guess : best.take()) places.push_back(places_[guess.row]);
  return places;
}

}  // namespace cairn::engine

namespace cairn {
namespace {

/// Smooth inverse frequency: a word that is this share of all words gets the weight 0.5. Arora et
/// al. recommend 1e-4 to 1e-3.
constexpr double half_weight_share = 3e-4;
/// Minimum number of words that are compared in full.
constexpr std::size_t least_likely = 128;
// The harmonic number of n is about ln n + this.
constexpr double euler_gamma = 0.5772156649;

std::string_view without_possessive(std::string_view word) {
  return word.ends_with("'s") ? word.substr(0, word.size() - 2) : word;
}

// Adds the weighted vector of a word.
void add_row(const engine::WordVectorFile& file, std::size_t place, double weight,
             std::vector<double>& sums) {
  const auto row = file.row(place);
  weight *= static_cast<double>(file.scale(place));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weight * row[i];
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double squares_of(std::span<const std::int8_t> row) {
  return std::inner_product(row.begin(), row.end(), row.begin(), 0);
}

// Scales `sums` to a length, unless all are zero.
void stretch(std::vector<double>& sums, double length) {
  const double own = std::sqrt(dot(sums, sums));
  if (!(own > 0)) return;
  for (double& sum : sums) sum *= length / own;
}

// Scales to length 1; zeros become the first axis.
Vector normalised(const std::vector<double>& sums) {
  const double length = std::sqrt(dot(sums, sums));
  std::vector<float> components(sums.size(), 0.0F);
  if (length > 0 && std::isfinite(length))
    std::transform(sums.begin(), sums.end(), components.begin(),
                   [&](double sum) { return static_cast<float>(sum / length); });
  else
    components[0] = 1.0F;
  return Vector(std::move(components));
}

}  // namespace

struct WordVectors::File : engine::WordVectorFile {
  explicit File(engine::WordVectorFile file) : engine::WordVectorFile(std::move(file)) {}

  // The weight of a word by its rank r. By Zipf's law its share of all words is 1 / (r H), with H
  // the sum of all 1 / r.
  [[nodiscard]] double weight(std::size_t place) const {
    const double sum = std::log(static_cast<double>(header().words)) + euler_gamma;
    const double share = 1 / ((1.0 + rank(place)) * sum);
    return half_weight_share / (half_weight_share + share);
  }

  /// The place of a word in its folded form or, if that is not found, as it is written: some files
  /// have only one of the two forms.
  [[nodiscard]] std::optional<std::size_t> find_folded(std::string_view word) const {
    const std::string folded = engine::fold_word(word);
    const auto place = find(without_possessive(folded));
    return place ? place : find(without_possessive(word));
  }

  /// Places of words that may be among the `count` most similar to a row, considering the `among`
  /// most frequent words. The 1-bit codes are made at the first call.
  [[nodiscard]] std::vector<std::uint32_t> likely(std::span<const std::int8_t> row,
                                                  std::size_t count, std::size_t among) const {
    const std::size_t words = header().words;
    const std::size_t wanted = least_likely + std::min(count, words) * 8;
    std::call_once(signs_made_, [&] { signs_.emplace(*this); });
    return signs_->likely(row, std::min(wanted, words), among);
  }

  [[nodiscard]] Vector embed(std::string_view text) const { return normalised(sum_of(text).sums); }

  // Adds the general component, which queries do not have. The shorter the text, the greater the
  // share of this component.
  [[nodiscard]] Vector embed_document(std::string_view text) const {
    auto [sums, words] = sum_of(text);
    stretch(sums, words);
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += engine::general_words * static_cast<double>(common()[i]);
    return normalised(sums);
  }

 private:
  /// The weighted sum of a text's words.
  struct Sum {
    std::vector<double> sums;  ///< without the common direction
    double words = 0;          ///< sum of the words' weights
  };

  // Adds up the words of a text and removes the common direction.
  [[nodiscard]] Sum sum_of(std::string_view text) const {
    Sum sum{std::vector<double>(header().dimension, 0.0)};
    for (const engine::WordRange& word : engine::break_words(text)) {
      const auto place = find_folded(text.substr(word.begin, word.end - word.begin));
      if (!place) continue;
      add_row(*this, *place, weight(*place), sum.sums);
      sum.words += weight(*place);
    }
    const std::vector<double> direction(common().begin(), common().end());
    const double share = dot(sum.sums, direction);
    for (std::size_t i = 0; i < sum.sums.size(); ++i) sum.sums[i] -= share * direction[i];
    return sum;
  }

  // Made at the first call of likely().
  mutable std::once_flag signs_made_;
  mutable std::optional<engine::WordBinaryCodes> signs_;
};

WordVectors::WordVectors(std::unique_ptr<File> file) : file_(std::move(file)) {}
WordVectors::~WordVectors() = default;

Result<std::unique_ptr<WordVectors>> WordVectors::open(const std::filesystem::path& file) {
  CAIRN_ASSIGN(auto mapped, engine::WordVectorFile::open(file));
  return std::unique_ptr<WordVectors>(new WordVectors(std::make_unique<File>(std::move(mapped))));
}

std::string WordVectors::model() const {
  char name[32];
  std::snprintf(name, sizeof name, "word-vectors-2-%016llx",
                static_cast<unsigned long long>(file_->header().checksum));
  return name;
}

std::size_t WordVectors::dimension() const { return file_->header().dimension; }
std::size_t WordVectors::size() const noexcept { return file_->header().words; }

Result<std::vector<Vector>> WordVectors::embed(std::span<const std::string_view> texts) const {
  std::vector<Vector> vectors;
  vectors.reserve(texts.size());
  for (const std::string_view text : texts) vectors.push_back(file_->embed(text));
  return vectors;
}

Result<std::vector<Vector>> WordVectors::embed_documents(
    std::span<const std::string_view> texts) const {
  std::vector<Vector> vectors;
  vectors.reserve(texts.size());
  for (const std::string_view text : texts) vectors.push_back(file_->embed_document(text));
  return vectors;
}

// Selects candidates by 1-bit codes, and orders them by their cosines.
std::vector<WordVectors::NearWord> WordVectors::nearest_words(std::string_view word,
                                                              std::size_t count,
                                                              std::size_t among) const {
  const auto place = file_->find_folded(word);
  if (!place) return {};
  const auto row = file_->row(*place);
  const double own = std::sqrt(squares_of(row));
  std::vector<std::pair<double, std::uint32_t>> near;
  for (const std::uint32_t other : file_->likely(row, count, among)) {
    const auto others = file_->row(other);
    const int product = std::inner_product(row.begin(), row.end(), others.begin(), 0);
    if (other == *place || product <= 0) continue;
    near.emplace_back(-product / (own * std::sqrt(squares_of(others))), other);
  }
  const auto end = near.begin() + static_cast<std::ptrdiff_t>(std::min(count, near.size()));
  std::partial_sort(near.begin(), end, near.end());
  std::vector<NearWord> words;
  for (auto found = near.begin(); found != end; ++found)
    words.push_back({std::string(file_->word(found->second)), -found->first});
  return words;
}

}  // namespace cairn
