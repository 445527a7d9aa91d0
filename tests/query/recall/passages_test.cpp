// Passages around hits: whole groups, and what fits into a number of tokens.

#include "tests/query/recall/support.hpp"

#include <cairn/memory/output.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <stop_token>
#include <string>

namespace cairn::test {

BOOST_FIXTURE_TEST_SUITE(whole_groups, Turns)

BOOST_AUTO_TEST_CASE(a_whole_group_is_a_passage) {
  options.expand = PassageExtent::session;
  BOOST_TEST(passages("tea") == "x3: x1 x2 x3 x4 x5; y1: y1 y2 y3 y4 y5");
  options.filter = Filter::where("turn", FilterOperator::not_equals, 4);
  BOOST_TEST(passages("tea") == "x3: x1 x2 x3 x5; y1: y1 y2 y3 y5");
}

BOOST_AUTO_TEST_CASE(a_whole_group_is_bounded) {
  add("UNWIND range(1, 2100) AS i CREATE (:Memory {name: 'l' + i, conversation: 'l', turn: i, "
      "content: CASE i WHEN 1050 THEN 'rain' ELSE 'well' END})");
  options.expand = PassageExtent::session;
  const auto found = hits("rain");
  BOOST_TEST_REQUIRE(found.size() == 1U);
  BOOST_TEST_REQUIRE(found[0].passage.size() == 2'001U);
  BOOST_TEST(name(found[0].passage.front()) == "l50");
  BOOST_TEST(name(found[0].passage.back()) == "l2050");
}

// All relationships of a record may lead anywhere, so a whole group has those that are named.
BOOST_AUTO_TEST_CASE(a_record_without_a_group_has_what_named_relationships_lead_to) {
  options.features.propagation_weight = 0;
  add("CREATE (p:Memory {name: 'p', content: 'rain'})-[:NEXT]->(:Memory {name: 'q', content: "
      "'wet'})-[:NEXT]->(:Memory {name: 'r', content: 'dry'}), (p)-[:ABOUT]->(:Memory {name: 's', "
      "content: 'sun'})");
  options.expand = PassageExtent::session;
  BOOST_TEST(passages("rain") == "p: p");
  options.features.relationship_types = {"NEXT"};
  BOOST_TEST(passages("rain") == "p: p q r");
}

// Hidden records are no part of a group: those of others, expired ones.
BOOST_AUTO_TEST_CASE(a_whole_group_has_visible_records_alone) {
  add("CREATE (m:Memory {name: 'gone', conversation: 'x', turn: 3, content: 'well'}) SET "
      "m@expires_at = datetime('2020-01-01T00:00:00Z')");
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database,
                    "CREATE (:Memory {name: 'secret', conversation: 'x', turn: 3, content: "
                    "'tea'})",
                    {}, other))
           .all());
  options.expand = PassageExtent::session;
  options.max_tokens = 1'000;
  BOOST_TEST(passages("tea") == "x3: x1 x2 x3 x4 x5; y1: y1 y2 y3 y4 y5");
  statement_options.name_space = "other";
  const auto found = hits("tea");
  BOOST_TEST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].passage.size() == 1U);
  BOOST_TEST(found[0].left_out == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(passages_within_tokens, Turns)

// "green tea" and "black tea" take three tokens each with the end of the line, "well 1" two.
BOOST_AUTO_TEST_CASE(the_best_hits_and_what_is_next_to_them_come_first) {
  options.features.propagation_weight = 0;
  options.context = 9;
  const auto asked = [&](std::size_t tokens) {
    options.max_tokens = tokens;
    std::string all = passages("tea") + ",";
    for (const Hit& hit : hits("tea")) all += " " + std::to_string(hit.left_out);
    return all;
  };
  BOOST_TEST(asked(1'000) == "x3: x1 x2 x3 x4 x5; y1: y1 y2 y3 y4 y5, 0 0");
  BOOST_TEST(asked(13) == "x3: x1 x2 x3 x4 x5; y1:, 0 5");
  BOOST_TEST(asked(14) == "x3: x1 x2 x3 x4 x5; y1: y1, 0 4");
  BOOST_TEST(asked(9) == "x3: x1 x2 x3 x4; y1:, 1 5");
  BOOST_TEST(asked(3) == "x3: x3; y1:, 4 5");
  BOOST_TEST(asked(2) == "x3:; y1:, 5 5");
}

// Each record counts once, as it would in a prompt.
BOOST_AUTO_TEST_CASE(the_texts_of_all_passages_keep_to_the_budget) {
  add("UNWIND range(1, 200) AS i CREATE (:Memory {name: 'l' + i, conversation: 'c' + (i / 40), "
      "turn: i, content: 'plan ' + reduce(t = '', j IN range(0, i % 7) | t + '旅行 holiday ')})");
  options.context = 3;
  options.with_nodes = true;
  for (const std::size_t budget : {50U, 400U, 2'000U}) {
    options.max_tokens = budget;
    std::string prompt;
    std::set<std::uint64_t> seen;
    for (const Hit& hit : hits("plan holiday"))
      for (const Node& node : hit.passage_nodes) {
        BOOST_TEST(seen.insert(node.id().value).second);
        prompt += node.property("content").as_string() + "\n";
      }
    BOOST_TEST(memory::estimate_tokens(prompt) <= budget);
    BOOST_TEST(!prompt.empty());
  }
}

BOOST_AUTO_TEST_CASE(passages_that_adjoin_are_one) {
  options.features.propagation_weight = 0;
  options.context = 1;
  add("MATCH (m {name: 'x1'}) SET m.content = 'tea'");
  options.filter = Filter::where("conversation", FilterOperator::equals, "x");
  BOOST_TEST(passages("tea") == "x1: x1 x2; x3: x3 x4");
  options.max_tokens = 1'000;
  BOOST_TEST(passages("tea") == "x1: x1 x2 x3 x4");
  options.max_tokens = 5;  // "tea" takes one token
  BOOST_TEST(passages("tea") == "x1: x1 x2; x3:");
  options.max_tokens = 6;
  BOOST_TEST(passages("tea") == "x1: x1 x2 x3");
  options.context = 0;
  BOOST_TEST(passages("tea") == "x1: x1; x3: x3");
}

// A record that a better passage has no room for may still be a hit of its own.
BOOST_AUTO_TEST_CASE(a_hit_that_does_not_fit_into_another_passage_stays) {
  options.features.propagation_weight = 0;
  options.expand = PassageExtent::session;
  add("MATCH (m {name: 'x1'}) SET m.content = 'tea'");
  add("MATCH (m {name: 'x2'}) SET m.content = '" + std::string(400, 'w') + "'");
  options.filter = Filter::where("conversation", FilterOperator::equals, "x");
  options.max_tokens = 20;
  BOOST_TEST(passages("tea") == "x1: x1; x3: x3 x4 x5");
  BOOST_TEST(hits("tea").at(0).left_out == 1U);
  BOOST_TEST(hits("tea").at(1).left_out == 0U);
  options.max_tokens = 2;  // x3 is counted where it was left out
  BOOST_TEST(passages("tea") == "x1: x1");
  BOOST_TEST(hits("tea").at(0).left_out == 4U);
}

BOOST_AUTO_TEST_CASE(passages_have_their_records_and_end_at_the_limits) {
  options.expand = PassageExtent::session;
  options.with_nodes = true;
  for (const Hit& hit : hits("tea")) {
    BOOST_TEST_REQUIRE(hit.passage_nodes.size() == hit.passage.size());
    for (std::size_t i = 0; i < hit.passage.size(); ++i)
      BOOST_TEST(hit.passage_nodes[i].id().value == hit.passage[i]);
  }
  add("UNWIND range(1, 1000) AS i CREATE (:Memory {name: 'l' + i, conversation: 'l', turn: i, "
      "content: CASE i WHEN 500 THEN 'rain' ELSE '" +
      std::string(4'000, 'w') + "' END})");
  BOOST_TEST(hits("rain").at(0).passage_nodes.size() == 1'000U);
  statement_options.memory_bytes = std::size_t{2} << 20;
  BOOST_TEST((error("rain").code == ErrorCode::resource_limit));
  std::stop_source source;
  source.request_stop();
  statement_options = {};
  statement_options.cancel = source.get_token();
  BOOST_TEST((error("rain").code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
