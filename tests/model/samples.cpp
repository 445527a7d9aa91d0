#include "tests/model/samples.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace cairn::test {
namespace {

constexpr std::int64_t two_to_53 = std::int64_t{1} << 53;
constexpr std::int64_t leap_day = 18'321;  // 2020-02-29

std::vector<Sample> make_scalars() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Sample> samples = {
      {"null", {}},
      {"true", true},
      {"false", false},
      {"(0.0 / 0.0)", std::numeric_limits<double>::quiet_NaN()},
      {"(1.0 / 0.0)", infinity},
      {"(-1.0 / 0.0)", -infinity},
      {"0.0", 0.0},
      {"-0.0", -0.0},
      {"1.0", 1.0},
      {"1.5", 1.5},
      {"9007199254740992.0", std::ldexp(1.0, 53)},
      {"9223372036854775808.0", std::ldexp(1.0, 63)},
      {"date('2020-02-29')", Date{leap_day}},
      {"date('2020-03-01')", Date{leap_day + 1}},
      {"localdatetime('2020-02-29T00:00:00')", LocalDateTime{leap_day * 86'400, 0}},
      {"duration('P1D')", Duration{0, 1, 0, 0}},
  };
  for (const std::int64_t number :
       {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, two_to_53 - 1,
        two_to_53, two_to_53 + 1, std::numeric_limits<std::int64_t>::max()})
    samples.push_back({std::to_string(number), number});
  return samples;
}

// Some strings are longer than the prefix that the index stores, and differ only after this prefix.
std::vector<Sample> make_strings() {
  const std::string stem(300, 'x');
  std::vector<Sample> samples;
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("ab"), std::string("abc"), std::string("b"),
        std::string("bc"), std::string("1"), std::string("2020-02-29"), std::string("\xc3\xa9"),
        std::string("\xf0\x9f\x98\x80"), std::string(64, 'x'), std::string(256, 'x'), stem,
        stem + "a", stem + "b", "a" + stem})
    samples.push_back({"'" + text + "'", text});
  return samples;
}

std::vector<Sample> make_lists() {
  const auto& scalars = scalar_samples();
  const auto& strings = string_samples();
  std::vector<Sample> lists = {list_sample({})};
  for (const auto* source : {&scalars, &strings})
    for (std::size_t i = 0; i + 1 < source->size(); i += 3) {
      lists.push_back(list_sample({(*source)[i]}));
      lists.push_back(list_sample({(*source)[i], (*source)[i + 1]}));
    }
  lists.push_back(list_sample({lists[1], lists[2]}));
  return lists;
}

Sample map_sample(const std::string& key, const Sample& value) {
  return {"{" + key + ": " + value.text + "}", map_of({{key, value.value}})};
}

Value map_of_maps(Random& random) {
  Map map;
  if (!random.one_in(4)) map["b"] = random.pick(all_samples()).value;
  if (random.one_in(3)) return map;
  Map inner;
  if (!random.one_in(4)) inner["d"] = random.pick(all_samples()).value;
  map["c"] = random.one_in(8) ? Value() : Value(inner);
  return map;
}

Value mostly(Random& random, const std::vector<Sample>& usual) {
  return random.one_in(6) ? random.pick(all_samples()).value : random.pick(usual).value;
}

using Draw = std::function<Value(Random&)>;

const std::map<std::string, Draw>& draws() {
  static const std::map<std::string, Draw> table = {
      {"x", [](Random& random) { return random.pick(all_samples()).value; }},
      {"y", [](Random& random) { return random.pick(all_samples()).value; }},
      {"s", [](Random& random) { return mostly(random, string_samples()); }},
      {"n", [](Random& random) { return mostly(random, scalar_samples()); }},
      {"list", [](Random& random) { return random_list(random).value; }},
      {"m", map_of_maps},
      {"flag", [](Random& random) { return Value(random.one_in(2)); }},
  };
  return table;
}

}  // namespace

const std::vector<Sample>& scalar_samples() {
  static const std::vector<Sample> samples = make_scalars();
  return samples;
}

const std::vector<Sample>& string_samples() {
  static const std::vector<Sample> samples = make_strings();
  return samples;
}

const std::vector<Sample>& all_samples() {
  static const std::vector<Sample> samples = [] {
    std::vector<Sample> all = scalar_samples();
    all.insert(all.end(), string_samples().begin(), string_samples().end());
    const std::vector<Sample> lists = make_lists();
    all.insert(all.end(), lists.begin(), lists.end());
    all.push_back({"{}", Map{}});
    for (const Sample& sample : scalar_samples()) all.push_back(map_sample("k", sample));
    return all;
  }();
  return samples;
}

Sample list_sample(const std::vector<Sample>& items) {
  std::string text;
  List values;
  for (const Sample& item : items) {
    text += (text.empty() ? "" : ", ") + item.text;
    values.push_back(item.value);
  }
  return {"[" + text + "]", values};
}

Sample random_list(Random& random) {
  std::vector<Sample> items;
  const bool is_long = random.one_in(12);
  const std::size_t size = is_long ? 20 : random.below(5);
  for (std::size_t i = 0; i < size; ++i)
    items.push_back(is_long ? Sample{std::to_string(i), static_cast<std::int64_t>(i)}
                            : random.pick(all_samples()));
  return list_sample(items);
}

Properties random_properties(Random& random) {
  Properties properties;
  for (const std::string& name : property_names())
    if (Value value = random_property(random, name); !value.is_null())
      properties[name] = std::move(value);
  return properties;
}

Value random_property(Random& random, const std::string& name) {
  return random.one_in(5) ? Value() : draws().at(name)(random);
}

const std::vector<std::string>& property_names() {
  static const std::vector<std::string> names = {"x", "y", "s", "n", "list", "m", "flag"};
  return names;
}

}  // namespace cairn::test
