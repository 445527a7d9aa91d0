// Tests each feature of recall by itself, on graphs that are small enough to add up scores by hand. Texts of equal
// length with a word equally often have the same text score, 1, because each of them is the best.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace cairn::test {
namespace {

// a -> b -> c -> d, where a and, in some cases, others speak of tea.
struct Chain : Recalling {
  Chain() {
    add("CREATE (a:Memory {name: 'a', content: 'green tea', keep: true})-[:NEXT {w: 1}]->"
        "(b:Memory {name: 'b', content: 'well'})-[:NEXT {w: 2}]->"
        "(c:Memory {name: 'c', content: 'indeed', keep: true})-[:NEXT {w: 3}]->"
        "(d:Memory {name: 'd', content: 'goodbye', keep: true})");
    options.features.propagation_weight = 0.5;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(propagation, Chain)

BOOST_AUTO_TEST_CASE(a_hit_lifts_what_is_near_it_by_a_share_for_each_step) {
  BOOST_TEST(scores("tea") == "a 1; b 0.5; c 0.25");
  options.features.hops = 1;
  BOOST_TEST(scores("tea") == "a 1; b 0.5");
  options.features.hops = 9;
  BOOST_TEST(scores("tea") == "a 1; b 0.5; c 0.25; d 0.125");
  options.features.propagation_weight = 0;
  BOOST_TEST(scores("tea") == "a 1");
}

BOOST_AUTO_TEST_CASE(a_word_that_comes_from_several_sides_counts_once) {
  add("MATCH (c {name: 'c'}) SET c.content = 'black tea'");
  // a and c have the word themselves; b is next to both, d next to c.
  BOOST_TEST(scores("tea") == "a 1; c 1; b 0.5; d 0.5");
}

// BM25 of two words that equally many records have: half of the text for each.
BOOST_AUTO_TEST_CASE(words_that_stand_in_different_records_come_together_between_them) {
  add("MATCH (c {name: 'c'}) SET c.content = 'black cup'");
  BOOST_TEST(scores("a cup of tea") == "a 1.25; c 1.25; b 1; d 0.5");
  add("MATCH (b {name: 'b'}) SET b.content = 'tea cup'");
  const auto found = hits("a cup of tea");
  BOOST_TEST_REQUIRE(found.size() == 4U);
  BOOST_TEST(name(found[0].id) == "b");  // has all that its neighbours could give
  BOOST_TEST(parts_of(found[0]).propagation == 0);
}

// There are 3,660 records within two steps of a hit. Their scores for 32 words each take 1.3 MB, in addition to the 1.2
// MB of the hits.
BOOST_AUTO_TEST_CASE(scores_by_word_count_towards_the_memory_limit) {
  add("MATCH (a {name: 'a'}) UNWIND range(1, 60) AS i CREATE (a)-[:NEXT]->(b:Memory {name: 'n' + "
      "i, "
      "content: 'lid'}) WITH b UNWIND range(1, 60) AS i CREATE (b)-[:NEXT]->(:Memory {name: 'm', "
      "content: 'lid'})");
  std::string question = "tea";
  for (int i = 0; i < 40; ++i) question += " word" + std::to_string(i);
  statement_options.memory_bytes = std::size_t{64} << 20;
  BOOST_TEST(hits(question).size() > 1U);
  statement_options.memory_bytes = 1'800'000;
  BOOST_TEST((error(question).code == ErrorCode::resource_limit));
  options.features.propagation_weight = 0;
  BOOST_TEST(hits(question).size() == 1U);
}

BOOST_AUTO_TEST_CASE(several_ways_to_a_record_count_once_and_the_shortest_counts) {
  add("MATCH (a {name: 'a'}), (b {name: 'b'}), (c {name: 'c'}) CREATE (a)-[:NEXT]->(b), "
      "(a)-[:NEXT]->(a), (c)-[:NEXT]->(a)");
  BOOST_TEST(scores("tea") == "a 1; b 0.5; c 0.5; d 0.25");
}

BOOST_AUTO_TEST_CASE(only_the_types_that_are_asked_for_are_gone_along) {
  add("MATCH (a {name: 'a'}), (d {name: 'd'}) CREATE (a)-[:LIKES]->(d)");
  options.features.relationship_types = {"LIKES", "LIKES"};
  BOOST_TEST(scores("tea") == "a 1; d 0.5");
  options.features.relationship_types = {"NOT_THERE"};
  BOOST_TEST(scores("tea") == "a 1");
}

BOOST_AUTO_TEST_CASE(the_filter_binds_what_is_reached_and_the_way_to_it) {
  options.filter = Filter::where("keep", FilterOperator::equals, true);
  BOOST_TEST(scores("tea") == "a 1");
  add("MATCH (a {name: 'a'}), (d {name: 'd'}) CREATE (a)<-[:NEXT]-(d)");
  BOOST_TEST(scores("tea") == "a 1; d 0.5; c 0.25");
}

BOOST_AUTO_TEST_CASE(only_records_of_the_index_are_reached) {
  add("MATCH (a {name: 'a'}) CREATE (a)-[:NEXT]->(:Other {name: 'x', content: 'tea'})");
  BOOST_TEST(scores("tea") == "a 1; b 0.5; c 0.25");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_seen_neither_lifts_nor_leads_anywhere) {
  const auto edge = std::stoll(result_of(*database, "MATCH ()-[r {w: 2}]->() RETURN id(r)"));
  Transaction transaction = must(database->begin());
  must(transaction.set_expiry(RelationshipId{static_cast<std::uint64_t>(edge)}, 5));
  must(transaction.commit());
  statement_options.now = 6;
  BOOST_TEST(scores("tea") == "a 1; b 0.5");
  statement_options.now = 4;
  BOOST_TEST(scores("tea") == "a 1; b 0.5; c 0.25");
}

BOOST_AUTO_TEST_CASE(a_record_with_very_many_neighbours_lifts_none) {
  add("MATCH (a {name: 'a'}) UNWIND range(1, 64) AS i "
      "CREATE (a)-[:NEXT]->(:Memory {name: 'x', content: 'x'})");
  BOOST_TEST(scores("tea") == "a 1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(groups, Recalling)

BOOST_AUTO_TEST_CASE(a_record_gains_by_the_best_text_of_its_group) {
  options.features.group_weight = 0.5;
  options.features.date_weight = 1;  // makes b the best text of all
  add("CREATE (:Memory {name: 'a', content: 'red tea', session: 1}), "
      "(:Memory {name: 'b', content: 'hot tea', session: 2, time: '2023-05-01'}), "
      "(:Memory {name: 'c', content: 'old tea', session: 2}), "
      "(:Memory {name: 'd', content: 'new tea'})");
  // Session 2 is worth 2, the best; session 1 half of that; d is of none.
  BOOST_TEST(scores("tea in 2023") == "b 2.5; c 1.5; a 1.25; d 1");
  options.features.group_properties = {"not there"};
  BOOST_TEST(scores("tea in 2023") == "b 2; a 1; c 1; d 1");
}

BOOST_AUTO_TEST_CASE(all_properties_together_name_the_group) {
  options.features.group_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', conversation: 'x', session: 1}), "
      "(:Memory {name: 'b', content: 'hot tea', conversation: 'y', session: 1}), "
      "(:Memory {name: 'c', content: 'old tea', conversation: 'y', session: 1})");
  BOOST_TEST(scores("tea") == "a 1.5; b 1.5; c 1.5");
  options.features.date_weight = 1;
  add("MATCH (b {name: 'b'}) SET b.time = '2023-05-01'");
  BOOST_TEST(scores("tea in 2023") == "b 2.5; c 1.5; a 1.25");
}

// x and y are equal by themselves; the conversation of x also has the best text.
BOOST_AUTO_TEST_CASE(a_session_gains_by_its_conversation) {
  options.features.group_weight = 0.5;
  add("CREATE (:Memory {name: 'y', content: 'red cup', conversation: 2, session: 3}), "
      "(:Memory {name: 'x', content: 'hot cup', conversation: 1, session: 2}), "
      "(:Memory {name: 't', content: 'old tea', conversation: 1, session: 1})");
  const auto found = hits("tea or cup");
  BOOST_TEST_REQUIRE(found.size() == 3U);
  BOOST_TEST(name(found[0].id) == "t");
  BOOST_TEST(name(found[1].id) == "x");
  BOOST_TEST(parts_of(found[0]).group == 1);  // on either level
  BOOST_TEST(found[0].score <= 1);
  options.features.group_properties = {"session"};
  BOOST_TEST(name(hits("tea or cup")[1].id) == "y");
}

// Turns have sessions and parts of documents have documents: neither is on the other's level.
BOOST_AUTO_TEST_CASE(a_record_gains_nothing_on_a_level_that_it_is_not_on) {
  options.features.group_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', session: 1}), "
      "(:Memory {name: 'b', content: 'hot tea', session: 2}), "
      "(:Memory {name: 'c', content: 'old tea', document_id: 1}), "
      "(:Memory {name: 'd', content: 'new tea', document_id: 2})");
  BOOST_TEST(scores("tea") == "a 1.5; b 1.5; c 1.5; d 1.5");
  BOOST_TEST(hits("tea").back().score > 0.99);  // no record is on both
  // A conversation that is the only one tells nothing, but it differs from the others' sessions.
  add("CREATE (:Memory {name: 'e', content: 'big tea', conversation: 1})");
  BOOST_TEST(scores("tea") == "a 1.5; b 1.5; c 1.5; d 1.5; e 1.5");
}

BOOST_AUTO_TEST_CASE(one_group_alone_tells_nothing) {
  options.features.group_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', session: 1}), "
      "(:Memory {name: 'b', content: 'hot tea', session: 1}), (:Memory {name: 'c', content: 'x'})");
  BOOST_TEST(scores("tea") == "a 1; b 1");
}

BOOST_AUTO_TEST_CASE(what_was_reached_gains_by_its_group_too) {
  options.features.group_weight = 0.5;
  options.features.propagation_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', session: 1})-[:NEXT]->"
      "(:Memory {name: 'b', content: 'x', session: 1}), "
      "(:Memory {name: 'c', content: 'hot tea', session: 2})");
  BOOST_TEST(scores("tea") == "a 1.5; c 1.5; b 1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(named, Recalling)

BOOST_AUTO_TEST_CASE(a_value_that_the_question_names_lifts_the_records_that_have_it) {
  options.features.entity_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', speaker: 'Ada'}), "
      "(:Memory {name: 'b', content: 'hot tea', speaker: 'Bob'}), "
      "(:Memory {name: 'c', content: 'old tea', place: 'New York'}), "
      "(:Memory {name: 'd', content: 'hot tea', tags: ['x', 'party']}), "
      "(:Memory {name: 'e', content: 'x', speaker: 'Bob'})");
  BOOST_TEST(scores("Bob's tea") == "b 1.5; a 1; c 1; d 1");
  BOOST_TEST(scores("tea in New York") == "c 1.5; a 1; b 1; d 1");
  BOOST_TEST(scores("party tea") == "d 1.5; a 1; b 1; c 1");
  BOOST_TEST(scores("Then bob york tea") == "a 1; b 1; c 1; d 1");
  // Without any capital, names are written small.
  BOOST_TEST(scores("bob york tea") == "b 1.5; a 1; c 1; d 1");
  options.features.entity_weight = 0;
  BOOST_TEST(scores("Bob's tea") == "a 1; b 1; c 1; d 1");
}

BOOST_AUTO_TEST_CASE(the_text_that_was_searched_is_no_mention) {
  options.features.entity_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'tea'}), (:Memory {name: 'b', content: 'milk'})");
  BOOST_TEST(scores("tea") == "a 1");
}

