// A child process commits and says so; it is killed, and what it said must be there.

#include "engine/access.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <thread>

using namespace cairn;
using test::must;

namespace {

constexpr int nodes_per_commit = 3;

/// Commit 1: the postings of texts must survive as the records do.
void make_text_index(const std::filesystem::path& path) {
  Database database = must(Database::open(path));
  Transaction transaction = must(database.begin());
  engine::IndexRequest index;
  index.name = "texts";
  index.index_kind = codec::IndexKind::full_text;
  index.labels_or_types = {"N"};
  index.properties = {"text"};
  must(Access::writer(transaction)->create_index(index));
  must(transaction.commit());
}

/// Commit for ever; one byte through the pipe for each commit that returned.
[[noreturn]] void write_until_killed(const std::filesystem::path& path, int pipe) {
  Options options;
  options.durability = Durability::async;  // survives the process, which is what is killed here
  auto database = Database::open(path, options);
  if (!database) ::_exit(1);
  const auto statistics = database->statistics();
  for (std::uint64_t i = statistics ? statistics->nodes : 0;; i += nodes_per_commit) {
    auto transaction = database->begin();
    if (!transaction) ::_exit(2);
    NodeId last;
    for (std::uint64_t n = i; n < i + nodes_per_commit; ++n) {
      const auto node = transaction->create_node({{"N"},
                                                  {{"i", static_cast<std::int64_t>(n)},
                                                   {"text", "note " + std::to_string(n % 5)},
                                                   {"v", Vector({1, 2, float(n)})}},
                                                  "n" + std::to_string(n)});
      if (!node) ::_exit(3);
      if (n > i && !transaction->create_relationship({last, "NEXT", *node, {}})) ::_exit(4);
      last = *node;
    }
    if (!transaction->commit()) ::_exit(5);
    if (::write(pipe, "c", 1) != 1) ::_exit(6);
    if (i % 50 == 0 && !database->checkpoint()) ::_exit(7);
  }
}

/// Run the child for a while; returns how many commits it acknowledged.
std::uint64_t run_child(const std::filesystem::path& path, std::chrono::milliseconds life) {
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write_until_killed(path, ends[1]);
  }
  ::close(ends[1]);
  std::this_thread::sleep_for(life);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(WIFSIGNALED(status), "the child ended by itself: " << WEXITSTATUS(status));
  std::uint64_t acknowledged = 0;
  char byte = 0;
  while (::read(ends[0], &byte, 1) == 1) ++acknowledged;
  ::close(ends[0]);
  return acknowledged;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crash)

BOOST_AUTO_TEST_CASE(a_killed_process_loses_nothing_that_it_acknowledged) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  make_text_index(path);
  std::mt19937 random(11);
  std::uint64_t acknowledged = 0;
  for (int cycle = 0; cycle < 8; ++cycle) {
    acknowledged += run_child(path, std::chrono::milliseconds(150 + random() % 150));
    const Database database = must(Database::open(path));
    const auto statistics = must(database.statistics());
    BOOST_TEST(statistics.commits >= acknowledged);
    BOOST_TEST(statistics.commits <= acknowledged + static_cast<std::uint64_t>(cycle) + 2);
    BOOST_TEST(statistics.nodes == (statistics.commits - 1) * nodes_per_commit);
    const auto findings = must(database.check());
    BOOST_TEST(findings.empty(), (findings.empty() ? "" : findings[0].place + findings[0].problem));
    const Snapshot snapshot = must(database.snapshot());
    for (std::uint64_t i = 0; i < acknowledged * nodes_per_commit; i += 7) {
      BOOST_TEST(must(snapshot.find_node("n" + std::to_string(i))).has_value());
    }
  }
  BOOST_TEST(acknowledged > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
