// The messages of a database, and that a log sink cannot break anything.
#include "engine/database/core.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/telemetry/telemetry.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/embedding_space.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace cairn;
using test::must;
using test::run_all;
using test::TemporaryDatabase;

namespace {

/// Keeps all messages as "area: text"; from any thread.
class Listener {
 public:
  [[nodiscard]] Options options() {
    Options options;
    options.log = [this](const LogMessage& message) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(std::string(message.area) + ": " + std::string(message.text));
      if (message.level == LogLevel::error) ++errors_;
    };
    return options;
  }
  /// How many have all of these pieces.
  [[nodiscard]] std::size_t count(const std::vector<std::string>& pieces) const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(std::ranges::count_if(lines_, [&](const std::string& line) {
      return std::ranges::all_of(
          pieces, [&](const std::string& piece) { return line.find(piece) != line.npos; });
    }));
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }
  [[nodiscard]] std::size_t errors() const {
    const std::lock_guard lock(mutex_);
    return errors_;
  }

 private:
  mutable std::mutex mutex_;  // guards what follows
  std::vector<std::string> lines_;
  std::size_t errors_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(database_log)

BOOST_AUTO_TEST_CASE(a_checkpoint_tells_its_begin_and_its_end) {
  Listener listener;
  TemporaryDatabase database(listener.options());
  must(database->checkpoint());
  BOOST_TEST(listener.count({"checkpoint: ", "begins"}) == 1U);
  BOOST_TEST(listener.count({"checkpoint: ", "ended after", "s"}) == 1U);
  database.close();
  BOOST_TEST(listener.count({"checkpoint: ", "ended after"}) == 2U);
  BOOST_TEST(listener.errors() == 0U);
}

BOOST_AUTO_TEST_CASE(an_index_tells_when_it_is_made) {
  Listener listener;
  TemporaryDatabase database(listener.options());
  run_all(*database, {"UNWIND range(1, 3000) AS i CREATE (:A {v: [i, 1], t: 'red'})",
                      "CREATE FULLTEXT INDEX texts FOR (a:A) ON EACH [a.t]",
                      "CREATE VECTOR INDEX vectors FOR (a:A) ON (a.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}"});
  for (const std::string name : {"\"texts\"", "\"vectors\""}) {
    BOOST_TEST(listener.count({"index: ", name, "is being built from"}) == 1U);
    BOOST_TEST(listener.count({"index: ", name, "was made in", "s"}) == 1U);
  }
  must(database->checkpoint());  // seals what is due
  BOOST_TEST(listener.count({"index: a segment of index \"vectors\" is built"}) ==
             listener.count({"index: the segment of index \"vectors\" ended after"}));
}

BOOST_AUTO_TEST_CASE(what_opening_repairs_is_told_as_well) {
  Listener listener;
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A)"});
  database.close();
  std::ofstream(database.path() / engine::metadata_file::tail, std::ios::binary) << "damaged";
  database.reopen(listener.options());
  BOOST_TEST_REQUIRE(!database->warnings().empty());
  for (const std::string& warning : database->warnings())
    BOOST_TEST(listener.count({"open: ", warning.substr(0, warning.find('\n'))}) == 1U);
}

BOOST_AUTO_TEST_CASE(a_commit_that_failed_is_told) {
  Listener listener;
  const test::TemporaryDirectory directory;
  const auto files = std::make_shared<test::FaultFileSystem>();
  const auto core = must(engine::Core::open(directory.path() / "db", listener.options(), files));
  files->fail_syncs_after(0);
  const auto writer = must(engine::TransactionWriter::begin(core));
  must(writer->create_node({}, {}, {}));
  const auto committed = writer->commit();
  BOOST_TEST_REQUIRE(!committed);
  BOOST_TEST(listener.count({"commit: a commit failed: "}) == 1U);
  // What works in the background may meet the disk as well.
  BOOST_TEST(listener.errors() == listener.count({"injected"}), listener.text());
  BOOST_TEST(core->telemetry().failed_commits.sum() == 1U);
  BOOST_TEST(core->telemetry().commits.sum() == 0U);
}

BOOST_AUTO_TEST_CASE(a_model_that_is_declared_over_vectors_is_told) {
  Listener listener;
  TemporaryDatabase database(listener.options());
  run_all(*database, {"CREATE VECTOR INDEX v FOR (a:A) ON (a.v) OPTIONS {indexConfig: "
                      "{`vector.dimensions`: 2}}",
                      "CREATE (:A {v: [1, 2]})"});
  Transaction transaction = must(database->begin());
  must(use_model(transaction, "v", *make_hashing_embedder(2)));
  BOOST_TEST(listener.count({"index: ", "has vectors of an unknown model"}) == 1U);
}

// Whatever it does: the database works on, and the next message comes.
BOOST_AUTO_TEST_CASE(a_listener_that_throws_or_asks_breaks_nothing) {
  std::size_t calls = 0;
  Database* asked = nullptr;
  Options options;
  options.log = [&](const LogMessage&) {
    ++calls;
    if (asked != nullptr) must(asked->snapshot());
    throw std::runtime_error("the listener is broken");
  };
  TemporaryDatabase database(options);
  asked = &*database;
  run_all(*database, {"CREATE (:A)"});
  must(database->checkpoint());
  must(database->checkpoint());
  asked = nullptr;
  BOOST_TEST(calls == 4U);
  BOOST_TEST(test::result_of(*database, "MATCH (a) RETURN count(*)") == "1");
}

BOOST_AUTO_TEST_CASE(messages_come_one_at_a_time_and_in_one_line) {
  std::size_t inside = 0, calls = 0;
  engine::Messages messages([&](const LogMessage& message) {
    BOOST_TEST_REQUIRE(++inside == 1U);
    BOOST_TEST((message.text == "a b c"));
    ++calls;
    std::this_thread::yield();
    --inside;
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 100; ++j) messages.tell(LogLevel::info, "area", "a\nb\rc");
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(calls == 400U);
}

BOOST_AUTO_TEST_CASE(a_message_from_within_a_message_is_dropped) {
  std::size_t calls = 0;
  engine::Messages* own = nullptr;
  engine::Messages messages([&](const LogMessage&) {
    ++calls;
    own->tell(LogLevel::info, "area", "again");
  });
  own = &messages;
  messages.tell(LogLevel::info, "area", "once");
  messages.tell(LogLevel::info, "area", "twice");
  BOOST_TEST(calls == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
