// The definition of each filter operator, for the values that the path of a field reaches. Results are two-valued.
// Indexes (execute/filter/field_lookup.cpp) must find every record that passes here; a differential test compares
// both.
#include "query/functions/filter_test.hpp"

#include "codec/value_extent.hpp"
#include "engine/system/limits.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/pattern_match.hpp"
#include "query/functions/semantic_version.hpp"
#include "query/functions/sequence.hpp"
#include "query/functions/time_zone.hpp"
#include "query/functions/unicode_form.hpp"
#include "query/functions/value_forms.hpp"
#include "query/functions/value_semantics.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using Op = FilterOperator;

/// Counts the work of one test, which may grow with the product of the lengths of two lists. After a limit is exceeded,
/// all comparisons return false at once, and status() returns the error.
class Walk {
 public:
  explicit Walk(engine::Limits* limits) : pace_(limits) {}

  [[nodiscard]] bool stops(const Value& a, const Value& b) {
    if (!status_) return true;
    if (!pace_.is_due(std::min(codec::extent_of(a).bytes, codec::extent_of(b).bytes))) return false;
    status_ = pace_.look();
    return !status_.has_value();
  }
  [[nodiscard]] bool has_stopped() const noexcept { return !status_.has_value(); }
  [[nodiscard]] Status status() { return status_; }

 private:
  engine::Pace pace_;
  Status status_;
};

// Deep equality in which null equals null, unlike `=` of the language.
bool same(Walk& walk, const Value& a, const Value& b) {
  return !walk.stops(a, b) && !is_nan(a) && equivalent(a, b);
}

// Converts for coerced comparisons: "8" for 8, "2026-01-01" for a date, JSON for lists and maps. Null has no text.
std::optional<std::string> as_text(const Value& value) {
  if (value.is_null()) return std::nullopt;
  auto text = scalar_text(value);
  return text ? std::move(text) : std::optional(to_json(value));
}

/// True if the values are equal, or if `coerce` and their texts are equal.
bool same(Walk& walk, const Value& a, const Value& b, bool coerce) {
  if (same(walk, a, b)) return true;
  if (!coerce || is_nan(a) || is_nan(b)) return false;
  const auto text = as_text(a);
  return text && text == as_text(b);
}

// Calls `visit` with each element of a list or vector until it returns true.
template <class Visit>
bool any_element_of(const Value& value, Visit visit) {
  List storage;
  const List* elements = sequence_of(value, storage);
  return elements != nullptr && std::ranges::any_of(*elements, visit);
}

bool is_scalar(const Value& value) { return !is_sequence(value) && value.map() == nullptr; }

// True if the value equals `wanted`, or if it is a list with such an element.
bool has_member(Walk& walk, const Value& stored, const Value& wanted, bool coerce = false) {
  if (walk.has_stopped()) return false;
  return same(walk, stored, wanted, coerce) ||
         any_element_of(stored, [&](const Value& one) { return same(walk, one, wanted, coerce); });
}

// True if one of the wanted values equals the stored value or one of its elements.
bool has_any_member(Walk& walk, const Value& stored, const List& wanted, bool coerce) {
  return std::ranges::any_of(
      wanted, [&](const Value& one) { return has_member(walk, stored, one, coerce); });
}

bool covers(Walk& walk, const Value& stored, const Value& part);

// An element covers only a part of the same shape: a scalar, a list or a map.
bool element_covers(Walk& walk, const Value& element, const Value& part) {
  if (is_scalar(element) != is_scalar(part) || is_sequence(element) != is_sequence(part))
    return false;
  return covers(walk, element, part);
}

/// Keys that the part does not have are ignored.
bool map_covers(Walk& walk, const Map& stored, const Map& part) {
  return std::ranges::all_of(part, [&](const auto& entry) {
    const auto found = stored.find(entry.first);
    return found != stored.end() && covers(walk, found->second, entry.second);
  });
}

bool some_element_covers(Walk& walk, const Value& stored, const Value& part) {
  if (walk.has_stopped()) return false;
  return any_element_of(stored, [&](const Value& one) { return element_covers(walk, one, part); });
}

// True if `part` is contained in `stored`, at any depth. Order and repetitions do not matter.
//
//    list  covers list    each element of the part is covered by some element
//    list  covers other   some element covers it
//    map   covers map     each entry of the part is covered
//    other covers other   deep equality
bool covers(Walk& walk, const Value& stored, const Value& part) {
  if (is_sequence(stored)) {
    if (!is_sequence(part)) return some_element_covers(walk, stored, part);
    return !any_element_of(
        part, [&](const Value& one) { return !some_element_covers(walk, stored, one); });
  }
  if (stored.map() != nullptr)
    return part.map() != nullptr && map_covers(walk, *stored.map(), *part.map());
  return same(walk, stored, part);
}

// As covers(), but a stored null contains nothing.
bool contains(Walk& walk, const Value& stored, const Value& part) {
  return !stored.is_null() && covers(walk, stored, part);
}

