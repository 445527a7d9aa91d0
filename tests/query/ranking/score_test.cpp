#include "query/ranking/score.hpp"

#include "codec/instant.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/memory/ranking.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace cairn::query {
namespace {

const auto within = boost::test_tools::tolerance(1e-12);
constexpr std::int64_t day = 86'400'000'000;
const std::int64_t now = *codec::parse_instant("2026-02-14T12:00:00Z");

FusedId hit(double score) { return {1, score, {{RetrieverKind::vector, 1, score, score}}}; }

double raw_score(double similarity, const Properties& fields, const Ranking& ranking) {
  return explain_score(hit(similarity), fields, ranking, now).raw;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(score)

// M0.45, M0.46: 0.5 * 1.3 * 1.2 = 0.78; 0.9 * 1.3 * 1.2 = 1.404 is shown as 1.
BOOST_AUTO_TEST_CASE(souvenir_multiplies_for_each_truthy_field_and_shows_one_at_most) {
  const Ranking ranking = memory::similarity_ranking({{"important", 0.3}, {"verified", 0.2}});
  const Properties fields = {{"important", true}, {"verified", "yes"}};
  BOOST_TEST(raw_score(0.5, fields, ranking) == 0.78, within);
  const auto high = explain_score(hit(0.9), fields, ranking, now);
  BOOST_TEST(high.raw == 1.404, within);
  BOOST_TEST(public_score(high.raw, ranking) == 1.0);
}

// M3.37, M3.38, M3.39: 0.8 + 0.1 / (1 + 15/30) + 0.05 * (1 - 2/10) = 0.8 + 0.0666... + 0.04
BOOST_AUTO_TEST_CASE(minima_adds_recency_and_early_chunks_without_a_limit) {
  const Ranking ranking = memory::recency_ranking();
  const Properties fields = {
      {"modified_time", "2026-01-30T12:00:00Z"}, {"chunk_index", 2}, {"total_chunks", 10}};
  BOOST_TEST(raw_score(0.8, fields, ranking) == 0.8 + 0.1 / 1.5 + 0.04, within);
  const Properties fresh = {
      {"modified_time", "2026-02-14T11:00:00Z"}, {"chunk_index", 0}, {"total_chunks", 4}};
  const auto best = explain_score(hit(0.95), fresh, ranking, now);
  BOOST_TEST(public_score(best.raw, ranking) == 0.95 + 0.1 + 0.05, within);
}

// M3.40: missing fields, no boost
BOOST_AUTO_TEST_CASE(a_missing_or_unreadable_field_adds_nothing) {
  const Ranking ranking = memory::recency_ranking();
  BOOST_TEST(raw_score(0.8, {}, ranking) == 0.8, within);
  BOOST_TEST(raw_score(0.8, {{"modified_time", "soon"}, {"chunk_index", "first"}}, ranking) == 0.8,
             within);
}

// M4.27: a hit of ranks 1 (meaning) and 3 (graph)
BOOST_AUTO_TEST_CASE(cognitive_fuses_ranks_by_its_weights) {
  const auto fused_with = [](const Ranking& ranking) {
    const std::vector<RankedList> lists = {
        {RetrieverKind::vector, 1, {{7, 0.9}, {8, 0.8}}},
        {RetrieverKind::keyword, 1, {{8, 1.0}}},
        {RetrieverKind::graph, 1, {{5, 1.0}, {6, 1.0}, {7, 0.5}}}};
    for (const FusedId& fused : test::must(fuse(lists, ranking.fusion)))
      if (fused.id == 7) return explain_score(fused, {}, ranking, now).raw;
    return 0.0;
  };
  BOOST_TEST(fused_with(memory::rrf_ranking()) == 0.6 / 61 + 0.2 / 63, within);
  BOOST_TEST(fused_with(memory::rrf_ranking(memory::QuestionKind::relational)) ==
                 0.4 / 61 + 0.4 / 63,
             within);
}

// M0.45: 0, false, "" and null do not boost although present; [] and {} do.
BOOST_AUTO_TEST_CASE(truthiness_is_that_of_the_source_system) {
  for (const Value& value :
       {Value(), Value(false), Value(0), Value(0.0), Value(-0.0), Value(""), Value(std::nan(""))})
    BOOST_TEST(!is_truthy(value), value.to_text());
  for (const Value& value : {Value(true), Value(-1), Value(0.5), Value("false"), Value(List{}),
                             Value(Map{}), Value(Date{})})
    BOOST_TEST(is_truthy(value), value.to_text());
}

// M0.45: value-conditioned boosts
BOOST_AUTO_TEST_CASE(a_boost_by_value_compares_numbers_by_value_and_looks_into_lists) {
  const auto factor = [](const Value& field, const Value& wanted) {
    return boost_factor({"f", 0.5, wanted}, {{"f", field}});
  };
  BOOST_TEST(factor(8, 8.0) == 1.5);
  BOOST_TEST(factor(8, "8") == 1.0);
  BOOST_TEST(factor(list_of({"a", "b"}), "b") == 1.5);
  BOOST_TEST(factor(nullptr, nullptr) == 1.0);
}

// M3.38: whole days; dates to come are clamped, where -30 days would divide by zero.
BOOST_AUTO_TEST_CASE(recency_counts_whole_days_and_never_less_than_none) {
  BOOST_TEST(recency_score(now - day + 1, now, 30) == 1.0);
  BOOST_TEST(recency_score(now - day, now, 30) == 30.0 / 31, within);
  BOOST_TEST(recency_score(now - 30 * day, now, 30) == 0.5, within);
  BOOST_TEST(recency_score(now + 30 * day, now, 30) == 1.0);
  BOOST_TEST(recency_score(std::numeric_limits<std::int64_t>::min(),
                           std::numeric_limits<std::int64_t>::max(), 30) > 0.0);
}

// M3.39: the last chunk gets 1 / total, not 0.
BOOST_AUTO_TEST_CASE(position_favours_the_beginning) {
  BOOST_TEST(position_score(0, 4) == 1.0);
  BOOST_TEST(position_score(3, 4) == 0.25);
  BOOST_TEST(position_score(0, 0) == 1.0);
  BOOST_TEST(position_score(7, 4) == 0.0);
}

// M3.40: what is missing adds nothing and takes nothing away
BOOST_AUTO_TEST_CASE(a_position_without_its_total_adds_nothing) {
  Ranking::Term term;
  term.kind = Ranking::Term::Kind::position;
  term.weight = 2;
  term.field = "chunk_index";
  term.total_field = "total_chunks";
  BOOST_TEST(term_value(term, {{"chunk_index", 3}}, 0) == 0.0);
  BOOST_TEST(term_value(term, {{"total_chunks", 3}}, 0) == 0.0);
  BOOST_TEST(term_value(term, {{"chunk_index", 3}, {"total_chunks", "many"}}, 0) == 0.0);
  BOOST_TEST(term_value(term, {{"chunk_index", 3}, {"total_chunks", 4}}, 0) == 0.5);
}

BOOST_AUTO_TEST_CASE(a_path_leads_through_maps_and_keys_with_dots) {
  const Properties fields = {
      {"thread", map_of({{"position", 3}, {"a.b", 1}})}, {"x.y", 2}, {"tags", list_of({"t"})}};
  BOOST_TEST((field_at(fields, "thread.position") == Value(3)));
  BOOST_TEST((field_at(fields, "thread.a.b") == Value(1)));
  BOOST_TEST((field_at(fields, "x.y") == Value(2)));
  BOOST_TEST((field_at(fields, "metadata.x.y") == Value(2)));
  BOOST_TEST(field_at(fields, "thread.other").is_null());
  BOOST_TEST(field_at(fields, "tags.t").is_null());
}

// M3.53: a hit explains its score
BOOST_AUTO_TEST_CASE(the_parts_of_an_explanation_make_up_its_raw_value) {
  Ranking ranking = memory::recency_ranking();
  ranking.boosts = {{"hot", 0.5, {}}, {"cold", -0.5, {}}};
  const Properties fields = {{"modified_time", "2026-02-14"}, {"hot", 1}};
  const auto score = explain_score(hit(0.4), fields, ranking, now);
  BOOST_TEST(score.fused == 0.4);
  BOOST_REQUIRE(score.terms.size() == 2U);
  BOOST_REQUIRE(score.factors.size() == 2U);
  BOOST_TEST(score.raw == (score.fused + score.terms[0] + score.terms[1]) * score.factors[0] *
                              score.factors[1],
             within);
  BOOST_TEST(score.raw == 0.5 * 1.5, within);
}

BOOST_AUTO_TEST_CASE(a_ranking_with_numbers_that_cannot_work_is_refused) {
  Ranking ranking = memory::recency_ranking();
  ranking.terms[0].scale_days = 0;
  BOOST_TEST(!check_ranking(ranking));
  BOOST_TEST(!check_ranking(memory::similarity_ranking({{"f", std::nan("")}})));
  BOOST_TEST(check_ranking(memory::rrf_ranking()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
