// A second order of hits by a scorer of the caller.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

// Six texts that are the longer, the later they were made: the first one is the best.
struct Reranked : Recalling {
  Reranked() {
    add("UNWIND ['a', 'b', 'c', 'd', 'e', 'f'] AS n WITH n CREATE (:Memory {name: n, content: "
        "'tea' + reduce(s = '', i IN range(1, {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}[n]) | s + ' "
        "x')})");
    // The longest text is the best.
    options.rerank.score = [this](
                               std::string_view question,
                               std::span<const std::string> texts) -> Result<std::vector<double>> {
      BOOST_TEST(question == "tea");
      calls.push_back(texts.size());
      std::vector<double> scores;
      for (const std::string& text : texts) scores.push_back(static_cast<double>(text.size()));
      std::this_thread::sleep_for(pause);
      return scores;
    };
  }
  /// The names of the hits, best first.
  std::string order() {
    std::string names;
    for (const Hit& hit : hits("tea")) names += name(hit.id);
    return names;
  }
  std::string refusal(std::vector<double> scores) {
    options.rerank.score = [scores](std::string_view, std::span<const std::string>) {
      return Result<std::vector<double>>(scores);
    };
    return error("tea").message;
  }

  std::vector<std::size_t> calls;
  std::chrono::milliseconds pause{0};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rerank, Reranked)

BOOST_AUTO_TEST_CASE(hits_are_in_the_order_of_the_scorer) {
  BOOST_TEST(order() == "fedcba");
  options.rerank.hits = 3;
  BOOST_TEST(order() == "cbadef");
  options.rerank.hits = 0;
  BOOST_TEST(order() == "abcdef");
}

BOOST_AUTO_TEST_CASE(hits_behind_the_limit_are_considered_and_scores_stay) {
  options.limit = 2;
  BOOST_TEST(order() == "fe");
  const auto found = hits("tea");
  BOOST_TEST(found[0].score < found[1].score);
}

BOOST_AUTO_TEST_CASE(passages_are_those_of_the_best_scored_hits) {
  options.context = 1;
  options.limit = 1;
  options.with_nodes = true;
  const auto found = hits("tea");
  BOOST_REQUIRE(found.size() == 1U);
  BOOST_TEST(name(found[0].id) == "f");
  BOOST_TEST(found[0].node.has_value());
  BOOST_TEST(found[0].passage.size() == 1U);
}

BOOST_AUTO_TEST_CASE(without_hits_nothing_is_scored) {
  BOOST_TEST(hits("coffee").empty());
  BOOST_TEST(calls.empty());
}

BOOST_AUTO_TEST_CASE(equal_scores_keep_the_order) {
  options.rerank.score = [](std::string_view, std::span<const std::string> texts) {
    return Result<std::vector<double>>(std::vector<double>(texts.size(), 1.0));
  };
  BOOST_TEST(order() == "abcdef");
}

BOOST_AUTO_TEST_CASE(after_the_budget_no_further_batch_begins) {
  options.rerank.batch = 4;
  BOOST_TEST(order() == "fedcba");
  BOOST_TEST((calls == std::vector<std::size_t>{4, 2}));
  calls.clear();
  pause = std::chrono::milliseconds(20);
  options.rerank.budget = std::chrono::milliseconds(1);
  BOOST_TEST(order() == "dcbaef");
  BOOST_TEST((calls == std::vector<std::size_t>{4}));
}

BOOST_AUTO_TEST_CASE(a_scorer_must_return_a_number_for_each_text) {
  BOOST_TEST(refusal({1, 2}).find("2 scores for 6 texts") != std::string::npos);
  BOOST_TEST(refusal(std::vector<double>(6, std::numeric_limits<double>::quiet_NaN()))
                 .find("not finite") != std::string::npos);
  options.rerank.batch = 0;
  BOOST_TEST(error("tea").message.find("`rerank.batch`") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_error_of_the_scorer_is_that_of_the_recall) {
  options.rerank.score = [](std::string_view, std::span<const std::string>) {
    return Result<std::vector<double>>(Error{ErrorCode::io_error, "no model", {}});
  };
  BOOST_TEST(error("tea").message == "no model");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
