// Filters by index, a full scan and a naive evaluation without plans give the same rows, for random
// trees of conditions over properties of mixed types.

#include "query/functions/value_semantics.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <set>

namespace cairn::test {
namespace {

using Truth = std::optional<bool>;
using Record = Properties;

constexpr int record_count = 300;
constexpr int tree_count = 2'000;
constexpr const char* full_scan =
    "order_expansions push_filters choose_indexes push_limits count_from_cardinality";

// A condition as text and as a function of a record.
struct Condition {
  std::string text;
  std::function<Truth(const Record&)> holds;
};

bool is_nan(const Value& value) {
  return value.type() == ValueType::floating && std::isnan(value.as_float());
}

class ConditionGenerator {
 public:
  explicit ConditionGenerator(std::uint64_t seed) : random_(seed) {}

  Record record() {
    Record properties;
    for (const char* name : {"p", "q"})
      if (chance(4)) properties[name] = value();
    if (chance(3)) properties["tags"] = tags();
    if (chance(2))
      properties["m"] = Map{{"x", scalar()}, {"y", Map{{"z", scalar()}, {"l", tags()}}}};
    if (chance(3)) properties["items"] = items();
    if (chance(3)) properties["flag"] = chance(1);
    return properties;
  }

  Condition condition(int levels) {
    if (levels == 0 || !chance(3)) return leaf();
    switch (random_.below(4)) {
      case 0:
        return negation(condition(levels - 1));
      case 1:
        return join("AND", condition(levels - 1), condition(levels - 1), both);
      case 2:
        return join("OR", condition(levels - 1), condition(levels - 1), either);
      default:
        return join("XOR", condition(levels - 1), condition(levels - 1), different);
    }
  }

  const Parameters& parameters() const { return parameters_; }
  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }

 private:
  // True in `share` of `share + 1` cases.
  bool chance(std::uint64_t share) { return random_.below(share + 1) != 0; }

  Value scalar() {
    static const std::string prefix(260, 'x');
    switch (random_.below(12)) {
      case 0:
        return true;
      case 1:
        return false;
      case 2:
        return 0.5 * static_cast<double>(random_.below(8));
      case 3:
        return std::numeric_limits<double>::quiet_NaN();
      case 4:
        return prefix + std::to_string(random_.below(3));
      case 5:
        return Date{static_cast<std::int64_t>(random_.below(4))};
      case 6:
        return Duration{0, static_cast<std::int64_t>(random_.below(3)), 0, 0};
      case 7:
      case 8:
        return std::string(1, static_cast<char>('a' + random_.below(4))) + "b";
      default:
        return static_cast<std::int64_t>(random_.below(6));
    }
  }

  Value tags() {
    List list;
    const std::uint64_t size = random_.below(10) == 0 ? 18 : random_.below(4);
    const bool has_numbers = size > 4 || chance(1);
    for (std::uint64_t i = 0; i < size; ++i)
      list.push_back(has_numbers ? Value(static_cast<std::int64_t>(random_.below(5))) : scalar());
    return list;
  }

  // An element of a list. Those that are not scalars have no index entries of their own.
  Value item() {
    switch (random_.below(10)) {
      case 0:
        return Value();
      case 1:
        return List{scalar()};
      case 2:
        return List{scalar(), Value()};
      case 3:
        return List(17, Value(static_cast<std::int64_t>(random_.below(2))));
      case 4:
        return Map{{"x", random_.below(4) == 0 ? Value() : scalar()}};
      case 5:
        return chance(1) ? Value(-0.0) : Value(0x1p53);
      case 6:
        return (std::int64_t{1} << 53) + static_cast<std::int64_t>(random_.below(2));
      default:
        return scalar();
    }
  }

  // Lists of each kind that indexes treat differently: vectors, long lists of numbers, and mixed
  // lists.
  Value items() {
    if (random_.below(6) == 0)
      return Vector({static_cast<float>(random_.below(4)), static_cast<float>(random_.below(4))});
    const std::uint64_t size = random_.below(8) == 0 ? 20 : random_.below(4);
    const bool has_numbers = size == 20 && chance(2);
    List list;
    for (std::uint64_t i = 0; i < size; ++i)
      list.push_back(has_numbers ? Value(0.5 * static_cast<double>(random_.below(60))) : item());
    return list;
  }

  Value value() {
    switch (random_.below(8)) {
      case 0:
        return tags();
      case 1:
        return Map{{"x", scalar()}};
      default:
        return scalar();
    }
  }

  // The text of a constant: a literal, or a parameter if the value has no literal.
  std::string constant(const Value& value) {
    const bool has_literal = value.is_null() || value.type() == ValueType::integer ||
                             value.type() == ValueType::boolean ||
                             value.type() == ValueType::string;
    if (has_literal && chance(1)) return value.to_text();
    const std::string name = "p" + std::to_string(parameters_.size());
    parameters_[name] = value;
    return "$" + name;
  }

