// Records of a group in their order: as neighbours that propagate scores, and as passages around hits.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace cairn::test {

BOOST_FIXTURE_TEST_SUITE(order_in_groups, Turns)

BOOST_AUTO_TEST_CASE(a_hit_propagates_to_the_records_next_to_it) {
  options.features.hops = 1;
  BOOST_TEST(scores("tea") == "x3 1; y1 1; x2 0.5; y2 0.5; x4 0.5");
  options.features.hops = 2;
  options.filter = Filter::where("conversation", FilterOperator::equals, "y");
  BOOST_TEST(scores("tea") == "y1 1; y2 0.5; y3 0.25");
}

BOOST_AUTO_TEST_CASE(relationships_are_followed_in_place_of_the_order) {
  add("MATCH (a {name: 'x3'}), (b {name: 'x5'}) CREATE (a)-[:NEXT]->(b)");
  options.features.hops = 1;
  BOOST_TEST(scores("tea") == "x3 1; y1 1; x5 0.5");
  // Named types mean that nothing else is followed.
  options.features.relationship_types = {"OTHER"};
  BOOST_TEST(scores("tea") == "x3 1; y1 1");
}

BOOST_AUTO_TEST_CASE(an_empty_list_turns_the_order_off) {
  options.features.order_properties.clear();
  BOOST_TEST(scores("tea") == "x3 1; y1 1");
}

BOOST_AUTO_TEST_CASE(without_an_order_property_the_order_is_that_of_creation) {
  add("MATCH (m:Memory) REMOVE m.turn");
  options.features.hops = 1;
  BOOST_TEST(scores("tea") == "x3 1; y1 1; y3 0.5; x1 0.5; y5 0.5");
}

BOOST_AUTO_TEST_CASE(a_filter_hides_neighbours) {
  options.features.hops = 1;
  options.filter = Filter::where("turn", FilterOperator::not_equals, 2);
  BOOST_TEST(scores("tea") == "x3 1; y1 1; y3 0.5; x1 0.5; x4 0.5");
}

BOOST_AUTO_TEST_CASE(a_passage_has_the_records_around_its_hit_in_order) {
  options.features.propagation_weight = 0;
  options.context = 1;
  BOOST_TEST(passages("tea") == "x3: x2 x3 x4; y1: y1 y2");
  options.context = 9;
  BOOST_TEST(passages("tea") == "x3: x1 x2 x3 x4 x5; y1: y1 y2 y3 y4 y5");
  options.filter = Filter::where("turn", FilterOperator::not_equals, 4);
  BOOST_TEST(passages("tea") == "x3: x1 x2 x3 x5; y1: y1 y2 y3 y5");
}

BOOST_AUTO_TEST_CASE(no_record_is_in_two_passages) {
  options.context = 1;
  add("MATCH (m {name: 'x4'}) SET m.content = 'tea'");
  std::set<std::uint64_t> seen;
  std::size_t count = 0;
  for (const Hit& hit : hits("tea")) {
    BOOST_TEST(std::count(hit.passage.begin(), hit.passage.end(), hit.id) == 1);
    BOOST_TEST(hit.passage.size() <= 3U);
    seen.insert(hit.passage.begin(), hit.passage.end());
    count += hit.passage.size();
  }
  BOOST_TEST(seen.size() == count);
}

BOOST_AUTO_TEST_CASE(the_limit_counts_passages) {
  options.features.propagation_weight = 0;
  options.context = 1;
  add("MATCH (m {name: 'x4'}) SET m.content = 'tea tea'");
  options.limit = 2;
  const auto found = hits("tea");
  BOOST_TEST_REQUIRE(found.size() == 2U);
  options.context = 0;
  options.limit = 3;
  BOOST_TEST(hits("tea").size() == 3U);  // x3 is in the passage of x4, or x4 in that of x3
}

BOOST_AUTO_TEST_CASE(a_record_without_a_group_takes_its_neighbours) {
  options.features.propagation_weight = 0;
  add("CREATE (:Memory {name: 'p', content: 'rain'})-[:NEXT]->(:Memory {name: 'q', content: 'wet'})"
      "-[:NEXT]->(:Memory {name: 'r', content: 'dry'})");
  options.context = 1;
  BOOST_TEST(passages("rain") == "p: p q");
  options.context = 2;
  BOOST_TEST(passages("rain") == "p: p q r");
  options.features.relationship_types = {"OTHER"};
  BOOST_TEST(passages("rain") == "p: p");
}

