#include "tests/query/filter/filter_oracle.hpp"

#include "codec/instant.hpp"
#include "query/filter/filter_operators.hpp"
#include "tests/support/graph_builder.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cairn::test {
namespace {

using Op = FilterOperator;
using Values = std::vector<Value>;

void collect(const Value& value, const std::vector<std::string>& keys, std::size_t at,
             Values& found) {
  if (at == keys.size()) {
    found.push_back(value);
  } else if (value.map() != nullptr) {
    const auto entry = value.map()->find(keys[at]);
    if (entry != value.map()->end()) collect(entry->second, keys, at + 1, found);
  } else if (value.list() != nullptr) {
    for (const Value& one : *value.list())
      if (one.map() != nullptr) collect(one, keys, at, found);
  }
}

bool is_equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    const auto number = [](const Value& v) {
      return v.type() == ValueType::integer ? static_cast<double>(v.as_integer()) : v.as_float();
    };
    return number(a) == number(b);
  }
  if (a.type() != b.type()) return false;
  if (a.list() != nullptr) return std::ranges::equal(a.as_list(), b.as_list(), is_equal);
  if (a.map() != nullptr)
    return std::ranges::equal(a.as_map(), b.as_map(), [](const auto& x, const auto& y) {
      return x.first == y.first && is_equal(x.second, y.second);
    });
  return a == b;
}

// The value and, of a list, its elements.
Values with_elements(const Value& value) {
  Values all{value};
  if (value.list() != nullptr) all.insert(all.end(), value.list()->begin(), value.list()->end());
  return all;
}

Values elements_or_self(const Value& value) {
  return value.list() != nullptr ? Values(*value.list()) : Values{value};
}

int shape(const Value& value) {
  if (value.list() != nullptr) return 1;
  return value.map() != nullptr ? 2 : 0;
}

bool contains(const Value& whole, const Value& part) {
  if (whole.list() != nullptr)
    return std::ranges::all_of(elements_or_self(part), [&](const Value& wanted) {
      return std::ranges::any_of(*whole.list(), [&](const Value& one) {
        return shape(one) == shape(wanted) && contains(one, wanted);
      });
    });
  if (whole.map() != nullptr)
    return part.map() != nullptr && std::ranges::all_of(*part.map(), [&](const auto& entry) {
             const auto found = whole.map()->find(entry.first);
             return found != whole.map()->end() && contains(found->second, entry.second);
           });
  return is_equal(whole, part);
}

bool contained_by(const Value& stored, const Value& value) {
  const Value set = value.list() != nullptr ? value : Value(List{value});
  return contains(set, stored.list() != nullptr ? stored : Value(List{stored}));
}

std::optional<std::int64_t> instant(const Value& value) {
  if (value.string() != nullptr) return codec::parse_instant(*value.string());
  if (const auto* date = value.get_if<Date>()) return date->days * 86'400'000'000;
  if (const auto* time = value.get_if<DateTime>())
    return time->seconds * 1'000'000 + time->nanoseconds / 1'000;
  return std::nullopt;
}

std::optional<double> difference(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) {
    const auto number = [](const Value& v) {
      return v.type() == ValueType::integer ? static_cast<double>(v.as_integer()) : v.as_float();
    };
    if (std::isnan(number(a)) || std::isnan(number(b))) return std::nullopt;
    return number(a) - number(b);
  }
  if (instant(a) && instant(b)) return static_cast<double>(*instant(a) - *instant(b));
  if (a.string() != nullptr && b.string() != nullptr) return a.as_string().compare(b.as_string());
  return std::nullopt;
}

std::int64_t moment(const Value& value, std::int64_t now) {
  if (instant(value)) return *instant(value);
  return now - std::stoll(value.as_string()) * 86'400'000'000;  // the tests say days only
}

bool below(const std::string& path, const std::string& directory) {
  return path == directory || path.starts_with(directory + "/");
}

bool scalar_passes(Op op, const Value& one, const Value& v, std::int64_t now) {
  const std::string* text = one.string();
  if (op == Op::matches) return text != nullptr && text->find(v.as_string()) != std::string::npos;
  if (op == Op::starts_with) return text != nullptr && text->starts_with(v.as_string());
  if (op == Op::in_directory) return text != nullptr && below(*text, v.as_string());
  if (op == Op::since) return instant(one) && *instant(one) >= moment(v, now);
  if (op == Op::until) return instant(one) && *instant(one) <= moment(v, now);
  if (op == Op::between)
    return difference(one, v.as_list()[0]).value_or(-1) >= 0 &&
           difference(one, v.as_list()[1]).value_or(1) <= 0;
  const auto by = difference(one, v);
  if (!by) return false;
  if (op == Op::greater_than) return *by > 0;
  if (op == Op::greater_or_equal) return *by >= 0;
  return op == Op::less_than ? *by < 0 : *by <= 0;
}

bool value_passes(Op op, const Value& stored, const Value& v, std::int64_t now) {
  const auto among = [&](const Value& wanted) {
    return std::ranges::any_of(with_elements(stored),
                               [&](const Value& one) { return is_equal(one, wanted); });
  };
  switch (op) {
    case Op::equals:
      return is_equal(stored, v);
    case Op::in:
      return std::ranges::any_of(*v.list(), among);
    case Op::contains:
      return !stored.is_null() && contains(stored, v);
    case Op::contained_by:
      return !stored.is_null() && contained_by(stored, v);
    default:
      return std::ranges::any_of(elements_or_self(stored),
                                 [&](const Value& one) { return scalar_passes(op, one, v, now); });
  }
}

