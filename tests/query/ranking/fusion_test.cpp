#include "query/ranking/fusion.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

namespace cairn::query {
namespace {

using test::must;

constexpr double close = 1e-12;

RankedList list(RetrieverKind retriever, double weight, std::vector<std::uint64_t> ids) {
  RankedList made{retriever, weight, {}};
  double score = 1;
  for (const std::uint64_t id : ids) made.items.push_back({id, score -= 0.1});
  return made;
}

std::vector<std::uint64_t> ids_of(const std::vector<FusedId>& fused) {
  std::vector<std::uint64_t> ids;
  for (const FusedId& hit : fused) ids.push_back(hit.id);
  return ids;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fusion)

// M4.27: weights 0.6 / 0.2 / 0.2, k = 60, rank from 1, a missing document adds nothing.
BOOST_AUTO_TEST_CASE(reciprocal_ranks_are_summed_with_weights_as_worked_out_by_hand) {
  const auto fused = must(fuse_by_rank(std::vector{list(RetrieverKind::vector, 0.6, {1, 2, 3}),
                                                   list(RetrieverKind::keyword, 0.2, {3, 1}),
                                                   list(RetrieverKind::graph, 0.2, {4, 3})},
                                       60));
  BOOST_TEST(ids_of(fused) == (std::vector<std::uint64_t>{3, 1, 2, 4}),
             boost::test_tools::per_element());
  BOOST_TEST(fused[1].score == 0.6 / 61 + 0.2 / 62, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[0].score == 0.6 / 63 + 0.2 / 61 + 0.2 / 62, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[2].score == 0.6 / 62, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[3].score == 0.2 / 61, boost::test_tools::tolerance(close));
}

// M4.27: weights normalised to sum 1
BOOST_AUTO_TEST_CASE(weights_of_ranks_are_made_to_sum_to_one) {
  const auto fused = must(fuse_by_rank(
      std::vector{list(RetrieverKind::vector, 3, {7}), list(RetrieverKind::graph, 1, {8})}, 60));
  BOOST_TEST(fused[0].score == 0.75 / 61, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[1].score == 0.25 / 61, boost::test_tools::tolerance(close));
}

BOOST_AUTO_TEST_CASE(weighted_scores_are_summed_as_they_are) {
  const auto fused = must(fuse_by_score(
      std::vector{list(RetrieverKind::vector, 2, {1, 2}), list(RetrieverKind::graph, 1, {2})}));
  BOOST_TEST(ids_of(fused) == (std::vector<std::uint64_t>{2, 1}), boost::test_tools::per_element());
  BOOST_TEST(fused[0].score == 2 * 0.8 + 0.9, boost::test_tools::tolerance(close));
}

BOOST_AUTO_TEST_CASE(a_share_names_its_retriever_rank_and_score) {
  const auto fused = must(fuse_by_rank(
      std::vector{list(RetrieverKind::vector, 1, {5, 6}), list(RetrieverKind::keyword, 1, {6})},
      0));
  const FusedId& six = fused[0];
  BOOST_TEST(six.id == 6U);
  BOOST_REQUIRE(six.shares.size() == 2U);
  BOOST_TEST((six.shares[0].retriever == RetrieverKind::vector));
  BOOST_TEST(six.shares[0].rank == 2U);
  BOOST_TEST(six.shares[0].share == 0.25, boost::test_tools::tolerance(close));
  BOOST_TEST((six.shares[1].retriever == RetrieverKind::keyword));
  BOOST_TEST(six.shares[1].score == 0.9, boost::test_tools::tolerance(close));
}

BOOST_AUTO_TEST_CASE(equal_scores_are_ordered_by_id) {
  const auto fused = must(fuse_by_rank(
      std::vector{list(RetrieverKind::vector, 1, {9, 1}), list(RetrieverKind::keyword, 1, {1, 9})},
      60));
  BOOST_TEST(ids_of(fused) == (std::vector<std::uint64_t>{1, 9}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_lists_and_empty_lists_give_no_hits) {
  BOOST_TEST(must(fuse_by_rank({}, 60)).empty());
  BOOST_TEST(must(fuse_by_score({})).empty());
  BOOST_TEST(must(fuse_by_rank(std::vector{list(RetrieverKind::vector, 1, {})}, 60)).empty());
}

// Scores 0.9, 0.8, 0.7: mean 0.8, deviation sqrt(0.02 / 3).
BOOST_AUTO_TEST_CASE(zscores_are_summed_as_worked_out_by_hand) {
  auto other = list(RetrieverKind::text, 3, {3});
  other.absent = 0;
  const auto fused =
      must(fuse_by_zscore(std::vector{list(RetrieverKind::vector, 1, {1, 2, 3}), other}));
  const double one = std::sqrt(1.5), rare = std::sqrt(2.0);
  BOOST_TEST(ids_of(fused) == (std::vector<std::uint64_t>{3, 1, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(fused[0].score == 0.25 * -one + 0.75 * rare, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[1].score == 0.25 * one - 0.75 * rare / 2, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[2].score == -0.75 * rare / 2, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[1].shares.size() == 2U);
  BOOST_TEST(fused[1].shares[1].rank == 0U);
}

BOOST_AUTO_TEST_CASE(ranges_are_summed_as_worked_out_by_hand) {
  auto other = list(RetrieverKind::text, 1, {2});
  other.absent = 0;
  const auto fused =
      must(fuse_normalised(std::vector{list(RetrieverKind::vector, 3, {1, 2, 3}), other}));
  BOOST_TEST(ids_of(fused) == (std::vector<std::uint64_t>{1, 2, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(fused[0].score == 0.75, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[1].score == 0.75 * 0.5 + 0.25, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[2].score == 0, boost::test_tools::tolerance(close));
}

BOOST_AUTO_TEST_CASE(shares_of_the_best_are_summed_as_worked_out_by_hand) {
  RankedList near{RetrieverKind::vector, 3, {{1, 0.9}, {2, 0.8}, {3, 0.6}}};
  RankedList other{RetrieverKind::text, 1, {{2, 5}, {1, 0}}, 0};
  const auto fused = must(fuse_by_share(std::vector{near, other}));
  BOOST_TEST(ids_of(fused) == (std::vector<std::uint64_t>{2, 1, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(fused[0].score == 0.75 * 8 / 9 + 0.25, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[1].score == 0.75, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[2].score == 0.75 * 6 / 9, boost::test_tools::tolerance(close));
  BOOST_TEST(fused[2].shares[1].rank == 0U);
}

BOOST_AUTO_TEST_CASE(scores_below_nothing_are_taken_by_their_range) {
  const RankedList below{RetrieverKind::vector, 1, {{1, -1}, {2, -3}, {3, -2}}};
  const auto fused = must(fuse_by_share(std::vector{below}));
  BOOST_TEST(ids_of(fused) == (std::vector<std::uint64_t>{1, 3, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(fused[1].score == 0.5, boost::test_tools::tolerance(close));
  const RankedList nothing{RetrieverKind::vector, 1, {{1, 0}, {2, 0}}};
  for (const FusedId& hit : must(fuse_by_share(std::vector{nothing}))) BOOST_TEST(hit.score == 0);
  BOOST_TEST(must(fuse_by_share({})).empty());
}

BOOST_AUTO_TEST_CASE(a_list_of_equal_scores_says_nothing_of_their_order) {
  RankedList flat{RetrieverKind::vector, 1, {{1, 0.1}, {2, 0.1}, {3, 0.1}}};
  for (const FusedId& hit : must(fuse_by_zscore(std::vector{flat}))) BOOST_TEST(hit.score == 0);
  for (const FusedId& hit : must(fuse_normalised(std::vector{flat}))) BOOST_TEST(hit.score == 1);
  const auto some = must(fuse_normalised(std::vector{flat, list(RetrieverKind::text, 1, {})}));
  BOOST_TEST(some[0].score == 0.5);
  BOOST_TEST(must(fuse_by_zscore({})).empty());
}

BOOST_AUTO_TEST_CASE(numbers_that_cannot_work_are_refused) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto lists = [](double weight) {
    return std::vector{list(RetrieverKind::vector, weight, {1})};
  };
  BOOST_TEST(!fuse_by_rank(lists(1), -1));
  BOOST_TEST(!fuse_by_rank(lists(1), infinite));
  BOOST_TEST(!fuse_by_rank(lists(0), 60));
  BOOST_TEST(!fuse_by_rank(lists(-1), 60));
  BOOST_TEST(!fuse_by_score(lists(infinite)));
  for (const double weight : {0.0, -1.0, infinite}) {
    BOOST_TEST(!fuse_by_zscore(lists(weight)));
    BOOST_TEST(!fuse_by_share(lists(weight)));
    BOOST_TEST(!fuse_normalised(lists(weight)));
  }
}

BOOST_AUTO_TEST_CASE(a_fusion_gives_its_weights_to_the_retrievers_it_names) {
  Fusion fusion{.kind = Fusion::Kind::weighted_sum};
  fusion.weights = {{RetrieverKind::vector, 0.5}};
  const auto fused =
      must(fuse({list(RetrieverKind::vector, 1, {1}), list(RetrieverKind::graph, 1, {2})}, fusion));
  BOOST_TEST(fused[0].id == 2U);
  BOOST_TEST(fused[1].score == 0.45, boost::test_tools::tolerance(close));
  fusion.weights = {{RetrieverKind::ranked, 2}};
  BOOST_TEST((fuse({list(RetrieverKind::text, 1, {1})}, fusion).error().code ==
              ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(the_scores_of_a_single_list_stay_as_they_are) {
  const RankedList only{RetrieverKind::vector, 2, {{1, 0.5}, {2, 0.25}, {3, -0.5}}};
  for (const auto kind : {Fusion::Kind::max_norm, Fusion::Kind::min_max, Fusion::Kind::z_score}) {
    const auto fused = must(fuse({only}, {.kind = kind}));
    BOOST_REQUIRE(fused.size() == 3U);
    BOOST_TEST(fused[0].score == 0.5);
    BOOST_TEST(fused[2].score == -0.5);
    BOOST_TEST(fused[2].shares.at(0).rank == 3U);
  }
  const RankedList none{RetrieverKind::vector, 0, {{1, 0.5}}};
  BOOST_TEST(!fuse({none}, Fusion{}));
}

// Cosines begin at -1: shares of 1 + cosine, which the score of a vector index is half of.
BOOST_AUTO_TEST_CASE(shares_are_measured_from_the_floor) {
  RankedList cosines{RetrieverKind::vector, 1, {{1, 1}, {2, 0}, {3, -0.5}}};
  cosines.floor = -1;
  const auto fused = must(fuse_by_share(std::vector{cosines}));
  BOOST_TEST(fused[0].score == 1.0);
  BOOST_TEST(fused[1].score == 0.5);
  BOOST_TEST(fused[2].score == 0.25);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