// Hits inside passages are left out after diversity has chosen, not before.
BOOST_AUTO_TEST_CASE(diversity_leaves_enough_hits_for_the_passages) {
  options.features = no_features();
  add("UNWIND range(1, 40) AS i CREATE (:Memory {name: 'p' + i, conversation: 'p' + (i / 4), turn: "
      "i, content: 'plan holiday'})");
  options.context = 1;
  options.limit = 5;
  BOOST_TEST(hits("plan").size() == 5U);
  options.features.diversity = 0.5;
  BOOST_TEST(hits("plan").size() == 5U);
}

BOOST_AUTO_TEST_CASE(times_are_ordered_as_instants) {
  add("CREATE (:Memory {name: 'b', conversation: 't', time: '2024-01-01T08:30:00Z', content: "
      "'rain'}), (:Memory {name: 'c', conversation: 't', time: '2024-01-01T09:00:00Z', content: "
      "'wet'}), (:Memory {name: 'a', conversation: 't', time: '2024-01-01T10:00:00+02:00', "
      "content: 'dry'})");
  options.context = 2;
  BOOST_TEST(passages("rain") == "b: a b c");
}

BOOST_AUTO_TEST_CASE(a_group_has_the_records_that_lack_the_same_properties) {
  add("CREATE (:Memory {name: 's', conversation: 'x', session: 1, turn: 0, content: 'rain'}), "
      "(:Memory {name: 'u', conversation: 'x', session: 1, turn: 9, content: 'wet'})");
  options.context = 9;
  BOOST_TEST(passages("rain") == "s: s u");
  options.features.propagation_weight = 0;
  BOOST_TEST(passages("green") == "x3: x1 x2 x3 x4 x5");
}

BOOST_AUTO_TEST_CASE(an_order_in_memory_follows_changes) {
  options.features.propagation_weight = 0;
  options.context = 1;
  add("CALL db.warm(['turn'])");
  BOOST_TEST(passages("tea") == "x3: x2 x3 x4; y1: y1 y2");
  add("MATCH (m {name: 'x4'}) SET m.turn = 9");
  BOOST_TEST(passages("tea") == "x3: x2 x3 x5; y1: y1 y2");
}

// Each recall reads the order of all records of a group, so after a few of them it is worth memory.
BOOST_AUTO_TEST_CASE(recalls_of_large_groups_bring_their_order_into_memory) {
  add("UNWIND range(1, 2000) AS i CREATE (:Memory {conversation: 'z', turn: -i, content: CASE i "
      "WHEN 7 THEN 'rain' ELSE 'well' END})");
  const auto is_in_memory = [&] {
    return result_of(*database, "CALL db.segments() YIELD name WHERE name = 'turn' RETURN name") !=
           "";
  };
  BOOST_TEST(!is_in_memory());
  for (int i = 0; i < 500 && !is_in_memory(); ++i) BOOST_TEST(!hits("rain").empty());
  BOOST_TEST(is_in_memory());
}

BOOST_AUTO_TEST_CASE(a_context_has_a_limit) {
  options.context = 1'001;
  BOOST_TEST(error("tea").message == "the context of recall must be at most 1000, got 1001");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

// Forty records of five chats, under names that no list has.
struct OtherNames : Recalling {
  OtherNames() {
    add("UNWIND range(0, 39) AS i CREATE (:Memory {name: 'm' + i, chat: 'c' + (i / 8), voice: "
        "CASE i % 2 WHEN 0 THEN 'Ada' ELSE 'Bob' END, line: i, kind: 'message', content: CASE i "
        "WHEN 10 THEN 'tea' ELSE 'well ' + i END})");
  }
  std::string described(const std::string& given = "") {
    return result_of(*database, "CALL db.recall.describe(" + given +
                                    ") YIELD part, properties, found WHERE part IN ['groups', "
                                    "'order', 'authors'] RETURN part, properties, found");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(roles_of_properties, OtherNames)

BOOST_AUTO_TEST_CASE(groups_and_authors_are_found_by_their_values) {
  BOOST_TEST(described() ==
             "'groups' | ['chat'] | 'values'; 'order' | [] | 'missing'; "
             "'authors' | ['voice'] | 'values'");
  options.features.propagation_weight = 0.5;
  options.features.hops = 1;
  BOOST_TEST(scores("tea") == "m10 1; m9 0.5; m11 0.5");
  options.features.author_weight = 0.4;
  const auto found = hits("the tea of Ada");
  BOOST_TEST_REQUIRE(!found.empty());
  BOOST_TEST(name(found[0].id) == "m10");
  BOOST_TEST(parts_of(found[0]).named == 1.4);
}

// A show has several acts, whichever property was written first. Each is a level of groups.
BOOST_AUTO_TEST_CASE(broader_groups_come_first) {
  add("MATCH (m:Memory) DELETE m");
  add("UNWIND range(0, 99) AS i CREATE (:Memory {content: 'x', act: i / 5})");
  add("MATCH (m:Memory) SET m.show = 's' + (m.act / 4)");
  BOOST_TEST(described().starts_with("'groups' | ['show', 'act'] | 'values'"), described());
}

BOOST_AUTO_TEST_CASE(known_names_and_the_caller_come_before_values) {
  BOOST_TEST(described("{group_properties: ['line'], order_properties: ['line']}") ==
             "'groups' | ['line'] | 'options'; 'order' | ['line'] | 'options'; "
             "'authors' | ['voice'] | 'values'");
  BOOST_TEST(described("{author_properties: []}") ==
             "'groups' | ['chat'] | 'values'; 'order' | [] | 'missing'; 'authors' | [] | "
             "'options'");
  add("MATCH (m {name: 'm0'}) SET m.session = 1, m.turn = 1");
  BOOST_TEST(described() ==
             "'groups' | ['session'] | 'names'; 'order' | ['turn'] | 'names'; "
             "'authors' | ['voice'] | 'values'");
}

// Another tenant's names and values decide nothing.
BOOST_AUTO_TEST_CASE(parts_are_those_of_the_visible_records) {
  const std::string before = described();
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database,
                    "UNWIND range(1, 50) AS i CREATE (:Memory {session: i, speaker: 'Eve', "
                    "content: 'x'})",
                    {}, other))
           .all());
  BOOST_TEST(described() == before);
}

