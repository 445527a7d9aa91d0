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

/// The byte at which each code point of `text` begins, and the end of `text`.
std::vector<std::size_t> code_point_borders(std::string_view text) {
  std::vector<std::size_t> borders;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!codec::is_utf8_continuation(text[i])) borders.push_back(i);
  borders.push_back(text.size());
  return borders;
}

/// Counts the features of words, within the limits of a statement.
class FeatureCounter {
 public:
  explicit FeatureCounter(Limits* limits) : limits_(limits), pace_(limits), held_(limits) {}

  Status add_word(const std::string& word) {
    CAIRN_TRY(add(word, word_weight, word_family));
    return add_grams(word);
  }
  [[nodiscard]] Features take() && { return std::move(features_); }

 private:
  // As Pace counts, and as much as the table holds for a feature.
  static constexpr std::uint64_t work_of_feature = 256;
  static constexpr std::size_t bytes_of_feature = 64;

  Status add(std::string_view text, double weight, std::uint64_t family) {
    HashedFeature& feature = features_[XXH3_64bits_withSeed(text.data(), text.size(), family)];
    feature.count += 1;
    feature.weight = weight;
    feature.is_word = family == word_family;
    return pace_.is_due(work_of_feature) ? look() : Status();
  }
  Status look() {
    CAIRN_TRY(held_.set(features_.size() * bytes_of_feature));
    return pace_.look();
  }

  // Beginning and end of the word are marked by < and >, so that "<un" differs from "un" within a
  // word.
  Status add_grams(const std::string& word) {
    if (limits_ != nullptr) CAIRN_TRY(limits_->check_room(word.size() * sizeof(std::size_t)));
    const std::string framed = "<" + word + ">";
    const std::vector<std::size_t> borders = code_point_borders(framed);
    for (std::size_t length = shortest_gram; length <= longest_gram; ++length)
      for (std::size_t i = 0; i + length < borders.size(); ++i)
        CAIRN_TRY(add(std::string_view(framed).substr(borders[i], borders[i + length] - borders[i]),
                      gram_weight, gram_family));
    return {};
  }

  Limits* limits_;
  Pace pace_;
  Charge held_;
  Features features_;
};

}  // namespace

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

  /// The words since the last call.
  [[nodiscard]] std::vector<std::string> take_words() { return std::exchange(words_, {}); }
  [[nodiscard]] bool has_words() const { return !words_.empty(); }

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

/// Calls `visit` with each word, which returns a Status.
template <class Visit>
Status for_each_word(std::string_view text, Limits* limits, const Visit& visit) {
  constexpr std::uint64_t work_of_letter = 16;  // as Pace counts
  Pace pace(limits);
  Splitter splitter;
  // An identifier may have very many parts, so each is visited as soon as it is complete.
  const auto visit_words = [&]() -> Status {
    if (!splitter.has_words()) return {};
    for (const std::string& word : splitter.take_words()) CAIRN_TRY(visit(word));
    return {};
  };
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    CAIRN_TRY(pace.add(work_of_letter));
    utf8proc_int32_t code = 0;
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, left, &code);
    const Class kind = length > 0 ? class_of(code) : Class::separator;
    if (kind == Class::separator) {
      splitter.end_word();
    } else {
      splitter.take(code, kind);
    }
    CAIRN_TRY(visit_words());
    // An invalid byte separates words and is skipped.
    at += length > 0 ? static_cast<std::size_t>(length) : 1;
  }
  splitter.end_word();
  return visit_words();
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  static_cast<void>(for_each_word(text, nullptr, [&](const std::string& word) {
                      words.push_back(word);
                      return Status();
                    }).has_value());
  return words;
}

Result<Features> hashed_features(std::string_view text, Limits* limits) {
  FeatureCounter counter(limits);
  CAIRN_TRY(
      for_each_word(text, limits, [&](const std::string& word) { return counter.add_word(word); }));
  return std::move(counter).take();
}

Features hashed_features(std::string_view text) { return *hashed_features(text, nullptr); }

}  // namespace cairn::engine
