// The names of the operators and the values that they accept. Names of groups are accepted in any case, names of
// conditions in lower case only.
#include "query/filter/filter_operators.hpp"

#include "query/functions/pattern_match.hpp"
#include "query/functions/time_zone.hpp"
#include "query/syntax/nearest_name.hpp"

#include <cairn/filter.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace cairn {
namespace {

// Indexed by FilterOperator.
constexpr std::string_view operator_names[] = {
    "AND",
    "OR",
    "NOT",
    "AT_LEAST",
    "equals",
    "not_equals",
    "not_equals_or_missing",
    "contains",
    "contained_by",
    "contains_any",
    "contains_all",
    "contains_none",
    "exists",
    "not_exists",
    "in",
    "not_in",
    "greater_than",
    "greater_or_equal",
    "less_than",
    "less_or_equal",
    "between",
    "since",
    "until",
    "matches",
    "starts_with",
    "in_directory",
    "any_element",
    "has_label",
    "has_id",
};
static_assert(std::size(operator_names) == static_cast<std::size_t>(FilterOperator::has_id) + 1);

}  // namespace

std::string_view to_string(FilterOperator op) noexcept {
  const auto place = static_cast<std::size_t>(op);
  return place < std::size(operator_names) ? operator_names[place] : "unknown";
}

namespace query {
namespace {

using Op = FilterOperator;

bool same_ignoring_case(std::string_view a, std::string_view b) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
  return std::ranges::equal(a, b, {}, upper, upper);
}

bool needs_list(Op op) {
  constexpr Op those[] = {Op::in, Op::not_in, Op::contains_any, Op::contains_all,
                          Op::contains_none};
  return std::ranges::find(those, op) != std::end(those);
}

/// Makes the error for an option, which lists the operators that have the option.
Error bad_option(std::string_view name) {
  return {ErrorCode::invalid_argument,
          name == "coerce" ? "\"coerce\" must be true or false, and works only with equals, "
                             "not_equals, in and not_in"
                           : "\"normalize\" must be true or false, and works only with equals, "
                             "contains, in, starts_with and their variants",
          std::nullopt};
}

Error bad_value(Op op, std::string_view expected, const Value& value) {
  return {ErrorCode::invalid_argument,
          "'" + std::string(to_string(op)) + "' operator requires " + std::string(expected) +
              ", got " + std::string(to_string(value.type())),
          std::nullopt};
}

/// A text or a list of texts.
bool is_texts(const Value& value) {
  if (value.string() != nullptr) return true;
  const List* list = value.list();
  return list != nullptr &&
         std::ranges::all_of(*list, [](const Value& one) { return one.string() != nullptr; });
}

/// An integer or a list of integers.
bool is_ids(const Value& value) {
  const auto is_id = [](const Value& one) { return one.type() == ValueType::integer; };
  const List* list = value.list();
  return is_id(value) || (list != nullptr && std::ranges::all_of(*list, is_id));
}

// Relative times are checked with the clock 0, because their validity does not depend on the clock.
Status check_moment(const Value& value) {
  if (value.string() == nullptr && instant_of(value)) return {};
  if (value.string() == nullptr) return invalid_date();
  const auto moment = parse_moment(*value.string(), 0);
  return moment ? Status() : Status(moment.error());
}

}  // namespace

// Groups are found in any case (AND, and), conditions only in lower case.
std::optional<Op> find_operator(std::string_view name) {
  for (std::size_t i = 0; i < std::size(operator_names); ++i) {
    const auto op = static_cast<Op>(i);
    if (name == operator_names[i] || (is_group(op) && same_ignoring_case(name, operator_names[i])))
      return op;
  }
  return std::nullopt;
}

bool is_group(Op op) noexcept { return op <= Op::at_least; }

bool has_field(Op op) noexcept { return !is_group(op) && op != Op::has_label && op != Op::has_id; }

// any_element has a filter instead of a value.
bool takes_value(Op op) noexcept {
  return op != Op::exists && op != Op::not_exists && op != Op::any_element;
}

// Operators that compare values for equality.
bool can_coerce(Op op) noexcept {
  return op == Op::equals || op == Op::not_equals || op == Op::in || op == Op::not_in;
}

// Operators that compare texts for equality or for their beginning.
bool can_normalize(Op op) noexcept {
  return (op >= Op::equals && op <= Op::contains_none) || op == Op::in || op == Op::not_in ||
         op == Op::starts_with;
}

Status read_option(Op op, std::string_view name, const Value& value, bool& flag) {
  const bool* wanted = value.get_if<bool>();
  if (wanted == nullptr) return bad_option(name);
  flag = *wanted;
  return check_option(op, name, flag);
}

Status check_option(Op op, std::string_view name, bool flag) {
  const bool is_known = name == "coerce" ? can_coerce(op) : can_normalize(op);
  return flag && !is_known ? bad_option(name) : Status();
}

Error too_many_filter_levels() {
  return {ErrorCode::resource_limit,
          "a filter is at most " + std::to_string(most_filter_levels) + " levels deep",
          std::nullopt};
}

