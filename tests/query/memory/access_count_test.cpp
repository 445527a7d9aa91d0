// Accesses are counted where that is asked for, behind the answers, and never twice.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <thread>

namespace cairn::memory {
namespace {

using test::must;

struct Counted {
  test::TemporaryDatabase database;
  std::optional<Memory> memory = must(Memory::open(*database, {.count_accesses = true}));
  const NodeId tea = must(memory->remember("Ada drinks tea")).id;
  const NodeId coffee = must(memory->remember("Bob drinks coffee")).id;

  /// As a statement sees it.
  [[nodiscard]] std::string counts() {
    return test::result_of(*database, "MATCH (m:Memory) RETURN m.access_count ORDER BY id(m)");
  }
  void recall(const std::string& question) {
    RecallRequest request;
    request.query = question;
    must(memory->recall(request));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(access_count, Counted)  // M1.47

BOOST_AUTO_TEST_CASE(what_is_given_back_is_counted) {
  BOOST_TEST(must(memory->find(tea)).has_value());
  recall("tea");
  BOOST_TEST(must(memory->search({})).records.size() == 2U);
  BOOST_TEST(!must(memory->find(NodeId{4'711})));
  must(memory->write_access_counts());
  BOOST_TEST(counts() == "3; 1");
  must(memory->write_access_counts());
  BOOST_TEST(counts() == "3; 1");
  SearchRequest often;
  often.filter = Filter::where("access_count", FilterOperator::greater_or_equal, 2);
  BOOST_TEST(must(memory->search(often)).records.size() == 1U);
}

BOOST_AUTO_TEST_CASE(counts_come_by_themselves_and_with_the_end) {
  must(memory->find(tea));
  for (int i = 0; i < 200 && counts() == "null; null"; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  BOOST_TEST(counts() == "1; null");
  must(memory->find(coffee));
  memory.reset();
  BOOST_TEST(counts() == "1; 1");
}

BOOST_AUTO_TEST_CASE(nothing_is_counted_unless_asked_for) {
  const Memory silent = must(Memory::open(*database));
  must(silent.find(tea));
  must(silent.write_access_counts());
  BOOST_TEST(counts() == "null; null");
}

BOOST_AUTO_TEST_CASE(two_memories_count_one_record_together) {
  const Memory other = must(Memory::open(*database, {.count_accesses = true}));
  std::jthread beside([&] {
    for (int i = 0; i < 50; ++i) {
      must(other.find(tea));
      if (i % 10 == 0) must(other.write_access_counts());
    }
  });
  for (int i = 0; i < 50; ++i) {
    must(memory->find(tea));
    if (i % 10 == 0) must(memory->write_access_counts());
  }
  beside.join();
  must(other.write_access_counts());
  must(memory->write_access_counts());
  BOOST_TEST(counts() == "100; null");
}

// A reader that has the turn itself is not waited for, and nobody waits for it.
BOOST_AUTO_TEST_CASE(an_open_transaction_is_not_in_the_way) {
  {
    const Transaction open = must(database->begin());
    must(memory->find(tea));
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    BOOST_TEST(counts() == "null; null");
    const auto begin = std::chrono::steady_clock::now();
    BOOST_TEST(!memory->write_access_counts());  // this thread has the turn
    BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(2)));
  }
  must(memory->write_access_counts());
  BOOST_TEST(counts() == "1; null");
}

// A count that could not be written is not lost, and a record that is gone takes none along.
BOOST_AUTO_TEST_CASE(a_failed_write_keeps_the_counts) {
  must(memory->find(tea));
  must(memory->find(coffee));
  BOOST_TEST(must(memory->purge(coffee)));
  must(memory->write_access_counts());
  BOOST_TEST(counts() == "1");
  const std::string before = test::result_of(*database, "MATCH (m:Memory) RETURN m.updated_at");
  must(memory->find(tea));
  must(memory->write_access_counts());
  BOOST_TEST(test::result_of(*database, "MATCH (m:Memory) RETURN m.updated_at") == before);
  BOOST_TEST(counts() == "2");
}

BOOST_AUTO_TEST_CASE(a_database_that_was_closed_ends_the_counting) {
  must(memory->find(tea));
  database.close();
  BOOST_TEST((memory->write_access_counts().error().code == ErrorCode::conflict));
  memory.reset();
}

BOOST_AUTO_TEST_CASE(a_forked_child_leaves_the_counts_alone) {
  must(memory->find(tea));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the counting thread waits by now
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);       // a child that hangs fails
    memory.reset();  // does not wait for a thread that it has not
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  BOOST_TEST(status == 0);
  must(memory->write_access_counts());
  BOOST_TEST(counts() == "1; null");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
