// Requests that arrive after the node that sent them gave up: before the next owner reads them, or after it.
#include "codec/meta.hpp"
#include "engine/home/home.hpp"
#include "tests/engine/home/s3_stub.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::HttpRequest;
using test::must;

namespace {

constexpr const char* address = "s3://bucket/homes";
constexpr std::chrono::milliseconds patience{200};

using Numbers = std::vector<std::uint64_t>;

/// A store whose gateway keeps writes for some time.
struct LateHome {
  LateHome() {
    stub.set_environment();
    stub.is_lost = [this](const HttpRequest& request) {
      if (!delays || request.method == "GET" || !request.path.ends_with(delayed)) return false;
      const std::lock_guard lock(mutex);
      late.push_back(request);
      return true;
    };
  }
  [[nodiscard]] static std::unique_ptr<Home> open() {
    Home::Wanted wanted;
    wanted.new_database_id = codec::database_id(1, 2);
    return must(Home::open(address, wanted, patience));
  }
  /// Everything that is late arrives. Returns how many of the requests happened.
  std::size_t arrive() {
    delays = false;
    std::size_t happened = 0;
    const std::lock_guard lock(mutex);
    BOOST_TEST(!late.empty());
    for (const HttpRequest& request : std::exchange(late, {}))
      if (stub.arrive_late(request) < 300) ++happened;
    return happened;
  }
  [[nodiscard]] static Numbers commits() {
    Numbers numbers;
    for (const HomeCommit& each : must(Home::history(address, patience)).commits)
      numbers.push_back(each.commit);
    return numbers;
  }
  /// Ships a commit, of which nobody knows whether it happened.
  void ship_late(Home& home, std::uint64_t commit) {
    delays = true;
    const auto shipped = home.ship("", commit);
    BOOST_REQUIRE(!shipped.has_value());
    BOOST_TEST((shipped.error().code == ErrorCode::io_error));
    BOOST_TEST(!home.is_owner());
  }

  test::S3Stub stub;
  std::atomic<bool> delays = false;
  std::string delayed;  // ends the names of the objects whose writes it keeps
  std::mutex mutex;
  std::vector<HttpRequest> late;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(late_requests, LateHome)

BOOST_AUTO_TEST_CASE(a_commit_that_arrives_before_the_next_owner_is_there_once) {
  const auto home = open();
  must(home->ship("", 1));
  ship_late(*home, 2);
  BOOST_TEST(arrive() == 1U);
  const auto next = open();
  must(next->ship("", 3));
  BOOST_TEST(commits() == (Numbers{1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_commit_that_arrives_after_the_next_owner_does_not_happen) {
  const auto home = open();
  must(home->ship("", 1));
  ship_late(*home, 2);
  delays = false;
  const auto next = open();
  must(next->ship("", 2));
  BOOST_TEST(arrive() == 0U);
  must(next->ship("", 3));
  BOOST_TEST(commits() == (Numbers{1, 2, 3}), boost::test_tools::per_element());
  const auto last = open();
  must(last->ship("", 4));
  BOOST_TEST(commits() == (Numbers{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_release_that_arrives_after_the_next_owner_does_not_happen) {
  const auto home = open();
  must(home->ship("", 1));
  delays = true;
  BOOST_TEST(!home->release());
  delays = false;
  const auto next = open();
  BOOST_TEST(arrive() == 0U);
  must(next->ship("", 2));
  BOOST_TEST(!must(Home::history(address, patience)).owner.empty());
}

// Its head arrives late, and so it lets go of no commit.
BOOST_AUTO_TEST_CASE(a_checkpoint_that_arrives_after_the_next_owner_erases_nothing) {
  const auto home = open();
  for (const std::uint64_t commit : {1U, 2U}) must(home->ship("", commit));
  delayed = "/head";
  delays = true;
  BOOST_TEST(!home->checkpoint({1, 2}, 2, {}));
  delays = false;
  const auto next = open();
  BOOST_TEST(arrive() == 0U);
  must(next->ship("", 3));
  BOOST_TEST(commits() == (Numbers{1, 2, 3}), boost::test_tools::per_element());
}

// The head then names an owner that is gone, and the one before commits until the next one has ended its epoch.
BOOST_AUTO_TEST_CASE(a_takeover_that_arrives_late_takes_no_commit) {
  const auto home = open();
  must(home->ship("", 1));
  delayed = "/head";
  delays = true;
  BOOST_TEST(!Home::open(address, {}, patience));
  delays = false;
  must(home->ship("", 2));
  BOOST_TEST(arrive() == 1U);
  must(home->ship("", 3));
  const auto next = open();
  BOOST_TEST(!home->ship("", 4));
  must(next->ship("", 4));
  BOOST_TEST(commits() == (Numbers{1, 2, 3, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
