// Texts as weighted means of word vectors, less the direction that all have in common (the weights
// and the direction: Arora, Liang, Ma, ICLR 2017). No state but the mapped file: any number of
// threads. Words that the file lacks count nothing; a text of none but such gets the first axis, so
// that it can be stored under the cosine metric.
#include "engine/fulltext/word_breaker.hpp"
#include "engine/text/general_words.hpp"
#include "engine/text/word_binary_codes.hpp"
#include "engine/text/word_vector_file.hpp"

#include <cairn/word_vectors.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <optional>

namespace cairn {
namespace {

/// Of smooth inverse frequency: words of this share of a text have half of their weight. Its source
/// names 1e-4 to 1e-3.
constexpr double half_weight_share = 3e-4;
/// Words that are compared with one: fewer than these are all compared.
constexpr std::size_t least_likely = 128;
constexpr double euler_gamma = 0.5772156649;

std::string_view without_possessive(std::string_view word) {
  return word.ends_with("'s") ? word.substr(0, word.size() - 2) : word;
}

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

void stretch(std::vector<double>& sums, double length) {
  const double own = std::sqrt(dot(sums, sums));
  if (!(own > 0)) return;
  for (double& sum : sums) sum *= length / own;
}

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

  // Zipf: the share of the word of rank r is 1 / (r H), H the sum of all 1 / r.
  [[nodiscard]] double weight(std::size_t place) const {
    const double sum = std::log(static_cast<double>(header().words)) + euler_gamma;
    const double share = 1 / ((1.0 + rank(place)) * sum);
    return half_weight_share / (half_weight_share + share);
  }

  /// Folded, or else as written: files differ in it.
  [[nodiscard]] std::optional<std::size_t> find_folded(std::string_view word) const {
    const std::string folded = engine::fold_word(word);
    const auto place = find(without_possessive(folded));
    return place ? place : find(without_possessive(word));
  }

  /// Places of the words that may be the `count` most like a row, of the `among` most frequent ones;
  /// 1-bit codes are made at the first call.
  [[nodiscard]] std::vector<std::uint32_t> likely(std::span<const std::int8_t> row,
                                                  std::size_t count, std::size_t among) const {
    const std::size_t words = header().words;
    const std::size_t wanted = least_likely + std::min(count, words) * 8;
    std::call_once(signs_made_, [&] { signs_.emplace(*this); });
    return signs_->likely(row, std::min(wanted, words), among);
  }

  [[nodiscard]] Vector embed(std::string_view text) const { return normalised(sum_of(text).sums); }

  // What questions have nothing of takes its part: the less there is of the text, the more.
  [[nodiscard]] Vector embed_document(std::string_view text) const {
    auto [sums, words] = sum_of(text);
    stretch(sums, words);
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += engine::general_words * static_cast<double>(common()[i]);
    return normalised(sums);
  }

 private:
  struct Sum {
    std::vector<double> sums;  ///< without the common direction
    double words = 0;          ///< by their weights
  };

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
