#include "tests/model/truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace cairn::test {
namespace {

static_assert(std::numeric_limits<long double>::digits >= 64,
              "a long double must hold every integer and every float exactly");

long double number(const Value& value) {
  if (const auto* integer = value.get_if<std::int64_t>()) return static_cast<long double>(*integer);
  return static_cast<long double>(value.as_float());
}

Truth equal_lists(const List& a, const List& b) {
  if (a.size() != b.size()) return false;
  Truth all = true;
  for (std::size_t i = 0; i < a.size(); ++i) all = conjunction(all, equal(a[i], b[i]));
  return all;
}

Truth equal_maps(const Map& a, const Map& b) {
  if (!std::ranges::equal(a, b, {}, &Map::value_type::first, &Map::value_type::first)) return false;
  Truth all = true;
  for (const auto& [key, value] : a) all = conjunction(all, equal(value, b.at(key)));
  return all;
}

// Negative, zero or positive; nothing where the two have no order.
using Order = std::optional<int>;

template <class T>
Order order_of(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

Order order(const Value& a, const Value& b);

// The first elements that are not known to be equal decide.
Order order_lists(const List& a, const List& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (equal(a[i], b[i]) != Truth(true)) return order(a[i], b[i]);
  return order_of(a.size(), b.size());
}

Order order(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    if (std::isnan(number(a)) || std::isnan(number(b))) return {};
    return order_of(number(a), number(b));
  }
  if (a.type() != b.type()) return {};
  if (a.type() == ValueType::boolean) return order_of(a.as_bool(), b.as_bool());
  if (a.type() == ValueType::string) return order_of(a.as_string(), b.as_string());
  if (a.type() == ValueType::list) return order_lists(a.as_list(), b.as_list());
  if (a.type() == ValueType::date) return order_of(*a.get_if<Date>(), *b.get_if<Date>());
  if (a.type() == ValueType::local_date_time)
    return order_of(*a.get_if<LocalDateTime>(), *b.get_if<LocalDateTime>());
  return {};
}

Truth less(const Value& a, const Value& b) {
  const Order found = order(a, b);
  if (found) return *found < 0;
  // Numbers are always comparable: NaN is neither less nor greater.
  return a.is_number() && b.is_number() ? Truth(false) : Truth();
}

Truth less_or_equal(const Value& a, const Value& b) {
  const Order found = order(a, b);
  if (found) return *found <= 0;
  return a.is_number() && b.is_number() ? Truth(false) : Truth();
}

Truth in(const Value& item, const Value& list) {
  if (list.is_null()) return {};
  Truth any = false;
  for (const Value& element : list.as_list()) any = disjunction(any, equal(item, element));
  return any;
}

template <class Test>
Truth on_strings(const Value& a, const Value& b, Test test) {
  if (a.string() == nullptr || b.string() == nullptr) return {};
  return test(*a.string(), *b.string());
}

Truth starts_with(const Value& a, const Value& b) {
  return on_strings(a, b, [](auto& text, auto& part) { return text.starts_with(part); });
}
Truth ends_with(const Value& a, const Value& b) {
  return on_strings(a, b, [](auto& text, auto& part) { return text.ends_with(part); });
}
Truth contains(const Value& a, const Value& b) {
  return on_strings(a, b, [](auto& text, auto& part) { return text.find(part) != text.npos; });
}

}  // namespace

Truth negation(Truth a) { return a ? Truth(!*a) : a; }

Truth conjunction(Truth a, Truth b) {
  if (a == Truth(false) || b == Truth(false)) return false;
  return a && b ? Truth(true) : Truth();
}

Truth disjunction(Truth a, Truth b) { return negation(conjunction(negation(a), negation(b))); }

Truth exclusive(Truth a, Truth b) { return a && b ? Truth(*a != *b) : Truth(); }

Truth equal(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return {};
  if (a.is_number() && b.is_number()) return number(a) == number(b);
  if (a.type() != b.type()) return false;
  if (a.list() != nullptr) return equal_lists(a.as_list(), b.as_list());
  if (a.map() != nullptr) return equal_maps(a.as_map(), b.as_map());
  return a == b;
}

Truth compare(const Value& a, std::string_view operation, const Value& b) {
  using Test = Truth (*)(const Value&, const Value&);
  static const std::map<std::string_view, Test> tests = {
      {"=", equal},
      {"<>", [](const Value& x, const Value& y) { return negation(equal(x, y)); }},
      {"<", less},
      {"<=", less_or_equal},
      {">", [](const Value& x, const Value& y) { return less(y, x); }},
      {">=", [](const Value& x, const Value& y) { return less_or_equal(y, x); }},
      {"STARTS WITH", starts_with},
      {"ENDS WITH", ends_with},
      {"CONTAINS", contains},
      {"IN", in},
  };
  return tests.at(operation)(a, b);
}

}  // namespace cairn::test