  Value operand() { return random_.below(15) == 0 ? Value() : value(); }

  struct Path {
    std::string text;
    std::function<Value(const Record&)> read;
  };

  Path property() {
    static const auto read = [](const Record& record, const std::string& name) {
      const auto found = record.find(name);
      return found == record.end() ? Value() : found->second;
    };
    const auto inner = [](const Value& value, const std::string& name) {
      return value.map() == nullptr ? Value() : value.as_map().at(name);
    };
    switch (random_.below(8)) {
      case 0:
        return {"n.m.x", [=](const Record& r) { return inner(read(r, "m"), "x"); }};
      case 1:
        return {"n.m.y.z", [=](const Record& r) { return inner(inner(read(r, "m"), "y"), "z"); }};
      case 2:
        return {"n.unknown", [](const Record&) { return Value(); }};
      case 3:
        return {"n.tags", [](const Record& r) { return read(r, "tags"); }};
      default: {
        const std::string name = random_.below(2) == 0 ? "p" : "q";
        return {"n." + name, [name](const Record& r) { return read(r, name); }};
      }
    }
  }

  Condition leaf() {
    switch (random_.below(8)) {
      case 0:
        return equality();
      case 1:
        return order();
      case 2:
        return between();
      case 3:
        return membership();
      case 4:
        return element();
      case 5:
        return text_test();
      case 6:
        return presence();
      default:
        return chance(1) ? equality() : flag();
    }
  }

  Condition equality() {
    const Path path = property();
    const Value value = operand();
    const bool equal = chance(1);
    return {path.text + (equal ? " = " : " <> ") + constant(value), [=](const Record& record) {
              const Truth same = query::equals(path.read(record), value);
              return same ? Truth(*same == equal) : Truth();
            }};
  }

  static Truth in_order(const std::string& sign, const Value& a, const Value& b) {
    if (a.is_number() && b.is_number() && (is_nan(a) || is_nan(b))) return false;
    const auto order = query::compare(a, b);
    if (!order) return std::nullopt;
    if (sign == "<") return *order < 0;
    if (sign == "<=") return *order <= 0;
    return sign == ">" ? *order > 0 : *order >= 0;
  }

  std::string sign() {
    static const char* const signs[] = {"<", "<=", ">", ">="};
    return signs[random_.below(4)];
  }

  Condition order() {
    const Path path = property();
    const Value value = operand();
    const std::string by = sign();
    if (chance(1))
      return {path.text + " " + by + " " + constant(value),
              [=](const Record& record) { return in_order(by, path.read(record), value); }};
    return {constant(value) + " " + by + " " + path.text,
            [=](const Record& record) { return in_order(by, value, path.read(record)); }};
  }

  Condition between() {
    const Path path = property();
    const Value low = operand();
    const Value high = operand();
    return {constant(low) + " <= " + path.text + " < " + constant(high), [=](const Record& record) {
              return both(in_order("<=", low, path.read(record)),
                          in_order("<", path.read(record), high));
            }};
  }

  Condition membership() {
    const Path path = property();
    List list;
    for (std::uint64_t i = random_.below(4); i > 0; --i) list.push_back(operand());
    return {path.text + " IN " + constant(list),
            [=](const Record& record) { return truth_of(query::is_in(path.read(record), list)); }};
  }

  // A property that is always a list or missing: IN fails for other values.
  Path list_property() {
    const auto read = [](const std::string& name) {
      return [name](const Record& record) {
        const auto found = record.find(name);
        return found == record.end() ? Value() : found->second;
      };
    };
    switch (random_.below(5)) {
      case 0:
      case 1:
        return {"n.tags", read("tags")};
      case 2:
        return {"n.m.y.l", [map = read("m")](const Record& record) {
                  const Value value = map(record);
                  return value.is_null() ? Value() : value.as_map().at("y").as_map().at("l");
                }};
      default:
        return {"n.items", read("items")};
    }
  }

  Condition element() {
    const Path path = list_property();
    const Value value = chance(1)                ? item()
                        : random_.below(10) == 0 ? Value(Vector({1.0F}))
                                                 : scalar();
    const Condition in{constant(value) + " IN " + path.text, [=](const Record& record) {
                         return truth_of(query::is_in(value, path.read(record)));
                       }};
    return chance(1) ? negation(in) : in;
  }

  static Truth truth_of(const Result<Value>& result) {
    return result->is_null() ? Truth() : Truth(result->as_bool());
  }