// The sample is taken among the own records, whatever is between them.
BOOST_AUTO_TEST_CASE(ids_and_properties_of_others_change_no_part) {
  StatementOptions other;
  other.name_space = "other";
  const auto add_other = [&](const std::string& text) {
    must(must(execute(*database, text, {}, other)).all());
  };
  add("MATCH (m:Memory) DELETE m");
  std::string wide = "CREATE (:X {";
  for (int i = 0; i < 70; ++i) wide += (i > 0 ? ", p" : "p") + std::to_string(i) + ": 1";
  add_other(wide + "})");
  add_other("UNWIND range(1, 20000) AS i CREATE (:Y)");
  const auto part = [&](const std::string& range) {
    add("UNWIND range(" + range +
        ") AS i CREATE (:Memory {room: 'c' + (i / 8), who: CASE i % 2 WHEN 0 THEN 'Ada' ELSE 'Bob' "
        "END, content: 'well ' + i})");
  };
  part("0, 79");
  add_other("UNWIND range(1, 70000) AS i CREATE (:Y)");
  part("80, 99");
  BOOST_TEST(described() ==
             "'groups' | ['room'] | 'values'; 'order' | [] | 'missing'; "
             "'authors' | ['who'] | 'values'");
}

BOOST_AUTO_TEST_CASE(constants_and_single_values_are_no_groups) {
  add("MATCH (m:Memory) REMOVE m.chat, m.voice SET m.lang = 'en', m.ticket = CASE m.line % 2 WHEN "
      "0 THEN 't' + m.line END");
  BOOST_TEST(described() ==
             "'groups' | [] | 'missing'; 'order' | [] | 'missing'; 'authors' | [] | 'missing'");
}