// A value that is not a list is treated as a list with one element.
bool contained_by(Walk& walk, const Value& stored, const Value& whole) {
  if (stored.is_null()) return false;
  const Value set = is_sequence(whole) ? whole : Value(List{whole});
  return is_sequence(stored) ? covers(walk, set, stored) : some_element_covers(walk, set, stored);
}

// Compares numbers with numbers, instants with instants (also texts that denote one), other temporal values of one
// type, and texts with texts. Other pairs have no order and return nullopt. If the bound is a version, only versions
// are compared with it: "banana" is not greater than 1.9.0.
std::optional<int> order_of(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return is_nan(a) || is_nan(b) ? std::nullopt : compare(a, b);
  const auto first = exact_instant_of(a);
  const auto second = exact_instant_of(b);
  if (first && second) return *first < *second ? -1 : *first > *second;
  const bool is_temporal = a.type() >= ValueType::date && a.type() <= ValueType::date_time;
  if (is_temporal && a.type() == b.type()) return compare(a, b);
  if (a.string() != nullptr && b.string() != nullptr) {
    if (auto bound = order_of_version(*b.string())) {
      auto version = order_of_version(*a.string());
      return version ? compare(*std::move(version), *std::move(bound)) : std::nullopt;
    }
    const int order = a.as_string().compare(b.as_string());
    return order < 0 ? -1 : order > 0;
  }
  return std::nullopt;
}

// `order` is the result of order_of(): negative, 0 or positive.
bool is_in_order(Op op, int order) {
  switch (op) {
    case Op::greater_than:
      return order > 0;
    case Op::greater_or_equal:
      return order >= 0;
    case Op::less_than:
      return order < 0;
    default:
      return order <= 0;
  }
}

// Calls `test` with the value, or with each element of a list until it returns true.
template <class Test>
Result<bool> any_scalar(const Value& stored, const Test& test) {
  if (!is_sequence(stored)) return test(stored);
  List storage;
  for (const Value& one : *sequence_of(stored, storage)) {
    CAIRN_ASSIGN(const bool passed, test(one));
    if (passed) return true;
  }
  return false;
}

bool is_ordered(Op op, const Value& stored, const Value& bound) {
  const auto order = order_of(stored, bound);
  return order && is_in_order(op, *order);
}

bool is_between(const Value& stored, const List& bounds) {
  return is_ordered(Op::greater_or_equal, stored, bounds[0]) &&
         is_ordered(Op::less_or_equal, stored, bounds[1]);
}

/// True if the value is an instant on the right side of the bound. A relative bound such as "7d" is counted back from
/// the statement's `now`, which is the same for all rows.
Result<bool> is_on_side(const FilterTest& test, const Value& stored) {
  const auto instant = exact_instant_of(stored);
  if (!instant) return false;
  auto bound = exact_instant_of(test.operand);
  if (!bound) {
    CAIRN_ASSIGN(const std::int64_t moment, parse_moment(*test.operand.string(), test.now));
    bound = instant_at(moment);
  }
  return test.op == Op::since ? *instant >= *bound : *instant <= *bound;
}

bool begins_above(std::string_view path) { return path == ".." || path.starts_with("../"); }

// Compares by components: /a/b is below /a, and /ab is not. Both paths are normalised, so .. occurs only at the
// beginning of a relative path. A path that leads above the directory is not below it, and an absolute path is not
// below a relative directory.
bool is_below(std::string_view path, std::string_view directory) {
  if (directory.empty()) return !path.starts_with('/') && !begins_above(path);
  if (!path.starts_with(directory)) return false;
  if (path.size() == directory.size() || directory.ends_with('/')) return true;
  if (path[directory.size()] != '/') return false;
  return !directory.ends_with("..") || !begins_above(path.substr(directory.size() + 1));
}

/// True for a path below one of the directories, or equal to one. Paths are normalised as texts: no file is accessed,
/// and links are not followed.
bool is_in_directory(const Value& stored, const Value& directories) {
  if (stored.string() == nullptr) return false;
  const std::string path = normal_path(*stored.string());
  const auto holds = [&](const Value& one) { return is_below(path, normal_path(*one.string())); };
  return directories.string() != nullptr ? holds(directories) : any_element_of(directories, holds);
}

/// Errors: an invalid moment or pattern; errors of the limits.
Result<bool> passes_scalar(const FilterTest& test, const Value& stored) {
  switch (test.op) {
    case Op::between:
      return is_between(stored, test.operand.as_list());
    case Op::since:
    case Op::until:
      return is_on_side(test, stored);
    case Op::matches:
      if (stored.string() == nullptr) return false;
      return finds_pattern(*stored.string(), test.operand.as_string(), test.limits);
    case Op::starts_with:
      return stored.string() != nullptr && stored.string()->starts_with(test.operand.as_string());
    case Op::in_directory:
      return is_in_directory(stored, test.operand);
    default:
      return is_ordered(test.op, stored, test.operand);
  }
}

