// A hand-written scanner for RFC 3339 and looser forms; the header has the grammar. Every string
// that is written to the database is scanned, because an instant gets an index entry of its own.
// Most strings are no instant, and the scanner decides that after at most a dozen characters,
// whatever the length. The scanner uses no locale, allocation or exceptions; neither strptime nor
// the parsing of <chrono> (which libstdc++ 12 lacks) has all of these properties.
#include "codec/instant.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace cairn::codec {
namespace {

constexpr std::int64_t microseconds_per_second = 1'000'000;
constexpr std::size_t fraction_digits = 6;

/// The unread text. A step that does not find what it needs marks the whole text as wrong.
class Scanner {
 public:
  explicit Scanner(std::string_view text) noexcept : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool is_wrong() const noexcept { return wrong_; }

  void mark_wrong() noexcept { wrong_ = true; }

  /// Skips one of `characters` and returns it, or returns 0.
  char take(std::string_view characters) noexcept {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return 0;
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }
  void expect(char character) noexcept {
    if (take({&character, 1}) == 0) wrong_ = true;
  }
  /// Reads exactly `count` digits of a number within [least, most]; at most 4 digits, so it cannot
  /// overflow. A missing digit counts as 0 and marks the text as wrong, so callers may continue.
  int number(int count, int least, int most) noexcept {
    int value = 0;
    for (int i = 0; i < count; ++i) value = value * 10 + digit();
    if (value < least || value > most) wrong_ = true;
    return value;
  }
  /// Reads one or more digits of a fraction and returns microseconds. Further digits are read and
  /// dropped.
  std::int64_t fraction() noexcept {
    std::int64_t value = 0;
    std::size_t digits = 0;
    do {
      const int next = digit();
      if (digits < fraction_digits) value = value * 10 + next;
      ++digits;
    } while (!rest_.empty() && is_digit(rest_.front()));
    for (; digits < fraction_digits; ++digits) value *= 10;
    return value;
  }

 private:
  static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
  int digit() noexcept {
    if (rest_.empty() || !is_digit(rest_.front())) {
      wrong_ = true;
      return 0;
    }
    const int value = rest_.front() - '0';
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
  bool wrong_ = false;
};

/// Reads a date; returns seconds since 1970-01-01T00:00:00.
std::int64_t scan_date(Scanner& scanner) noexcept {
  const int year = scanner.number(4, 1, 9999);
  scanner.expect('-');
  const int month = scanner.number(2, 1, 12);
  scanner.expect('-');
  if (scanner.is_wrong()) return 0;  // the number of days depends on a valid month
  const auto civil_month = static_cast<unsigned>(month);
  const int day = scanner.number(2, 1, static_cast<int>(days_in_month(year, civil_month)));
  return days_from_civil({year, civil_month, static_cast<unsigned>(day)}) * seconds_per_day;
}

/// A time of day. A leap second is counted as the next second and checked when the offset is known.
struct Clock {
  std::int64_t seconds = 0;
  std::int64_t microseconds = 0;
  bool is_leap_second = false;
};

/// Reads HH:MM, optionally with seconds and a fraction. The second 60 is a leap second.
Clock scan_clock(Scanner& scanner) noexcept {
  Clock clock;
  const int hour = scanner.number(2, 0, 23);
  scanner.expect(':');
  const int minute = scanner.number(2, 0, 59);
  clock.seconds = hour * 3'600 + minute * 60;
  if (scanner.take(":") == 0) return clock;
  const int second = scanner.number(2, 0, 60);
  clock.seconds += second;
  clock.is_leap_second = second == 60;
  if (scanner.take(".,") != 0) clock.microseconds = scanner.fraction();
  return clock;
}

/// Reads an offset; returns seconds east of UTC.
std::int64_t scan_offset(Scanner& scanner) noexcept {
  if (scanner.at_end() || scanner.take("Zz") != 0) return 0;
  const char sign = scanner.take("+-");
  if (sign == 0) scanner.mark_wrong();
  std::int64_t seconds = std::int64_t{scanner.number(2, 0, 23)} * 3'600;
  if (!scanner.at_end()) {
    (void)scanner.take(":");
    seconds += std::int64_t{scanner.number(2, 0, 59)} * 60;
  }
  return sign == '-' ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> parse_instant(std::string_view text) noexcept {
  Scanner scanner(text);
  std::int64_t seconds = scan_date(scanner);
  Clock clock;
  if (!scanner.is_wrong() && scanner.take("Tt ") != 0) {
    clock = scan_clock(scanner);
    seconds += clock.seconds;
    seconds -= scan_offset(scanner);
  }
  if (scanner.is_wrong() || !scanner.at_end()) return std::nullopt;
  // A leap second can only end a UTC day. Counted as the next second, it is midnight.
  if (clock.is_leap_second && floor_modulo(seconds, seconds_per_day) != 0) return std::nullopt;
  // Years 1 to 9999 are within 2.6e11 seconds: the product stays below 2^58.
  return seconds * microseconds_per_second + clock.microseconds;
}

// Rounds down throughout, so that the fraction of an instant before 1970 counts upwards from its
// second.
std::string instant_text(std::int64_t microseconds) {
  const std::int64_t seconds = floor_divide(microseconds, microseconds_per_second);
  const CivilDate date = civil_from_days(floor_divide(seconds, seconds_per_day));
  const auto clock = static_cast<int>(floor_modulo(seconds, seconds_per_day));
  const auto fraction = static_cast<int>(floor_modulo(microseconds, microseconds_per_second));
  std::array<char, 64> buffer{};
  const int size =
      std::snprintf(buffer.data(), buffer.size(), "%04lld-%02u-%02uT%02d:%02d:%02d.%06d",
                    static_cast<long long>(date.year), date.month, date.day, clock / 3'600,
                    clock / 60 % 60, clock % 60, fraction);
  std::string text(buffer.data(), static_cast<std::size_t>(size));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + 'Z';
}

}  // namespace cairn::codec