BOOST_AUTO_TEST_CASE(a_list_of_unknown_names_is_told) {
  const auto missing =
      result_of(*database,
                "CALL db.recall.describe({group_properties: ['caht']}) YIELD part, found, missing "
                "WHERE part = 'groups' RETURN found, missing IS NULL");
  BOOST_TEST(missing == "'options' | false");
  auto rows = must(execute(*database,
                           "CALL db.recall('tea', {group_properties: ['caht']}) YIELD "
                           "node RETURN count(*)"));
  must(rows.all());
  BOOST_TEST_REQUIRE(!rows.warnings().empty());
  BOOST_TEST(rows.warnings().front().find("caht") != std::string::npos);
  BOOST_TEST(error_of(*database, "CALL db.recall.describe({context: 5000})").message.find("1000") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(few_records_show_nothing) {
  add("MATCH (m:Memory) WHERE m.line > 12 DELETE m");
  BOOST_TEST(described() ==
             "'groups' | [] | 'missing'; 'order' | [] | 'missing'; 'authors' | [] | 'missing'");
}

BOOST_AUTO_TEST_CASE(what_a_question_asks_for_and_no_property_has_is_a_warning) {
  const auto warnings = [&](const std::string& question) {
    auto rows = must(
        execute(*database, "CALL db.recall($q) YIELD node RETURN count(*)", {{"q", question}}));
    must(rows.all());
    std::string all;
    for (const std::string& warning : rows.warnings()) all += warning + "\n";
    return all;
  };
  BOOST_TEST(warnings("Did Carla drink tea?") == "");
  add("MATCH (m:Memory) REMOVE m.voice");
  BOOST_TEST(warnings("Did Carla drink tea?").find("author_properties") != std::string::npos);
  for (const char* question : {"Who drank tea?", "Did we drink tea in May?", "Was the HTTP tea?"})
    BOOST_TEST(warnings(question) == "", question);
  add("MATCH (m:Memory) REMOVE m.chat");
  BOOST_TEST(warnings("Who drank tea?").find("recall used only texts") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(spelling, Recalling)

BOOST_AUTO_TEST_CASE(a_word_that_no_text_has_means_the_nearest_one) {
  add("CREATE (:Memory {name: 'a', content: 'a watercolour of mountains'}), "
      "(:Memory {name: 'b', content: 'the camera'}), (:Memory {name: 'c', content: 'cinemas'})");
  BOOST_TEST(scores("watercoluor") == "a 1");  // two letters exchanged
  BOOST_TEST(scores("waterocluor") == "a 1");  // twice
  BOOST_TEST(scores("camrea") == "b 1");
  BOOST_TEST(scores("cemera") == "b 1");
  BOOST_TEST(scores("cammera") == "b 1");
  BOOST_TEST(scores("camra") == "");    // one edit in a short word
  BOOST_TEST(scores("kamera") == "");   // another first letter
  BOOST_TEST(scores("cimaras") == "");  // two edits in a short word
  options.features.corrects_spelling = false;
  BOOST_TEST(scores("camrea") == "");
}

BOOST_AUTO_TEST_CASE(words_that_a_text_has_and_numbers_are_not_replaced) {
  add("CREATE (:Memory {name: 'a', content: 'a form'}), (:Memory {name: 'b', content: 'from 2021 "
      "forms'}), (:Memory {name: 'c', content: 'farm'})");
  BOOST_TEST(scores("farm") == "c 1");
  BOOST_TEST(scores("2012") == "");
  BOOST_TEST(scores("frm") == "");
}

BOOST_AUTO_TEST_CASE(the_most_common_of_equally_near_words_is_taken) {
  add("CREATE (:Memory {name: 'a', content: 'planter'}), (:Memory {name: 'b', content: "
      "'planner'}), "
      "(:Memory {name: 'c', content: 'the planner'})");
  BOOST_TEST(hits("plancer").size() == 2U);
}

BOOST_AUTO_TEST_CASE(words_of_other_namespaces_are_no_corrections) {
  StatementOptions other;
  other.name_space = "other";
  must(must(execute(*database, "CREATE (:Memory {content: 'camera'})", {}, other)).all());
  add("CREATE (:Memory {name: 'a', content: 'a mountain'})");
  BOOST_TEST(scores("camrea") == "");
  BOOST_TEST(scores("camrea muontain") == "a 1");
}

// Neither the words of others nor those of expired records take the place of a correction.
BOOST_AUTO_TEST_CASE(only_visible_records_decide_what_is_misspelt) {
  add("CREATE (:Memory {name: 'a', content: 'a red kettle'})");
  BOOST_TEST(scores("ketlte") == "a 1");
  add("CREATE (m:Memory {name: 'b', content: 'ketlte'}) SET m@expires_at = "
      "datetime('2020-01-01T00:00:00Z')");
  BOOST_TEST(scores("ketlte") == "a 1");
  StatementOptions other;
  other.name_space = "other";
  std::string words;
  for (const char* end : {"a", "b", "c", "d", "e"})
    for (int i = 1; i < 7; ++i) {
      std::string word = "kettles";
      word.replace(static_cast<std::size_t>(i), 1, end);
      words += word + " ";
    }
  must(must(execute(*database, "CREATE (:Memory {content: $words})", {{"words", words}}, other))
           .all());
  BOOST_TEST(scores("kettlxs") == "a 1");
}

// A corrected word propagates like any other.
BOOST_AUTO_TEST_CASE(a_corrected_word_counts_in_neighbours) {
  add("CREATE (:Memory {name: 'a', content: 'camera'})-[:NEXT]->(:Memory {name: 'b', content: "
      "'well'})");
  options.features.propagation_weight = 0.5;
  BOOST_TEST(scores("camrea") == "a 1; b 0.5");
}

BOOST_AUTO_TEST_CASE(a_misspelt_month_names_its_records) {
  add("CREATE (:Memory {name: 'a', content: 'green tea', time: '2022-09-03'}), (:Memory {name: "
      "'b', "
      "content: 'black tea', time: '2022-05-03'})");
  options.features.date_weight = 1;
  BOOST_TEST(scores("tea in Sepetmber") == "a 2; b 1");
  options.features.corrects_spelling = false;
  BOOST_TEST(scores("tea in Sepetmber") == "a 1; b 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