BOOST_AUTO_TEST_CASE(times_of_a_question_are_relative_to_that_of_the_asking) {
  options.features.date_weight = 0.5;
  statement_options.now = 1'686'830'400'000'000;  // Thursday, 2023-06-15, noon of UTC
  add("CREATE (:Memory {name: 'a', content: 'red tea', time: '2023-06-05T00:00:00'}), "
      "(:Memory {name: 'b', content: 'hot tea', time: '2023-06-14T23:59:59'}), "
      "(:Memory {name: 'c', content: 'old tea', time: date('2022-08-01')})");
  BOOST_TEST(scores("tea yesterday") == "b 1.5; a 1; c 1");
  BOOST_TEST(scores("tea last week") == "a 1.5; b 1; c 1");
  BOOST_TEST(scores("tea last summer") == "c 1.5; a 1; b 1");
  BOOST_TEST(scores("tea in June") == "a 1.5; b 1.5; c 1");
  BOOST_TEST(scores("tea the week before 9 June 2023") == "a 1.5; b 1; c 1");
}

BOOST_AUTO_TEST_CASE(a_time_that_the_question_names_lifts_the_records_of_it) {
  options.features.date_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', time: '2023-04-30T23:59:59'}), "
      "(:Memory {name: 'b', content: 'hot tea', time: '2023-05-01T00:00:00'}), "
      "(:Memory {name: 'c', content: 'old tea', time: '2023-05-07'}), "
      "(:Memory {name: 'd', content: 'new tea', time: 'in May 2023'})");
  BOOST_TEST(scores("tea in May 2023") == "b 1.5; c 1.5; a 1; d 1");
  BOOST_TEST(scores("tea on 7 May 2023") == "c 1.5; a 1; b 1; d 1");
  BOOST_TEST(scores("tea in 2023") == "a 1.5; b 1.5; c 1.5; d 1");
  BOOST_TEST(scores("tea in 2022") == "a 1; b 1; c 1; d 1");
}

