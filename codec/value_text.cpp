// Value::to_text: values as literals of the language.
//
// The text parses back to an equal value wherever the language has a literal: names are put in
// backticks if necessary, strings are in single quotes with control characters escaped, and floats
// have the fewest digits that read back the same (std::to_chars). Nodes, relationships and paths
// have no literals; they are printed as patterns. Used by shells, messages and tests, not for
// storage.
#include "codec/value_text.hpp"

#include "codec/instant.hpp"
#include "codec/utf8.hpp"

#include <cairn/value.hpp>
#include <cairn/value_text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace cairn {
namespace {

// 96 bytes hold the longest text: three 64-bit numbers and their punctuation. The compiler checks
// the format at each call.
template <class... Numbers>
std::string print(const char* format, Numbers... numbers) {
  std::array<char, 96> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), format, numbers...);
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

/// Returns the shortest digits that read back the same, always with a point or an exponent. The
/// grammar of the language allows no plus sign in exponents.
template <class Float>
std::string float_text(Float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  // The shortest form of a double has at most 24 characters.
  std::array<char, 40> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), result.ptr);
  // Removes the plus sign of an exponent, as in 1e+30.
  std::erase(text, '+');
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Bytes above ASCII are copied, because text is UTF-8.
void append_escaped(std::string& out, char byte) {
  switch (byte) {
    case '\\':
      out += "\\\\";
      return;
    case '\'':
      out += "\\'";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(byte);
  if (code < 0x20 || code == 0x7f)
    out += print("\\u%04x", unsigned{code});
  else
    out += byte;
}

std::string in_quotes(std::string_view text, std::size_t most_bytes) {
  std::string out = "'";
  for (char byte : text.substr(0, most_bytes)) append_escaped(out, byte);
  return out += '\'';
}

/// True if a name needs no backticks. Names with letters beyond ASCII get backticks, which always
/// read back.
bool is_plain_name(std::string_view name) noexcept {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !is_letter(name[0])) return false;
  for (char c : name)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

std::string name_text(std::string_view name) {
  if (is_plain_name(name)) return std::string(name);
  std::string out = "`";
  for (char c : name) out.append(c == '`' ? 2 : 1, c);
  return out += '`';
}

template <class Temporal>
std::string call(std::string_view function, const Temporal& value) {
  return std::string(function) + "('" + codec::temporal_text(value) + "')";
}

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

/// Prints values, with at most `most_components` components of a vector. Beyond `most_bytes` the
/// rest of a text, list or map is omitted without a mark.
class Printer {
 public:
  explicit Printer(std::size_t most_components, std::size_t most_bytes = all)
      : most_components_(most_components), most_bytes_(most_bytes) {}

  std::string text(const Value& value) const { return std::visit(*this, value.content()); }

  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return float_text(value); }
  std::string operator()(const std::string& value) const { return in_quotes(value, most_bytes_); }
  std::string operator()(const Value::ListPtr& list) const {
    std::string out = "[";
    for (const Value& item : *list) {
      if (out.size() > most_bytes_) break;
      if (out.size() > 1) out += ", ";
      out += text(item);
    }
    return out += ']';
  }
  std::string operator()(const Value::MapPtr& map) const { return map_text(*map); }
  std::string operator()(const Node& node) const { return node_text(node); }
  std::string operator()(const Relationship& relationship) const {
    return relationship_text(relationship);
  }
  std::string operator()(const Value::PathPtr& path) const { return path_text(*path); }
  std::string operator()(Date value) const { return call("date", value); }
  std::string operator()(LocalTime value) const { return call("localtime", value); }
  std::string operator()(Time value) const { return call("time", value); }
  std::string operator()(LocalDateTime value) const { return call("localdatetime", value); }
  std::string operator()(const DateTime& value) const { return call("datetime", value); }
  std::string operator()(const Duration& value) const { return call("duration", value); }
  std::string operator()(const Vector& vector) const {
    const auto components = vector.components();
    std::string out = "vector([";
    const std::size_t shown = std::min({most_components_, components.size(), most_bytes_});
    for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : ", ") + float_text(components[i]);
    if (shown < components.size()) out += ", ...";
    return out + "], " + std::to_string(vector.dimension()) + ", FLOAT32)";
  }

 private:
  std::string map_text(const Map& map) const {
    std::string out = "{";
    for (const auto& [key, value] : map) {
      if (out.size() > most_bytes_) break;
      if (out.size() > 1) out += ", ";
      out += name_text(key) + ": " + text(value);
    }
    return out += '}';
  }

  /// A node that was not loaded is printed with its id only, which is not a literal.
  std::string node_text(const Node& node) const {
    if (!node.is_loaded())
      return print("(#%llu)", static_cast<unsigned long long>(node.id().value));
    std::string out = "(";
    for (const std::string& label : node.labels()) out += ":" + name_text(label);
    if (!node.properties().empty()) {
      if (out.size() > 1) out += ' ';
      out += map_text(node.properties());
    }
    return out += ')';
  }

  std::string relationship_text(const Relationship& relationship) const {
    if (!relationship.is_loaded())
      return print("[#%llu]", static_cast<unsigned long long>(relationship.id().value));
    std::string out = "[:" + name_text(relationship.type());
    if (!relationship.properties().empty()) out += ' ' + map_text(relationship.properties());
    return out += ']';
  }

  /// Each relationship is printed in its own direction, even if the path follows it backwards.
  std::string path_text(const Path& path) const {
    std::string out;
    for (std::size_t i = 0; i < path.nodes.size() && out.size() <= most_bytes_; ++i) {
      out += node_text(path.nodes[i]);
      if (i >= path.relationships.size()) continue;
      const Relationship& step = path.relationships[i];
      // A relationship from a node to itself is printed forwards.
      const bool forwards = step.source() == path.nodes[i].id();
      out += (forwards ? "-" : "<-") + relationship_text(step) + (forwards ? "->" : "-");
    }
    return out;
  }

  std::size_t most_components_;
  std::size_t most_bytes_;
};

}  // namespace

