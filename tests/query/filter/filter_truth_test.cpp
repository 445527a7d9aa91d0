// M0.20 to M0.33: the truth table of the filter operators, through every door, with and without index.

#include "tests/query/filter/filter_doors.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

namespace cairn::test {
namespace {

using Op = FilterOperator;

// A null is stored within a map only; `d.f` is the field of every row.
const std::map<std::string, Value> stored_values = {
    {"absent", map_of({{"other", 1}})},
    {"null", map_of({{"f", nullptr}})},
    {"text a", map_of({{"f", "a"}})},
    {"text b", map_of({{"f", "b"}})},
    {"five", map_of({{"f", 5}})},
    {"six", map_of({{"f", 6.5}})},
    {"true", map_of({{"f", true}})},
    {"list", map_of({{"f", list_of({"a", "b", 6})}})},
    {"empty list", map_of({{"f", List{}}})},
    {"object", map_of({{"f", map_of({{"x", 1}, {"y", list_of({1, 2})}})}})},
};

struct Row {
  Op op;
  Value value;
  std::set<std::string> passing;
  std::string field = "d.f";
  bool coerce = false;

  [[nodiscard]] Filter filter() const {
    Filter made = Filter::where(field, op, value);
    made.coerce = coerce;
    return made;
  }
};

const std::set<std::string> all_but_absent = {"null", "text a", "text b",     "five",  "six",
                                              "true", "list",   "empty list", "object"};

std::set<std::string> without(std::set<std::string> names, const std::set<std::string>& some) {
  for (const std::string& one : some) names.erase(one);
  return names;
}

const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
      {Op::exists, {}, all_but_absent},  // M0.26
      {Op::not_exists, {}, {"absent"}},  // M0.27
      {Op::equals, "a", {"text a"}},     // M0.20
      {Op::equals, 5.0, {"five"}},
      {Op::equals, "5", {}},
      {Op::equals, nullptr, {"null"}},
      {Op::equals, list_of({"a", "b", 6}), {"list"}},
      {Op::equals, List{}, {"empty list"}},
      {Op::equals, map_of({{"x", 1}, {"y", list_of({1, 2})}}), {"object"}},
      {Op::not_equals, "a", without(all_but_absent, {"text a"})},  // M0.21
      {Op::not_equals, nullptr, without(all_but_absent, {"null"})},
      {Op::not_equals_or_missing,
       nullptr,
       {"absent", "text a", "text b", "five", "six", "true", "list", "empty list", "object"}},
      {Op::in, list_of({"a", 5}), {"text a", "five", "list"}},  // M0.28
      {Op::in, List{}, {}},
      {Op::in, list_of({nullptr}), {"null"}},
      {Op::not_in, list_of({"a", 5}), without(all_but_absent, {"text a", "five", "list"})},
      {Op::not_in, List{}, all_but_absent},     // M0.29
      {Op::contains, "a", {"text a", "list"}},  // M0.22 M0.24
      {Op::contains, list_of({"b", "a"}), {"list"}},
      {Op::contains, List{}, {"list", "empty list"}},
      {Op::contains, map_of({{"y", list_of({2})}}), {"object"}},  // M0.23
      {Op::contains, map_of({{"y", 2}}), {"object"}},
      {Op::contains, nullptr, {}},
      {Op::contained_by, list_of({"a", "b", 6, 7}), {"text a", "text b", "list", "empty list"}},
      {Op::contained_by, "a", {"text a", "empty list"}},  // M0.25
      {Op::contained_by,
       map_of({{"x", 1}, {"y", list_of({2, 1, 3})}, {"z", 0}}),
       {"object", "empty list"}},
      {Op::contains_any, list_of({"b", 5}), {"text b", "five", "list"}},
      {Op::contains_all, list_of({"b", "a"}), {"list"}},
      {Op::contains_none,
       list_of({"b", 5}),
       {"absent", "null", "text a", "six", "true", "empty list", "object"}},
      {Op::greater_than, 5, {"six", "list"}},  // M0.30
      {Op::greater_or_equal, 5, {"five", "six", "list"}},
      {Op::less_than, 6, {"five"}},  // M0.32
      {Op::less_or_equal, 6, {"five", "list"}},
      {Op::greater_than, "a", {"text b", "list"}},
      {Op::between, list_of({5, 6}), {"five", "list"}},
      {Op::greater_than, true, {}},
      {Op::matches, "^[ab]$", {"text a", "text b", "list"}},  // M0.33
      {Op::starts_with, "b", {"text b", "list"}},
      {Op::exists, {}, {"object"}, "d.f.x"},  // M0.14
      {Op::equals, 1, {"object"}, "d['f']['x']"},
      // R.4: as text, as the document's SQL compares
      {Op::equals, "5", {"five"}, "d.f", true},
      {Op::equals, 5, {"five"}, "d.f", true},
      {Op::equals, "true", {"true"}, "d.f", true},
      {Op::not_equals, "5", without(all_but_absent, {"five"}), "d.f", true},
      {Op::in, list_of({"6.5", "a"}), {"six", "text a", "list"}, "d.f", true},
      {Op::in, list_of({"6"}), {"list"}, "d.f", true},
      {Op::not_in, list_of({"5", "6"}), without(all_but_absent, {"five", "list"}), "d.f", true},
  };
  return rows;
}

class Truth {
 public:
  Truth() {
    Transaction transaction = must(database_->begin());
    for (const auto& [name, value] : stored_values) {
      const NodeId id = must(transaction.create_node({{"T"}, {{"d", value}, {"name", name}}}));
      names_[id.value] = name;
    }
    must(transaction.commit());
  }

  std::set<std::string> names(const Filter& filter, Door door, bool by_index) {
    std::set<std::string> result;
    for (const std::uint64_t id : passing(*database_, filter, door, by_index))
      result.insert(names_.at(id));
    return result;
  }

 private:
  TemporaryDatabase database_;
  std::map<std::uint64_t, std::string> names_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(filter_truth)

BOOST_AUTO_TEST_CASE(every_operator_keeps_the_table_through_every_door) {
  Truth truth;
  for (const Row& row : table())
    for (const Door door : all_doors)
      for (const bool by_index : {true, false}) {
        const auto found = truth.names(row.filter(), door, by_index);
        if (found == row.passing) continue;
        std::string text;
        for (const std::string& name : found) text += name + ", ";
        BOOST_ERROR(std::string(to_string(row.op))
                    << " " << row.value.to_text() << " by door " << static_cast<int>(door)
                    << (by_index ? " with" : " without") << " index: " << text);
      }
}

// The oracle is held to the table as well, because random trees are held to the oracle.
BOOST_AUTO_TEST_CASE(the_oracle_keeps_the_table) {
  for (const Row& row : table()) {
    if (row.op == Op::matches || row.coerce) continue;  // it knows plain text only
    for (const auto& [name, value] : stored_values) {
      const bool passes = oracle_passes(row.filter(), {{}, {{"d", value}}}, fixed_now);
      if (passes != row.passing.contains(name))
        BOOST_ERROR(std::string(to_string(row.op)) << " " << row.value.to_text() << ": " << name);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
