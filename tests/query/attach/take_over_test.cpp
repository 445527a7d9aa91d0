// The host ends: an attached process takes its place, nothing acknowledged is lost and nothing is written twice.

#include "tests/query/attach/attached_fixture.hpp"

#include <cairn/memory/memory.hpp>

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

/// Starts a client of the storm, which records acknowledged writes in a file.
pid_t start_client(const std::filesystem::path& path, int client,
                   const std::filesystem::path& acknowledged) {
  const std::string name = "client=" + std::to_string(client);
  const char* const words[] = {
      CAIRN_ATTACH_HOST,      path.c_str(), name.c_str(), "attach_timeout=60000",
      "writer_timeout=60000", "searches=1", nullptr};
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int file = ::open(acknowledged.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(file, STDOUT_FILENO);
  ::execv(words[0], const_cast<char* const*>(words));
  ::_exit(127);
}

/// Returns the size of all files in which clients record acknowledged writes.
std::uintmax_t acknowledged_bytes(const std::filesystem::path& directory) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

/// Waits until each client may have had a turn. Otherwise, on a busy machine, hosts end faster than calls are made, and a
/// call that has seen eight of them end is given up.
void wait_for_turns(const std::filesystem::path& directory, std::uintmax_t before, int clients) {
  constexpr std::uintmax_t bytes_a_turn = 4;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  const auto wanted = before + bytes_a_turn * static_cast<std::uintmax_t>(clients);
  while (acknowledged_bytes(directory) < wanted && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void make_indexes_of_storm(const std::filesystem::path& path) {
  Database database = must(Database::open(path));
  for (const char* const text :
       {"CREATE VECTOR INDEX storm FOR (n:W) ON (n.v) OPTIONS "
        "{indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'euclidean'}}",
        "CREATE FULLTEXT INDEX words FOR (n:W) ON EACH [n.word]",
        "CREATE INDEX FOR (n:W) ON (n.client, n.number)"})
    must(execute(database, text));
  must(database.close());
}

std::int64_t integer(Database& database, const std::string& text, const Parameters& parameters) {
  Rows rows = must(execute(database, text, parameters));
  return (*must(rows.next()))[0].as_integer();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(take_over)

BOOST_AUTO_TEST_CASE(an_attached_process_takes_the_place_of_a_killed_host) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)"));
  fixture.host->kill();
  BOOST_TEST(fixture.count() == 1);
  BOOST_TEST(must(fixture.database.role()).is_host);
  must(execute(fixture.database, "CREATE (:A)"));
  HostProcess next(fixture.path());
  BOOST_TEST(next.role() == "attached");
  BOOST_TEST(must(fixture.database.check()).empty());
}

BOOST_AUTO_TEST_CASE(the_others_follow_the_new_host) {
  AttachedFixture fixture;
  HostProcess second(fixture.path());
  BOOST_TEST(second.role() == "attached");
  must(fixture.host->end() == 0 ? Status() : Status(Error{ErrorCode::io_error, "it failed", {}}));
  // The process that opens first is the host; the other process gets no request.
  must(execute(fixture.database, "CREATE (:A)"));
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_hidden_is_a_conflict_that_says_so) {
  AttachedFixture fixture;
  must(execute(fixture.database, "UNWIND range(1, 5000) AS i CREATE (:A {x: i})"));
  Transaction transaction = must(fixture.database.begin());
  must(transaction.create_node({{"B"}}));
  const Snapshot snapshot = must(fixture.database.snapshot());
  Rows rows = must(execute(fixture.database, "MATCH (n:A) RETURN n"));
  must(rows.next());
  const std::string host = "process " + std::to_string(fixture.host->id()) + ", the host of " +
                           fixture.path().string() + ", ended, and ";
  fixture.host->kill();
  const std::vector<std::pair<std::string, std::string>> lost = {
      {"the transaction", outcome_text(transaction.commit())},
      {"the snapshot", outcome_text(snapshot.labels())},
      {"the rest of the rows", outcome_text(rows.all())}};
  for (const auto& [what, text] : lost)
    BOOST_TEST(text ==
               "conflict: " + host + what + " with it; nothing of this was written: run it again");
  BOOST_TEST(fixture.count("(n:B)") == 0);
}

BOOST_AUTO_TEST_CASE(write_and_read_run_again) {
  AttachedFixture fixture;
  int runs = 0;
  must(fixture.database.write([&](Transaction& transaction) -> Status {
    CAIRN_TRY(transaction.create_node({{"A"}, {{"run", ++runs}}}));
    if (runs == 1) fixture.host->kill();
    return {};
  }));
  BOOST_TEST(runs == 2);
  BOOST_TEST(fixture.count() == 1);
}

// It is killed within a call, most of the time, as the calls follow each other.
BOOST_AUTO_TEST_CASE(calls_of_a_memory_are_made_once_whatever_becomes_of_the_host) {
  for (int round = 0; round < 4; ++round) {
    AttachedFixture fixture;
    auto memory = must(memory::Memory::open(fixture.database, {}));
    std::atomic<bool> is_killed = false;
    std::atomic<bool> has_added = false;
    std::thread killer([&] {
      has_added.wait(false);
      std::this_thread::sleep_for(std::chrono::milliseconds(150 + 31 * round));
      fixture.host->kill();
      is_killed = true;
    });
    std::int64_t added = 0;
    std::string failure;
    for (int left = 20; left > 0 && failure.empty(); left -= is_killed ? 1 : 0) {
      const auto one = memory.remember("tea " + std::to_string(added));
      if (one) ++added;
      has_added = true;
      has_added.notify_one();
      const auto removed = one ? memory.remove(one->id) : Result<bool>(one.error());
      const auto back = removed ? memory.restore(one->id) : removed;
      failure = outcome_text(back);
      if (back) failure = *back ? "" : "nothing to restore";
    }
    killer.join();
    BOOST_TEST(failure == "");
    BOOST_TEST(fixture.count() == added);
    BOOST_TEST(added > 20);
  }
}

BOOST_AUTO_TEST_CASE(memory_procedures_are_called_once_whatever_becomes_of_the_host) {
  for (int round = 0; round < 4; ++round) {
    AttachedFixture fixture;
    std::atomic<bool> is_killed = false;
    std::thread killer([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150 + 31 * round));
      fixture.host->kill();
      is_killed = true;
    });
    std::int64_t added = 0;
    std::string failure = "success";
    for (int left = 20; left > 0 && failure == "success"; left -= is_killed ? 1 : 0) {
      const auto rows = execute(fixture.database, "CALL memory.add({content: $text}) YIELD id",
                                {{"text", "tea " + std::to_string(added)}});
      failure = outcome_text(rows);
      if (rows) ++added;
    }
    killer.join();
    BOOST_TEST(failure == "success");
    BOOST_TEST(fixture.count() == added);
    BOOST_TEST(added > 20);
  }
}

