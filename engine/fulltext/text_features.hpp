#pragma once
// Detects the kinds of a text, and the kinds that a query asks for, by characters and frequent
// English words only. Indexes store the kinds as additional terms.

#include "engine/fulltext/word_breaker.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A kind of text, or something that a text contains.
enum class TextFeature : std::uint8_t {
  question,  ///< asks a question
  number,    ///< contains a number, in digits or words
  /// Names a day, month or year, also relative to today: "yesterday", "last week".
  date,
  /// Has two lines that begin with a bullet or number, or an enumeration of three things.
  list,
  code,         ///< contains names or lines of a programming language
  preference,   ///< says what somebody likes or dislikes
  instruction,  ///< says what somebody must do
};
inline constexpr std::array<std::string_view, 7> feature_names = {
    "question", "number", "date", "list", "code", "preference", "instruction"};

/// A set of features.
class TextFeatures {
 public:
  void add(TextFeature feature) { bits_ |= bit(feature); }
  [[nodiscard]] bool has(TextFeature feature) const noexcept { return (bits_ & bit(feature)) != 0; }
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  static std::uint32_t bit(TextFeature feature) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(feature);
  }
  std::uint32_t bits_ = 0;
};

/// The features of a text. Cost: linear, some 30 ns for each word.
[[nodiscard]] TextFeatures features_of(std::string_view text);
/// The same within limits. Errors: those of `work`.
[[nodiscard]] Result<TextFeatures> features_of(std::string_view text, TextWork& work);
/// The features that an answer to `question` probably has: "when" asks for dates, "how many" for
/// numbers.
[[nodiscard]] TextFeatures features_asked(std::string_view question);
/// The same within limits. Errors: those of `work`.
[[nodiscard]] Result<TextFeatures> features_asked(std::string_view question, TextWork& work);

/// First byte of the terms that represent features in an index. No word contains it.
inline constexpr char marker_sign = '\x01';
/// The term of a feature, by its name in feature_names.
[[nodiscard]] std::string marker_term(std::string_view feature);

}  // namespace cairn::engine
