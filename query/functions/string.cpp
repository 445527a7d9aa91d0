// Functions of strings. Positions and lengths count code points.
// Texts are UTF-8; nothing here cuts a code point in two. What is given a number counts code
// points, so that cost is linear in the text, also for substring().

#include "query/functions/call.hpp"
#include "query/functions/families.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/utf8.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace cairn::query {
namespace {

/// A length beyond the end is fine and means the end; a negative one is a mistake.
Result<std::int64_t> length_argument(const Call& call, std::size_t i) {
  CAIRN_ASSIGN(const std::int64_t length, call.integer(i));
  if (length < 0) return call.wrong_value("a length or position must not be negative");
  return length;
}

/// Positions are counted from 0, as in lists. A start behind the end gives an empty text.
Result<Value> substring(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::int64_t start, length_argument(call, 1));
  const std::string_view rest = std::string_view(*text).substr(utf8_offset(*text, start));
  if (!call.has(2)) return Value(rest);
  CAIRN_ASSIGN(const std::int64_t length, length_argument(call, 2));
  return Value(rest.substr(0, utf8_offset(rest, length)));
}

/// The whole text where it is shorter; right() likewise.
Result<Value> left(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::int64_t length, length_argument(call, 1));
  return Value(text->substr(0, utf8_offset(*text, length)));
}

/// In code points; a length beyond the text's gives all of it.
Result<Value> right(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::int64_t length, length_argument(call, 1));
  const std::int64_t skipped = std::max<std::int64_t>(0, utf8_length(*text) - length);
  return Value(text->substr(utf8_offset(*text, skipped)));
}

/// Code points: a letter with a combining mark counts twice, an emoji of several people as several.
Result<Value> char_length(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  return Value(utf8_length(*text));
}

/// Every code point of `text` as one text.
std::vector<std::string_view> code_points(std::string_view text) {
  std::vector<std::string_view> points;
  for (std::size_t at = 0; at < text.size(); at += points.back().size())
    points.push_back(utf8_at(text, at));
  return points;
}

/// Unicode's white space.
constexpr std::string_view blanks =
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000";

/// Bits, so that both is left and right.
enum class Side : std::uint8_t { left = 1, right = 2, both = 3 };

/// The text without leading and trailing code points of the second argument, or without blanks.
/// Blanks are a list of code points, and so is the second argument: each is dropped, in any order.
template <Side side>
Result<Value> trim(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  std::string_view dropped = blanks;
  if (call.has(1)) {
    CAIRN_ASSIGN(const std::string* chosen, call.string(1));
    dropped = *chosen;
  }
  const auto set = code_points(dropped);
  const auto is_dropped = [&set](std::string_view point) {
    return std::ranges::find(set, point) != set.end();
  };
  std::string_view rest = *text;
  while (side != Side::right && !rest.empty() && is_dropped(utf8_at(rest, 0)))
    rest.remove_prefix(utf8_at(rest, 0).size());
  while (side != Side::left && !rest.empty()) {
    const std::size_t begin = utf8_floor(rest, rest.size() - 1);
    if (!is_dropped(rest.substr(begin))) break;
    rest = rest.substr(0, begin);
  }
  return Value(rest);
}

/// One delimiter, or several of which any splits.
/// As Neo4j 5 has it: a list of delimiters splits at whichever comes.
Result<std::vector<std::string>> delimiters(const Call& call) {
  if (const std::string* one = call[1].string()) return std::vector{*one};
  const List* list = call[1].list();
  if (!list) return call.wrong_type(1, "a string or a list of strings");
  std::vector<std::string> all;
  for (const Value& item : *list) {
    if (!item.string()) return call.wrong_type(1, "a string or a list of strings");
    all.push_back(item.as_string());
  }
  return all;
}

/// The length of the delimiter that begins at `at`; an empty one stands behind each code point.
std::optional<std::size_t> delimiter_at(std::string_view text, std::size_t at, std::size_t begin,
                                        const std::vector<std::string>& all) {
  for (const std::string& one : all) {
    if (!one.empty() && text.substr(at).starts_with(one)) return one.size();
    if (one.empty() && at > begin && !is_utf8_continuation(text[at])) return 0;
  }
  return std::nullopt;
}

/// Never an empty list: a text without the delimiter is its only part, an empty text too.
Result<Value> split(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::vector<std::string> all, delimiters(call));
  const std::string_view view = *text;
  List parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < view.size();) {
    const auto length = delimiter_at(view, at, begin, all);
    if (!length) {
      ++at;
      continue;
    }
    parts.emplace_back(view.substr(begin, at - begin));
    begin = at + *length;
    at = begin + (*length == 0 ? 1 : 0);
  }
  parts.emplace_back(view.substr(begin));
  return Value(std::move(parts));
}

/// An empty search text occurs before each code point and at the end.
/// A limit counts replacements.
std::string replaced(std::string_view text, std::string_view search, std::string_view with,
                     std::int64_t limit) {
  std::string out;
  std::size_t at = 0;
  for (; limit > 0; --limit) {
    const std::size_t found = text.find(search, at);
    if (found == std::string_view::npos) break;
    out.append(text.substr(at, found - at)).append(with);
    at = found + search.size();
    if (!search.empty()) continue;
    if (at == text.size()) return out;
    out.append(utf8_at(text, at));
    at += utf8_at(text, at).size();
  }
  return out.append(text.substr(at));
}

/// Occurrences do not overlap and what is put in is not searched again, so the end is certain.
Result<Value> replace(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::string* search, call.string(1));
  CAIRN_ASSIGN(const std::string* with, call.string(2));
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  if (call.has(3)) {
    CAIRN_ASSIGN(limit, length_argument(call, 3));
  }
  return Value(replaced(*text, *search, *with, limit));
}

constexpr FunctionEntry functions[] = {
    entry<"btrim(text, characters?)", trim<Side::both>>(),
    entry<"char_length(text)", char_length>(),
    entry<"character_length(text)", char_length>(),
    entry<"left(text, length)", left>(),
    entry<"ltrim(text, characters?)", trim<Side::left>>(),
    entry<"replace(text, search, replacement, limit?)", replace>(),
    entry<"right(text, length)", right>(),
    entry<"rtrim(text, characters?)", trim<Side::right>>(),
    entry<"split(text, delimiter)", split>(),
    entry<"substring(text, start, length?)", substring>(),
    entry<"trim(text, characters?)", trim<Side::both>>(),
};

}  // namespace

FunctionFamily string_functions() { return functions; }

}  // namespace cairn::query
