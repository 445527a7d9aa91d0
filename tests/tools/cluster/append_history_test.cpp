// The checker finds each kind of fault, and none in a history that is right.
#include "tests/tools/cluster/append_history.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace cairn::test;
using std::chrono::milliseconds;

namespace {

Append::Time at(int time) { return Append::Time(milliseconds(time)); }

Append append(std::int64_t element, int begin, int end, Sent sent, Elements seen = {}) {
  return {"a", element, at(begin), at(end), sent, std::move(seen)};
}

/// Two appends that are acknowledged, one that is refused and one of which nobody knows.
struct History {
  History() {
    history.add(append(1, 0, 10, Sent::acknowledged, {1}));
    history.add(append(2, 20, 30, Sent::acknowledged, {1, 2}));
    history.add(append(3, 20, 30, Sent::refused));
    history.add(append(4, 35, 40, Sent::unknown));
  }
  /// The only fault, or all of them.
  [[nodiscard]] std::string fault(const Elements& last) const {
    std::string all;
    for (const std::string& each : history.faults({{"a", last}})) all += each + "\n";
    return all;
  }
  [[nodiscard]] bool finds(const std::string& what, const Elements& last = {1, 2}) const {
    return fault(last).find(what) != std::string::npos;
  }
  AppendHistory history;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(append_history, History)

BOOST_AUTO_TEST_CASE(a_history_that_is_right_has_no_fault) {
  history.add(ListRead{"a", at(35), {1, 2}, 2, milliseconds(0)});
  history.add(ListRead{"a", at(35), {1}, 1, milliseconds(20)});
  history.add(ListRead{"a", at(35), {}, 0, std::nullopt});
  BOOST_TEST(fault({1, 2}).empty());
  BOOST_TEST(fault({1, 2, 4}).empty());
  BOOST_TEST(history.count(Sent::acknowledged) == 2U);
  BOOST_TEST(history.reads(ReadAt::any).answered == 3U);
  BOOST_TEST((history.longest_pause() == milliseconds(20)));
}

BOOST_AUTO_TEST_CASE(what_is_lost_doubled_refused_or_sent_by_nobody_is_found) {
  BOOST_TEST(finds("element 2 of a was acknowledged, and is lost", {1}));
  BOOST_TEST(finds("element 2 of a is there twice", {1, 2, 2}));
  BOOST_TEST(finds("element 3 of a was refused, and is there", {1, 2, 3}));
  BOOST_TEST(finds("element 9 of a was sent by nobody", {1, 2, 9}));
}

BOOST_AUTO_TEST_CASE(disorder_is_found) {
  history.add(append(5, 50, 60, Sent::acknowledged, {1, 5}));
  BOOST_TEST(finds("element 5 of a comes before one", {1, 5, 2}));
  BOOST_TEST(finds("element 4 of a comes before one", {4, 1, 2, 5}));
  BOOST_TEST(finds("element 2 of a was answered with a list that never was", {1, 4, 2}));
}

BOOST_AUTO_TEST_CASE(reads_that_contradict_the_list_or_what_they_demanded_are_found) {
  history.add(ListRead{"a", at(35), {2}, 0, std::nullopt});
  BOOST_TEST(finds("a read of a returned a list that never was: 1 elements"));
  history.add(ListRead{"a", at(35), {1}, 2, std::nullopt});
  BOOST_TEST(finds("a read of a returned less than the reader knew of"));
  BOOST_TEST(!finds("an older list than it may"));
  history.add(ListRead{"a", at(35), {1}, 0, milliseconds(4)});
  BOOST_TEST(finds("a read of a returned an older list than it may"));
}

// Of nothing, nothing is demanded, so the share of the answers is.
BOOST_AUTO_TEST_CASE(reads_without_an_answer_are_counted_and_not_compared) {
  history.add(ListRead{"a", at(35), {}, 2, milliseconds(0), ReadAt::replica, false});
  BOOST_TEST(fault({1, 2}).empty());
  history.add(ListRead{"a", at(36), {}, 0, std::nullopt, ReadAt::replica});
  history.add(ListRead{"a", at(37), {1}, 0, std::nullopt, ReadAt::replica});
  const ReadCount replica = history.reads(ReadAt::replica);
  BOOST_TEST(replica.sent == 3U);
  BOOST_TEST(replica.answered == 2U);
  BOOST_TEST(replica.with_elements == 1U);
  BOOST_TEST(history.reads(ReadAt::owner).sent == 0U);
}

BOOST_AUTO_TEST_CASE(what_goes_on_after_a_time_is_found_by_tenant) {
  history.add(Append{"acme/1", 5, at(50), at(60), Sent::acknowledged, {5}});
  history.add(Append{"acme/1", 6, at(70), at(80), Sent::unknown, {}});
  BOOST_TEST(history.has_append("acme", at(50)));
  BOOST_TEST(!history.has_append("acme", at(51)));
  BOOST_TEST(!history.has_append("other", at(0)));
  history.add(ListRead{"acme/1", at(50), {5}, 0, std::nullopt, ReadAt::replica});
  history.add(ListRead{"acme/1", at(70), {}, 0, std::nullopt, ReadAt::replica, false});
  BOOST_TEST(history.has_read("acme", ReadAt::replica, at(50)));
  BOOST_TEST(!history.has_read("acme", ReadAt::replica, at(51)));
  BOOST_TEST(!history.has_read("acme", ReadAt::owner, at(0)));
  BOOST_TEST(!history.has_read("other", ReadAt::replica, at(0)));
}

BOOST_AUTO_TEST_SUITE_END()