BOOST_AUTO_TEST_CASE(dates_of_every_type_are_dates_of_the_record) {
  options.features.date_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', at: '2024-03-18'}), "
      "(:Memory {name: 'b', content: 'hot tea', at: date('2024-03-18')}), "
      "(:Memory {name: 'c', content: 'old tea', at: datetime('2024-03-18T10:00Z')}), "
      "(:Memory {name: 'd', content: 'new tea', at: localdatetime('2024-03-18T10:00')}), "
      "(:Memory {name: 'e', content: 'dry tea', at: localtime('10:00')}), "
      "(:Memory {name: 'f', content: 'wet tea', at: 2024})");
  const std::string all = "a 1.5; b 1.5; c 1.5; d 1.5; e 1; f 1";
  BOOST_TEST(scores("tea in 2024") == all);
  BOOST_TEST(scores("tea in March 2024") == all);
  BOOST_TEST(scores("tea on 18 March 2024") == all);
  BOOST_TEST(scores("tea on 19 March 2024") == "a 1; b 1; c 1; d 1; e 1; f 1");
  BOOST_TEST(scores("tea in 2023 or on 2024-03-18") == all);
}

BOOST_AUTO_TEST_CASE(days_of_typed_dates_begin_and_end_in_utc) {
  options.features.date_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', at: date('1969-12-31')}), "
      "(:Memory {name: 'b', content: 'hot tea', at: datetime('1969-12-31T23:59:59.999999999Z')}), "
      "(:Memory {name: 'c', content: 'old tea', at: datetime('1969-12-31T18:00:00-06:00')}), "
      "(:Memory {name: 'd', content: 'new tea', at: datetime('1970-01-02T00:30:00+01:00')}), "
      "(:Memory {name: 'e', content: 'dry tea', at: localdatetime('1970-01-01T00:00')}), "
      "(:Memory {name: 'f', content: 'wet tea', at: localdatetime('1970-01-02T00:00')}), "
      "(:Memory {name: 'g', content: 'big tea', at: date('1970-01-02')}), "
      "(:Memory {name: 'h', content: 'raw tea', at: datetime('1970-01-02T18:00:00+18:00')}), "
      "(:Memory {name: 'i', content: 'weak tea', at: datetime('1969-12-31T06:00:00-18:00')})");
  BOOST_TEST(scores("tea on 1 January 1970") ==
             "c 1.5; d 1.5; e 1.5; i 1.5; a 1; b 1; f 1; g 1; h 1");
  BOOST_TEST(scores("tea in 1969") == "a 1.5; b 1.5; c 1; d 1; e 1; f 1; g 1; h 1; i 1");
  BOOST_TEST(scores("tea on 2 January 1970") ==
             "f 1.5; g 1.5; h 1.5; a 1; b 1; c 1; d 1; e 1; i 1");
}