// Tests one value with a positive operator. Operators on scalars test each element of a list.
Result<bool> passes_value(Walk& walk, const FilterTest& test, const Value& stored) {
  switch (test.op) {
    case Op::exists:
      return true;
    case Op::equals:
      return same(walk, stored, test.operand, test.coerce);
    case Op::in:
      return has_any_member(walk, stored, test.operand.as_list(), test.coerce);
    case Op::contains:
      return contains(walk, stored, test.operand);
    case Op::contained_by:
      return contained_by(walk, stored, test.operand);
    default:
      return any_scalar(stored, [&](const Value& one) { return passes_scalar(test, one); });
  }
}

/// A path through lists may reach several values; one that passes is enough.
Result<bool> any_passes(Walk& walk, const FilterTest& test, std::span<const Value> reached) {
  for (const Value& one : reached) {
    CAIRN_ASSIGN(const bool passed, passes_value(walk, test, one));
    if (passed) return true;
  }
  return false;
}

/// If the path leads through a list of maps, the members may come from different maps.
bool has_all_members(Walk& walk, std::span<const Value> reached, const List& wanted) {
  return !reached.empty() && std::ranges::all_of(wanted, [&](const Value& one) {
    return std::ranges::any_of(reached,
                               [&](const Value& stored) { return has_member(walk, stored, one); });
  });
}

}  // namespace

// A negative operator is the complement of its positive one. contains_any is a second name of IN.
Op positive_of(Op op) noexcept {
  switch (op) {
    case Op::not_equals:
    case Op::not_equals_or_missing:
      return Op::equals;
    case Op::not_exists:
      return Op::exists;
    case Op::not_in:
    case Op::contains_none:
    case Op::contains_any:
      return Op::in;
    default:
      return op;
  }
}

bool is_negative(Op op) noexcept { return positive_of(op) != op && op != Op::contains_any; }

bool passes_missing(Op op) noexcept {
  return op == Op::not_equals_or_missing || op == Op::not_exists || op == Op::contains_none;
}

// Enters maps by key. Enters the elements of a list that are maps.
void append_reached(const Value& value, std::span<const std::string> keys,
                    std::vector<Value>& reached) {
  if (keys.empty()) {
    reached.push_back(value);
  } else if (const Map* map = value.map()) {
    const auto found = map->find(keys.front());
    if (found != map->end()) append_reached(found->second, keys.subspan(1), reached);
  } else if (const List* list = value.list()) {
    for (const Value& element : *list)
      if (element.map() != nullptr) append_reached(element, keys, reached);
  }
}

// Converts operand and values to NFC and runs the test on them.
Result<bool> passes_in_nfc(const FilterTest& test, std::span<const Value> reached) {
  CAIRN_ASSIGN(const Value operand, nfc_of(test.limits, test.operand));
  std::vector<Value> values;
  for (const Value& one : reached) {
    CAIRN_ASSIGN(Value value, nfc_of(test.limits, one));
    values.push_back(std::move(value));
  }
  return passes({test.op, operand, test.coerce, false, test.now, test.limits}, values);
}

// A negative operator passes if none of the values passes its positive one: "is not a tag" concerns all tags.
Result<bool> passes(const FilterTest& test, std::span<const Value> reached) {
  if (test.normalize) return passes_in_nfc(test, reached);
  Walk walk(test.limits);
  const bool is_rest = is_negative(test.op);
  if (is_rest && reached.empty()) return passes_missing(test.op);
  bool passed = false;
  if (test.op == Op::contains_all) {
    passed = has_all_members(walk, reached, test.operand.as_list());
  } else {
    const FilterTest positive{positive_of(test.op), test.operand, test.coerce, false, test.now,
                              test.limits};
    CAIRN_ASSIGN(passed, any_passes(walk, positive, reached));
  }
  CAIRN_TRY(walk.status());
  return passed != is_rest;
}

// Accepts both kinds of slashes. Removes "." and empty components, and ".." together with the component before it.
// Does not access the file system.
std::string normal_path(std::string_view path) {
  const auto is_separator = [](char c) { return c == '/' || c == '\\'; };
  const bool is_absolute = !path.empty() && is_separator(path.front());
  std::vector<std::string_view> components;
  for (std::size_t begin = 0; begin <= path.size();) {
    std::size_t end = begin;
    while (end < path.size() && !is_separator(path[end])) ++end;
    const std::string_view one = path.substr(begin, end - begin);
    const bool goes_back = !components.empty() && components.back() != "..";
    if (one == ".." && goes_back)
      components.pop_back();
    else if (!one.empty() && one != "." && !(one == ".." && is_absolute))
      components.push_back(one);
    begin = end + 1;
  }
  std::string normal = is_absolute ? "/" : "";
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (i > 0) normal += '/';
    normal += components[i];
  }
  return normal;
}

}  // namespace cairn::query