/// Suggests the nearest known name.
Error unsupported_operator(std::string_view name) {
  const std::string_view nearest = nearest_name(name, operator_names);
  return {ErrorCode::invalid_argument,
          "Unsupported operator: " + std::string(name) +
              (nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?"),
          std::nullopt};
}

// Called when a filter is read, when a statement with a constant value is bound, and for each record if the value
// depends on the record.
Status check_operand(Op op, const Value& value) {
  // This wording is part of the interface.
  if (needs_list(op) && value.list() == nullptr)
    return Error{ErrorCode::invalid_argument,
                 "'" + std::string(to_string(op)) + "' operator requires array value",
                 std::nullopt};
  if (op == Op::between && (value.list() == nullptr || value.list()->size() != 2))
    return bad_value(op, "an array of two bounds", value);
  if (op == Op::since || op == Op::until) return check_moment(value);
  if (op == Op::in_directory && !is_texts(value))
    return bad_value(op, "a string or an array of strings", value);
  if (op == Op::has_id && !is_ids(value))
    return bad_value(op, "an integer or an array of integers", value);
  const bool is_text = op == Op::matches || op == Op::starts_with || op == Op::has_label;
  if (is_text && value.string() == nullptr) return bad_value(op, "a string", value);
  return op == Op::matches ? check_pattern(*value.string()) : Status();
}

}  // namespace query

}  // namespace cairn

namespace cairn::query {

//    path := key { '.' key | '[' quoted ']' }    key := any characters but . and [    quoted := '...' | "..."
// A quote within quotes is doubled. The first key may be quoted too.

namespace {

// Reads keys from the front of a path.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

  // A bare key follows a dot, except for the first key. A quoted key follows directly.
  std::optional<std::string> next(bool is_first) {
    if (rest_.front() == '[') return quoted();
    if (!is_first && rest_.front() != '.') return std::nullopt;
    if (!is_first) rest_.remove_prefix(1);
    const std::size_t end = std::min(rest_.find_first_of(".["), rest_.size());
    if (end == 0) return std::nullopt;
    return take(end);
  }

 private:
  std::string take(std::size_t count) {
    std::string key(rest_.substr(0, count));
    rest_.remove_prefix(count);
    return key;
  }

  /// Reads ['a.b'] or ["a.b"]. A quote within the key is doubled, as in SQL. Returns nullopt if the end is missing.
  std::optional<std::string> quoted() {
    rest_.remove_prefix(1);
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
    const char quote = rest_.front();
    rest_.remove_prefix(1);
    std::string key;
    while (true) {
      const std::size_t end = rest_.find(quote);
      if (end == std::string_view::npos) return std::nullopt;
      key += take(end);
      rest_.remove_prefix(1);
      if (!rest_.starts_with(quote)) break;
      key += quote;
      rest_.remove_prefix(1);
    }
    if (!rest_.starts_with(']')) return std::nullopt;
    rest_.remove_prefix(1);
    return key;
  }

  std::string_view rest_;
};

}  // namespace

// Returns the keys of a path; see the grammar above.
Result<std::vector<std::string>> parse_field_path(std::string_view text) {
  std::vector<std::string> keys;
  PathReader reader(text);
  while (!reader.at_end()) {
    auto key = reader.next(keys.empty());
    if (!key) {
      keys.clear();
      break;
    }
    keys.push_back(std::move(*key));
  }
  if (!keys.empty()) return keys;
  return Error{ErrorCode::invalid_argument,
               "\"" + std::string(text) +
                   "\" is not a path of a field; write a.b, and a['b.c'] for a key with dots or "
                   "brackets",
               std::nullopt};
}

}  // namespace cairn::query

namespace cairn {

// Validation of filters that an application has built. Filters that were parsed have passed the same checks.

namespace {

Error unused(FilterOperator op, std::string_view member) {
  return {ErrorCode::invalid_argument,
          "a filter " + std::string(to_string(op)) + " does not read \"" + std::string(member) +
              "\"; leave it out",
          std::nullopt};
}

// A member that the operator does not use would be ignored silently, so it is refused.
Status check_unused(const Filter& filter) {
  const FilterOperator op = filter.op;
  const bool is_group = query::is_group(op);
  const bool has_parts = is_group || op == FilterOperator::any_element;
  const bool reads_field = query::has_field(op);
  const bool reads_value = op == FilterOperator::at_least || (!has_parts && query::takes_value(op));
  const bool says_nothing = filter.value.is_null() || (!has_parts && filter.value == Value(true));
  if (!reads_field && !filter.field.empty()) return unused(op, "field");
  if (!has_parts && !filter.filters.empty()) return unused(op, "filters");
  if (!reads_value && !says_nothing) return unused(op, "value");
  return {};
}

// Checks a filter and its parts; `level` limits the recursion.
Status check(const Filter& filter, std::size_t level) {
  if (level > query::most_filter_levels) return query::too_many_filter_levels();
  CAIRN_TRY(check_unused(filter));
  CAIRN_TRY(query::check_filter(filter));
  for (const Filter& part : filter.filters) CAIRN_TRY(check(part, level + 1));
  return {};
}

}  // namespace

Status validate(const Filter& filter) { return check(filter, 1); }

Status query::validate_parts(const Filter& filter) {
  if (filter.op != FilterOperator::all) return validate(filter);
  CAIRN_TRY(check_unused(filter));
  CAIRN_TRY(check_filter(filter));
  for (const Filter& part : filter.filters) CAIRN_TRY(validate(part));
  return {};
}

// Checks one filter without its parts.
Status query::check_filter(const Filter& filter) {
  CAIRN_TRY(check_option(filter.op, "coerce", filter.coerce));
  CAIRN_TRY(check_option(filter.op, "normalize", filter.normalize));
  if (filter.op == FilterOperator::at_least && filter.value.type() != ValueType::integer)
    return Error{ErrorCode::invalid_argument,
                 "AT_LEAST needs a \"minimum\", an integer, got " +
                     std::string(to_string(filter.value.type())),
                 std::nullopt};
  if (is_group(filter.op)) return {};
  if (has_field(filter.op)) CAIRN_TRY(parse_field_path(filter.field));
  if (filter.op == FilterOperator::any_element) return {};
  return check_operand(filter.op, filter.value);
}

}  // namespace cairn