std::string Value::to_text() const { return Printer(all).text(*this); }

std::string shortened_text(const Value& value, std::size_t most_components) {
  return Printer(most_components).text(value);
}

std::string codec::beginning_of_text(const Value& value, std::size_t most_bytes) {
  std::string text = Printer(all, most_bytes).text(value);
  if (text.size() <= most_bytes) return text;
  text.resize(utf8_floor(text, most_bytes));
  return text + "...";
}

}  // namespace cairn

namespace cairn::codec {

// Prints temporal values in the forms of openCypher, which the parser reads back to the same value
// (a test verifies that). Independent of the locale, because snprintf only prints integers. Years
// have four digits; longer or negative years have a sign, as ISO 8601 requires.

namespace {

/// Returns ".5" for half a second, and "" for none.
std::string fraction_text(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return {};
  std::string digits = print(".%09lld", static_cast<long long>(nanoseconds));
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

std::string clock_text(std::int64_t second_of_day, std::int64_t nanoseconds) {
  std::string text = print("%02d:%02d", static_cast<int>(second_of_day / 3'600),
                           static_cast<int>(second_of_day / 60 % 60));
  if (second_of_day % 60 == 0 && nanoseconds == 0) return text;
  return text + print(":%02d", static_cast<int>(second_of_day % 60)) + fraction_text(nanoseconds);
}

std::string clock_text(std::int64_t nanoseconds) {
  return clock_text(nanoseconds / nanoseconds_per_second, nanoseconds % nanoseconds_per_second);
}

void append_part(std::string& out, std::int64_t count, char unit) {
  if (count != 0) out += std::to_string(count) + unit;
}

/// Returns the time part of a duration. A stored fraction counts upwards from `seconds`, even for
/// negative durations; the text counts away from zero. So minus half a second is stored as seconds
/// -1 and nanoseconds 500,000,000, and its text is "-0.5S".
std::string duration_time_text(const Duration& value) {
  const bool borrows = value.seconds < 0 && value.nanoseconds > 0;
  const std::int64_t seconds = value.seconds + (borrows ? 1 : 0);
  const std::int64_t fraction =
      borrows ? nanoseconds_per_second - value.nanoseconds : value.nanoseconds;
  std::string out;
  append_part(out, seconds / 3'600, 'H');
  append_part(out, seconds / 60 % 60, 'M');
  const std::int64_t rest = seconds % 60;
  if (rest == 0 && fraction == 0) return out;
  // "-0" is not a number, so the sign is printed separately.
  if (rest == 0 && value.seconds < 0) out += '-';
  return out + std::to_string(rest) + fraction_text(fraction) + "S";
}

}  // namespace

std::string offset_text(std::int64_t seconds) {
  if (seconds == 0) return "Z";
  const auto size = static_cast<int>(seconds < 0 ? -seconds : seconds);
  const std::string text =
      print("%c%02d:%02d", seconds < 0 ? '-' : '+', size / 3'600, size / 60 % 60);
  return size % 60 == 0 ? text : text + print(":%02d", size % 60);
}

std::string temporal_text(const Date& value) {
  const CivilDate date = civil_from_days(value.days);
  const bool is_plain = date.year >= 0 && date.year <= 9'999;  // others need a sign
  return print(is_plain ? "%04lld-%02u-%02u" : "%+05lld-%02u-%02u",
               static_cast<long long>(date.year), date.month, date.day);
}

std::string temporal_text(const LocalTime& value) { return clock_text(value.nanoseconds); }

std::string temporal_text(const Time& value) {
  return clock_text(value.nanoseconds) + offset_text(value.offset_seconds);
}

std::string temporal_text(const LocalDateTime& value) {
  return temporal_text(Date{floor_divide(value.seconds, seconds_per_day)}) + "T" +
         clock_text(floor_modulo(value.seconds, seconds_per_day), value.nanoseconds);
}

std::string temporal_text(const DateTime& value) {
  // Stored in UTC, printed in local time. is_valid() limits both numbers, so the sum cannot
  // overflow.
  const LocalDateTime local{value.seconds + value.offset_seconds, value.nanoseconds};
  const std::string zone = value.zone.empty() ? "" : "[" + value.zone + "]";
  return temporal_text(local) + offset_text(value.offset_seconds) + zone;
}

std::string temporal_text(const Duration& value) {
  std::string out = "P";
  append_part(out, value.months / 12, 'Y');
  append_part(out, value.months % 12, 'M');
  append_part(out, value.days, 'D');
  const std::string time = duration_time_text(value);
  if (!time.empty()) out += "T" + time;
  return out == "P" ? "PT0S" : out;
}

}  // namespace cairn::codec
