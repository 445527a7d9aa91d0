// Words and their character n-grams as 64-bit hashes. Two seeds separate words from n-grams of the
// same letters. Words are framed by < and >, so that n-grams at their beginning and end differ from
// others.
//
// Stored vectors depend on every detail here. A change of any of them requires another model name.
#include "engine/text/hashing_features.hpp"

#include "codec/utf8.hpp"

#include <utf8proc.h>
#include <xxhash.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

using Features = std::unordered_map<std::uint64_t, HashedFeature>;

// N-grams of 3 to 5 characters, like the subwords of fastText (Bojanowski et al., 2017), which has
// up to 6.
constexpr std::size_t shortest_gram = 3;
constexpr std::size_t longest_gram = 5;
// Seeds of the hash, one for each kind of feature.
constexpr std::uint64_t word_family = 1;
constexpr std::uint64_t gram_family = 2;
constexpr double word_weight = 1.0;
// A word of 8 letters has 21 n-grams, so each must weigh much less than the word.
constexpr double gram_weight = 0.35;

void count_feature(Features& features, std::string_view text, double weight, std::uint64_t family) {
  HashedFeature& feature = features[XXH3_64bits_withSeed(text.data(), text.size(), family)];
  feature.count += 1;
  feature.weight = weight;
  feature.is_word = family == word_family;
}

/// The byte at which each code point of `text` begins, and the end of `text`.
std::vector<std::size_t> code_point_borders(std::string_view text) {
  std::vector<std::size_t> borders;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!codec::is_utf8_continuation(text[i])) borders.push_back(i);
  borders.push_back(text.size());
  return borders;
}

// Beginning and end of the word are marked by < and >, so that "<un" differs from "un" within a
// word.
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

// Splits text into words by Unicode categories from utf8proc. These rules are independent of the
// full-text index, so that stored vectors do not depend on how texts are indexed. Each letter is
// converted to lower case alone.

namespace {

enum class Class { separator, lower, upper, digit };

/// The class of a code point, from its category: words are letters with their marks, or digits; the
/// rest separates words.
Class class_of(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return Class::upper;
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
      return Class::lower;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
      return Class::digit;
    default:
      return Class::separator;
  }
}

/// Collects the words of one identifier: its parts, and the whole if there are several parts.
class Splitter {
 public:
  void take(utf8proc_int32_t code, Class next) {
    // A part ends between lower and upper case, and between digits and letters:
    // "vectorIndex2" has three.
    const bool hump = (previous_ == Class::lower && next == Class::upper) ||
                      (previous_ == Class::digit) != (next == Class::digit);
    if (hump && !part_.empty()) end_part();
    std::array<utf8proc_uint8_t, 4> bytes{};
    const auto length = utf8proc_encode_char(utf8proc_tolower(code), bytes.data());
    part_.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(length));
    previous_ = next;
  }

  void end_word() {
    end_part();
    if (parts_ > 1) words_.push_back(whole_);
    whole_.clear();
    parts_ = 0;
    previous_ = Class::separator;
  }

  [[nodiscard]] std::vector<std::string> words() && { return std::move(words_); }

 private:
  void end_part() {
    if (part_.empty()) return;
    whole_ += part_;
    words_.push_back(std::exchange(part_, {}));
    ++parts_;
  }

  std::vector<std::string> words_;
  std::string whole_;
  std::string part_;
  std::size_t parts_ = 0;
  Class previous_ = Class::separator;
};

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  Splitter splitter;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, left, &code);
    const Class kind = length > 0 ? class_of(code) : Class::separator;
    if (kind == Class::separator) {
      splitter.end_word();
    } else {
      splitter.take(code, kind);
    }
    // An invalid byte separates words and is skipped.
    at += length > 0 ? static_cast<std::size_t>(length) : 1;
  }
  splitter.end_word();
  return std::move(splitter).words();
}

}  // namespace cairn::engine
