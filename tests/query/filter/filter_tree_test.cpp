// M0.38, M0.12, M0.16: random trees of filters over values of mixed types give the same records as
// the oracle, by every interface, with and without an index. CAIRN_FILTER_TREES sets the number of
// trees.

#include "tests/query/filter/filter_doors.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>

namespace cairn::test {
namespace {

using Op = FilterOperator;
constexpr int record_count = 150;

class TreeGenerator {
 public:
  explicit TreeGenerator(std::uint64_t seed) : random_(seed) {}

  OracleRecord record() {
    OracleRecord record;
    for (const char* label : {"A", "B"})
      if (chance(2)) record.labels.insert(label);
    for (const char* name : {"p", "q"})
      if (chance(4)) record.properties[name] = value();
    if (chance(3)) record.properties["tags"] = tags();
    if (chance(3)) record.properties["when"] = when();
    if (chance(2)) record.properties["path"] = directory();
    if (chance(2)) record.properties["m"] = Map{{"x", scalar()}, {"a.b", scalar()}, {"n", nullptr}};
    if (chance(2)) record.properties["parts"] = parts();
    return record;
  }

  Filter filter(int levels) {
    if (levels == 0 || !chance(2)) return leaf();
    std::vector<Filter> some;
    for (std::uint64_t i = random_.below(4); i > 0; --i) some.push_back(filter(levels - 1));
    switch (random_.below(5)) {
      case 0:
        return Filter::all_of(std::move(some));
      case 1:
        return Filter::any_of(std::move(some));
      case 2:
        return Filter::none_of(std::move(some));
      case 3:
        return Filter::at_least(static_cast<std::int64_t>(random_.below(4)), std::move(some));
      default:
        return Filter::all_of({filter(levels - 1), filter(levels - 1)});
    }
  }

 private:
  bool chance(std::uint64_t share) { return random_.below(share + 1) != 0; }
  template <std::size_t N>
  const char* one_of(const char* const (&texts)[N]) {
    return texts[random_.below(N)];
  }

