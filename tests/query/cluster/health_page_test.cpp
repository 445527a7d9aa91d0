// The health page of a node among clients that send nothing.
#include "query/cluster/health_page.hpp"

#include "tests/query/bolt/socket_client.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::test;
using query::cluster::ask_health;
using query::cluster::Health;
using query::cluster::HealthPage;

namespace {

struct PageFixture {
  std::atomic<bool> is_serving = true;
  std::unique_ptr<HealthPage> page = must(HealthPage::open(
      {"127.0.0.1", 0}, [this] { return HealthPage::Content{is_serving.load(), "{}\n"}; }));

  [[nodiscard]] Health ask(std::chrono::milliseconds time) const {
    return ask_health(page->address().text(), time);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(health_page, PageFixture)

BOOST_AUTO_TEST_CASE(it_says_whether_the_node_serves) {
  using namespace std::chrono_literals;
  BOOST_TEST((ask(2s) == Health::alive));
  is_serving = false;
  BOOST_TEST((ask(2s) == Health::gone));
  page->close();
  BOOST_TEST((ask(200ms) != Health::alive));
}

BOOST_AUTO_TEST_CASE(clients_that_send_nothing_delay_nobody) {
  using namespace std::chrono_literals;
  std::vector<SocketClient> idle;
  // More than the page keeps, so that the oldest have to go.
  for (int i = 0; i < 200; ++i) idle.emplace_back(page->address());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) BOOST_TEST((ask(2s) == Health::alive));
  BOOST_TEST((std::chrono::steady_clock::now() - begin < 2s));
  // Each of them is let go at last.
  BOOST_TEST(idle.back().is_ended_within(5s));
}

BOOST_AUTO_TEST_CASE(it_ends_while_clients_wait) {
  const SocketClient idle(page->address());
  const auto begin = std::chrono::steady_clock::now();
  page->close();
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(1)));
}

BOOST_AUTO_TEST_SUITE_END()
