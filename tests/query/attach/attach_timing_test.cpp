// What sharing costs: at opening, and for each call of an attached process.

#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

using Microseconds = std::chrono::duration<double, std::micro>;

double median_of(int rounds, const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    times.push_back(Microseconds(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<std::size_t>(rounds / 2)];
}

/// The shortest time of many openings, without the closing. Openings alone and as the host alternate, so that both see
/// the same disk.
std::array<double, 2> times_to_open() {
  constexpr std::array shares = {Share::exclusive, Share::automatic};
  std::array<double, 2> shortest{1e9, 1e9};
  std::array<TemporaryDirectory, 2> directories;
  for (int i = 0; i < 40; ++i)
    for (std::size_t which = 0; which < 2; ++which) {
      Options options;
      options.share = shares[which];
      const auto begin = std::chrono::steady_clock::now();
      Database database = must(Database::open(directories[which].path() / "db", options));
      const auto time = Microseconds(std::chrono::steady_clock::now() - begin).count();
      shortest[which] = std::min(shortest[which], time);
      must(database.close());
    }
  return shortest;
}

struct Usage {
  long threads = 0;
  long kibibytes = 0;  ///< of its own memory, without mapped files
};

/// The usage of a process that has a new database open and waits.
Usage usage_of_host(const std::vector<std::string>& words) {
  const TemporaryDirectory directory;
  const HostProcess host(directory.path() / "db", Options(), words);
  BOOST_REQUIRE(host.role() == "host");
  std::ifstream status("/proc/" + std::to_string(host.id()) + "/status");
  Usage usage;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) usage.threads = std::stol(line.substr(8));
    if (line.starts_with("RssAnon:")) usage.kibibytes = std::stol(line.substr(8));
  }
  return usage;
}

/// The first and the last processor that this process may use: the same one where there is no other.
std::array<int, 2> processors() {
  cpu_set_t allowed;
  BOOST_REQUIRE(::sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  std::array<int, 2> ends{-1, -1};
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &allowed)) continue;
    if (ends[0] < 0) ends[0] = i;
    ends[1] = i;
  }
  return ends;
}

/// A thread may end meanwhile.
void pin(pid_t thread, int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  static_cast<void>(::sched_setaffinity(thread, sizeof only, &only));
}

/// All of its threads, and with them those that they start.
void pin_process(pid_t process, int processor) {
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task"))
    pin(std::stoi(task.path().filename().string()), processor);
}

/// This thread runs where it may again at the end.
class PinnedThread {
 public:
  explicit PinnedThread(int processor) {
    BOOST_REQUIRE(::sched_getaffinity(0, sizeof before_, &before_) == 0);
    pin(0, processor);
  }
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;
  ~PinnedThread() { static_cast<void>(::sched_setaffinity(0, sizeof before_, &before_)); }

 private:
  cpu_set_t before_{};
};

/// Sends back what it is sent, by a thread of one processor.
class Echo {
 public:
  explicit Echo(int processor) {
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_.data()) == 0);
    thread_ = std::jthread([this, processor] {
      pin(0, processor);
      std::array<char, 300> bytes{};
      while (::recv(sockets_[1], bytes.data(), bytes.size(), MSG_WAITALL) > 0)
        static_cast<void>(::send(sockets_[1], bytes.data(), bytes.size(), 0));
    });
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;
  ~Echo() {
    ::close(sockets_[0]);
    thread_.join();
    ::close(sockets_[1]);
  }

  /// 300 bytes there and back.
  void round_trip() {
    std::array<char, 300> bytes{};
    static_cast<void>(::send(sockets_[0], bytes.data(), bytes.size(), 0));
    static_cast<void>(::recv(sockets_[0], bytes.data(), bytes.size(), MSG_WAITALL));
  }

 private:
  std::array<int, 2> sockets_{};
  std::jthread thread_;
};

