// The built-in embedder, which needs no model. Each feature of a text (a word, or a character
// n-gram of a word) is hashed to a component and a sign, and adds its weight there. The weight
// grows with the logarithm of the feature's count. N-grams weigh less than words: spelling variants
// come near each other without hiding exact words.
//
// With frequencies, rare features weigh more, and stored texts get a general component
// (built_in_model.hpp).

#include "engine/text/built_in_model.hpp"
#include "engine/text/hashing_features.hpp"

#include <cairn/embedder.hpp>
#include <cairn/hashing_frequencies.hpp>

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t max_dimension = 4'096;

class HashingEmbedder final : public Embedder {
 public:
  HashingEmbedder(std::size_t dimension, std::optional<HashingFrequencies> frequencies)
      : dimension_(std::min(std::max<std::size_t>(dimension, 1), max_dimension)),
        frequencies_(std::move(frequencies)),
        greatest_rarity_(frequencies_ ? rarity_of(0, *frequencies_) : 1),
        model_(frequencies_ ? model_of(*frequencies_) : std::string(engine::built_in_model)) {}

  [[nodiscard]] std::string model() const override { return model_; }
  [[nodiscard]] std::size_t dimension() const override { return dimension_; }

  [[nodiscard]] Result<std::vector<Vector>> embed(
      std::span<const std::string_view> texts) const override {
    return each(texts, [&](std::string_view text) { return *embed_within(nullptr, text); });
  }

  /// Errors: those of the limits.
  [[nodiscard]] Result<Vector> embed_within(engine::Limits* limits, std::string_view text) const {
    CAIRN_ASSIGN(const Sum sum, sum_of(text, limits));
    return normalised(sum.sums);
  }

  [[nodiscard]] Result<std::vector<Vector>> embed_documents(
      std::span<const std::string_view> texts) const override {
    if (!has_general_component()) return embed(texts);
    return each(texts, [&](std::string_view text) {
      Sum sum = *sum_of(text, nullptr);
      stretch(sum.sums, sum.words);
      sum.sums.back() = engine::general_words;
      return normalised(sum.sums);
    });
  }

 private:
  /// The sum of a text's features.
  struct Sum {
    std::vector<double> sums;
    double words = 0;  ///< number of words, each weighted by rarity / greatest rarity
  };

  template <class EmbedOne>
  [[nodiscard]] static std::vector<Vector> each(std::span<const std::string_view> texts,
                                                const EmbedOne& embed_one) {
    std::vector<Vector> vectors;
    vectors.reserve(texts.size());
    for (const std::string_view text : texts) vectors.push_back(embed_one(text));
    return vectors;
  }

  /// True if the last component is reserved for the general component of stored texts.
  [[nodiscard]] bool has_general_component() const { return frequencies_ && dimension_ > 1; }

  // Sums up the features of a text.
  [[nodiscard]] Result<Sum> sum_of(std::string_view text, engine::Limits* limits) const {
    constexpr std::uint64_t work_of_feature = 64;  // as Pace counts
    engine::Pace pace(limits);
    Sum sum{std::vector<double>(dimension_, 0.0)};
    CAIRN_ASSIGN(const auto features, engine::hashed_features(text, limits));
    for (const auto& [hash, feature] : features) {
      CAIRN_TRY(pace.add(work_of_feature));
      // With random signs, features that share a component cancel each other as often as they add
      // up, so products of texts are right on average (Weinberger et al., "Feature Hashing for
      // Large Scale Multitask Learning", ICML 2009). The sign is the hash's highest bit.
      const double sign = (hash >> 63) != 0 ? -1.0 : 1.0;
      const double rare = rarity(hash);
      sum.sums[hash % dimension_] += sign * feature.weight * rare * (1.0 + std::log(feature.count));
      if (feature.is_word) sum.words += feature.count * rare / greatest_rarity_;
    }
    if (has_general_component()) sum.sums.back() = 0;
    return sum;
  }

  // The name of the model contains a checksum of the frequencies, since vectors of different
  // frequencies do not compare.
  [[nodiscard]] static std::string model_of(const HashingFrequencies& frequencies) {
    const std::string bytes = frequencies.encode();
    char name[40];
    std::snprintf(name, sizeof name, "cairn-hashing-3-%016llx",
                  static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
    return name;
  }

  // The inverse document frequency of BM25. It is greater than 0 even for a feature of every text.
  [[nodiscard]] double rarity(std::uint64_t hash) const {
    return frequencies_ ? rarity_of(frequencies_->count(hash), *frequencies_) : 1;
  }

  [[nodiscard]] static double rarity_of(double with, const HashingFrequencies& frequencies) {
    const double without = std::max(0.0, static_cast<double>(frequencies.texts()) - with);
    return std::log(1 + (without + 0.5) / (with + 0.5));
  }

  // Scales `sums` to a length, unless all are zero.
  static void stretch(std::vector<double>& sums, double length) {
    double squares = 0;
    for (const double sum : sums) squares += sum * sum;
    if (squares == 0) return;
    for (double& sum : sums) sum *= length / std::sqrt(squares);
  }

  // Scales to length 1. A text without words gets the first axis, so that it can be stored under
  // the cosine metric.
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
  std::optional<HashingFrequencies> frequencies_;
  double greatest_rarity_;
  std::string model_;
};

}  // namespace

namespace engine {

Result<Vector> embed_built_in(std::string_view text, std::size_t dimension, Limits* limits) {
  return HashingEmbedder(dimension, std::nullopt).embed_within(limits, text);
}

}  // namespace engine

std::unique_ptr<Embedder> make_hashing_embedder(std::size_t dimension) {
  return std::make_unique<HashingEmbedder>(dimension, std::nullopt);
}

std::unique_ptr<Embedder> make_hashing_embedder(HashingFrequencies frequencies,
                                                std::size_t dimension) {
  return std::make_unique<HashingEmbedder>(dimension, std::move(frequencies));
}

}  // namespace cairn
