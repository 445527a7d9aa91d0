// Reads filters from values and JSON. All mistakes are reported here, before any record is read.
//
//    filter := [ filter, ... ]                                                    all of them
//            | {operator: AND | OR | NOT, filters: [...]}
//            | {operator: AT_LEAST, minimum: n, filters: [...]}
//            | {operator: name, field: path, value: any [, coerce: true] [, normalize: true]}
//            | {operator: any_element, field: path, filters: [...]}
//            | {operator: has_label, value: text} | {operator: has_id, value: number or [number]}
//
// A key that is not used is refused, because ignoring it would silently widen the filter.

#include "query/filter/filter_operators.hpp"

#include <cairn/filter.hpp>
#include <cairn/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace cairn {
namespace {

Error mistake(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

// Reads one filter recursively.
class FilterReader {
 public:
  Result<Filter> read(const Value& value) {
    if (++depth_ > query::most_filter_levels) return query::too_many_filter_levels();
    auto filter = read_any(value);
    --depth_;
    return filter;
  }

 private:
  // A list means that all of its filters must match.
  Result<Filter> read_any(const Value& value) {
    if (const List* list = value.list()) return read_group(FilterOperator::all, *list);
    const Map* map = value.map();
    if (map == nullptr)
      return mistake("a filter is an object with \"operator\", or an array of filters; this is a " +
                     std::string(to_string(value.type())));
    return read_map(*map);
  }

  /// Unknown keys are refused first, then keys that the operator does not use.
  Result<Filter> read_map(const Map& map) {
    CAIRN_TRY(check_keys(map));
    const Value* name = member(map, "operator");
    if (name == nullptr || name->string() == nullptr)
      return mistake("a filter needs an \"operator\", a string");
    const auto op = query::find_operator(*name->string());
    if (!op) return query::unsupported_operator(*name->string());
    auto filter = query::is_group(*op) ? read_group(*op, map) : read_condition(*op, map);
    if (filter) CAIRN_TRY(check_used(*op, map));
    return filter;
  }

  // Refuses keys that the operator does not use. Some clients always send a value, so null or true is tolerated for
  // operators without a value.
  static Status check_used(FilterOperator op, const Map& map) {
    const bool is_group = query::is_group(op);
    const bool is_element = op == FilterOperator::any_element;
    for (const auto& [key, value] : map) {
      const bool says_nothing = value.is_null() || value == Value(true);
      const bool is_read =
          key == "operator" || (key == "field" && query::has_field(op)) ||
          (key == "filters" && (is_group || is_element)) ||
          (key == "minimum" && op == FilterOperator::at_least) ||
          ((key == "coerce" || key == "normalize") && !is_group && !is_element) ||
          (key == "value" && !is_group &&
           (is_element ? !map.contains("filters") : query::takes_value(op) || says_nothing));
      if (!is_read)
        return mistake("a filter " + std::string(to_string(op)) + " does not read \"" + key +
                       "\"; leave it out");
    }
    return {};
  }

  // Refuses unknown keys, which are probably misspelt.
  static Status check_keys(const Map& map) {
    constexpr std::string_view known[] = {"field",   "operator", "value",    "filters",
                                          "minimum", "coerce",   "normalize"};
    for (const auto& [key, value] : map)
      if (std::ranges::find(known, key) == std::end(known))
        return mistake("a filter has no \"" + key +
                       "\"; it has field, operator, value, filters, minimum, coerce and normalize");
    return {};
  }

  static const Value* member(const Map& map, std::string_view name) {
    const auto found = map.find(name);
    return found == map.end() ? nullptr : &found->second;
  }

  // Reads a group that is written as an object.
  Result<Filter> read_group(FilterOperator op, const Map& map) {
    const Value* filters = member(map, "filters");
    if (filters == nullptr || filters->list() == nullptr)
      return mistake("a filter group " + std::string(to_string(op)) +
                     " needs \"filters\", an array");
    if (member(map, "field") != nullptr)
      return mistake("a filter group has no \"field\"; set it in the filters of the group");
    CAIRN_ASSIGN(Filter group, read_group(op, filters->as_list()));
    const Value* minimum = member(map, "minimum");
    if (op != FilterOperator::at_least) return group;
    if (minimum == nullptr || minimum->type() != ValueType::integer)
      return mistake("AT_LEAST needs a \"minimum\", an integer");
    group.value = *minimum;
    return group;
  }

  // Reads the parts of a group.
  Result<Filter> read_group(FilterOperator op, const List& filters) {
    Filter group;
    group.op = op;
    for (const Value& one : filters) {
      CAIRN_ASSIGN(Filter filter, read(one));
      group.filters.push_back(std::move(filter));
    }
    return group;
  }

  // Reads a condition on a field, a label or ids.
  Result<Filter> read_condition(FilterOperator op, const Map& map) {
    Filter filter;
    filter.op = op;
    if (query::has_field(op)) {
      const Value* field = member(map, "field");
      if (field == nullptr || field->string() == nullptr)
        return mistake("a filter " + std::string(to_string(op)) + " needs a \"field\", a string");
      filter.field = *field->string();
    }
    CAIRN_TRY(read_value(filter, map));
    return filter;
  }

  /// Null counts as a value; check_operand() decides whether the operator accepts it.
  Status read_value(Filter& filter, const Map& map) {
    if (filter.op == FilterOperator::any_element) return read_element(filter, map);
    if (const Value* value = member(map, "value")) {
      filter.value = *value;
    } else if (query::takes_value(filter.op)) {
      return mistake("a filter " + std::string(to_string(filter.op)) + " on \"" + filter.field +
                     "\" needs a \"value\"");
    }
    if (const Value* coerce = member(map, "coerce"))
      CAIRN_TRY(query::read_option(filter.op, "coerce", *coerce, filter.coerce));
    if (const Value* normalize = member(map, "normalize"))
      CAIRN_TRY(query::read_option(filter.op, "normalize", *normalize, filter.normalize));
    return query::check_filter(filter);
  }

  /// Reads the filter of any_element: a list, a group or one condition, under `filters` or `value`. A list of one is read
  /// as its only item, so that writing and reading a filter gives the same filter.
  Status read_element(Filter& filter, const Map& map) {
    const Value* element = member(map, "filters");
    if (element == nullptr) element = member(map, "value");
    if (element == nullptr)
      return mistake("any_element on \"" + filter.field +
                     "\" needs \"filters\" over the fields of one element");
    const List* list = element->list();
    CAIRN_ASSIGN(Filter inner,
                 read(list != nullptr && list->size() == 1 ? list->front() : *element));
    filter.filters.push_back(std::move(inner));
    return {};
  }

  std::size_t depth_ = 0;
};

}  // namespace

Result<Filter> filter_from(const Value& value) {
  if (const std::string* text = value.string()) return parse_filter(*text);
  return FilterReader().read(value);
}

Result<Filter> parse_filter(std::string_view json) {
  auto value = parse_json(json);
  if (!value) return mistake("a filter in JSON: " + value.error().message);
  return FilterReader().read(*value);
}

// Filters made in C++.

Filter Filter::where(std::string field, FilterOperator op, Value value) {
  return {op, std::move(field), std::move(value), {}};
}

Filter Filter::all_of(std::vector<Filter> filters) {
  return {FilterOperator::all, {}, {}, std::move(filters)};
}

Filter Filter::any_of(std::vector<Filter> filters) {
  return {FilterOperator::any, {}, {}, std::move(filters)};
}

Filter Filter::none_of(std::vector<Filter> filters) {
  return {FilterOperator::none, {}, {}, std::move(filters)};
}

Filter Filter::at_least(std::int64_t minimum, std::vector<Filter> filters) {
  return {FilterOperator::at_least, {}, Value(minimum), std::move(filters)};
}

Filter Filter::any_element(std::string field, Filter element) {
  return {FilterOperator::any_element, std::move(field), {}, {std::move(element)}};
}

Filter Filter::has_label(std::string label) {
  return {FilterOperator::has_label, {}, Value(std::move(label)), {}};
}

Filter Filter::has_id(const std::vector<std::uint64_t>& ids) {
  List numbers;
  numbers.reserve(ids.size());
  for (const std::uint64_t id : ids) numbers.emplace_back(static_cast<std::int64_t>(id));
  return {FilterOperator::has_id, {}, Value(std::move(numbers)), {}};
}

Result<std::vector<std::string>> path_keys(std::string_view path) {
  return query::parse_field_path(path);
}

// Keys with a dot or bracket are written as ['key'], which is read back as one key.
std::string path_of_keys(std::span<const std::string> keys) {
  std::string text;
  for (const std::string& key : keys) {
    if (!key.empty() && key.find_first_of(".[") == std::string::npos) {
      text += (text.empty() ? "" : ".") + key;
      continue;
    }
    text += "['";
    for (const char letter : key) text += letter == '\'' ? "''" : std::string(1, letter);
    text += "']";
  }
  return text;
}

// Writing a filter: filter_from(to_value(f)) == f holds for every valid filter.

// Members that the operator does not use are written too if they are set, so that the reader refuses the filter.
// Otherwise a condition whose `op` was left at the default, AND, would become an empty group, which every record
// passes.
Value to_value(const Filter& filter) {
  Map map;
  map.emplace("operator", Value(to_string(filter.op)));
  const bool is_group = filter.op <= FilterOperator::at_least;
  const bool has_filters = is_group || filter.op == FilterOperator::any_element;
  if (has_filters || !filter.filters.empty()) {
    List filters;
    for (const Filter& one : filter.filters) filters.push_back(to_value(one));
    map.emplace("filters", std::move(filters));
  }
  const bool has_field = query::has_field(filter.op);
  if (has_field || !filter.field.empty()) map.emplace("field", filter.field);
  if (filter.op == FilterOperator::at_least)
    map.emplace("minimum", filter.value);
  else if (!has_filters || !filter.value.is_null())
    map.emplace("value", filter.value);
  if (filter.coerce) map.emplace("coerce", true);
  if (filter.normalize) map.emplace("normalize", true);
  return map;
}

}  // namespace cairn