  Condition text_test() {
    static const char* const names[] = {" STARTS WITH ", " ENDS WITH ", " CONTAINS "};
    const std::size_t kind = random_.below(3);
    const Path path = property();
    const Value value =
        random_.below(5) == 0
            ? operand()
            : Value(random_.below(3) == 0 ? std::string(random_.below(300), 'x') : "a");
    return {path.text + names[kind] + constant(value), [=](const Record& record) -> Truth {
              const Value read = path.read(record);
              if (read.string() == nullptr || value.string() == nullptr) return std::nullopt;
              const std::string& text = read.as_string();
              const std::string& part = value.as_string();
              if (kind == 0) return text.starts_with(part);
              return kind == 1 ? text.ends_with(part) : text.find(part) != std::string::npos;
            }};
  }

  Condition presence() {
    const Path path = property();
    const bool is_null = chance(1);
    return {path.text + (is_null ? " IS NULL" : " IS NOT NULL"),
            [=](const Record& record) { return Truth(path.read(record).is_null() == is_null); }};
  }

  Condition flag() {
    return {"n.flag", [](const Record& record) {
              const auto found = record.find("flag");
              return found == record.end() ? Truth() : Truth(found->second.as_bool());
            }};
  }

  static Truth negate(Truth a) { return a ? Truth(!*a) : a; }
  static Truth both(Truth a, Truth b) {
    if (a == Truth(false) || b == Truth(false)) return false;
    return a && b ? Truth(true) : Truth();
  }
  static Truth either(Truth a, Truth b) { return negate(both(negate(a), negate(b))); }
  static Truth different(Truth a, Truth b) { return a && b ? Truth(*a != *b) : Truth(); }

  static Condition negation(Condition inner) {
    return {"NOT (" + inner.text + ")",
            [inner](const Record& record) { return negate(inner.holds(record)); }};
  }
  static Condition join(const std::string& word, Condition a, Condition b,
                        Truth (*joined)(Truth, Truth)) {
    return {"(" + a.text + ") " + word + " (" + b.text + ")",
            [=](const Record& record) { return joined(a.holds(record), b.holds(record)); }};
  }

  ValueGenerator random_;
  Parameters parameters_;
};

std::set<std::int64_t> numbers(Database& database, const std::string& text,
                               const Parameters& parameters, const std::string& disabled) {
  StatementOptions options;
  options.disabled_rules = disabled;
  Rows rows = must(execute(database, text, parameters, options));
  std::set<std::int64_t> found;
  for (const auto& row : must(rows.all())) found.insert(row[0].as_integer());
  return found;
}

struct Fixture {
  Fixture() {
    ConditionGenerator generator(seed);
    Transaction transaction = must(database->begin());
    for (int i = 0; i < record_count; ++i) {
      records.push_back(generator.record());
      Properties properties = records.back();
      properties["number"] = i;
      (void)must(transaction.create_node({{i % 3 == 0 ? "A" : "B"}, properties, ""}));
    }
    must(transaction.commit());
  }

  std::set<std::int64_t> expected(const Condition& condition) const {
    std::set<std::int64_t> found;
    for (std::size_t i = 0; i < records.size(); ++i)
      if (condition.holds(records[i]) == Truth(true)) found.insert(static_cast<std::int64_t>(i));
    return found;
  }

  std::uint64_t seed = test_seed();
  TemporaryDatabase database;
  std::vector<Record> records;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(filter_plan, Fixture)

BOOST_AUTO_TEST_CASE(indexes_give_what_a_full_scan_and_a_naive_evaluation_give) {
  for (int i = 0; i < tree_count; ++i) {
    ConditionGenerator generator(seed + 1 + static_cast<std::uint64_t>(i));
    const Condition condition = generator.condition(3);
    const std::string text = "MATCH (n) WHERE " + condition.text + " RETURN n.number";
    BOOST_TEST_CONTEXT("seed " << seed << ", tree " << i << ": " << text) {
      const auto wanted = expected(condition);
      const auto by_index = numbers(*database, text, generator.parameters(), "");
      BOOST_TEST(by_index == wanted, boost::test_tools::per_element());
      if (i % 4 != 0) continue;
      const auto scanned = numbers(*database, text, generator.parameters(), full_scan);
      BOOST_TEST(scanned == wanted, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(counts_agree_with_rows) {
  for (int i = 0; i < 300; ++i) {
    ConditionGenerator generator(seed + 100'000 + static_cast<std::uint64_t>(i));
    const Condition condition = generator.condition(2);
    const std::string text = "MATCH (n:A) WHERE " + condition.text + " RETURN count(*)";
    std::size_t wanted = 0;
    for (std::int64_t number : expected(condition)) wanted += number % 3 == 0 ? 1 : 0;
    BOOST_TEST_CONTEXT("seed " << seed << ": " << text) {
      const auto found = numbers(*database, text, generator.parameters(), "");
      BOOST_TEST(*found.begin() == static_cast<std::int64_t>(wanted));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
