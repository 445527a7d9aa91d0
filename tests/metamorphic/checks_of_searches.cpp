// Conditions within SEARCH, of vectors and of texts.
#include "tests/metamorphic/checks.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::test {
namespace {

// MATCH (a:A) SEARCH a IN (<retriever> [WHERE p] <cut>) SCORE AS score
struct Search {
  std::string retriever;
  std::string all;    ///< the cut that lets everything through
  std::string first;  ///< the cut for a few

  [[nodiscard]] std::string text(const std::string& condition, const std::string& cut) const {
    return "MATCH (a:A) SEARCH a IN (" + retriever +
           (condition.empty() ? "" : " WHERE " + condition) + " " + cut + ") SCORE AS score ";
  }
};

Search random_search(Random& random) {
  static const std::vector<std::string> vectors = {"[0.0, 0.0]", "[1.0, -0.5]", "[-2.0, 3.0]"};
  static const std::vector<std::string> texts = {"'green tea'", "'cup OR milk'", "'+tea -coffee'",
                                                 "'\"green tea\" milk'", "'te*'"};
  const std::string limit = "LIMIT " + std::to_string(1 + random.below(6));
  if (random.one_in(2))
    return {"VECTOR INDEX vecs FOR " + random.pick(vectors), "WITHIN 1000", "EXACT " + limit};
  return {"FULLTEXT INDEX words FOR " + random.pick(texts), "LIMIT 1000", limit};
}

}  // namespace

std::vector<std::string> create_searched_indexes() {
  return {
      "CREATE VECTOR INDEX vecs FOR (n:A) ON n.vec OPTIONS {indexConfig: {`vector.dimensions`: 2, "
      "`vector.similarity_function`: 'euclidean'}}",
      "CREATE FULLTEXT INDEX words FOR (n:A) ON EACH [n.words]",
  };
}

Check searches_are_partitioned(Questions& questions) {
  const Source source{"", {"a"}};
  const Search search = random_search(questions.random());
  const std::string p = questions.condition(source).text();
  const std::string returned = "RETURN id(a), score";
  return [=](Answers& answers) {
    const std::string whole = search.text("", search.all) + returned;
    Lines thirds;
    for (const std::string& third : {p, "NOT " + p, p + " IS NULL"})
      for (std::string& line : answers.lines(search.text(third, search.all) + returned))
        thirds.push_back(std::move(line));
    answers.expect_same(whole + "\n  is not made of its parts by\n  " + p, answers.lines(whole),
                        thirds);
    const std::string within = search.text(p, search.all) + returned;
    const std::string behind = search.text("", search.all) + "WHERE " + p + " " + returned;
    answers.expect_same(within + "\n  has other rows than\n  " + behind, answers.lines(behind),
                        answers.lines(within));
    // Hits with the same score may be cut anywhere.
    const std::string all = search.text(p, search.all) + "RETURN score ORDER BY score DESC";
    const std::string few = search.text(p, search.first) + "RETURN score ORDER BY score DESC";
    const Lines found = answers.lines(few);
    Lines best = answers.lines(all);
    const std::size_t limit = std::stoul(search.first.substr(search.first.rfind(' ')));
    best.resize(std::min(best.size(), limit));
    answers.expect_same_order(few + "\n  has other scores than the best of\n  " + all, best, found);
  };
}

}  // namespace cairn::test
