// What can go wrong with a host that is there: each error names the process and the fix.

#include "codec/format_version.hpp"
#include "query/attach/connection.hpp"
#include "query/attach/host_link.hpp"
#include "query/attach/process_state.hpp"
#include "query/attach/protocol.hpp"
#include "query/attach/work.hpp"
#include "query/bolt/admission.hpp"
#include "tests/query/attach/attached_fixture.hpp"
#include "tests/support/copy_tree.hpp"

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr uid_t nobody = 65'534;

/// As `cp -a` does, which makes a socket of the same name.
void copy_files(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::filesystem::create_directory(to);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(from)) {
    const auto target = to / std::filesystem::relative(entry.path(), from);
    if (entry.is_directory()) std::filesystem::create_directory(target);
    if (entry.is_regular_file()) std::filesystem::copy_file(entry.path(), target);
    if (entry.is_socket() && ::mknod(target.c_str(), S_IFSOCK | S_IRUSR | S_IWUSR, 0) != 0)
      throw std::runtime_error("no socket can be made");
  }
}

/// Nothing may be written by a host whose directory is gone, and the error names the directory and the host.
template <class T>
void check_displaced(const Result<T>& result, const AttachedFixture& fixture) {
  BOOST_TEST((!result && result.error().code == ErrorCode::io_error), outcome_text(result));
  BOOST_TEST(
      contains(outcome_text(result), "directory " + fixture.path().string() +
                                         " was deleted or replaced while process " +
                                         std::to_string(fixture.host->id()) + " has it open"),
      outcome_text(result));
}

/// Fills the database that took the place of the one of the fixture, and lets the host of the fixture do all that it would
/// do to its own files. Then the other host still serves, and the other database has all `expected` records.
void check_neighbour_of(AttachedFixture& fixture, std::int64_t expected) {
  HostProcess other(fixture.path());
  {
    Database there = must(Database::open(fixture.path()));
    BOOST_TEST_REQUIRE(must(there.role()).host == other.id());
    must(execute(there, "UNWIND range(1, 1000) AS i CREATE (:B {i: i})"));
    must(there.checkpoint());
    check_displaced(execute(fixture.database, "CREATE (:A)"), fixture);
    check_displaced(fixture.database.checkpoint(), fixture);
    check_displaced(execute(fixture.database, "CREATE (:A)"), fixture);
  }
  must(fixture.database.close());
  fixture.host->end();
  BOOST_TEST(must(must(Database::open(fixture.path())).role()).host == other.id());
  BOOST_TEST(other.end() == 0);
  Database there = must(Database::open(fixture.path()));
  BOOST_TEST(must(there.check()).empty());
  BOOST_TEST(must(there.statistics()).nodes == static_cast<std::uint64_t>(expected) + 1'000);
}

std::size_t resident_mebibytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) >> 20U;
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
    {
      const Transaction gone = std::move(transaction);
    }
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

BOOST_AUTO_TEST_CASE(a_call_that_the_host_lacks_says_which_program_to_update) {
  AttachedFixture fixture;
  const auto link = std::make_shared<query::attach::HostLink>(fixture.path(), Options());
  query::attach::Work work(must(link->lease()));
  const auto lacking = work.call("of_a_newer_version", {}, {});
  BOOST_TEST((lacking.error().code == ErrorCode::unsupported), outcome_text(lacking));
  for (const std::string& part : {std::to_string(fixture.host->id()), std::string(version()),
                                  std::string("of_a_newer_version"), std::string("update")})
    BOOST_TEST(contains(lacking.error().message, part), lacking.error().message);
  BOOST_TEST(work.call("statistics", {}, {}).has_value());
}