// A process that only reads, as `cairn check` does where there is no host, keeps the others from being the host.
BOOST_AUTO_TEST_CASE(a_reader_between_two_hosts_only_delays_a_call) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)"));
  fixture.host->kill();
  Options reading;
  reading.mode = OpenMode::read_only;
  std::optional<Database> reader = must(Database::open(fixture.path(), reading));
  std::jthread closer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    reader.reset();
  });
  BOOST_TEST(outcome_text(execute(fixture.database, "CREATE (:A)")) == "success");
  BOOST_TEST(fixture.count() == 2);
}

// It ends while statements of others run.
BOOST_AUTO_TEST_CASE(a_host_that_closes_fails_no_call) {
  AttachedFixture fixture;
  must(execute(fixture.database, "UNWIND range(1, 100) AS i CREATE (:A {x: i})"));
  std::atomic<bool> is_done = false;
  std::atomic<int> calls = 0;
  std::mutex mutex;  // guards failure
  std::string failure;
  const auto work = [&](const char* statement) {
    while (!is_done) {
      const auto rows = execute(fixture.database, statement);
      ++calls;
      if (rows) continue;
      const std::lock_guard lock(mutex);
      failure = rows.error().message;
    }
  };
  std::thread writer([&] { work("CREATE (:W)"); });
  std::thread reader([&] { work("MATCH (a:A), (b:A) RETURN sum(a.x * b.x)"); });
  for (int i = 0; i < 3; ++i) {
    HostProcess next(fixture.path());  // it follows, and the one after it
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    if (i == 0) BOOST_TEST(fixture.host->end() == 0);
  }
  is_done = true;
  writer.join();
  reader.join();
  BOOST_TEST(failure == "");
  BOOST_TEST(calls > 10);
}

// In the short form: four processes write, search and hold transactions, and whoever is the host is killed some times.
BOOST_AUTO_TEST_CASE(storm_each_acknowledged_write_is_there_once) {
  TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  const bool is_long = std::getenv("CAIRN_MODEL_LONG") != nullptr;
  const int kills = is_long ? 200 : 6;
  const int clients = is_long ? 24 : 4;
  std::map<int, pid_t> running;
  int next_client = 0;
  const auto file_of = [&](int client) {
    return directory.path() / ("client" + std::to_string(client));
  };
  const auto start = [&] {
    const int client = next_client++;
    running[client] = start_client(path, client, file_of(client));
  };
  make_indexes_of_storm(path);
  for (int i = 0; i < clients; ++i) start();
  Options watching;  // never the host, so that it is not killed
  watching.share = Share::attach_only;
  watching.attach_timeout = std::chrono::seconds(60);
  Database watched = must(Database::open(path, watching));
  std::mt19937 random(20);
  std::vector<int> killed;
  for (int i = 0; i < kills; ++i) {
    const auto before = acknowledged_bytes(directory.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 300));
    wait_for_turns(directory.path(), before, clients);
    std::int64_t host = 0;
    std::ifstream file(path / "HOST");
    std::string word;
    file >> word >> host;
    for (auto place = running.begin(); place != running.end(); ++place)
      if (place->second == host) {
        ::kill(place->second, SIGKILL);
        ::waitpid(place->second, nullptr, 0);
        killed.push_back(place->first);
        running.erase(place);
        start();
        break;
      }
    BOOST_TEST(must(watched.check()).empty());
  }
  must(watched.close());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  for (const auto& [client, process] : running) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  BOOST_TEST(!killed.empty());
  Database database = must(Database::open(path));
  BOOST_TEST(must(database.check()).empty());
  std::int64_t total = 0;
  for (int client = 0; client < next_client; ++client) {
    std::ifstream in(file_of(client));
    std::int64_t last = 0;
    for (std::string line; std::getline(in, line); ++last)
      BOOST_TEST(line == std::to_string(last + 1), "client " << client << ": " << line);
    const Parameters parameters{{"client", client}, {"last", last}};
    const auto acknowledged = integer(database,
                                      "MATCH (n:W) WHERE n.client = $client AND n.number <= $last "
                                      "RETURN count(DISTINCT n.number)",
                                      parameters);
    const auto all = integer(database, "MATCH (n:W {client: $client}) RETURN count(*)", parameters);
    BOOST_TEST(acknowledged == last, "client " << client);
    // The one that was under way when it was killed may be there.
    BOOST_TEST((all == last || all == last + 1),
               "client " << client << ": " << all << " of " << last);
    total += last;
  }
  BOOST_TEST_MESSAGE(total << " acknowledged writes, " << killed.size() << " hosts killed");
  BOOST_TEST(total > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
