// Filters compare instants of every type and zone that are within a microsecond of each other: with typed bounds and
// with texts, by index and by reading every record.

#include "tests/query/filter/filter_doors.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

namespace cairn::test {
namespace {

using Op = FilterOperator;

constexpr std::int64_t noon = 1'767'268'800;  // 2026-01-01T12:00:00Z

/// A value and its nanoseconds from noon on.
struct Dated {
  Value value;
  std::int64_t nanoseconds;
};

std::vector<Dated> dated() {
  std::vector<Dated> all;
  for (const std::int32_t rest : {0, 1, 500, 999, 1'000, 1'001, 999'999'999}) {
    for (const std::int32_t offset : {0, 7'200, -7'200})
      all.push_back({DateTime{noon, rest, offset, ""}, rest});
    all.push_back({DateTime{noon, rest, 3'600, "Europe/Berlin"}, rest});
    all.push_back({LocalDateTime{noon, rest}, rest});
  }
  all.push_back({DateTime{noon - 1, 999'999'999, 0, ""}, -1});
  all.push_back({Date{noon / 86'400}, -43'200'000'000'000});
  // Of texts the digits beyond microseconds are cut off.
  all.push_back({"2026-01-01T12:00:00Z", 0});
  all.push_back({"2026-01-01T14:00:00+02:00", 0});
  all.push_back({"2026-01-01T12:00:00.000000999Z", 0});
  all.push_back({"2026-01-01T12:00:00.000001Z", 1'000});
  all.push_back({"2026-01-01T11:59:59.999999Z", -1'000});
  return all;
}

bool is_in_order(Op op, std::int64_t one, std::int64_t bound) {
  switch (op) {
    case Op::greater_than:
      return one > bound;
    case Op::greater_or_equal:
    case Op::since:
      return one >= bound;
    case Op::less_than:
      return one < bound;
    default:
      return one <= bound;
  }
}

struct Fixture {
  Fixture() {
    Transaction transaction = must(database->begin());
    for (const Dated& one : all)
      stored[must(transaction.create_node({{"T"}, {{"at", one.value}}})).value] = one.nanoseconds;
    must(transaction.commit());
  }

  void check(const Filter& filter, const std::set<std::uint64_t>& right) {
    for (const Door door : {Door::call, Door::text})
      for (const bool by_index : {true, false})
        BOOST_TEST(passing(*database, filter, door, by_index) == right,
                   boost::test_tools::per_element());
  }

  std::vector<Dated> all = dated();
  TemporaryDatabase database;
  std::map<std::uint64_t, std::int64_t> stored;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(filter_instant, Fixture)

BOOST_AUTO_TEST_CASE(every_bound_parts_them_to_the_nanosecond_whatever_the_zone) {
  for (const Dated& bound : all)
    for (const Op op : {Op::greater_than, Op::greater_or_equal, Op::since, Op::less_than,
                        Op::less_or_equal, Op::until}) {
      std::set<std::uint64_t> right;
      for (const auto& [id, nanoseconds] : stored)
        if (is_in_order(op, nanoseconds, bound.nanoseconds)) right.insert(id);
      BOOST_TEST_CONTEXT(to_string(op) << " " << bound.value.to_text())
      check(Filter::where("at", op, bound.value), right);
    }
}

BOOST_AUTO_TEST_CASE(between_two_of_one_instant_lies_that_instant) {
  for (const Dated& bound : all) {
    std::set<std::uint64_t> right;
    for (const auto& [id, nanoseconds] : stored)
      if (nanoseconds == bound.nanoseconds) right.insert(id);
    BOOST_TEST_CONTEXT(bound.value.to_text())
    check(Filter::where("at", Op::between, List{bound.value, bound.value}), right);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
