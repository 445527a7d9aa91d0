// Searches that score a term once for all fields, against an oracle that scores every document by the formula.
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/fulltext/top_k_documents.hpp"
#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace cairn;
using test::must;

namespace {

using Hits = std::vector<engine::TextHit>;
using Terms = std::vector<engine::QueryTerm>;

constexpr std::array<const char*, 6> vocabulary = {"tea", "green", "cup", "pot", "leaf", "river"};
constexpr std::array<double, 2> weights = {1, 2};
constexpr double k1 = 1.2;
constexpr double b = 0.75;

struct Fixture {
  test::TemporaryDatabase db;
  unsigned seed = std::random_device{}();
  std::mt19937 random{seed};
  std::map<std::uint64_t, engine::TextDocument> documents;

  Fixture() {
    BOOST_TEST_MESSAGE("seed " << seed);
    engine::IndexRequest index;
    index.name = "texts";
    index.index_kind = codec::IndexKind::full_text;
    index.labels_or_types = {"M"};
    index.properties = {"content", "title"};
    index.text.weights = {1.0F, 2.0F};
    Transaction transaction = must(db->begin());
    must(Access::writer(transaction)->create_index(index));
    for (int i = 0; i < 1'500; ++i) {
      const std::string content = text(20), title = text(3);
      const NodeId id =
          must(transaction.create_node({{"M"}, {{"content", content}, {"title", title}}, ""}));
      documents[id.value] = engine::make_document(engine::Analyzer({}), {{content}, {title}});
    }
    must(transaction.commit());
  }

  std::string text(std::size_t most) {
    std::string result;
    for (std::size_t count = random() % (most + 1); count > 0; --count)
      result += std::string(vocabulary[random() % (1 + random() % vocabulary.size())]) + " ";
    return result;
  }

  /// Every document with one of the terms, best first.
  [[nodiscard]] Hits oracle(const Terms& terms) const {
    std::array<double, 2> counts{}, words{};
    for (const auto& [id, document] : documents)
      for (std::size_t f = 0; f < 2; ++f) {
        counts[f] += document[f].words > 0 ? 1 : 0;
        words[f] += document[f].words;
      }
    std::map<std::uint64_t, double> scores;
    for (const engine::QueryTerm& term : terms) {
      std::array<std::uint64_t, 2> with{};
      for (const auto& [id, document] : documents)
        for (std::size_t f = 0; f < 2; ++f) with[f] += document[f].terms.count(term.term);
      const auto all = static_cast<std::uint64_t>(std::max(counts[0], counts[1]));
      const double factor =
          term.weight * engine::inverse_frequency(all, std::max(with[0], with[1]));
      for (const auto& [id, document] : documents) {
        double sum = 0;
        for (std::size_t f = 0; f < 2; ++f) {
          const auto found = document[f].terms.find(term.term);
          if (found == document[f].terms.end()) continue;
          const double length = document[f].words * counts[f] / words[f];
          sum += static_cast<double>(found->second.size()) * weights[f] / (1 - b + b * length);
        }
        if (sum > 0) scores[id] += factor * sum * (k1 + 1) / (sum + k1);
      }
    }
    Hits hits;
    for (const auto& [id, score] : scores) hits.push_back({id, score});
    std::sort(hits.begin(), hits.end(), engine::is_better);
    return hits;
  }
};

/// Scores may differ by rounding, and so may the order of equal ones.
void compare(const Hits& found, Hits wanted, std::size_t k, const codec::Bitmap* allowed) {
  if (allowed != nullptr)
    std::erase_if(wanted, [&](const auto& hit) { return !allowed->contains(hit.id); });
  std::map<std::uint64_t, double> scores;
  for (const engine::TextHit& hit : wanted) scores[hit.id] = hit.score;
  BOOST_TEST_REQUIRE(found.size() == std::min(k, wanted.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    BOOST_TEST_REQUIRE(std::abs(found[i].score - wanted[i].score) < 1e-9 * wanted[i].score);
    BOOST_TEST_REQUIRE(std::abs(found[i].score - scores[found[i].id]) < 1e-9 * found[i].score);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(joined_fields)

BOOST_AUTO_TEST_CASE(scores_and_order_are_those_of_the_formula) {
  Fixture fixture;
  const Snapshot snapshot = must(fixture.db->snapshot());
  const auto view = Access::view(snapshot);
  std::vector<std::uint64_t> some;
  for (const auto& [id, document] : fixture.documents)
    if (fixture.random() % 40 == 0) some.push_back(id);
  const auto few = codec::Bitmap::from_sorted(some);
  for (int round = 0; round < 20; ++round) {
    Terms terms;
    std::string question;
    for (const char* word : vocabulary) {
      if (fixture.random() % 2 == 0) continue;
      const bool is_plain = round % 2 == 0;
      terms.push_back({word, is_plain ? 1 : 0.1 * (1 + static_cast<double>(fixture.random() % 9))});
      question += std::string(word) + " ";
    }
    if (terms.empty()) continue;
    const Hits all = fixture.oracle(terms);
    for (const std::size_t k : {1UL, 10UL, 5'000UL}) {
      for (const codec::Bitmap* allowed : {static_cast<const codec::Bitmap*>(nullptr), &few}) {
        engine::TextQuery query;
        query.text = question;
        query.plain = query.joins_fields = true;
        if (round % 2 != 0) query.terms = terms;
        query.k = k;
        query.allowed = allowed;
        compare(must(view->search_text(*view->catalog().find_index("texts"), query)).hits, all, k,
                allowed);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