  Value scalar() {
    static const std::string long_text(300, 'x');
    switch (random_.below(9)) {
      case 0:
        return chance(1);
      case 1:
        return 0.5 * static_cast<double>(random_.below(8));
      case 2:
        return long_text + std::to_string(random_.below(2));
      case 3:
        return when();
      case 4:
        return one_of({"e", "\u00e9", "e\u0301", "e\u0301x"});
      case 5:
        return std::string(1, static_cast<char>('a' + random_.below(4)));
      default:
        return static_cast<std::int64_t>(random_.below(5));
    }
  }
  Value when() {
    if (!chance(3)) return Date{20'440 + static_cast<std::int64_t>(random_.below(20))};
    return one_of({"2025-12-20", "2025-12-25T12:00:00Z", "2025-12-25T14:00:00+02:00",
                   "2025-12-31T23:59:59.5Z", "2026", "next week"});
  }
  Value directory() { return one_of({"/a", "/a/b", "/a/bc/d", "/a/b/c.txt", "/"}); }
  Value tags() {
    List list;
    const std::uint64_t size = random_.below(12) == 0 ? 18 : random_.below(4);
    for (std::uint64_t i = 0; i < size; ++i)
      list.push_back(size > 4 ? Value(static_cast<std::int64_t>(i % 5)) : scalar());
    if (!chance(8)) list.push_back(nullptr);
    return list;
  }
  Value parts() {
    List list;
    for (std::uint64_t i = random_.below(4); i > 0; --i)
      list.push_back(
          Map{{"type", scalar()}, {"size", static_cast<std::int64_t>(random_.below(4))}});
    if (!chance(6)) list.push_back("no map");
    return list;
  }
  Value value() {
    switch (random_.below(7)) {
      case 0:
        return tags();
      case 1:
        return Map{{"x", scalar()}, {"y", List{scalar(), scalar()}}};
      default:
        return scalar();
    }
  }
  Value nullable() { return chance(9) ? value() : Value(); }
  Value list() {
    List list;
    for (std::uint64_t i = random_.below(4); i > 0; --i) list.push_back(nullable());
    return list;
  }

  std::string field() {
    return one_of({"p", "q", "tags", "when", "m.x", "m['a.b']", "m.n", "p.x", "p.y", "parts.type",
                   "parts.size", "unknown"});
  }

  Filter leaf() {
    if (!chance(9)) return Filter::has_label(one_of({"A", "B"}));
    if (!chance(9)) return Filter::any_element("parts", element());
    return condition(field());
  }
  Filter element() {
    const auto part = [&] { return condition(one_of({"type", "size"})); };
    switch (random_.below(4)) {
      case 0:
        return part();
      case 1:
        return Filter::any_of({part(), Filter::none_of({part()})});
      default:
        return Filter::all_of({part(), part()});
    }
  }
  Filter condition(std::string field) {
    constexpr Op ops[] = {Op::equals,
                          Op::not_equals,
                          Op::not_equals_or_missing,
                          Op::contains,
                          Op::contained_by,
                          Op::contains_any,
                          Op::contains_all,
                          Op::contains_none,
                          Op::exists,
                          Op::not_exists,
                          Op::in,
                          Op::not_in,
                          Op::greater_than,
                          Op::greater_or_equal,
                          Op::less_than,
                          Op::less_or_equal,
                          Op::between,
                          Op::since,
                          Op::until,
                          Op::matches,
                          Op::starts_with,
                          Op::in_directory};
    const Op op = ops[random_.below(std::size(ops))];
    if (op == Op::in_directory) field = "path";
    Filter filter = Filter::where(std::move(field), op, operand(op));
    constexpr Op no_option[] = {Op::exists, Op::not_exists, Op::matches, Op::in_directory};
    const bool can_normalize =
        !is_ordered(op) && std::ranges::find(no_option, op) == std::end(no_option);
    filter.normalize = can_normalize && !chance(3);
    return filter;
  }
  static bool is_ordered(Op op) { return op >= Op::greater_than && op <= Op::until; }
  Value operand(Op op) {
    switch (op) {
      case Op::exists:
      case Op::not_exists:
        return {};
      case Op::in:
      case Op::not_in:
      case Op::contains_any:
      case Op::contains_all:
      case Op::contains_none:
        return list();
      case Op::between:
        return list_of({scalar(), scalar()});
      case Op::since:
      case Op::until:
        return one_of({"7d", "0d", "2025-12-25T12:00:00Z", "2025-12-20"});
      case Op::matches:
      case Op::starts_with:
        return one_of({"a", "", "2025", "x", "e", "e\u0301"});
      case Op::in_directory:
        return one_of({"/a", "/a/b"});
      default:
        return nullable();
    }
  }

  ValueGenerator random_;
};

bool has_date(const Value& value) {
  if (value.type() == ValueType::date) return true;
  const List single;
  const List& list = value.list() != nullptr ? value.as_list() : single;
  if (std::ranges::any_of(list, has_date)) return true;
  return value.map() != nullptr && std::ranges::any_of(value.as_map(), [](const auto& entry) {
           return has_date(entry.second);
         });
}

bool has_date(const Filter& filter) {
  return has_date(filter.value) ||
         std::ranges::any_of(filter.filters, [](const Filter& one) { return has_date(one); });
}

int tree_count() {
  const char* text = std::getenv("CAIRN_FILTER_TREES");
  return text != nullptr ? std::atoi(text) : static_cast<int>(rounds(2'000, 20'000));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(filter_tree)

BOOST_AUTO_TEST_CASE(random_trees_agree_with_the_oracle_through_every_door) {
  const std::uint64_t seed = test_seed();
  TreeGenerator generator(seed);
  TemporaryDatabase database;
  std::map<std::uint64_t, OracleRecord> records;
  Transaction transaction = must(database->begin());
  for (int i = 0; i < record_count; ++i) {
    const OracleRecord record = generator.record();
    const std::vector<std::string> labels(record.labels.begin(), record.labels.end());
    const NodeId id = must(transaction.create_node(
        {labels, Properties(record.properties.begin(), record.properties.end())}));
    records[id.value] = record;
  }
  must(transaction.commit());
  const int count = tree_count();
  for (int i = 0; i < count; ++i) {
    const Filter filter = generator.filter(6);
    std::set<std::uint64_t> expected;
    for (const auto& [id, record] : records)
      if (oracle_passes(filter, record, fixed_now)) expected.insert(id);
    for (const Door door : all_doors) {
      // JSON has no dates of its own; a date becomes a text there.
      if (door == Door::json && has_date(filter)) continue;
      for (const bool by_index : {true, false}) {
        if (!by_index && i % 3 != static_cast<int>(door)) continue;
        if (passing(*database, filter, door, by_index) == expected) continue;
        BOOST_ERROR("seed " << seed << ", tree " << i << ", door " << static_cast<int>(door)
                            << (by_index ? " with" : " without")
                            << " index: " << to_value(filter).to_text());
        return;
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
