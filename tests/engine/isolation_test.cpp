// Checks histories of many threads for isolation. Transactions append numbers to lists and read lists. A checker that
// is independent of the engine looks for violations of strict serialisability. Runs under ThreadSanitizer too.
#include "tests/engine/isolation_checker.hpp"
#include "tests/model/random.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <barrier>
#include <chrono>
#include <latch>
#include <thread>

using namespace cairn;
using namespace cairn::test;

namespace {

constexpr std::size_t threads = 8;
constexpr std::size_t lists_in_use = 8;
constexpr std::size_t meeting_writers = 2;  // of the careless ones, who certainly read the same
constexpr std::size_t transactions_a_list = 48;  // until another one takes its place

Value to_value(const std::vector<std::uint32_t>& numbers) {
  List list;
  for (const std::uint32_t number : numbers) list.emplace_back(std::int64_t{number});
  return Value(std::move(list));
}

std::vector<std::uint32_t> to_numbers(const Node& node) {
  std::vector<std::uint32_t> numbers;
  if (const List* list = node.property("numbers").list())
    for (const Value& item : *list)
      numbers.push_back(static_cast<std::uint32_t>(item.as_integer()));
  return numbers;
}

/// Concurrent threads on one database, each with a record of its own operations.
class Histories {
 public:
  /// `is_careless`: writers read before they hold the writer lock, the mistake that the checker must find.
  Histories(std::size_t transactions, std::uint64_t seed, bool is_careless)
      : database_(options()), transactions_(transactions), seed_(seed), is_careless_(is_careless) {
    Transaction make = must(database_->begin());
    for (std::size_t i = 0; i < transactions / transactions_a_list + lists_in_use; ++i)
      lists_.push_back(must(make.create_node({{"List"}, {}, ""})));
    must(make.commit());
  }

  std::vector<ListTransaction> run() {
    std::vector<std::vector<ListTransaction>> histories(threads);
    std::vector<std::thread> runners;
    for (std::size_t i = 0; i < threads; ++i)
      runners.emplace_back([this, &histories, i] { work(i, histories[i]); });
    std::thread keeper([this] {
      while (next_ < transactions_) {
        must(database_->checkpoint());
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    });
    for (std::thread& runner : runners) runner.join();
    keeper.join();
    std::vector<ListTransaction> all;
    for (auto& history : histories)
      std::move(history.begin(), history.end(), std::back_inserter(all));
    all.push_back(read_all());
    return all;
  }

 private:
  static Options options() {
    Options options;
    options.durability = Durability::async;
    options.writer_timeout = std::chrono::minutes(5);
    return options;
  }

  void work(std::size_t thread, std::vector<ListTransaction>& history) {
    Random random(seed_ + thread);
    all_begin_.arrive_and_wait();
    if (is_careless_ && thread < meeting_writers) history.push_back(overwrite_each_other());
    while (true) {
      const std::size_t number = next_++;
      if (number >= transactions_) return;
      const std::size_t first = number / transactions_a_list;  // of the lists in use
      history.push_back(random.one_in(3) ? read(random, first) : write(random, first));
    }
  }

  /// Both writers have read the same list before either has the turn, so that one of the numbers is lost.
  ListTransaction overwrite_each_other() {
    ListTransaction done{++clock_};
    const Snapshot before = must(database_->snapshot());
    both_have_read_.arrive_and_wait();
    Transaction transaction = must(database_->begin());
    append(transaction, 0, to_numbers(*must(before.find_node(lists_[0]))), done);
    must(transaction.commit());
    done.ended = ++clock_;
    return done;
  }

  ListTransaction read(Random& random, std::size_t first) {
    ListTransaction done{++clock_};
    // There are three forms of reading: a snapshot, a reading transaction, and a reading transaction that is held for a
    // while.
    const bool is_snapshot = random.one_in(2);
    const Snapshot snapshot = must(database_->snapshot());
    const Transaction transaction = must(database_->begin(TransactionMode::read));
    if (random.one_in(4)) std::this_thread::yield();
    for (std::size_t i = 0; i < 1 + random.below(4); ++i) {
      const std::uint32_t list = pick(random, first);
      const auto node = must(is_snapshot ? snapshot.find_node(lists_[list])
                                         : transaction.find_node(lists_[list]));
      done.operations.push_back({ListOperation::Kind::read, list, 0, to_numbers(*node)});
    }
    done.ended = ++clock_;
    return done;
  }

  ListTransaction write(Random& random, std::size_t first) {
    ListTransaction done{++clock_};
    const Snapshot before = must(database_->snapshot());
    Transaction transaction = must(database_->begin());
    const std::size_t operations = 1 + random.below(4);
    for (std::size_t i = 0; i < operations; ++i) {
      const std::uint32_t list = pick(random, first);
      const auto node =
          must(is_careless_ ? before.find_node(lists_[list]) : transaction.find_node(lists_[list]));
      auto numbers = to_numbers(*node);
      if (random.one_in(3)) {
        done.operations.push_back({ListOperation::Kind::read, list, 0, std::move(numbers)});
        continue;
      }
      append(transaction, list, std::move(numbers), done);
    }
    done.is_committed = !random.one_in(10);
    if (done.is_committed) must(transaction.commit());
    if (!done.is_committed) transaction.rollback();
    done.ended = ++clock_;
    return done;
  }

  void append(Transaction& transaction, std::uint32_t list, std::vector<std::uint32_t> numbers,
              ListTransaction& done) {
    numbers.push_back(++last_number_);
    must(transaction.set_property(lists_[list], "numbers", to_value(numbers)));
    done.operations.push_back({ListOperation::Kind::append, list, numbers.back()});
  }

  /// So that every list is read by somebody who comes last.
  ListTransaction read_all() {
    ListTransaction done{++clock_};
    const Snapshot snapshot = must(database_->snapshot());
    for (std::uint32_t list = 0; list < lists_.size(); ++list)
      done.operations.push_back({ListOperation::Kind::read, list, 0,
                                 to_numbers(*must(snapshot.find_node(lists_[list])))});
    done.ended = ++clock_;
    return done;
  }

  static std::uint32_t pick(Random& random, std::size_t first) {
    return static_cast<std::uint32_t>(first + random.below(lists_in_use));
  }

  TemporaryDatabase database_;
  const std::size_t transactions_;
  const std::uint64_t seed_;
  const bool is_careless_;
  std::vector<NodeId> lists_;
  std::atomic<std::uint64_t> clock_ = 0;
  std::atomic<std::uint32_t> last_number_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::latch all_begin_{threads};
  std::barrier<> both_have_read_{meeting_writers};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(isolation)

BOOST_AUTO_TEST_CASE(a_history_of_many_threads_is_strictly_serialisable) {
  constexpr std::uint64_t seed = 20;
  const auto history = Histories(rounds(6'000, 200'000), seed, false).run();
  const auto faults = find_isolation_faults(history);
  BOOST_TEST_CONTEXT("seed " << seed << ", " << history.size() << " transactions") {
    for (const std::string& fault : faults) BOOST_TEST_MESSAGE(fault);
    BOOST_TEST(faults.empty(), (faults.empty() ? "" : faults.front()));
  }
  BOOST_TEST_MESSAGE("  transactions: " << history.size() << ", faults: " << faults.size());
}

BOOST_AUTO_TEST_CASE(writers_who_read_before_their_turn_are_found_out) {
  const auto history = Histories(rounds(1'000, 1'000), 21, true).run();
  BOOST_TEST(!find_isolation_faults(history).empty());
}

BOOST_AUTO_TEST_SUITE_END()
