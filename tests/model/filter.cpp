#include "tests/model/filter.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::test {
namespace {

using Kind = Filter::Kind;

Filter make(Kind kind, std::vector<Operand> operands, std::vector<std::string> operations = {}) {
  Filter filter;
  filter.kind = kind;
  filter.operands = std::move(operands);
  filter.operations = std::move(operations);
  return filter;
}

Operand property(std::vector<std::string> path) { return {std::move(path), {}}; }
Operand constant(Sample sample) { return {{}, std::move(sample)}; }

Operand random_path(Random& random) {
  static const std::vector<std::vector<std::string>> paths = {
      {"x"}, {"y"},      {"s"},           {"n"},    {"list"},
      {"m"}, {"m", "b"}, {"m", "c", "d"}, {"flag"}, {"missing"}};
  return property(random.pick(paths));
}

Operand random_constant(Random& random) {
  return constant(random.one_in(3)   ? random.pick(all_samples())
                  : random.one_in(2) ? random.pick(string_samples())
                                     : random.pick(scalar_samples()));
}

Operand random_operand(Random& random) {
  return random.one_in(4) ? random_path(random) : random_constant(random);
}

Filter random_comparison(Random& random) {
  static const std::vector<std::string> operations = {"=", "<>", "<", "<=", ">", ">="};
  std::vector<Operand> operands = {random_path(random), random_operand(random)};
  if (random.one_in(3)) std::swap(operands[0], operands[1]);
  std::vector<std::string> joined = {random.pick(operations)};
  if (random.one_in(4)) {
    operands.insert(operands.begin(), random_operand(random));
    joined.push_back(random.pick(operations));
  }
  return make(Kind::comparison, std::move(operands), std::move(joined));
}

Filter random_text_test(Random& random) {
  static const std::vector<std::string> operations = {"STARTS WITH", "ENDS WITH", "CONTAINS"};
  const Operand part =
      random.one_in(5) ? random_operand(random) : constant(random.pick(string_samples()));
  return make(Kind::comparison, {random_path(random), part}, {random.pick(operations)});
}

Filter random_membership(Random& random) {
  const Operand list = random.one_in(12) ? constant({"null", {}}) : constant(random_list(random));
  return make(Kind::comparison, {random_path(random), list}, {"IN"});
}

Filter random_element_test(Random& random) {
  return make(Kind::comparison, {random_operand(random), property({"list"})}, {"IN"});
}

Filter random_presence(Random& random) {
  return make(random.one_in(2) ? Kind::absence : Kind::presence, {random_path(random)});
}

Filter random_truth(Random& random) {
  static const std::vector<Sample> constants = {
      {"true", true}, {"false", false}, {"null", Value()}};
  return make(Kind::truth,
              {random.one_in(4) ? constant(random.pick(constants)) : property({"flag"})});
}

Filter random_label_test(Random& random) {
  static const std::vector<std::vector<std::string>> labels = {
      {"A"}, {"B"}, {"C"}, {"A", "B"}, {"Unknown"}};
  Filter filter = make(Kind::label, {});
  filter.labels = random.pick(labels);
  return filter;
}

Filter random_leaf(Random& random, bool with_labels) {
  using Draw = Filter (*)(Random&);
  static constexpr std::array<Draw, 9> draws = {
      random_comparison, random_comparison, random_comparison,
      random_text_test,  random_membership, random_element_test,
      random_presence,   random_truth,      random_label_test};
  return draws[random.below(with_labels ? draws.size() : draws.size() - 1)](random);
}

std::string operand_text(const Operand& operand, std::string_view variable, Map* parameters) {
  if (!operand.path.empty()) {
    std::string text(variable);
    for (const std::string& key : operand.path) text += "." + key;
    return text;
  }
  if (parameters == nullptr) return operand.constant.text;
  const std::string name = "p" + std::to_string(parameters->size());
  parameters->emplace(name, operand.constant.value);
  return "$" + name;
}

std::string text_of(const Filter& filter, std::string_view variable, Map* parameters);

std::string parts_text(const Filter& filter, std::string_view separator, std::string_view variable,
                       Map* parameters) {
  std::string text;
  for (const Filter& part : filter.parts) {
    if (!text.empty()) text += separator;
    text += text_of(part, variable, parameters);
  }
  return text;
}

std::string comparison_text(const Filter& filter, std::string_view variable, Map* parameters) {
  std::string text = operand_text(filter.operands[0], variable, parameters);
  for (std::size_t i = 0; i < filter.operations.size(); ++i)
    text += " " + filter.operations[i] + " " +
            operand_text(filter.operands[i + 1], variable, parameters);
  return text;
}

std::string label_text(const Filter& filter, std::string_view variable) {
  std::string text(variable);
  for (const std::string& label : filter.labels) text += ":" + label;
  return text;
}

std::string bare_text(const Filter& filter, std::string_view variable, Map* parameters) {
  switch (filter.kind) {
    case Kind::conjunction:
      return parts_text(filter, " AND ", variable, parameters);
    case Kind::disjunction:
      return parts_text(filter, " OR ", variable, parameters);
    case Kind::exclusive:
      return parts_text(filter, " XOR ", variable, parameters);
    case Kind::negation:
      return "NOT " + parts_text(filter, "", variable, parameters);
    case Kind::comparison:
      return comparison_text(filter, variable, parameters);
    case Kind::absence:
      return operand_text(filter.operands[0], variable, parameters) + " IS NULL";
    case Kind::presence:
      return operand_text(filter.operands[0], variable, parameters) + " IS NOT NULL";
    case Kind::label:
      return label_text(filter, variable);
    case Kind::truth:
      return operand_text(filter.operands[0], variable, parameters);
  }
  return {};
}

std::string text_of(const Filter& filter, std::string_view variable, Map* parameters) {
  return "(" + bare_text(filter, variable, parameters) + ")";
}

Truth combined(const Filter& filter, const Element& element, Truth (*combine)(Truth, Truth)) {
  Truth all = filter.parts[0].evaluate(element);
  for (std::size_t i = 1; i < filter.parts.size(); ++i)
    all = combine(all, filter.parts[i].evaluate(element));
  return all;
}

Truth evaluate_comparison(const Filter& filter, const Element& element) {
  Truth all = true;
  for (std::size_t i = 0; i < filter.operations.size(); ++i)
    all = conjunction(all, compare(filter.operands[i].value(element), filter.operations[i],
                                   filter.operands[i + 1].value(element)));
  return all;
}

Truth truth_of(const Value& value) { return value.is_null() ? Truth() : Truth(value.as_bool()); }

}  // namespace

