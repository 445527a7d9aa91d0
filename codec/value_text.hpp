#pragma once
// Values as text: shortened for messages, and temporal values as ISO 8601.

#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cairn::codec {

// Shortened text for messages.

/// Returns at most the first `most_bytes` of Value::to_text(), with "..." if it was cut. Never cuts
/// a character in two. Cost: about `most_bytes` for each nesting level, regardless of the size of
/// the value.
[[nodiscard]] std::string beginning_of_text(const Value& value, std::size_t most_bytes);

// Temporal values as ISO 8601 text, which the query language can parse. A fraction appears only if
// it is not zero, and seconds only if they or the fraction are not zero: "12:00", "12:00:00.5".

[[nodiscard]] std::string temporal_text(const Date& value);           ///< 1984-10-11
[[nodiscard]] std::string temporal_text(const LocalTime& value);      ///< 12:31:14.645
[[nodiscard]] std::string temporal_text(const Time& value);           ///< 12:31:14.645+01:00
[[nodiscard]] std::string temporal_text(const LocalDateTime& value);  ///< 1984-10-11T12:31
/// 1984-10-11T12:31+01:00[Europe/Stockholm]
[[nodiscard]] std::string temporal_text(const DateTime& value);
/// P1Y2M-3DT-0.5S: years and months, days, then hours, minutes and seconds, each with its own sign.
[[nodiscard]] std::string temporal_text(const Duration& value);

/// Returns "Z", "+01:00", or "+00:53:28" if the offset has seconds.
[[nodiscard]] std::string offset_text(std::int64_t seconds);

}  // namespace cairn::codec
