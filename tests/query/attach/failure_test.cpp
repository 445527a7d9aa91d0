// What can go wrong with a host that is there: each error names the process and the fix.

#include "query/attach/connection.hpp"
#include "query/attach/process_state.hpp"
#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

namespace cairn::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attach_failures)

BOOST_AUTO_TEST_CASE(a_stopped_host_is_busy_after_the_time_of_the_statement) {
  AttachedFixture fixture;
  fixture.host->signal(SIGSTOP);
  // The signal is under way for a moment.
  while (query::attach::process_state(fixture.host->id()) != query::attach::ProcessState::stopped)
    ::usleep(1'000);
  StatementOptions options;
  options.timeout = std::chrono::milliseconds(500);
  const auto read = execute(fixture.database, "MATCH (n) RETURN n", {}, options);
  BOOST_TEST((read.error().code == ErrorCode::busy));
  BOOST_TEST(contains(read.error().message, "kill -CONT " + std::to_string(fixture.host->id())));
  const auto write = execute(fixture.database, "CREATE (n)", {}, options);
  BOOST_TEST((write.error().code == ErrorCode::busy));
  fixture.host->signal(SIGCONT);
  BOOST_TEST(fixture.count("(n:Nothing)") == 0);
}

BOOST_AUTO_TEST_CASE(another_protocol_is_refused_with_both_versions) {
  AttachedFixture fixture;
  const Map said{{"protocol", 99}, {"library", "9.9.9"}};
  const auto other = query::attach::Connection::open(fixture.path(), said, std::chrono::seconds(1));
  BOOST_TEST_REQUIRE(!other.has_value());
  BOOST_TEST((other.error().code == ErrorCode::unsupported), other.error().message);
  for (const std::string& part : {std::to_string(fixture.host->id()), std::string("protocol 99"),
                                  std::string("9.9.9"), std::string("update")})
    BOOST_TEST(contains(other.error().message, part), other.error().message);
}

BOOST_AUTO_TEST_CASE(a_forked_child_is_refused_and_harms_nobody) {
  AttachedFixture fixture;
  Transaction transaction = must(fixture.database.begin());
  must(transaction.create_node({{"A"}}));
  const pid_t child = ::fork();
  if (child == 0) {
    const auto read = execute(fixture.database, "MATCH (n) RETURN n");
    const bool is_refused = !read && read.error().code == ErrorCode::unsupported &&
                            !fixture.database.snapshot() && !transaction.commit();
    { const Transaction gone = std::move(transaction); }
    ::_exit(is_refused ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  BOOST_TEST(WEXITSTATUS(status) == 0);
  must(transaction.commit());
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(a_forked_child_keeps_no_lock_of_a_dead_host) {
  TemporaryDirectory directory;
  HostProcess host(directory.path() / "db", {}, {"forks=1"});
  const pid_t child = std::stoi(host.role());
  host.kill();
  Options options;
  options.share = Share::automatic;
  options.attach_timeout = std::chrono::milliseconds(2'000);
  const auto next = Database::open(directory.path() / "db", options);
  ::kill(child, SIGKILL);
  BOOST_TEST(next.has_value(), outcome_text(next));
}

BOOST_AUTO_TEST_CASE(a_deleted_directory_is_not_made_again) {
  AttachedFixture fixture;
  fixture.host->kill();
  std::filesystem::remove_all(fixture.path());
  const auto read = execute(fixture.database, "MATCH (n) RETURN n");
  BOOST_TEST((read.error().code == ErrorCode::not_found), outcome_text(read));
  BOOST_TEST(!std::filesystem::exists(fixture.path()));
}

BOOST_AUTO_TEST_CASE(another_database_in_the_place_is_refused) {
  AttachedFixture fixture;
  fixture.host->kill();
  std::filesystem::remove_all(fixture.path());
  HostProcess other(fixture.path());
  const auto read = execute(fixture.database, "MATCH (n) RETURN n");
  BOOST_TEST((read.error().code == ErrorCode::conflict), outcome_text(read));
  BOOST_TEST(contains(read.error().message, std::to_string(other.id())));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