BOOST_AUTO_TEST_CASE(a_client_that_stops_reading_holds_up_nobody_else) {
  AttachedFixture fixture;
  const Map said{{"protocol", query::attach::protocol_version}, {"library", version()}};
  const auto mute =
      must(query::attach::Connection::open(fixture.path(), said, std::chrono::seconds(1)));
  mute->add(query::bolt::Tag::run,
            {"UNWIND range(1, 1000000) AS i RETURN i, 'a text of some length'", Map(), Map()});
  mute->add(query::bolt::Tag::pull, {Map{{"n", -1}}});
  must(mute->flush());
  must(execute(fixture.database, "CREATE (:A)"));
  BOOST_TEST(fixture.count() == 1);
  BOOST_TEST(fixture.host->end() == 0);
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(a_process_with_many_connections_is_refused_more_and_keeps_nobody_out) {
  AttachedFixture fixture;
  const Map said{{"protocol", query::attach::protocol_version}, {"library", version()}};
  const auto connect = [&] {
    return query::attach::Connection::open(fixture.path(), said, std::chrono::seconds(5));
  };
  std::vector<std::unique_ptr<query::attach::Connection>> connections;
  std::string refusal;
  while (refusal.empty() && connections.size() < 1'024) {
    auto one = connect();
    if (!one) refusal = outcome_text(one);
    if (one) connections.push_back(*std::move(one));
  }
  BOOST_TEST(connections.size() == 340U);  // the handle of the fixture has one more
  BOOST_TEST(refusal.starts_with("resource_limit: process " + std::to_string(fixture.host->id())),
             refusal);
  BOOST_TEST(contains(refusal, "341 connections of process " + std::to_string(::getpid())),
             refusal);
  const auto opened = Database::open(fixture.path());
  BOOST_TEST(outcome_text(opened) == refusal);
  const HostProcess other(fixture.path());
  BOOST_TEST(other.role() == "attached");
  must(execute(fixture.database, "CREATE (:A)"));
  connections.pop_back();
  std::string outcome = refusal;  // the host learns of the end a little later
  for (int tries = 0; outcome == refusal && tries < 1'000; ++tries)
    outcome = outcome_text(connect());
  BOOST_TEST(outcome == "success");
}

// They say nothing, so that the host does not know whether they are of its kind.
BOOST_AUTO_TEST_CASE(a_silent_crowd_at_the_socket_keeps_nobody_out) {
  AttachedFixture fixture;
  const std::size_t before = resident_mebibytes(fixture.host->id());
  std::vector<query::bolt::ConnectedSocket> crowd;
  for (int i = 0; i < 1'000; ++i) crowd.push_back(must(query::bolt::connect_in(fixture.path())));
  const HostProcess other(fixture.path());
  BOOST_TEST(other.role() == "attached");
  must(execute(fixture.database, "CREATE (:A)"));
  BOOST_TEST(fixture.count() == 1);
  BOOST_TEST(resident_mebibytes(fixture.host->id()) < before + 64);
}

BOOST_AUTO_TEST_CASE(who_has_most_of_all_connections_is_named) {
  std::vector<std::string> peers;
  const auto refused = [&](const std::string& peer) {
    const auto error = query::bolt::refused_in_crowd(peers, peer, 8);
    return error ? error->message : "";
  };
  peers = {"1", "2", "2", "3"};
  BOOST_TEST(refused("1") == "");
  BOOST_TEST(contains(refused("2"), "2 connections of process 2 and no more"), refused("2"));
  peers = {"1", "3", "3", "4", "5", "6", "7", "8"};
  BOOST_TEST(contains(refused("9"), "8 connections and no more"), refused("9"));
  BOOST_TEST(contains(refused("9"), "2 of them belong to process 3"), refused("9"));
}

BOOST_AUTO_TEST_CASE(a_newer_format_is_refused_by_the_process_that_would_be_the_next_host) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)"));
  fixture.host->kill();
  codec::FormatRecord newer;
  newer.version = codec::format_version + 1;
  std::ofstream(fixture.path() / "FORMAT", std::ios::binary) << codec::encode(newer);
  const auto read = execute(fixture.database, "MATCH (n) RETURN n");
  BOOST_TEST((read.error().code == ErrorCode::format_too_new), outcome_text(read));
  for (const std::uint32_t version : {codec::format_version, newer.version})
    BOOST_TEST(contains(read.error().message, std::to_string(version)), read.error().message);
}

BOOST_AUTO_TEST_CASE(a_directory_that_was_copied_from_under_a_host_is_no_host_of_anybody) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)"));
  must(fixture.database.checkpoint());
  fixture.host->signal(SIGSTOP);
  const auto copy = fixture.directory.path() / "copy";
  copy_files(fixture.path(), copy);
  fixture.host->signal(SIGCONT);
  Database opened = must(Database::open(copy));
  BOOST_TEST(must(opened.role()).host == ::getpid());
  must(execute(opened, "CREATE (:A)"));
  BOOST_TEST(fixture.count() == 1);
}

BOOST_AUTO_TEST_CASE(processes_of_two_users_are_told_so) {
  if (::geteuid() != 0) return;  // who is not root has no other user
  const TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
  std::filesystem::create_directory(path);
  BOOST_TEST_REQUIRE(::chown(path.c_str(), nobody, nobody) == 0);
  const HostProcess other(path, {}, {"user=" + std::to_string(nobody)});
  const auto refused = Database::open(path);
  BOOST_TEST((refused.error().code == ErrorCode::unsupported), outcome_text(refused));
  for (const std::string& part :
       {std::to_string(other.id()), "user " + std::to_string(nobody), std::string("run as")})
    BOOST_TEST(contains(refused.error().message, part), refused.error().message);
}

