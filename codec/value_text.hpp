#pragma once
// Values as text that is read back: those of time, and literals.

#include <cairn/temporal.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cairn::codec {

// How values of any size are in messages.

/// The first `most_bytes` of Value::to_text(), never half a character, and "..." where it is longer.
/// Cost: about that many bytes for each level of the value, whatever it holds.
[[nodiscard]] std::string beginning_of_text(const Value& value, std::size_t most_bytes);

// Temporal values as ISO 8601 text, the form that the language reads back: seconds and fractions
// stand only where they are not zero, "12:00" and "12:00:00.5" for example.

[[nodiscard]] std::string temporal_text(const Date& value);           ///< 1984-10-11
[[nodiscard]] std::string temporal_text(const LocalTime& value);      ///< 12:31:14.645
[[nodiscard]] std::string temporal_text(const Time& value);           ///< 12:31:14.645+01:00
[[nodiscard]] std::string temporal_text(const LocalDateTime& value);  ///< 1984-10-11T12:31
/// 1984-10-11T12:31+01:00[Europe/Stockholm]
[[nodiscard]] std::string temporal_text(const DateTime& value);
/// P1Y2M-3DT-0.5S: years and months, days, then hours, minutes and seconds, each with its sign.
[[nodiscard]] std::string temporal_text(const Duration& value);

/// "Z", "+01:00", or "+00:53:28" where the offset has seconds.
[[nodiscard]] std::string offset_text(std::int64_t seconds);

}  // namespace cairn::codec
