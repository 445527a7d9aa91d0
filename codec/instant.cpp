// A hand-written scanner of RFC 3339 and its looser neighbours; the grammar is in the header.
// It is called for every string that is written, to learn whether it names an instant and gets an
// index entry of its own, so the usual answer is "no" and comes within a dozen characters, whatever
// the length. No locale, no allocation, no exceptions: neither strptime nor <chrono>'s parsing is
// all of that (and libstdc++ 12 lacks the latter).
#include "codec/instant.hpp"

#include <array>
#include <cstddef>
#include <cstdio>

namespace cairn::codec {
namespace {

constexpr std::int64_t microseconds_per_second = 1'000'000;
constexpr std::size_t fraction_digits = 6;

/// What is left of the text. A step that does not find what it needs marks the whole as wrong.
class Scanner {
 public:
  explicit Scanner(std::string_view text) noexcept : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool is_wrong() const noexcept { return wrong_; }

  void mark_wrong() noexcept { wrong_ = true; }

  /// Steps over one of `characters` and returns it, or returns 0.
  char take(std::string_view characters) noexcept {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return 0;
    const char taken = rest_.front();
    rest_.remove_prefix(1);
    return taken;
  }
  void expect(char character) noexcept {
    if (take({&character, 1}) == 0) wrong_ = true;
  }
  /// Exactly `count` digits, of a number within [least, most].
  /// At most 4 digits: no overflow. A missing digit counts as 0 and marks the whole as wrong, so
  /// callers may go on.
  int number(int count, int least, int most) noexcept {
    int value = 0;
    for (int i = 0; i < count; ++i) value = value * 10 + digit();
    if (value < least || value > most) wrong_ = true;
    return value;
  }
  /// At least one digit; what lies beyond microseconds is read and dropped.
  /// Any number of digits is taken, six count: a text with nanoseconds names the microsecond that
  /// it lies in.
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

/// Seconds since 1970-01-01T00:00:00.
std::int64_t scan_date(Scanner& scanner) noexcept {
  const int year = scanner.number(4, 1, 9999);
  scanner.expect('-');
  const int month = scanner.number(2, 1, 12);
  scanner.expect('-');
  if (scanner.is_wrong()) return 0;  // the length of a month needs a month
  const auto civil_month = static_cast<unsigned>(month);
  const int day = scanner.number(2, 1, static_cast<int>(days_in_month(year, civil_month)));
  return days_from_civil({year, civil_month, static_cast<unsigned>(day)}) * seconds_per_day;
}

/// A leap second is counted on here and judged when the offset is known.
struct Clock {
  std::int64_t seconds = 0;
  std::int64_t microseconds = 0;
  bool is_leap_second = false;
};

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

/// Seconds east of UTC.
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
  // A leap second can only end a day of UTC; counted on, it lies on the next midnight.
  if (clock.is_leap_second && floor_modulo(seconds, seconds_per_day) != 0) return std::nullopt;
  // Years 1 to 9999 are within 2.6e11 seconds: the product stays below 2^58.
  return seconds * microseconds_per_second + clock.microseconds;
}

// Floors throughout, so that instants before 1970 keep a fraction that counts upwards from their
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
