// A host in another PID namespace: the system hides its process id from the attached process (SO_PEERCRED says 0).

#include "query/attach/host_link.hpp"
#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

namespace cairn::test {
namespace {

using std::chrono::milliseconds;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A process in a PID namespace of its own, in which this process and its other children are hidden.
class HiddenFromProcess {
 public:
  /// Runs `act` there, whose result said() returns.
  explicit HiddenFromProcess(const std::function<std::string()>& act) {
    int ends[2];
    BOOST_REQUIRE(::pipe(ends) == 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::close(ends[0]);
      run(act, ends[1]);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }
  HiddenFromProcess(const HiddenFromProcess&) = delete;
  HiddenFromProcess& operator=(const HiddenFromProcess&) = delete;
  ~HiddenFromProcess() { ::close(output_); }

  /// nullopt if the system allows no such namespace.
  [[nodiscard]] std::optional<std::string> said() const {
    std::string text;
    for (char byte = 0; ::read(output_, &byte, 1) == 1;) text += byte;
    int status = 0;
    ::waitpid(child_, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_allowed) {
      std::cerr << "skipped: this system allows no PID namespace (unshare)\n";
      return std::nullopt;
    }
    BOOST_TEST(status == 0);
    return text;
  }

 private:
  static constexpr int not_allowed = 77;

  // unshare() puts the next child into the namespace.
  [[noreturn]] static void run(const std::function<std::string()>& act, int output) {
    if (::unshare(CLONE_NEWPID) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
      ::_exit(not_allowed);
    const pid_t hidden = ::fork();
    if (hidden == 0) {
      const std::string text = act();
      const bool is_written =
          ::write(output, text.data(), text.size()) == static_cast<ssize_t>(text.size());
      ::_exit(is_written ? 0 : 1);
    }
    int status = 0;
    ::waitpid(hidden, &status, 0);
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 2);
  }

  pid_t child_ = 0;
  int output_ = -1;
};

struct HostFixture {
  [[nodiscard]] std::filesystem::path path() const { return directory.path() / "db"; }
  [[nodiscard]] Database attach() const {
    Options options;
    options.share = Share::attach_only;
    return must(Database::open(path(), options));
  }

  TemporaryDirectory directory;
  HostProcess host{directory.path() / "db"};
};

/// Runs `act` where the host is hidden, and gives its result to `check`.
void check_hidden(const std::function<std::string()>& act,
                  const std::function<void(const std::string&)>& check) {
  const HiddenFromProcess process([&act]() -> std::string {
    try {
      return act();
    } catch (const std::exception& error) {
      return error.what();
    }
  });
  if (const auto said = process.said()) check(*said);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(attach_hidden_host, HostFixture)

// A server on the network is sent the structure of drivers, which the host does not expect.
BOOST_AUTO_TEST_CASE(a_hidden_host_is_sent_each_value_as_it_is) {
  const auto act = [&]() -> std::string {
    Database database = attach();
    Rows made = must(execute(database, "CREATE (:A)-[r:KNOWS]->(:B) RETURN r"));
    const Value relationship = (*must(made.next()))[0];
    Rows rows = must(execute(database, "RETURN type($r)", {{"r", relationship}}));
    return (*must(rows.next()))[0].as_string();
  };
  check_hidden(act, [](const std::string& said) { BOOST_TEST(said == "KNOWS"); });
}

// BEGIN waits for the writer lock.
BOOST_AUTO_TEST_CASE(a_hidden_host_that_works_is_waited_for) {
  const auto act = [&]() -> std::string {
    Database database = attach();
    Transaction first = must(database.begin());
    std::string outcome;
    std::thread second([&] {
      query::attach::HostLink link(path(), {});
      const auto connection = must(link.connect());
      outcome = outcome_text(connection->ask(query::bolt::Tag::begin, {Map{}}, milliseconds(300)));
    });
    std::this_thread::sleep_for(milliseconds(1'500));
    must(first.commit());
    second.join();
    return outcome;
  };
  check_hidden(act, [](const std::string& said) { BOOST_TEST(said == "success"); });
}

BOOST_AUTO_TEST_CASE(a_hidden_host_that_is_stopped_is_busy) {
  const HiddenFromProcess process([&]() -> std::string {
    Database database = attach();
    StatementOptions options;
    options.timeout = milliseconds(500);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end)
      if (const auto read = execute(database, "RETURN 1", {}, options); !read)
        return outcome_text(read);
    return "no error";
  });
  std::this_thread::sleep_for(milliseconds(500));
  host.signal(SIGSTOP);
  if (const auto said = process.said()) {
    BOOST_TEST(said->starts_with("busy: "), *said);
    BOOST_TEST(contains(*said, "hidden here"), *said);
    BOOST_TEST(contains(*said, "HOST in " + path().string()), *said);
  }
  host.signal(SIGCONT);
}

// The host knows the asking process by another id.
BOOST_AUTO_TEST_CASE(who_asks_for_a_database_alone_is_not_told_of_itself) {
  const auto act = [&]() -> std::string {
    Options options;
    options.share = Share::exclusive;
    return outcome_text(Database::open(path(), options));
  };
  check_hidden(act, [](const std::string& said) {
    BOOST_TEST(contains(said, "is open in a process that is hidden here"), said);
    BOOST_TEST(!contains(said, "attached processes"), said);
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
