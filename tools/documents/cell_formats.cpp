// A date is a number of days: 1 is 1900-01-01. The year 1900 counts as a leap year there, as in the program that others
// had to agree with, so that days before March 1900 lie one off. Workbooks of old Macintoshes begin in 1904.
#include "tools/documents/cell_formats.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

namespace cairn::tools {
namespace {

/// Formats that each program knows, of all languages.
CellNumber number_of_builtin(int id) {
  const auto is_within = [id](int first, int last) { return id >= first && id <= last; };
  if (id == 46) return CellNumber::duration;
  if (is_within(14, 22) || is_within(27, 36) || is_within(45, 47) || is_within(50, 58))
    return CellNumber::date;
  return CellNumber::number;
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

constexpr std::int64_t day_seconds = 86'400;

std::string time_text(std::int64_t seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%02lld:%02lld:%02lld", static_cast<long long>(seconds / 3'600),
                static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
  return text;
}

std::string day_text(std::int64_t day, bool begins_1904) {
  using namespace std::chrono;
  const sys_days first = begins_1904 ? sys_days(1904y / 1 / 1) : sys_days(1899y / 12 / 30);
  const std::int64_t leap = !begins_1904 && day < 60 ? 1 : 0;
  const year_month_day date(first + days(day + leap));
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace

CellNumber number_of_format(std::string_view code) {
  CellNumber number = CellNumber::number;
  for (std::size_t i = 0; i < code.size() && code[i] != ';'; ++i) {
    const char c = code[i];
    if (c == '"')
      i = std::min(code.find('"', i + 1), code.size());
    else if (c == '\\' || c == '_' || c == '*')
      ++i;  // the next one is shown, or is a blank of its width
    else if (c == '[') {
      const char unit = i + 1 < code.size() ? code[i + 1] : ']';
      const std::size_t end = std::min(code.find(']', i), code.size());
      const bool is_elapsed = code.substr(i + 1, end - i - 1).find_first_not_of(unit) == code.npos;
      if (is_elapsed && std::string_view("hHmMsS").find(unit) != std::string_view::npos)
        return CellNumber::duration;
      i = end;  // a colour, a language or a condition
    } else if (code.substr(i).starts_with("General"))
      i += 6;
    else if (std::string_view("dDmMyYhHsS").find(c) != std::string_view::npos)
      number = CellNumber::date;
  }
  return number;
}

void CellFormats::begin(std::string_view name, Attributes attributes) {
  if (name == "workbookPr") {
    const std::string_view said = attribute(attributes, "date1904");
    begins_1904_ = said == "1" || said == "true";
  }
  if (name == "cellXfs") is_in_styles_ = true;
  if (name != "numFmt" && (name != "xf" || !is_in_styles_)) return;
  const int id = number_in<int>(attribute(attributes, "numFmtId")).value_or(0);
  if (name == "numFmt") named_[id] = number_of_format(attribute(attributes, "formatCode"));
  if (name != "xf") return;
  const auto named = named_.find(id);
  styles_.push_back(named == named_.end() ? number_of_builtin(id) : named->second);
}

void CellFormats::end(std::string_view name) {
  if (name == "cellXfs") is_in_styles_ = false;
}

std::string CellFormats::shown(std::string_view style, const std::string& number) const {
  constexpr double most_days = 2'958'466;  // the year 10000
  const auto at = number_in<std::size_t>(style);
  const CellNumber kind = at && *at < styles_.size() ? styles_[*at] : CellNumber::number;
  const auto days = number_in<double>(number);
  if (kind == CellNumber::number || !days || !(*days >= 0 && *days < most_days)) return number;
  const auto seconds = static_cast<std::int64_t>(std::llround(*days * day_seconds));
  if (kind == CellNumber::duration || seconds < day_seconds) return time_text(seconds);
  const std::string day = day_text(seconds / day_seconds, begins_1904_);
  const std::int64_t time = seconds % day_seconds;
  return time == 0 ? day : day + "T" + time_text(time);
}

}  // namespace cairn::tools
