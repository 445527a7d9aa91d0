#pragma once
// What the text of a question names, without reading records: texts that may be values of properties, and times.

#include "engine/fulltext/word_breaker.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A run of words of a question that may be a value of a property.
struct NamedText {
  std::string text;
  std::size_t first = 0;  ///< index of its first word in engine::break_words()
  std::size_t count = 0;  ///< number of words
};

/// Returns the texts that may be values of properties: each word and each run of two and three words, as written,
/// without a possessive ending. No text begins or ends with a stop word of the language, unless the word is written
/// like a name ("Will" inside of a question). Errors: those of `work`.
[[nodiscard]] Result<std::vector<NamedText>> named_texts(std::string_view question,
                                                         std::string_view language,
                                                         engine::TextWork& work);

/// A range of time in microseconds since 1970 UTC. Both ends are included.
struct TimeRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// Returns the times that an English text names, in days of UTC.
///
/// - Days, months and years: "7 May 2023", "May 7, 2023", "2023-05-07", "May 2023", "in 2022". A part
///   of a longer date is not returned separately.
/// - Parts of them: "the second week of May 2023", "mid-August 2023", "summer 2023", "between 11 August
///   and 15 August 2023".
/// - Times before and after them: "two weeks before 9 June 2023", "the week before 2023-06-09".
/// - Times relative to `now`, in microseconds since 1970 UTC: "yesterday", "three weeks ago", "last
///   summer", "last Friday", "in the past two months".
/// - Without a year ("in June", "9 June"), the time in each year from nine years before `now` to the
///   year after it, since any of these years may be meant.
///
/// With `corrects_spelling`, the names of months and days of the week may be misspelt: two letters may be exchanged, or
/// one letter may differ in a name of 7 letters or more. The first letter must be correct.
///
/// Errors: those of `work`.
[[nodiscard]] Result<std::vector<TimeRange>> named_times(std::string_view question,
                                                         std::int64_t now, bool corrects_spelling,
                                                         engine::TextWork& work);

}  // namespace cairn::query