BOOST_AUTO_TEST_CASE(what_has_a_date_gives_more_to_its_neighbours) {
  options.features.date_weight = 1;
  options.features.propagation_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', time: '2023-05-01'})-[:NEXT]->"
      "(:Memory {name: 'b', content: 'x'})");
  BOOST_TEST(scores("tea in 2023") == "a 2; b 1");
}

BOOST_AUTO_TEST_CASE(a_mention_lifts_the_whole_score_of_what_has_it) {
  options.features.entity_weight = 1;
  options.features.propagation_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', place: 'Rome'})-[:NEXT]->"
      "(:Memory {name: 'b', content: 'x'})-[:NEXT]->"
      "(:Memory {name: 'c', content: 'x', place: 'Rome'})");
  BOOST_TEST(scores("Rome tea") == "a 2; b 0.5; c 0.5");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(authors, Recalling)

BOOST_AUTO_TEST_CASE(an_author_that_the_question_names_lifts_what_is_by_him) {
  options.features.author_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', speaker: 'Ada'}), "
      "(:Memory {name: 'b', content: 'hot tea', sender: 'Bob Dole'}), "
      "(:Memory {name: 'c', content: 'old tea', listener: 'Ada'})");
  BOOST_TEST(scores("Ada's tea") == "a 1.5; b 1; c 1");
  BOOST_TEST(scores("tea of Bob Dole") == "b 1.5; a 1; c 1");
  options.features.entity_weight = 1;
  BOOST_TEST(scores("Ada's tea") == "a 3; c 2; b 1");
  options.features.author_properties = {"listener"};
  BOOST_TEST(scores("Ada's tea") == "c 3; a 2; b 1");
}

