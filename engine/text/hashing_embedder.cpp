// The built-in embedder. Every feature of a text (a word, or a character n-gram of one) is hashed to
// a component and a sign; its weight grows with the logarithm of its count, and n-grams weigh less
// than words, so that spelling variants come near each other without drowning exact words.

#include "engine/text/word_splitter.hpp"

#include <cairn/embedder.hpp>

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cairn {
namespace {

constexpr std::string_view model_name = "cairn-hashing-1";
constexpr std::size_t max_dimension = 4'096;
constexpr std::size_t shortest_gram = 3;
constexpr std::size_t longest_gram = 5;
constexpr double word_weight = 1.0;
constexpr double gram_weight = 0.35;  // a word of 8 letters has 21 grams: together about one word

struct Feature {
  double count = 0;
  double weight = 0;
};
using Features = std::unordered_map<std::uint64_t, Feature>;

void count_feature(Features& features, std::string_view text, double weight, std::uint64_t family) {
  Feature& feature = features[XXH3_64bits_withSeed(text.data(), text.size(), family)];
  feature.count += 1;
  feature.weight = weight;
}

/// Where each code point of `text` begins, and its end.
std::vector<std::size_t> code_point_borders(std::string_view text) {
  std::vector<std::size_t> borders;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) borders.push_back(i);
  borders.push_back(text.size());
  return borders;
}

void count_grams(Features& features, const std::string& word) {
  const std::string framed = "<" + word + ">";
  const std::vector<std::size_t> borders = code_point_borders(framed);
  for (std::size_t length = shortest_gram; length <= longest_gram; ++length)
    for (std::size_t i = 0; i + length < borders.size(); ++i)
      count_feature(features,
                    std::string_view(framed).substr(borders[i], borders[i + length] - borders[i]),
                    gram_weight, 2);
}

Features features_of(std::string_view text) {
  Features features;
  for (const std::string& word : engine::split_words(text)) {
    count_feature(features, word, word_weight, 1);
    count_grams(features, word);
  }
  return features;
}

class HashingEmbedder final : public Embedder {
 public:
  explicit HashingEmbedder(std::size_t dimension) : dimension_(dimension) {}

  [[nodiscard]] std::string model() const override { return std::string(model_name); }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }

  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    std::vector<Vector> vectors;
    vectors.reserve(texts.size());
    for (std::string_view text : texts) vectors.push_back(embed_one(text));
    return vectors;
  }

 private:
  [[nodiscard]] Vector embed_one(std::string_view text) const {
    std::vector<double> sums(dimension_, 0.0);
    for (const auto& [hash, feature] : features_of(text)) {
      const double sign = (hash >> 63) != 0 ? -1.0 : 1.0;
      sums[hash % dimension_] += sign * feature.weight * (1.0 + std::log(feature.count));
    }
    return normalised(sums);
  }

  // A text without a word gets the first axis, so that it can be stored under the cosine metric.
  [[nodiscard]] static Vector normalised(const std::vector<double>& sums) {
    double squares = 0;
    for (double sum : sums) squares += sum * sum;
    std::vector<float> components(sums.size(), 0.0F);
    if (squares == 0) {
      components[0] = 1.0F;
    } else {
      const double scale = 1.0 / std::sqrt(squares);
      for (std::size_t i = 0; i < sums.size(); ++i)
        components[i] = static_cast<float>(sums[i] * scale);
    }
    return Vector(std::move(components));
  }

  std::size_t dimension_;
};

}  // namespace

std::unique_ptr<Embedder> make_hashing_embedder(std::size_t dimension) {
  const std::size_t within = std::min(std::max<std::size_t>(dimension, 1), max_dimension);
  return std::make_unique<HashingEmbedder>(within);
}

}  // namespace cairn
