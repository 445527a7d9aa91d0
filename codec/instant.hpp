#pragma once
// Instants in strings: RFC 3339 and the part of ISO 8601 that people write, as microseconds UTC.
//
// instant  := date [('T' | 't' | ' ') clock [offset]]
// date     := YYYY '-' MM '-' DD                     years 0001 to 9999
// clock    := hh ':' mm [':' ss [('.' | ',') digit+]]
// offset   := 'Z' | 'z' | ('+' | '-') hh [[':'] mm]
//
// A date alone is its midnight; without an offset UTC is meant, because a string must name the same
// instant on every machine. Digits beyond microseconds are cut off. A leap second, 23:59:60 UTC, is
// the first second of the next day, as in POSIX time.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::codec {

/// Microseconds since 1970-01-01T00:00:00Z; absent where `text` as a whole is no instant.
[[nodiscard]] std::optional<std::int64_t> parse_instant(std::string_view text) noexcept;

/// "2026-02-14T10:30:00Z", with as many digits of a fraction as it needs; parse_instant reads it back
/// for all years that have four digits.
[[nodiscard]] std::string instant_text(std::int64_t microseconds);

}  // namespace cairn::codec
