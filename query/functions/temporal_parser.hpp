#pragma once
// Temporal values from ISO 8601 text, basic and extended forms.
//
// date      := year [["-"] month [["-"] day] | ["-"] "W" week [["-"] day] | ["-"] "Q" quarter
//              [["-"] day] | ["-"] ordinal-day]
// year      := 4 digits | sign 1 to 9 digits
// time      := hour [":" minute [":" second [("." | ",") 1 to 9 digits]]], or all without ":"
// zone      := "Z" | offset | [offset] "[" name "]"
// date-time := date ["T" time] [zone]
// duration  := ["-"] "P" [n "Y"] [n "M"] [n "W"] [n "D"] ["T" [n "H"] [n "M"] [n "S"]]
//            | "P" year "-" month "-" day "T" time       n := [sign] digits ["." digits]

#include "query/functions/temporal_parts.hpp"

#include <cairn/result.hpp>
#include <cairn/temporal.hpp>

#include <string_view>

namespace cairn::query {

/// The parts that a text of this type gives. Errors: invalid_argument, saying which text.
[[nodiscard]] Result<TemporalParts> parse_point(const PointType& type, std::string_view text);
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);

}  // namespace cairn::query
