// Nodes of a cluster that behave: who serves what, and how a home goes from one to the other.
#include "tests/support/graph_builder.hpp"
#include "tests/tools/cluster/node_process.hpp"

#include <cairn/home.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <string>

using namespace cairn;
using namespace cairn::test;

namespace {

using Clock = std::chrono::steady_clock;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string health_of(const NodeProcess& node) {
  SocketClient client(node.health());
  client.send("GET /health HTTP/1.1\r\nHost: node\r\n\r\n");
  return client.receive(4'096);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cluster, ClusterFixture)

BOOST_AUTO_TEST_CASE(one_node_serves_a_home_for_each_tenant_and_releases_them_at_its_end) {
  NodeProcess one = node("one");
  {
    NodeClient client(one.bolt(), secret);
    for (const char* name : {"acme", "acme/team", "other"})
      BOOST_TEST(client.run("CREATE (n:A {x: 1}) RETURN n.x", name).value_or("lost") == "[1]");
    // Namespaces of one tenant share its home.
    BOOST_TEST(client.run("MATCH (n:A) RETURN count(n)", "acme").value_or("lost") == "[1]");
    BOOST_TEST(client.run("MATCH (n:A) RETURN count(n)", "third").value_or("lost") == "[0]");
    BOOST_TEST(client.route("acme") == one.bolt().port);
  }
  const std::string health = health_of(one);
  BOOST_TEST(has(health, "HTTP/1.1 200 OK"));
  BOOST_TEST(has(health, "\"open_homes\": 3"));
  BOOST_TEST(has(must(home_history(store + "#acme")).owner, "process"));
  one.signal(SIGTERM);
  BOOST_TEST(one.end() == 0);
  for (const char* tenant : {"#acme", "#other", "#third"}) {
    const HomeHistory history = must(home_history(store + tenant));
    BOOST_TEST(history.owner.empty(), tenant);
  }
  BOOST_TEST(must(home_history(store + "#acme")).states.back().commit == 2U);
}

BOOST_AUTO_TEST_CASE(any_node_names_the_owner_and_a_release_is_taken_over_at_once) {
  NodeProcess one = node("one");
  NodeProcess two = node("two");
  NodeClient at_two(two.bolt(), secret);
  {
    NodeClient at_one(one.bolt(), secret);
    BOOST_TEST(at_one.run("CREATE (:A)", "acme").value_or("lost").empty());
    BOOST_TEST(at_one.route("acme") == one.bolt().port);
  }
  BOOST_TEST(at_two.route("acme") == one.bolt().port);
  const std::string refused = at_two.run("CREATE (:A)", "acme").value_or("lost");
  BOOST_TEST(has(refused, "Neo.ClientError.Cluster.NotALeader"));
  BOOST_TEST(has(refused, one.bolt().text()));
  one.signal(SIGTERM);
  BOOST_TEST(one.end() == 0);
  const auto begin = Clock::now();
  BOOST_TEST(at_two.route("acme") == two.bolt().port);
  BOOST_TEST(at_two.run("CREATE (:A)", "acme").value_or("lost").empty());
  const std::chrono::duration<double> time = Clock::now() - begin;
  BOOST_TEST_MESSAGE("taken over after a release in " << time.count() << " s");
  BOOST_TEST(at_two.run("MATCH (n:A) RETURN count(n)", "acme").value_or("lost") == "[2]");
}

BOOST_AUTO_TEST_CASE(a_request_that_a_killed_node_committed_is_answered_by_the_next_one) {
  NodeProcess one = node("one");
  NodeProcess two = node("two");
  const std::string text = "CREATE (n:A {x: 1}) RETURN n.x";
  {
    NodeClient client(one.bolt(), secret);
    BOOST_TEST(client.run(text, "acme", "r1").value_or("lost") == "[1]");
  }
  one.signal(SIGKILL);
  one.end();
  NodeClient client(two.bolt(), secret);
  BOOST_TEST(client.run(text, "acme", "r1").value_or("lost") == "[1]");
  BOOST_TEST(client.run("MATCH (n:A) RETURN count(n)", "acme").value_or("lost") == "[1]");
  BOOST_TEST(client.run(text, "acme", "r2").value_or("lost") == "[1]");
  BOOST_TEST(client.run("MATCH (n:A) RETURN count(n)", "acme").value_or("lost") == "[2]");
}

BOOST_AUTO_TEST_CASE(a_token_that_is_made_or_revoked_later_counts_at_all_nodes) {
  NodeProcess one = node("one");
  const std::string program = CAIRN_PROGRAM;
  std::string later =
      output_of(program + " token create " + store + " later --home acme --role write 2>/dev/null");
  BOOST_REQUIRE(!later.empty());
  later.pop_back();
  NodeClient client(one.bolt(), later);
  BOOST_TEST(client.run("CREATE (:A)", "acme").value_or("lost").empty());
  BOOST_TEST(has(client.run("CREATE (:A)", "other").value_or("lost"), "Security.Forbidden"));
  BOOST_TEST(has(output_of(program + " token list " + store), "later"));
  static_cast<void>(output_of(program + " token revoke " + store + " later 2>&1"));
  bool is_ended = false;
  const auto end = Clock::now() + std::chrono::seconds(10);
  while (!is_ended && Clock::now() < end) is_ended = !client.run("RETURN 1", "acme");
  BOOST_TEST(is_ended);
}

BOOST_AUTO_TEST_SUITE_END()
