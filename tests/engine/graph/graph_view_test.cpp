#include "engine/graph/graph_view.hpp"

#include "engine/database/access.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using codec::EntityKind;
using engine::Adjacent;
using engine::Direction;
using engine::View;
using engine::Visibility;
using test::GraphBuilder;
using test::must;
using test::TemporaryDatabase;

namespace {

std::vector<std::uint64_t> others(const View& view, NodeId node, Direction direction,
                                  std::vector<std::uint32_t> types = {}) {
  std::vector<Adjacent> found;
  must(view.expand(node.value, direction, types, found));
  std::vector<std::uint64_t> ids;
  for (const Adjacent& step : found) ids.push_back(step.other);
  return ids;
}

std::vector<std::uint64_t> ids(std::initializer_list<NodeId> nodes) {
  std::vector<std::uint64_t> result;
  for (const NodeId node : nodes) result.push_back(node.value);
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(graph_view)

BOOST_AUTO_TEST_CASE(expanding_follows_direction_and_type) {
  auto graph = GraphBuilder().node("a", "A").node("b", "A").node("c", "A");
  graph.relate("a", "R", "b").relate("a", "S", "c").relate("c", "R", "a");
  const auto db = graph.open_temporary();
  const Snapshot snapshot = must((*db)->snapshot());
  const auto view = Access::view(snapshot);
  const auto [a, b, c] = std::tuple(graph.id("a"), graph.id("b"), graph.id("c"));
  const std::uint32_t r = *view->catalog().find_type("R");

  BOOST_TEST(others(*view, a, Direction::outgoing) == ids({b, c}));
  BOOST_TEST(others(*view, a, Direction::incoming) == ids({c}));
  BOOST_TEST(others(*view, a, Direction::both) == ids({b, c, c}));
  BOOST_TEST(others(*view, a, Direction::both, {r, r}) == ids({b, c}));
  std::vector<Adjacent> between;
  must(view->expand_into(a.value, c.value, Direction::both, {}, between));
  BOOST_TEST(between.size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_loop_comes_once_and_as_outgoing) {
  auto graph = GraphBuilder().node("a", "A").relate("a", "R", "a");
  const auto db = graph.open_temporary();
  const Snapshot snapshot = must((*db)->snapshot());
  for (const Direction direction : {Direction::outgoing, Direction::incoming, Direction::both}) {
    std::vector<Adjacent> found;
    must(Access::view(snapshot)->expand(graph.id("a").value, direction, {}, found));
    BOOST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].outgoing);
  }
}

BOOST_AUTO_TEST_CASE(a_transaction_expands_over_its_own_changes) {
  auto graph = GraphBuilder().node("a", "A").node("b", "A").node("c", "A").relate("a", "R", "b");
  const auto db = graph.open_temporary();
  Transaction transaction = must((*db)->begin());
  must(transaction.create_relationship({graph.id("a"), "R", graph.id("c"), {}}));
  const View& view = Access::view(transaction);
  BOOST_TEST(others(view, graph.id("a"), Direction::outgoing) ==
             ids({graph.id("b"), graph.id("c")}));
  must(transaction.erase_relationship(RelationshipId{1}));
  BOOST_TEST(others(view, graph.id("a"), Direction::outgoing) == ids({graph.id("c")}));
  BOOST_TEST(others(view, graph.id("b"), Direction::incoming).empty());
}

BOOST_AUTO_TEST_CASE(hidden_records_leave_the_visible_set) {
  auto graph = GraphBuilder().node("a", "A").node("b", "A").node("c", "A");
  const auto db = graph.open_temporary();
  const auto visible = [&](const View& view, std::int64_t now) {
    return must(view.visible(EntityKind::node, {0, now})).to_vector();
  };
  const auto [a, b, c] = std::tuple(graph.id("a"), graph.id("b"), graph.id("c"));
  {
    const Snapshot snapshot = must((*db)->snapshot());
    BOOST_TEST(must(Access::view(snapshot)->all_visible(EntityKind::node, {0, 5})));
  }
  Transaction transaction = must((*db)->begin());
  must(Access::writer(transaction)->set_deleted(EntityKind::node, a.value, 1));
  must(Access::writer(transaction)->set_expiry(EntityKind::node, b.value, 100));
  must(Access::writer(transaction)->use_place({.name_space = "tenant"}));
  const NodeId foreign = must(transaction.create_node({{"A"}, {}, "a"}));
  BOOST_TEST(visible(Access::view(transaction), 99) == ids({b, c}));
  must(transaction.commit());

  const Snapshot snapshot = must((*db)->snapshot());
  const auto view = Access::view(snapshot);
  BOOST_TEST(visible(*view, 99) == ids({b, c}));
  BOOST_TEST(visible(*view, 100) == ids({c}));
  BOOST_TEST(!must(view->all_visible(EntityKind::node, {0, 99})));
  const std::uint32_t tenant = *view->catalog().find_name_space("tenant");
  BOOST_TEST(must(view->visible(EntityKind::node, {tenant, 99})).to_vector() == ids({foreign}));
  BOOST_TEST(*must(view->find_external(tenant, "a")) == foreign.value);
  BOOST_TEST(*must(view->find_external(0, "a")) == a.value);
  BOOST_TEST((foreign.value >> 12) != (a.value >> 12));  // another block of ids

  Transaction back = must((*db)->begin());
  must(Access::writer(back)->set_deleted(EntityKind::node, a.value, std::nullopt));
  must(Access::writer(back)->set_expiry(EntityKind::node, b.value, std::nullopt));
  must(back.commit());
  const Snapshot later = must((*db)->snapshot());
  BOOST_TEST(visible(*Access::view(later), 1'000) == ids({a, b, c}));
  BOOST_TEST(must((*db)->check()).empty());
}

BOOST_AUTO_TEST_CASE(one_property_of_many_nodes_comes_in_order) {
  auto graph =
      GraphBuilder().node("a", "A", {{"x", 1}}).node("b", "A").node("c", "A", {{"x", "t"}});
  const auto db = graph.open_temporary();
  Transaction transaction = must((*db)->begin());
  must(transaction.set_property(graph.id("b"), "x", std::string(3'000, 'b')));
  const View& view = Access::view(transaction);
  const std::uint32_t key = *view.catalog().find_property("x");
  const auto asked = ids({graph.id("c"), graph.id("b"), NodeId{999}, graph.id("a")});
  const auto values = must(view.properties(EntityKind::node, asked, key));
  BOOST_TEST((values ==
              std::vector<Value>{Value("t"), Value(std::string(3'000, 'b')), Value(), Value(1)}));
}

BOOST_AUTO_TEST_CASE(indexes_are_described_named_ones_first) {
  auto graph = GraphBuilder().node("a", "A", {{"x", 1}, {"y", 2}});
  const auto db = graph.open_temporary();
  Transaction transaction = must((*db)->begin());
  engine::IndexRequest request;
  request.labels_or_types = {"A"};
  request.properties = {"x"};
  must(Access::writer(transaction)->create_index(request));
  must(transaction.commit());
  const auto indexes = must(must((*db)->snapshot()).indexes());
  BOOST_REQUIRE(indexes.size() == 2u);
  BOOST_TEST(indexes[0].name == "index_A_x");
  BOOST_TEST(indexes[0].entries == 1u);
  BOOST_TEST(indexes[1].name == "node.y");

  Transaction again = must((*db)->begin());
  const auto twice = Access::writer(again)->create_index(request);
  BOOST_REQUIRE(!twice);
  BOOST_TEST((twice.error().code == ErrorCode::already_exists));
  const auto unknown = Access::writer(again)->drop_index("index_A_y");
  BOOST_REQUIRE(!unknown);
  BOOST_TEST(unknown.error().message.find("index_A_x") != std::string::npos);
  must(Access::writer(again)->drop_index("index_A_x"));
  must(again.commit());
  BOOST_TEST(must(must((*db)->snapshot()).indexes()).size() == 2u);  // both automatic again
}

BOOST_AUTO_TEST_SUITE_END()