BOOST_AUTO_TEST_CASE(the_first_of_several_authors_is_the_one_who_wrote) {
  options.features.author_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', speaker: 'Ada'}), "
      "(:Memory {name: 'b', content: 'hot tea', speaker: 'Bob'}), "
      "(:Memory {name: 'c', content: 'old tea', speaker: 'Cleo Dorn', sender: 'Eve'})");
  BOOST_TEST(scores("What tea did Ada give Bob?") == "a 1.5; b 1; c 1");
  BOOST_TEST(scores("What tea did Bob give to Ada and Cleo?") == "b 1.5; a 1; c 1");
  BOOST_TEST(scores("What tea do Ada and Bob like?") == "a 1.5; b 1.5; c 1");
  BOOST_TEST(scores("Do Ada, Bob or Cleo Dorn like tea?") == "a 1.5; b 1.5; c 1.5");
  BOOST_TEST(scores("Did Cleo Dorn give Bob tea?") == "c 1.5; a 1; b 1");
  BOOST_TEST(scores("Did Ada give Eve tea?") == "a 1.5; b 1; c 1");  // of another property
  BOOST_TEST(scores("Did Eve give Ada tea?") == "c 1.5; a 1; b 1");
}

BOOST_AUTO_TEST_CASE(the_name_of_an_author_is_no_word_to_search_for) {
  add("CREATE (:Memory {name: 'a', content: 'red tea', speaker: 'Ada'}), "
      "(:Memory {name: 'b', content: 'thanks Ada', speaker: 'Bob'})");
  BOOST_TEST(hits("Ada's tea").size() == 2U);
  options.features.author_weight = 0.5;
  BOOST_TEST(scores("Ada's tea") == "a 1.5");
  BOOST_TEST(scores("Who is Ada?") == "b 1");  // nothing else is asked for
  add("MATCH (a {name: 'a'}) DELETE a");
  BOOST_TEST(scores("Ada's tea") == "b 1");  // she has said nothing: a word like any other
}

