// Words and their character n-grams as 64-bit hashes. Two families of seeds keep a word apart from
// a gram of the same letters. Words are in < and >, so that beginnings and ends make grams of
// their own. Bytes and hashes are part of what stored vectors mean: a change of any of it is
// another model.
#include "engine/text/hashing_features.hpp"

#include "engine/text/word_splitter.hpp"

#include <xxhash.h>

#include <string>
#include <vector>

namespace cairn::engine {
namespace {

using Features = std::unordered_map<std::uint64_t, HashedFeature>;

// Grams of 3 to 5 characters, as fastText's subwords (Bojanowski et al., 2017) have them, but for
// their length of up to 6.
constexpr std::size_t shortest_gram = 3;
constexpr std::size_t longest_gram = 5;
constexpr std::uint64_t word_family = 1;
constexpr std::uint64_t gram_family = 2;
constexpr double word_weight = 1.0;
constexpr double gram_weight = 0.35;  // a word of 8 letters has 21 grams: together about one word

void count_feature(Features& features, std::string_view text, double weight, std::uint64_t family) {
  HashedFeature& feature = features[XXH3_64bits_withSeed(text.data(), text.size(), family)];
  feature.count += 1;
  feature.weight = weight;
  feature.is_word = family == word_family;
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
                    gram_weight, gram_family);
}

}  // namespace

Features hashed_features(std::string_view text) {
  Features features;
  for (const std::string& word : split_words(text)) {
    count_feature(features, word, word_weight, word_family);
    count_grams(features, word);
  }
  return features;
}

}  // namespace cairn::engine
