// Readers concurrent with a writer, and several writers. Runs under ThreadSanitizer too.

#include "codec/bitmap.hpp"
#include "codec/record.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/transaction/writer_lock.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

using namespace cairn;
using test::must;
using test::TemporaryDatabase;

namespace {

Options async_options() {
  Options options;
  options.durability = Durability::async;
  return options;
}

/// The nodes whose property "half" has a value, by the index.
std::uint64_t count_half(const engine::View& view, std::int64_t half) {
  const auto path = view.catalog().find_path(codec::EntityKind::node, "half");
  if (!path) return 0;
  engine::IndexPredicate question;
  question.path = *path;
  question.operation = engine::IndexPredicate::Operation::equals;
  question.low = half;
  return must(view.lookup(question)).ids.cardinality();
}

/// Boost.Test's checks are not for several threads at once: threads count, the case checks.
struct Failures {
  std::atomic<int> count{0};
  void expect(bool holds) {
    if (!holds) ++count;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(concurrency)

BOOST_AUTO_TEST_CASE(a_reader_never_sees_half_a_commit) {
  TemporaryDatabase db(async_options());
  {
    Transaction transaction = must(db->begin());
    engine::IndexRequest index;
    index.name = "by_v";
    index.index_kind = codec::IndexKind::vector;
    index.labels_or_types = {"N"};
    index.properties = {"v"};
    index.dimension = 3;
    must(Access::writer(transaction)->create_index(index));
    must(transaction.commit());
  }
  std::atomic<bool> done{false};
  Failures failures;
  const auto read = [&] {
    std::uint64_t newest = 0;
    while (!done) {
      const Snapshot snapshot = must(db->snapshot());
      const auto view = Access::view(snapshot);
      const auto first = count_half(*view, 1);
      const auto nodes = must(view->visible(codec::EntityKind::node, {})).cardinality();
      const auto relationships =
          must(view->visible(codec::EntityKind::relationship, {})).cardinality();
      const std::vector<float> query{1, 0, 0};
      engine::VectorQuery question;
      question.query = query;
      question.k = 10'000;
      question.exact = true;
      const std::uint32_t by_v = *view->catalog().find_index("by_v");
      const auto hits = must(view->nearest(by_v, question)).hits.size();
      failures.expect(first == count_half(*view, 2));
      failures.expect(nodes == 2 * first && relationships == first && hits == nodes);
      failures.expect(snapshot.commit_number() >= newest && snapshot.commit_number() == first + 1);
      newest = snapshot.commit_number();
    }
  };
  std::thread readers[] = {std::thread(read), std::thread(read)};
  for (int i = 0; i < 150; ++i) {
    Transaction transaction = must(db->begin());
    const auto make = [&](int half) {
      return must(transaction.create_node(
          {{"N"}, {{"half", half}, {"v", Vector({1, float(i), float(half)})}}, ""}));
    };
    const NodeId one = make(1);
    must(transaction.create_relationship({one, "R", make(2), {}}));
    must(transaction.commit());
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
  BOOST_TEST(failures.count == 0);
}

BOOST_AUTO_TEST_CASE(a_held_snapshot_stays_as_it_was) {
  TemporaryDatabase db(async_options());
  std::vector<NodeId> nodes;
  Transaction load = must(db->begin());
  for (int i = 0; i < 100; ++i) nodes.push_back(must(load.create_node({{"N"}, {{"half", 1}}, ""})));
  must(load.commit());
  const Snapshot held = must(db->snapshot());
  Failures failures;
  std::thread reader([&] {
    for (int i = 0; i < 200; ++i) failures.expect(count_half(*Access::view(held), 1) == 100);
  });
  for (const NodeId node : nodes) {
    Transaction transaction = must(db->begin());
    must(transaction.set_property(node, "half", 2));
    must(transaction.commit());
  }
  reader.join();
  BOOST_TEST(failures.count == 0);
  BOOST_TEST(count_half(*Access::view(held), 1) == 100u);
  const Snapshot now = must(db->snapshot());
  BOOST_TEST(count_half(*Access::view(now), 2) == 100u);
}

BOOST_AUTO_TEST_CASE(writers_take_turns_and_lose_no_update) {
  TemporaryDatabase db(async_options());
  Transaction make = must(db->begin());
  const NodeId counter = must(make.create_node({{"C"}, {{"n", 0}}, ""}));
  must(make.commit());
  const auto increment = [&] {
    for (int i = 0; i < 50; ++i) {
      Transaction transaction = must(db->begin());
      const auto node = must(transaction.find_node(counter));
      must(transaction.set_property(counter, "n", node->property("n").as_integer() + 1));
      must(transaction.commit());
    }
  };
  std::thread writers[] = {std::thread(increment), std::thread(increment), std::thread(increment)};
  for (std::thread& writer : writers) writer.join();
  BOOST_TEST(must(must(db->snapshot()).find_node(counter))->property("n").as_integer() == 150);
}

BOOST_AUTO_TEST_CASE(the_turn_is_given_in_the_order_of_asking) {
  engine::WriterLock turn(std::chrono::seconds(10));
  const auto first = must(turn.take(std::chrono::seconds(1)));
  std::vector<int> order;  // written within the turn only
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&turn, &order, i] {
      const auto mine = must(turn.take(std::chrono::seconds(30)));
      order.push_back(i);
      turn.release(mine);
    });
    while (turn.waiting() < static_cast<std::size_t>(i) + 1) std::this_thread::yield();
  }
  turn.release(first);
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST((order == std::vector<int>{0, 1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(an_idle_writer_is_put_out_for_one_that_waits) {
  Options options = async_options();
  options.writer_idle_limit = std::chrono::milliseconds(30);
  TemporaryDatabase db(options);
  Transaction idle = must(db->begin());
  must(idle.create_node({{"Idle"}, {}, ""}));
  std::thread other([&] {
    Transaction transaction = must(db->begin());
    must(transaction.create_node({{"Busy"}, {}, ""}));
    must(transaction.commit());
  });
  other.join();
  const auto late = idle.commit();
  BOOST_REQUIRE(!late);
  BOOST_TEST((late.error().code == ErrorCode::busy));
  BOOST_TEST(must(must(db->snapshot()).labels()).size() == 1u);
}

BOOST_AUTO_TEST_CASE(checkpoints_and_checks_run_beside_a_writer) {
  TemporaryDatabase db(async_options());
  std::atomic<bool> done{false};
  Failures failures;
  std::thread keeper([&] {
    while (!done) {
      failures.expect(db->checkpoint().has_value());
      const auto findings = db->check();
      failures.expect(findings && findings->empty());
    }
  });
  for (int i = 0; i < 60; ++i) {
    Transaction transaction = must(db->begin());
    must(transaction.create_node({{"N"}, {{"half", i % 2}}, "n" + std::to_string(i)}));
    must(transaction.commit());
  }
  done = true;
  keeper.join();
  BOOST_TEST(failures.count == 0);
}

BOOST_AUTO_TEST_CASE(checkpoints_of_several_threads_all_succeed) {
  TemporaryDatabase db(async_options());
  Failures failures;
  const auto keep = [&] {
    for (int i = 0; i < 30; ++i) failures.expect(db->checkpoint().has_value());
  };
  std::thread keepers[] = {std::thread(keep), std::thread(keep), std::thread(keep)};
  for (int i = 0; i < 30; ++i) {
    Transaction transaction = must(db->begin());
    must(transaction.create_node({{"N"}, {}, ""}));
    must(transaction.commit());
  }
  for (std::thread& keeper : keepers) keeper.join();
  BOOST_TEST(failures.count == 0);
  db.reopen();
  BOOST_TEST(must(db->statistics()).commits == 30u);
}

BOOST_AUTO_TEST_SUITE_END()