void read_one(const Statement& statement, Database& database) {
  Rows rows = must(statement.run(database, {{"name", "n7"}}));
  BOOST_REQUIRE((*must(rows.next()))["name"].as_string() == "n7");
}

/// Measures a point read in this process, a point read through a host, and a bare message. The cost of a message
/// depends on the processors on which the two ends of a socket run (3 us on one processor, 50 us between two of a
/// virtual machine). So the call and the message run on the same processors.
class PointReads {
 public:
  PointReads() {
    constexpr const char* filling = "UNWIND range(1, 1000) AS i CREATE (:N {name: 'n' + i})";
    must(execute(attached_.database, filling));
    must(execute(*local_, filling));
  }

  /// Returns how much more a call costs when it is attached, in bare round trips. Of several attempts, the least
  /// disturbed one counts. With `added`, the call makes this many bare round trips in addition.
  double trips_more(int processor, int of_host, int added = 0) {
    const PinnedThread pinned(processor);
    pin_process(attached_.host->id(), of_host);
    Echo echo(of_host);
    double least = 1e9;
    for (int attempt = 0; attempt < 5; ++attempt) {
      constexpr int rounds = 501;
      const double trip = median_of(rounds, [&] { echo.round_trip(); });
      const double here = median_of(rounds, [&] { read_one(statement_, *local_); });
      const double there = median_of(rounds, [&] {
        read_one(statement_, attached_.database);
        for (int i = 0; i < added; ++i) echo.round_trip();
      });
      BOOST_TEST_MESSAGE("a point read: " << here << " us local, " << there << " us attached, "
                                          << (there - here) / trip << " round trips of " << trip
                                          << " us more");
      least = std::min(least, (there - here) / trip);
    }
    return least;
  }

 private:
  const Statement statement_ =
      must(Statement::parse("MATCH (n:N {name: $name}) RETURN n.name AS name"));
  AttachedFixture attached_;
  TemporaryDatabase local_;
};

/// A message within one processor is so short that the work beside it counts for more of them.
double most_round_trips(int processor, int of_host) { return processor == of_host ? 15 : 6; }

}  // namespace

BOOST_AUTO_TEST_SUITE(attach_timing)

BOOST_AUTO_TEST_CASE(to_open_as_the_host_costs_at_most_a_millisecond_more) {
  double least = 1e9;
  // A disk that others use makes up to milliseconds of difference, of either sign.
  for (int i = 0; i < 5 && least >= 1'000; ++i) {
    const auto [alone, sharing] = times_to_open();
    BOOST_TEST_MESSAGE("opening: " << alone << " us alone, " << sharing << " us as the host");
    least = std::min(least, sharing - alone);
  }
  BOOST_TEST(least < 1'000);
}

BOOST_AUTO_TEST_CASE(a_host_that_nobody_attached_to_has_a_thread_and_less_than_a_mebibyte_more) {
  const Usage alone = usage_of_host({"exclusive=1"});
  const Usage sharing = usage_of_host({});
  BOOST_TEST_MESSAGE("memory: " << alone.kibibytes << " KiB alone, " << sharing.kibibytes
                                << " KiB as the host");
  BOOST_TEST(sharing.threads == alone.threads + 1);
  BOOST_TEST(sharing.kibibytes < alone.kibibytes + 1'024);
}

BOOST_AUTO_TEST_CASE(a_point_read_costs_some_round_trips) {
  const auto [first, last] = processors();
  PointReads reads;
  for (const int of_host : {first, last})
    BOOST_TEST(reads.trips_more(first, of_host) < most_round_trips(first, of_host));
}

BOOST_AUTO_TEST_CASE(a_point_read_with_twenty_round_trips_more_would_be_seen) {
  const auto [first, last] = processors();
  PointReads reads;
  for (const int of_host : {first, last})
    BOOST_TEST(reads.trips_more(first, of_host, 20) > most_round_trips(first, of_host));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
