// Functions of strings. Positions and lengths count code points, so no function cuts a code point. The cost is linear
// in the length of the text, even for substring().

#include "codec/utf8.hpp"
#include "query/functions/call.hpp"
#include "query/functions/function_entry.hpp"
#include "query/functions/growing.hpp"
#include "query/functions/paced_text.hpp"
#include "query/functions/sequence.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace cairn::query {
namespace {

/// Reads a length or position. A value beyond the end means the end; a negative one is an error.
Result<std::int64_t> length_argument(const Call& call, std::size_t i) {
  CAIRN_ASSIGN(const std::int64_t length, call.integer(i));
  if (length < 0)
    return call.wrong_value("argument " + std::to_string(i + 1) + " must not be negative, got " +
                            std::to_string(length));
  return length;
}

/// Returns a part of an argument, after a check of the memory limit.
Result<Value> copied(const Call& call, std::string_view part) {
  CAIRN_TRY(call.room(part.size()));
  return Value(part);
}

Result<std::size_t> offset(const Call& call, std::string_view text, std::int64_t count) {
  return paced_offset(call.context.limits, text, count);
}

/// Positions count from 0, as in lists. A start after the end gives an empty text.
Result<Value> substring(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::int64_t start, length_argument(call, 1));
  CAIRN_ASSIGN(const std::size_t begin, offset(call, *text, start));
  const std::string_view rest = std::string_view(*text).substr(begin);
  if (!call.has(2)) return copied(call, rest);
  CAIRN_ASSIGN(const std::int64_t length, length_argument(call, 2));
  CAIRN_ASSIGN(const std::size_t end, offset(call, rest, length));
  return copied(call, rest.substr(0, end));
}

/// If the text is shorter, returns the whole text; right() does the same.
Result<Value> left(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::int64_t length, length_argument(call, 1));
  CAIRN_ASSIGN(const std::size_t end, offset(call, *text, length));
  return copied(call, std::string_view(*text).substr(0, end));
}

/// If the text is shorter, returns the whole text.
Result<Value> right(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::int64_t length, length_argument(call, 1));
  CAIRN_ASSIGN(const std::int64_t whole, paced_length(call.context.limits, *text));
  CAIRN_ASSIGN(const std::size_t begin,
               offset(call, *text, std::max<std::int64_t>(0, whole - length)));
  return copied(call, std::string_view(*text).substr(begin));
}

/// Counts code points: a letter with a combining mark counts as two, and an emoji of several people as several.
Result<Value> char_length(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::int64_t length, paced_length(call.context.limits, *text));
  return Value(length);
}

/// Splits a text into its code points.
std::vector<std::string_view> code_points(std::string_view text) {
  std::vector<std::string_view> points;
  for (std::size_t at = 0; at < text.size(); at += points.back().size())
    points.push_back(codec::utf8_at(text, at));
  return points;
}

/// The white space of Unicode.
constexpr std::string_view blanks =
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000";

/// Bit flags: `both` is `left` and `right`.
enum class Side : std::uint8_t { left = 1, right = 2, both = 3 };

/// Removes leading and trailing code points that occur in the second argument; without it, removes white space.
template <Side side>
Result<Value> trim(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  std::string_view dropped = blanks;
  if (call.has(1)) {
    CAIRN_ASSIGN(const std::string* chosen, call.string(1));
    dropped = *chosen;
  }
  CAIRN_TRY(call.room(dropped.size() * sizeof(std::string_view)));
  const auto set = code_points(dropped);
  const auto is_dropped = [&set](std::string_view point) {
    return std::ranges::find(set, point) != set.end();
  };
  engine::Pace pace(call.context.limits);
  std::string_view rest = *text;
  while (side != Side::right && !rest.empty() && is_dropped(codec::utf8_at(rest, 0))) {
    rest.remove_prefix(codec::utf8_at(rest, 0).size());
    CAIRN_TRY(pace.add(set.size()));
  }
  while (side != Side::left && !rest.empty()) {
    const std::size_t begin = codec::utf8_floor(rest, rest.size() - 1);
    if (!is_dropped(rest.substr(begin))) break;
    rest = rest.substr(0, begin);
    CAIRN_TRY(pace.add(set.size()));
  }
  return copied(call, rest);
}

using Delimiters = std::vector<std::string_view>;

/// Reads one delimiter or a list of them. As in Neo4j 5, a list splits at each of its delimiters.
Result<Delimiters> delimiters(const Call& call) {
  if (const std::string* one = call[1].string()) return Delimiters{*one};
  const List* list = call[1].list();
  if (!list) return call.wrong_type(1, "a string or a list of strings");
  CAIRN_TRY(call.room(list->size() * sizeof(std::string_view)));
  Delimiters all;
  all.reserve(list->size());
  for (const Value& item : *list) {
    if (!item.string()) return call.wrong_type(1, "a string or a list of strings");
    all.push_back(item.as_string());
  }
  return all;
}