BOOST_AUTO_TEST_CASE(who_wrote_nothing_that_passes_the_filter_is_no_author) {
  options.features.author_weight = 0.5;
  add("CREATE (:Memory {name: 'a', content: 'red tea', speaker: 'Ada', c: 1}), "
      "(:Memory {name: 'b', content: 'thanks Ada', speaker: 'Bob', c: 2})");
  options.filter = Filter::where("c", FilterOperator::equals, 2);
  BOOST_TEST(scores("Ada's tea") == "b 1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(words_of_hits, Recalling)

BOOST_AUTO_TEST_CASE(a_word_of_the_question_counts_once) {
  add("CREATE (:Memory {name: 'a', content: 'tea pot'}), (:Memory {name: 'b', content: 'cup "
      "lid'}), "
      "(:Memory {name: 'c', content: 'red cups'})");
  const std::string once = scores("tea or a cup");
  BOOST_TEST(once.starts_with("a 1; "));
  BOOST_TEST(scores("tea or a cup or cups") == once);
}

// With a sum over the properties, x would have more than twice the score of y.
BOOST_AUTO_TEST_CASE(a_word_in_two_properties_counts_as_one_that_a_text_repeats) {
  add("DROP INDEX texts");
  add("CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content, m.title]");
  add("CREATE (:Memory {name: 'x', content: 'tea', title: 'tea'}), "
      "(:Memory {name: 'y', content: 'tea', title: 'pot'})");
  const auto found = hits("tea");
  BOOST_TEST_REQUIRE(found.size() == 2U);
  BOOST_TEST(name(found[0].id) == "x");
  BOOST_TEST(parts_of(found[1]).text > 0.7);
}

BOOST_AUTO_TEST_CASE(feedback_asks_for_what_the_first_hits_share) {
  add("CREATE (:Memory {name: 'a', content: 'tea kettle'}), "
      "(:Memory {name: 'b', content: 'tea kettle'}), (:Memory {name: 'c', content: 'kettle lid'}), "
      "(:Memory {name: 'd', content: 'lid'})");
  BOOST_TEST(scores("tea") == "a 1; b 1");
  options.features.feedback_weight = 0.5;
  // Half of the weight of feedback is kettle's, which has 0.51 times the weight of tea in BM25.
  BOOST_TEST(scores("tea") == "a 1.37864; b 1.37864; c 0.128643");
  options.features.feedback_length = 60;  // these texts are short
  BOOST_TEST(scores("tea") == "a 1; b 1");
}

// Of the words of the question, that counts more which the first hits share; all texts are equal without it.
BOOST_AUTO_TEST_CASE(feedback_weighs_the_words_of_the_question) {
  add("UNWIND ['a', 'b', 'c'] AS n CREATE (:Memory {name: n, content: 'tea kettle'})");
  add("UNWIND ['d', 'e', 'f'] AS n CREATE (:Memory {name: n, content: 'note ' + n})");
  BOOST_TEST(scores("tea note") == "a 1; b 1; c 1; d 1; e 1; f 1");
  options.features.feedback_weight = 1;
  // Weights: 1.5 of 4 for tea and for kettle, 1 for note; together as much as the two words of the question.
  BOOST_TEST(scores("tea note") == "a 2.5; b 2.5; c 2.5; d 1.5; e 1.5; f 1.5");
}

// A question of stop words alone is searched for as it is written.
BOOST_AUTO_TEST_CASE(blanks_of_a_question_change_no_feedback) {
  add("UNWIND ['a', 'b'] AS n CREATE (:Memory {name: n, content: 'it is tea'})");
  add("CREATE (:Memory {name: 'c', content: 'old tea'}), (:Memory {name: 'd', content: 'lid'})");
  options.features.feedback_weight = 0.5;
  const std::string found = scores("it is");
  BOOST_TEST(found.find("; c ") != std::string::npos, found);
  BOOST_TEST(scores("it   is") == found);
  BOOST_TEST(scores(" it is ") == found);
}

BOOST_AUTO_TEST_CASE(the_texts_of_hits_count_towards_the_memory_limit) {
  std::string text = "tea ";
  for (int i = 0; i < 40'000; ++i) text += "kettle ";
  add("UNWIND ['a', 'b'] AS n CREATE (:Memory {name: n, content: '" + text + "'})");
  statement_options.memory_bytes = std::size_t{1} << 20;
  BOOST_TEST(scores("tea") == "a 1; b 1");
  options.features.feedback_weight = 0.5;
  BOOST_TEST((error("tea").code == ErrorCode::resource_limit));
  options.features.feedback_weight = 0;
  statement_options.memory_bytes = std::size_t{300'000};  // two texts of 280,004 bytes
  BOOST_TEST(scores("tea") == "a 1; b 1");
  options.features.diversity = 0.5;
  BOOST_TEST((error("tea").code == ErrorCode::resource_limit));
}

// Of records that have all words of the question once in texts of mean length, the score is 1.
BOOST_AUTO_TEST_CASE(the_weight_of_a_property_is_part_of_the_ideal_record) {
  add("CREATE (:Memory {name: 'a', title: 'cup', content: 'green tea'}), "
      "(:Memory {name: 'b', title: 'lid', content: 'black pot'})");
  const auto score = [&](const std::string& weights, std::string_view question) {
    add("DROP INDEX texts");
    add("CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.title, m.content] OPTIONS "
        "{indexConfig: {`fulltext.weights`: " +
        weights + "}}");
    const auto found = hits(question);
    return found.empty() ? 0 : found.front().score;
  };
  BOOST_TEST(score("[1, 1]", "tea") > 0.999);
  BOOST_TEST(score("[0.25, 0.25]", "tea") > 0.999);
  BOOST_TEST(score("[4, 4]", "tea") > 0.999);
  BOOST_TEST(score("[4, 1]", "cup") > 0.999);
  // A title would be worth more: 4 * 2.2 / (4 + 1.2).
  BOOST_TEST(score("[4, 1]", "tea") == 5.2 / 8.8, boost::test_tools::tolerance(1e-6));
}

// "well" is in most texts and says nothing about tea.
BOOST_AUTO_TEST_CASE(common_words_of_the_first_hits_are_no_feedback) {
  add("CREATE (:Memory {name: 'a', content: 'tea well'}), (:Memory {name: 'b', content: 'tea "
      "well'}) WITH * UNWIND range(1, 20) AS i CREATE (:Memory {name: 'c', content: 'well'})");
  options.features.feedback_weight = 0.5;
  BOOST_TEST(hits("tea").size() > 2U);
  options.features.feedback_clarity = 0.6;
  BOOST_TEST(scores("tea") == "a 1; b 1");
}

BOOST_AUTO_TEST_CASE(the_length_of_a_text_counts_less_where_texts_are_short) {
  const auto longer = [&] { return parts_of(hits("tea")[1]).text; };  // of a text thrice as long
  add("CREATE (:Memory {name: 'a', content: 'tea x'}), (:Memory {name: 'b', content: 'tea x x x x "
      "x'})");
  const double among_short = longer();
  add("MATCH (m:Memory) SET m.content = m.content + reduce(s = '', i IN range(1, 36) | s + ' y y') "
      "+ "
      "CASE m.name WHEN 'b' THEN reduce(s = '', i IN range(1, 72) | s + ' y y') ELSE '' END");
  BOOST_TEST(longer() < among_short);
  BOOST_TEST(among_short > 0.95);
}

BOOST_AUTO_TEST_CASE(diversity_puts_what_is_new_first_and_changes_no_score) {
  add("CREATE (:Memory {name: 'a', content: 'green tea'}), "
      "(:Memory {name: 'b', content: 'green tea'}), (:Memory {name: 'c', content: 'black tea'})");
  BOOST_TEST(scores("tea") == "a 1; b 1; c 1");
  options.features.diversity = 0.5;
  // b is wholly like a and worth 0.5 behind it, c by half of its words: 0.75.
  BOOST_TEST(scores("tea") == "a 1; c 1; b 1");
  options.limit = std::numeric_limits<std::size_t>::max() / 3 + 1;  // thrice that is 2
  BOOST_TEST(scores("tea") == "a 1; c 1; b 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
