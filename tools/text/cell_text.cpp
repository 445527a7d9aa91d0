// Formats values for a terminal. Data may contain control characters that would clear the screen or
// hide text, so these are shown as escapes. Widths are in columns: two for wide characters, none
// for combining marks (utf8proc's tables).
#include "tools/text/cell_text.hpp"

#include <cairn/value_text.hpp>

#include <utf8proc.h>

#include <array>
#include <cstdio>

namespace cairn::tools {
namespace {

constexpr std::size_t shown_components = 4;
constexpr std::string_view ellipsis = "\xe2\x80\xa6";
constexpr std::string_view replacement = "\xef\xbf\xbd";

struct CodePoint {
  utf8proc_int32_t value = -1;  ///< -1: a byte that is not UTF-8
  std::string_view bytes;
};

// An invalid byte is a code point -1 of one byte.
CodePoint next_code_point(std::string_view text) {
  CodePoint point;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &point.value);
  if (length <= 0) return {-1, text.substr(0, 1)};
  point.bytes = text.substr(0, static_cast<std::size_t>(length));
  return point;
}

/// True for control characters, format characters such as those that reverse the direction, and
/// line separators.
bool steers_terminal(utf8proc_int32_t code) {
  const auto category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
         category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

/// Escapes as in Cypher, so that shown text can be typed again.
std::string escape(utf8proc_int32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), code > 0xffff ? "\\U%08X" : "\\u%04X",
                static_cast<unsigned>(code));
  return text.data();
}

std::size_t width_of(utf8proc_int32_t code) {
  const int width = code < 0 ? 1 : utf8proc_charwidth(code);
  return width < 0 ? 0 : static_cast<std::size_t>(width);
}

bool is_temporal(const Value& value) {
  return value.type() >= ValueType::date && value.type() <= ValueType::duration;
}

/// Returns the text within a call: 2020-01-01 for date('2020-01-01').
std::string bare_text(const std::string& call) {
  const std::size_t begin = call.find('\'');
  const std::size_t end = call.rfind('\'');
  return begin < end ? call.substr(begin + 1, end - begin - 1) : call;
}

}  // namespace

// Each byte of invalid UTF-8 is shown as U+FFFD.
std::string make_visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = next_code_point(text);
    if (point.value < 0) {
      out += replacement;
    } else if (steers_terminal(point.value)) {
      out += escape(point.value);
    } else {
      out += point.bytes;
    }
    text.remove_prefix(point.bytes.size());
  }
  return out;
}

std::string visible_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += make_visible(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string cell_text(const Value& value) {
  if (const std::string* text = value.string()) return make_visible(*text);
  if (is_temporal(value)) return bare_text(value.to_text());
  return make_visible(shortened_text(value, shown_components));
}

std::string cell_text(const Value& value, const std::optional<std::string>& null_text) {
  return value.is_null() && null_text ? make_visible(*null_text) : cell_text(value);
}

// Wide characters of East Asia take two columns, combining marks none.
std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = next_code_point(text);
    width += width_of(point.value);
    text.remove_prefix(point.bytes.size());
  }
  return width;
}

// Cuts before the character that would leave no room for the ellipsis.
std::string fit_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const CodePoint point = next_code_point(text);
    if (used + width_of(point.value) + 1 > width) break;
    used += width_of(point.value);
    out += point.bytes;
    text.remove_prefix(point.bytes.size());
  }
  return width == 0 ? std::string() : out + std::string(ellipsis);
}

}  // namespace cairn::tools
