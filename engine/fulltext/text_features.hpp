#pragma once
// What kind of text a text is, and which kinds answer a question: recognized by characters and by the commonest
// English words alone, so that an index can keep it beside the terms.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

enum class TextFeature : std::uint8_t {
  question,     ///< asks something
  number,       ///< names one, in digits or letters
  date,         ///< names a day, month or year, also from today: "yesterday", "last week"
  list,         ///< two lines that begin with a sign or number, or three things in a row
  code,         ///< names or lines of a programming language
  preference,   ///< what somebody likes or does not
  instruction,  ///< what somebody shall do
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

/// Cost: linear, some 30 ns a word.
[[nodiscard]] TextFeatures features_of(std::string_view text);
/// Those that a text which answers `question` has likely: "when" asks for dates, "how many" for numbers.
[[nodiscard]] TextFeatures features_asked(std::string_view question);

/// Before a feature's name it is the term that stands for it in an index. No word has it.
inline constexpr char marker_sign = '\x01';
[[nodiscard]] std::string marker_term(std::string_view feature);

}  // namespace cairn::engine