bool any_passes(Op op, const Values& found, const Value& v, std::int64_t now) {
  return std::ranges::any_of(found,
                             [&](const Value& one) { return value_passes(op, one, v, now); });
}

bool condition_passes(const Filter& filter, const Values& found, std::int64_t now) {
  const Value& v = filter.value;
  switch (filter.op) {
    case Op::exists:
      return !found.empty();
    case Op::not_exists:
      return found.empty();
    case Op::not_equals:
      return !found.empty() && !any_passes(Op::equals, found, v, now);
    case Op::not_equals_or_missing:
      return !any_passes(Op::equals, found, v, now);
    case Op::not_in:
      return !found.empty() && !any_passes(Op::in, found, v, now);
    case Op::contains_none:
      return !any_passes(Op::in, found, v, now);
    case Op::contains_any:
      return any_passes(Op::in, found, v, now);
    case Op::contains_all:
      return !found.empty() && std::ranges::all_of(*v.list(), [&](const Value& one) {
        return any_passes(Op::in, found, List{one}, now);
      });
    default:
      return any_passes(filter.op, found, v, now);
  }
}

bool element_passes(const Filter& filter, const Values& found, std::int64_t now) {
  for (const Value& value : found)
    for (const Value& one : elements_or_self(value))
      if (one.map() != nullptr && oracle_passes(filter.filters.front(), {{}, *one.map()}, now))
        return true;
  return false;
}

// Of the letters that the tests have.
std::string composed(std::string text) {
  constexpr std::string_view apart = "e\u0301", whole = "\u00e9";
  for (std::size_t at = text.find(apart); at != std::string::npos; at = text.find(apart, at))
    text.replace(at, apart.size(), whole);
  return text;
}

Value composed(const Value& value) {
  if (value.string() != nullptr) return composed(value.as_string());
  if (value.list() != nullptr) {
    List items;
    for (const Value& one : value.as_list()) items.push_back(composed(one));
    return items;
  }
  if (value.map() == nullptr) return value;
  Map entries;
  for (const auto& [key, one] : value.as_map()) entries.emplace(key, composed(one));
  return entries;
}

std::string options_text(const Filter& filter) {
  if (!filter.coerce && !filter.normalize) return "";
  if (!filter.normalize) return ", {coerce: true}";
  return filter.coerce ? ", {coerce: true, normalize: true}" : ", {normalize: true}";
}

std::string field_text(const std::string& field) {
  std::string text = "n";
  for (const std::string& key : must(query::parse_field_path(field)))
    text += "[" + Value(key).to_text() + "]";
  return text;
}

}  // namespace

bool oracle_passes(const Filter& filter, const OracleRecord& record, std::int64_t now) {
  const auto passes = [&](const Filter& one) { return oracle_passes(one, record, now); };
  switch (filter.op) {
    case Op::all:
      return std::ranges::all_of(filter.filters, passes);
    case Op::any:
      return std::ranges::any_of(filter.filters, passes);
    case Op::none:
      return std::ranges::none_of(filter.filters, passes);
    case Op::at_least:
      return std::ranges::count_if(filter.filters, passes) >= filter.value.as_integer();
    case Op::has_label:
      return record.labels.contains(filter.value.as_string());
    default:
      break;
  }
  Values found;
  collect(record.properties, must(query::parse_field_path(filter.field)), 0, found);
  if (filter.op == Op::any_element) return element_passes(filter, found, now);
  if (filter.normalize) {
    Filter plain = filter;
    plain.value = composed(filter.value);
    for (Value& one : found) one = composed(one);
    return condition_passes(plain, found, now);
  }
  return condition_passes(filter, found, now);
}

std::string filter_text(const Filter& filter, Parameters& parameters) {
  const auto parameter = [&](Value value) {
    const std::string name = "p" + std::to_string(parameters.size());
    parameters[name] = std::move(value);
    return "$" + name;
  };
  const auto joined = [&](const std::string& by) {
    std::string text;
    for (const Filter& one : filter.filters)
      text += (text.empty() ? "" : by) + filter_text(one, parameters);
    return text;
  };
  const std::string call = "filter." + std::string(to_string(filter.op)) + "(";
  switch (filter.op) {
    case Op::all:
      return filter.filters.empty() ? "true" : "(" + joined(" AND ") + ")";
    case Op::any:
      return filter.filters.empty() ? "false" : "(" + joined(" OR ") + ")";
    case Op::none:
      return filter.filters.empty() ? "true" : "(NOT (" + joined(" OR ") + "))";
    case Op::at_least:
      return "at_least(" + parameter(filter.value) + (filter.filters.empty() ? "" : ", ") +
             joined(", ") + ")";
    case Op::has_label:
      return "n:" + filter.value.as_string();
    case Op::any_element:
      return call + field_text(filter.field) + ", " + parameter(to_value(filter.filters.front())) +
             ")";
    case Op::exists:
    case Op::not_exists:
      return call + field_text(filter.field) + ")";
    default:
      return call + field_text(filter.field) + ", " + parameter(filter.value) +
             options_text(filter) + ")";
  }
}

}  // namespace cairn::test