BOOST_AUTO_TEST_CASE(a_directory_of_another_user_names_the_owner) {
  if (::geteuid() != 0) return;
  AttachedFixture fixture;
  std::filesystem::permissions(fixture.directory.path(), std::filesystem::perms(0755));
  std::string said;
  try {
    const HostProcess other(fixture.path(), {}, {"user=" + std::to_string(nobody)});
  } catch (const std::exception& error) {
    said = error.what();
  }
  BOOST_TEST(contains(said, "belongs to user 0"), said);
  BOOST_TEST(contains(said, "run as that user"), said);
}

BOOST_AUTO_TEST_CASE(a_deleted_directory_is_not_made_again) {
  AttachedFixture fixture;
  fixture.host->kill();
  std::filesystem::remove_all(fixture.path());
  const auto read = execute(fixture.database, "MATCH (n) RETURN n");
  BOOST_TEST((read.error().code == ErrorCode::not_found), outcome_text(read));
  BOOST_TEST(!std::filesystem::exists(fixture.path()));
}

BOOST_AUTO_TEST_CASE(a_host_acknowledges_nothing_once_its_directory_is_deleted) {
  AttachedFixture fixture;
  must(execute(fixture.database, "CREATE (:A)"));
  std::filesystem::remove_all(fixture.path());
  for (int i = 0; i < 2; ++i) check_displaced(execute(fixture.database, "CREATE (:A)"), fixture);
  check_displaced(fixture.database.checkpoint(), fixture);
  Transaction transaction = must(fixture.database.begin());
  must(transaction.create_node({{"A"}}));
  check_displaced(transaction.commit(), fixture);
  must(fixture.database.close());
  fixture.host->end();
  BOOST_TEST(!std::filesystem::exists(fixture.path()));
}

BOOST_AUTO_TEST_CASE(a_host_whose_directory_is_made_again_leaves_the_new_database_alone) {
  AttachedFixture fixture;
  must(execute(fixture.database, "UNWIND range(1, 1000) AS i CREATE (:A {i: i})"));
  must(fixture.database.checkpoint());
  must(execute(fixture.database, "CREATE (:A)"));
  std::filesystem::remove_all(fixture.path());
  check_neighbour_of(fixture, 0);
}

BOOST_AUTO_TEST_CASE(a_host_whose_directory_is_moved_and_copied_back_leaves_the_copy_alone) {
  AttachedFixture fixture;
  must(execute(fixture.database, "UNWIND range(1, 1000) AS i CREATE (:A {i: i})"));
  must(fixture.database.checkpoint());
  must(execute(fixture.database, "CREATE (:A)"));
  const auto moved = fixture.directory.path() / "moved";
  std::filesystem::rename(fixture.path(), moved);
  copy_tree(moved, fixture.path());
  check_neighbour_of(fixture, 1'001);
  Database before = must(Database::open(moved));
  BOOST_TEST(must(before.check()).empty());
  BOOST_TEST(must(before.statistics()).nodes == 1'001u);
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

// A segment is built and saved after the commit, which takes longer than to replace the directory.
BOOST_AUTO_TEST_CASE(an_index_is_not_saved_in_a_directory_that_took_the_place) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  std::atomic<bool> has_failed = false;
  Options options;
  options.log = [&](const LogMessage& message) {
    if (contains(std::string(message.text), "in the background")) has_failed = true;
  };
  std::optional<Database> database = must(Database::open(path, options));
  must(execute(*database,
               "CREATE VECTOR INDEX v FOR (n:A) ON (n.v) OPTIONS {indexConfig: "
               "{`vector.dimensions`: 8, `vector.similarity_function`: 'euclidean'}}"));
  must(execute(*database,
               "UNWIND range(1, 20000) AS i CREATE (:A {v: [i % 7, i % 11, i % 13, i % 17, i % 19, "
               "i % 23, i % 29, i % 31]})"));
  std::filesystem::rename(path, directory.path() / "moved");
  std::filesystem::create_directory(path);
  for (int i = 0; i < 600 && !has_failed; ++i) ::usleep(100'000);
  BOOST_TEST(has_failed);
  database.reset();
  BOOST_TEST(std::filesystem::is_empty(path));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
