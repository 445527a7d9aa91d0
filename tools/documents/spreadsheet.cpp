// Reads workbooks of Office Open XML: sheets in order, cells with numbers, texts, or indexes into
// shared texts. A number is a date if the style of its cell says so.

#include "tools/documents/document_text.hpp"
#include "tools/documents/office_parts.hpp"
#include "tools/documents/page_writer.hpp"
#include "tools/documents/xml_reader.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {
namespace {

// Number formats of a workbook, as far as they change the meaning: dates, times, durations.
//
// A date is a number of days: 1 is 1900-01-01. For compatibility with an old program, 1900 counts
// as a leap year, so the numbers of days before March 1900 are lower by one than true ones. In
// workbooks from old Macintoshes, day 0 is 1904-01-01.

/// What the number of a cell means.
enum class CellNumber : std::uint8_t { number, date, duration };

/// Reads the styles of a workbook, and the first day of its calendar.
/// Source: ECMA-376 part 1, 18.8.30 (number formats) and 18.17.4 (dates and times).
class CellFormats final : public XmlEvents {
 public:
  void begin(std::string_view name, Attributes attributes) override;
  void end(std::string_view name) override;
  void text(std::string_view) override {}

  /// Formats a number: dates and times as ISO 8601, durations as hours:minutes:seconds, others as
  /// in the file.
  [[nodiscard]] std::string shown(std::string_view style, const std::string& number) const;

 private:
  std::map<int, CellNumber> named_;  // formats that the workbook defines
  std::vector<CellNumber> styles_;   // kind of each cell style
  bool is_in_styles_ = false;
  bool begins_1904_ = false;
};

/// Built-in formats of all languages.
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

// Day 1 is 1900-01-01, or day 0 is 1904-01-01. In the calendar that begins in 1900, day 60 is
// February 29, 1900, a date that never was.
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

/// Returns the meaning of a format code such as "dd/mm/yyyy".
CellNumber number_of_format(std::string_view code) {
  CellNumber number = CellNumber::number;
  for (std::size_t i = 0; i < code.size() && code[i] != ';'; ++i) {
    const char c = code[i];
    if (c == '"')
      i = std::min(code.find('"', i + 1), code.size());
    else if (c == '\\' || c == '_' || c == '*')
      ++i;  // the next character is literal, or a blank of its width
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

/// Reads shared texts, without their phonetic parts.
class SharedTexts final : public XmlEvents {
 public:
  explicit SharedTexts(std::uint64_t most_bytes) : left_(most_bytes) {}
  void begin(std::string_view name, Attributes) override {
    if (name == "si") {
      is_full_ = is_full_ || left_ < sizeof(std::string);  // an empty text takes memory too
      if (is_full_) return;
      left_ -= sizeof(std::string);
      texts.emplace_back();
    }
    if (name == "rPh") is_spoken_ = true;
    is_text_ = name == "t" && !is_spoken_ && !texts.empty();
  }
  void end(std::string_view name) override {
    if (name == "rPh") is_spoken_ = false;
    if (name == "t") is_text_ = false;
  }
  void text(std::string_view text) override {
    if (!is_text_ || is_done()) return;
    is_full_ = text.size() > left_;
    if (is_full_) return;
    left_ -= text.size();
    texts.back() += text;
  }
  [[nodiscard]] bool is_done() const override { return is_full_; }
  [[nodiscard]] Status check() const {
    return is_full_ ? Status(cannot_read("its texts exceed the size limit when unpacked"))
                    : Status();
  }

  std::vector<std::string> texts;

 private:
  std::uint64_t left_;
  bool is_spoken_ = false, is_text_ = false, is_full_ = false;
};

class SheetReader final : public XmlEvents {
 public:
  SheetReader(PageWriter& out, const std::vector<std::string>& shared, const CellFormats& formats)
      : out_(out), shared_(shared), formats_(formats) {}
  void begin(std::string_view name, Attributes attributes) override {
    if (name == "c") {
      kind_ = attribute(attributes, "t");
      style_ = attribute(attributes, "s");
      value_.clear();
    }
    is_value_ = name == "v" || name == "t";
  }
  void end(std::string_view name) override {
    is_value_ = false;
    if (name == "c") put_cell();
    if (name == "row") out_.line();
  }
  void text(std::string_view text) override {
    if (is_value_) value_ += text;
  }
  [[nodiscard]] bool is_done() const override { return out_.is_full(); }

 private:
  void put_cell() {
    if (value_.empty()) return;
    out_.tab();
    if (kind_ == "s") return put_shared();
    if (kind_ == "b") return out_.put(value_ == "0" ? "FALSE" : "TRUE");
    out_.put(kind_.empty() || kind_ == "n" ? formats_.shown(style_, value_) : value_);
  }
  void put_shared() {
    std::size_t place = 0;
    const auto read = std::from_chars(value_.data(), value_.data() + value_.size(), place);
    if (read.ec == std::errc() && place < shared_.size()) out_.put(shared_[place]);
  }

  PageWriter& out_;
  const std::vector<std::string>& shared_;
  const CellFormats& formats_;
  std::string kind_, style_, value_;
  bool is_value_ = false;
};

}  // namespace

// The text of a sheet begins with its name, because often only the name says what the numbers mean.
Result<DocumentText> read_xlsx(std::string_view bytes, const DocumentLimits& limits) {
  CAIRN_ASSIGN(OfficeParts parts, OfficeParts::open(bytes, limits));
  CAIRN_ASSIGN(const auto sheets, parts.listed("sheet"));
  SharedTexts shared(limits.unpacked_bytes);
  for (const std::string& part : parts.related("sharedStrings"))
    CAIRN_TRY(parts.read(part, shared));
  CAIRN_TRY(shared.check());
  CellFormats formats;
  CAIRN_TRY(parts.read(parts.main(), formats));
  for (const std::string& part : parts.related("styles")) CAIRN_TRY(parts.read(part, formats));
  PageWriter out(limits);
  for (const OfficePart& sheet : sheets) {
    out.put(sheet.name);
    out.line();
    SheetReader reader(out, shared.texts, formats);
    CAIRN_TRY(parts.read(sheet.path, reader));
    out.page();
    if (out.is_full()) break;
  }
  CAIRN_ASSIGN(DocumentText text, out.finish(true));
  text.title = parts.title();
  return text;
}

}  // namespace cairn::tools