Value Operand::value(const Element& element) const {
  if (path.empty()) return constant.value;
  const Map* map = &element.properties;
  Value found;
  for (const std::string& key : path) {
    const auto entry = map == nullptr ? Map::const_iterator() : map->find(key);
    if (map == nullptr || entry == map->end()) return {};
    found = entry->second;
    map = found.map();
  }
  return found;
}

Truth Filter::evaluate(const Element& element) const {
  switch (kind) {
    case Kind::conjunction:
      return combined(*this, element, test::conjunction);
    case Kind::disjunction:
      return combined(*this, element, test::disjunction);
    case Kind::exclusive:
      return combined(*this, element, test::exclusive);
    case Kind::negation:
      return test::negation(parts[0].evaluate(element));
    case Kind::comparison:
      return evaluate_comparison(*this, element);
    case Kind::absence:
      return operands[0].value(element).is_null();
    case Kind::presence:
      return !operands[0].value(element).is_null();
    case Kind::label:
      return std::ranges::all_of(labels,
                                 [&](auto& label) { return element.labels.contains(label); });
    case Kind::truth:
      return truth_of(operands[0].value(element));
  }
  return {};
}

std::string Filter::text(std::string_view variable) const {
  return text_of(*this, variable, nullptr);
}

std::string Filter::text(std::string_view variable, Map& parameters) const {
  return text_of(*this, variable, &parameters);
}

Filter random_filter(Random& random, int levels, bool with_labels) {
  if (levels == 0 || random.one_in(4)) return random_leaf(random, with_labels);
  static constexpr std::array kinds = {Kind::conjunction, Kind::disjunction, Kind::exclusive,
                                       Kind::negation};
  Filter filter = make(random.pick(kinds), {});
  const std::size_t parts = filter.kind == Kind::negation ? 1 : 2 + random.below(2);
  for (std::size_t i = 0; i < parts; ++i)
    filter.parts.push_back(random_filter(random, levels - 1, with_labels));
  return filter;
}

}  // namespace cairn::test