/// Finds the end of each part of a text. A single delimiter is searched for; several delimiters, and an empty one,
/// are tried at each position.
class Splitter {
 public:
  Splitter(engine::Limits* limits, std::string_view text, const Delimiters& all)
      : limits_(limits), pace_(limits), text_(text), all_(all) {}

  /// The position of a delimiter.
  struct Place {
    std::size_t at = 0;
    std::size_t length = 0;
  };

  /// Returns the delimiter that ends the part at `begin`, or the end of the text.
  Result<Place> next(std::size_t begin) {
    if (all_.size() == 1 && !all_[0].empty()) {
      CAIRN_ASSIGN(const std::size_t at, paced_find(limits_, text_, all_[0], begin));
      CAIRN_TRY(pace_.add(all_[0].size()));
      return Place{std::min(at, text_.size()), all_[0].size()};
    }
    for (std::size_t at = begin; at < text_.size(); ++at) {
      CAIRN_ASSIGN(const auto length, delimiter_at(at, begin));
      if (length) return Place{at, *length};
    }
    return Place{text_.size(), 0};
  }

 private:
  /// Returns the length of the delimiter at `at`, if there is one. An empty delimiter matches between code points.
  Result<std::optional<std::size_t>> delimiter_at(std::size_t at, std::size_t begin) {
    for (const std::string_view one : all_) {
      const bool may_be = !one.empty() && one[0] == text_[at];
      if (pace_.is_due(may_be ? one.size() : 1)) CAIRN_TRY(pace_.look());
      if (may_be && text_.substr(at).starts_with(one)) return std::optional(one.size());
      if (one.empty() && at > begin && !codec::is_utf8_continuation(text_[at]))
        return std::optional<std::size_t>(0);
    }
    return std::optional<std::size_t>();
  }

  engine::Limits* limits_;
  engine::Pace pace_;
  std::string_view text_;
  const Delimiters& all_;
};

/// Never returns an empty list: a text without a delimiter, even an empty one, is a single part.
Result<Value> split(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const Delimiters all, delimiters(call));
  const std::string_view view = *text;
  Splitter splitter(call.context.limits, view, all);
  GrowingList parts(call.context.limits);
  for (std::size_t begin = 0; begin <= view.size();) {
    CAIRN_ASSIGN(const Splitter::Place place, splitter.next(begin));
    const std::string_view part = view.substr(begin, place.at - begin);
    CAIRN_TRY(call.room(part.size()));
    CAIRN_TRY(parts.add(part));
    if (place.at == view.size()) break;
    begin = place.at + place.length;
  }
  return parts.take();
}

/// Replaces at most `limit` occurrences. An empty search text occurs before each code point and at the end.
Result<Value> replaced(const Call& call, std::string_view text, std::string_view search,
                       std::int64_t limit) {
  const std::string_view with = *call[2].string();
  engine::Pace pace(call.context.limits);
  GrowingText out(call.context.limits);
  CAIRN_TRY(out.reserve(text.size()));
  std::size_t at = 0;
  for (; limit > 0; --limit) {
    CAIRN_ASSIGN(const std::size_t found, paced_find(call.context.limits, text, search, at));
    if (found == std::string_view::npos) break;
    CAIRN_TRY(out.append(text.substr(at, found - at)));
    CAIRN_TRY(out.append(with));
    CAIRN_TRY(pace.add(found - at + with.size() + search.size() + 1));
    at = found + search.size();
    if (!search.empty()) continue;
    if (at == text.size()) return out.take();
    CAIRN_TRY(out.append(codec::utf8_at(text, at)));
    at += codec::utf8_at(text, at).size();
  }
  CAIRN_TRY(out.append(text.substr(at)));
  return out.take();
}

/// Occurrences do not overlap, and replacements are not searched again.
Result<Value> replace(const Call& call) {
  CAIRN_ASSIGN(const std::string* text, call.string(0));
  CAIRN_ASSIGN(const std::string* search, call.string(1));
  CAIRN_TRY(call.string(2));
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  if (call.has(3)) {
    CAIRN_ASSIGN(limit, length_argument(call, 3));
  }
  return replaced(call, *text, *search, limit);
}

}  // namespace

FunctionFamily string_functions() {
  static constexpr FunctionEntry functions[] = {
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
  return functions;
}

}  // namespace cairn::query
