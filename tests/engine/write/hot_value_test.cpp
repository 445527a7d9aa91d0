// A value that every commit changes must stay cheap to read.

#include "codec/bitmap.hpp"
#include "engine/database/access.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace cairn;
using test::must;

namespace {

std::vector<std::uint64_t> ids_in(test::TemporaryDatabase& db, const char* state) {
  const Snapshot snapshot = must(db->snapshot());
  const auto view = Access::view(snapshot);
  engine::IndexPredicate question;
  question.path = *view->catalog().find_path(codec::EntityKind::node, "state");
  question.operation = engine::IndexPredicate::Operation::equals;
  question.low = state;
  return must(view->lookup(question)).ids.to_vector();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hot_value)

// A chunk is folded behind one commit and put by the next one, which may change it, another one or none.
BOOST_AUTO_TEST_CASE(postings_are_right_at_each_commit_around_their_folding) {
  for (const auto durability : {Durability::sync, Durability::async}) {
    Options options;
    options.durability = durability;
    test::TemporaryDatabase db(options);
    constexpr std::size_t nodes = 3;
    std::vector<NodeId> ids;
    std::vector<std::string> states(nodes, "cold");
    Transaction load = must(db->begin());
    for (std::size_t i = 0; i < nodes; ++i)
      ids.push_back(must(load.create_node({{"N"}, {{"state", "cold"}}, ""})));
    must(load.commit());
    for (std::size_t i = 0; i < 280; ++i) {
      Transaction transaction = must(db->begin());
      // Now and then something else: commit 106 puts both postings as they were folded, 230 changes them.
      const bool is_other = i % 5 == 3;
      const char* state = i > 180 && i < 200 ? "warm" : i % 2 == 0 ? "hot" : "cold";
      if (!is_other) states[i % nodes] = state;
      must(transaction.set_property(ids[i % nodes], is_other ? "other" : "state",
                                    is_other ? Value(static_cast<int>(i)) : Value(state)));
      must(transaction.commit());
      for (const char* one : {"hot", "cold", "warm"}) {
        std::vector<std::uint64_t> expected;
        for (std::size_t n = 0; n < nodes; ++n)
          if (states[n] == one) expected.push_back(ids[n].value);
        BOOST_TEST_REQUIRE(ids_in(db, one) == expected, one << " after commit " << i);
      }
    }
    BOOST_TEST(must(db->check()).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_posting_is_quick_to_read_after_100000_commits_that_changed_it) {
  constexpr int nodes = 2'000, updates = 100'000;
  Options options;
  options.durability = Durability::async;
  test::TemporaryDatabase db(options);
  std::vector<NodeId> ids;
  Transaction load = must(db->begin());
  for (int i = 0; i < nodes; ++i) {
    ids.push_back(must(load.create_node({{"N"}, {{"state", "cold"}}, ""})));
  }
  must(load.commit());
  for (int i = 0; i < updates; ++i) {
    Transaction transaction = must(db->begin());
    const bool heats = i / nodes % 2 == 0;
    must(transaction.set_property(ids[static_cast<std::size_t>(i % nodes)], "state",
                                  heats ? "hot" : "cold"));
    must(transaction.commit());
  }

  const Snapshot snapshot = must(db->snapshot());
  const auto view = Access::view(snapshot);
  engine::IndexPredicate question;
  question.path = *view->catalog().find_path(codec::EntityKind::node, "state");
  question.operation = engine::IndexPredicate::Operation::equals;
  question.low = "hot";
  const auto begin = std::chrono::steady_clock::now();
  const auto found = must(view->lookup(question));
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin;
  BOOST_TEST_MESSAGE("read in " << elapsed.count() << " ms");
  BOOST_TEST(elapsed.count() < 50.0);  // a thousand times what is usual, as machines are busy
  BOOST_TEST(found.ids.cardinality() == 0u);
  question.low = "cold";
  BOOST_TEST(must(view->lookup(question)).ids.cardinality() == static_cast<std::uint64_t>(nodes));
}

BOOST_AUTO_TEST_SUITE_END()
