// Histories with a known fault: the checker must be able to fail.
#include "tests/engine/isolation_checker.hpp"

#include <boost/test/unit_test.hpp>

#include <utility>

using namespace cairn::test;

namespace {

using Numbers = std::vector<std::uint32_t>;

ListOperation append(std::uint32_t list, std::uint32_t number) {
  return {ListOperation::Kind::append, list, number};
}

ListOperation read(std::uint32_t list, Numbers seen) {
  return {ListOperation::Kind::read, list, 0, std::move(seen)};
}

/// Makes a transaction at the same time as all others, so that real time orders none of them.
ListTransaction beside(std::vector<ListOperation> operations, bool is_committed = true) {
  return {0, 1'000, is_committed, std::move(operations)};
}

/// One after the other.
ListTransaction at(std::uint64_t time, std::vector<ListOperation> operations) {
  return {10 * time, 10 * time + 9, true, std::move(operations)};
}

/// The kind of the only fault, "none" where there is none.
std::string kind_of(const std::vector<ListTransaction>& history) {
  const auto faults = find_isolation_faults(history);
  if (faults.empty()) return "none";
  return faults.front().substr(0, faults.front().find(':'));
}

constexpr std::uint32_t x = 1;
constexpr std::uint32_t y = 2;

}  // namespace

BOOST_AUTO_TEST_SUITE(isolation_checker)

BOOST_AUTO_TEST_CASE(transactions_one_after_the_other_are_right) {
  BOOST_TEST(kind_of({}) == "none");
  BOOST_TEST(kind_of({at(1, {append(x, 1), append(x, 2), read(x, {1, 2})}),
                      at(2, {read(x, {1, 2}), append(x, 3), read(x, {1, 2, 3}), append(y, 4)}),
                      at(3, {read(x, {1, 2, 3}), read(y, {4})})}) == "none");
}

BOOST_AUTO_TEST_CASE(a_reader_may_stand_anywhere_within_its_time) {
  BOOST_TEST(kind_of({beside({append(x, 1)}), beside({read(x, {}), read(y, {})}),
                      beside({append(y, 2)}), beside({read(x, {1}), read(y, {})})}) == "none");
}

BOOST_AUTO_TEST_CASE(what_was_rolled_back_is_a_dirty_read) {
  BOOST_TEST(kind_of({beside({append(x, 1)}, false), beside({read(x, {1})})}) == "dirty read");
}

BOOST_AUTO_TEST_CASE(half_of_a_transaction_is_an_intermediate_read) {
  BOOST_TEST(kind_of({beside({append(x, 1), append(x, 2)}), beside({read(x, {1})})}) ==
             "intermediate read");
}

BOOST_AUTO_TEST_CASE(a_number_that_is_gone_is_a_lost_update) {
  BOOST_TEST(kind_of({at(1, {append(x, 1)}), at(2, {append(x, 2)}), at(3, {read(x, {2})})}) ==
             "lost update");
  BOOST_TEST(kind_of({at(1, {append(x, 1)}), at(2, {read(x, {})})}) == "lost update");
}

BOOST_AUTO_TEST_CASE(a_number_that_nobody_appended_is_made_up) {
  BOOST_TEST(kind_of({beside({read(x, {7})})}) == "made up");
  BOOST_TEST(kind_of({beside({append(y, 7)}), beside({read(x, {7})})}) == "made up");
}

BOOST_AUTO_TEST_CASE(two_readers_who_disagree_about_the_order_are_seen) {
  BOOST_TEST(kind_of({beside({append(x, 1)}), beside({append(x, 2)}), beside({read(x, {1, 2})}),
                      beside({read(x, {2, 1})})}) == "two orders");
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_appends_and_nothing_new_beside_them) {
  BOOST_TEST(kind_of({beside({append(x, 1), read(x, {})})}) == "internal");
  BOOST_TEST(kind_of({beside({append(x, 1)}), beside({read(x, {}), read(x, {1})})}) == "internal");
}

BOOST_AUTO_TEST_CASE(writes_in_two_orders_are_a_cycle) {
  BOOST_TEST(kind_of({beside({append(x, 1), append(y, 2)}), beside({append(x, 3), append(y, 4)}),
                      beside({read(x, {1, 3})}), beside({read(y, {4, 2})})}) == "cycle");
}

BOOST_AUTO_TEST_CASE(two_who_see_each_other_are_a_cycle) {
  BOOST_TEST(kind_of({beside({append(x, 1), read(y, {2})}),
                      beside({append(y, 2), read(x, {1})})}) == "cycle");
}

BOOST_AUTO_TEST_CASE(half_of_a_commit_is_a_cycle) {
  BOOST_TEST(kind_of({beside({append(x, 1), append(y, 2)}), beside({read(x, {1}), read(y, {})}),
                      beside({read(x, {1}), read(y, {2})})}) == "cycle");
}

BOOST_AUTO_TEST_CASE(write_skew_is_a_cycle) {
  BOOST_TEST(kind_of({beside({read(x, {}), append(y, 1)}), beside({read(y, {}), append(x, 2)}),
                      beside({read(x, {2}), read(y, {1})})}) == "cycle");
}

BOOST_AUTO_TEST_CASE(readers_who_see_two_commits_in_different_orders_are_a_cycle) {
  BOOST_TEST(kind_of({beside({append(x, 1)}), beside({append(y, 2)}),
                      beside({read(x, {1}), read(y, {})}), beside({read(x, {}), read(y, {2})})}) ==
             "cycle");
}

BOOST_AUTO_TEST_CASE(a_stale_reader_is_a_cycle) {
  BOOST_TEST(kind_of({at(1, {append(x, 1)}), at(2, {read(x, {1})}), at(3, {read(x, {})})}) ==
             "cycle");
}

BOOST_AUTO_TEST_SUITE_END()
