#pragma once
// What a question in plain words names besides its words: values and times.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A run of words of a question.
struct NamedText {
  std::string text;
  std::size_t first = 0;  ///< its first word, of engine::break_words
  std::size_t count = 0;
};

/// Texts that may be values of properties: each word, and runs of two and three words, as written and
/// without a possessive ending. None begins or ends with a stop word of the language, unless that is
/// written like a name ("Will" inside of a question).
[[nodiscard]] std::vector<NamedText> named_texts(std::string_view question,
                                                 std::string_view language);

/// From the first microsecond up to and including the last, UTC.
struct TimeRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// The days, months and years that English text names: "7 May 2023", "May 7, 2023", "2023-05-07",
/// "May 2023", "in 2022". A part of a longer date is not taken for one of its own.
[[nodiscard]] std::vector<TimeRange> named_times(std::string_view question);

}  // namespace cairn::query
