// The first call answers: questions as people ask them, to a memory that nobody has set up.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/recall.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace cairn::memory {
namespace {

using test::must;

struct TwoSentences {
  test::TemporaryDatabase database;
  Memory memory = must(Memory::open(*database));

  TwoSentences() {
    must(memory.remember("Ada prefers tea to coffee"));
    must(memory.remember("The deployment on Friday failed because of a full disk"));
  }
  RecallResult ask(std::string question) {
    RecallRequest request;
    request.query = std::move(question);
    return must(memory.recall(request));
  }
};

/// Without those of properties, which nobody makes.
std::vector<std::string> index_names(Database& database) {
  Rows rows = must(execute(database, "SHOW INDEXES"));
  const auto name = std::ranges::find(rows.columns(), "name") - rows.columns().begin();
  std::vector<std::string> names;
  while (const auto row = must(rows.next()))
    names.push_back((*row)[static_cast<std::size_t>(name)].as_string());
  std::erase_if(names, [](const std::string& one) { return one.starts_with("node."); });
  std::ranges::sort(names);
  return names;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(first_questions, TwoSentences)

BOOST_AUTO_TEST_CASE(everyday_questions_find_their_sentence) {
  const std::pair<const char*, const char*> questions[] = {
      {"what does Ada drink", "Ada prefers tea to coffee"},
      {"does ada like tea?", "Ada prefers tea to coffee"},
      {"coffee", "Ada prefers tea to coffee"},
      {"why did the deployment fail", "The deployment on Friday failed because of a full disk"},
      {"What happened on Friday?", "The deployment on Friday failed because of a full disk"},
      {"is the disk full", "The deployment on Friday failed because of a full disk"}};
  for (const auto& [question, sentence] : questions) {
    const RecallResult found = ask(question);
    BOOST_TEST_CONTEXT(question) {
      BOOST_REQUIRE(!found.hits.empty());
      BOOST_TEST(record_of(found.hits[0]).content == sentence);
      BOOST_TEST((found.stage == RecallStage::asked));
      for (const Hit& hit : found.hits) BOOST_TEST((hit.score > 0 && hit.score <= 1));
    }
  }
}

// Of a document the title often says what the text does not.
BOOST_AUTO_TEST_CASE(words_of_a_title_count) {
  must(memory.remember("It is kept at four degrees.", {{"title", "How to store vaccines"}}));
  const RecallResult found = ask("vaccines");
  BOOST_REQUIRE(found.hits.size() == 1U);
  BOOST_TEST(record_of(found.hits[0]).content == "It is kept at four degrees.");
  BOOST_TEST((found.stage == RecallStage::asked));
}

// A score says how much of the question the record answers, so that scores of questions compare.
BOOST_AUTO_TEST_CASE(a_score_is_the_share_of_what_the_question_allows) {
  const double all = ask("coffee and tea").hits.at(0).score;
  const double most = ask("coffee, tea and sugar").hits.at(0).score;
  const double little = ask("tea with lemon, sugar or honey").hits.at(0).score;
  BOOST_TEST(all > 0.9);
  BOOST_TEST(most < 0.8 * all);
  BOOST_TEST(little < 0.5 * most);
  BOOST_TEST(little > 0);
}

// M0.52, M0.53: a question without hits is repeated with wider conditions, and the result says which attempt succeeded.
BOOST_AUTO_TEST_CASE(an_empty_answer_is_broadened_and_says_so) {
  const RecallResult found = ask("deploy");
  BOOST_REQUIRE(found.hits.size() == 1U);
  BOOST_TEST((found.stage == RecallStage::asked || found.stage == RecallStage::keywords));
  const RecallResult part = ask("ployment");
  BOOST_REQUIRE(part.hits.size() == 1U);
  BOOST_TEST((part.stage == RecallStage::keywords));
  BOOST_TEST(ask("xyzzy").hits.empty());
}

// Conditions of the scope bind what words and features bring, and hidden records come only where asked for.
BOOST_AUTO_TEST_CASE(the_scope_binds_the_default_as_every_strategy) {
  const NodeId hidden = must(memory.remember("Ada sails", {{"user", "ada"}}, {.session = "s1"})).id;
  RecallRequest request;
  request.query = "what does Ada do";
  request.scope.session = "s1";
  BOOST_TEST(must(memory.recall(request)).hits.size() == 1U);
  request.scope.filter = Filter::where("user", FilterOperator::equals, "bob");
  BOOST_TEST(must(memory.recall(request)).hits.empty());
  request.scope.filter = {};
  BOOST_TEST(must(memory.remove(hidden)));
  BOOST_TEST(must(memory.recall(request)).hits.empty());
  request.scope.include_deleted = true;
  BOOST_TEST(must(memory.recall(request)).hits.size() == 1U);
}

// M0.40: the preset keeps its least score, and gives nothing rather than something far.
BOOST_AUTO_TEST_CASE(the_preset_of_the_source_system_keeps_its_least_score) {
  BOOST_TEST(must(memory.recall(similarity_request("what does Ada drink"))).hits.empty());
  BOOST_TEST(must(memory.recall(similarity_request("Ada prefers tea to coffee"))).hits.size() ==
             1U);
}

BOOST_AUTO_TEST_CASE(the_first_write_makes_both_indexes) {
  BOOST_TEST(joined(index_names(*database)) == "memory_contents, memory_embedding");
  must(memory.remember("one more"));
  BOOST_TEST(index_names(*database).size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_index_of_the_caller_is_taken_and_none_made) {
  test::TemporaryDatabase other;
  test::run_all(*other, {"CREATE FULLTEXT INDEX mine FOR (m:Memory) ON EACH [m.content]"});
  Memory fresh = must(Memory::open(*other));
  must(fresh.remember("Ada prefers tea"));
  BOOST_TEST(joined(index_names(*other)) == "memory_embedding, mine");
  RecallRequest request;
  request.query = "tea";
  BOOST_TEST((must(fresh.recall(request)).hits.at(0).explanation->retrievers.at(0).retriever ==
              RetrieverKind::text));
}

// One made later counts as well, as the one that somebody wanted: here summaries are found, too.
BOOST_AUTO_TEST_CASE(an_index_that_the_caller_makes_later_is_preferred) {
  must(memory.remember("see there", {{"summary", "Wet umbrellas"}}));
  BOOST_TEST(ask("umbrellas").hits.empty());
  test::run_all(*database,
                {"CREATE FULLTEXT INDEX mine FOR (m:Memory) ON EACH [m.content, m.summary]"});
  BOOST_TEST(ask("umbrellas").hits.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

// What the words do not find a model may.
BOOST_AUTO_TEST_CASE(a_model_takes_part_by_itself) {
  class Taste final : public Embedder {
   public:
    [[nodiscard]] std::string model() const override { return "taste"; }
    [[nodiscard]] std::size_t dimension() const override { return 2; }
    [[nodiscard]] Result<std::vector<Vector>> embed(
        std::span<const std::string_view> texts) const override {
      std::vector<Vector> vectors;
      for (const auto text : texts) {
        const bool tastes = text.find("tea") != text.npos || text.find("beverage") != text.npos;
        vectors.push_back(Vector(tastes ? std::vector<float>{1, 0} : std::vector<float>{0, 1}));
      }
      return vectors;
    }
  };
  test::TemporaryDatabase database;
  MemoryOptions options;
  options.embedder = std::make_shared<Taste>();
  Memory memory = must(Memory::open(*database, options));
  must(memory.remember("Ada prefers tea"));
  must(memory.remember("The disk is full"));
  RecallRequest request;
  request.query = "favourite beverage";
  auto found = must(memory.recall(request));
  BOOST_REQUIRE(!found.hits.empty());
  BOOST_TEST(record_of(found.hits[0]).content == "Ada prefers tea");
  request.min_score = 0.9;
  found = must(memory.recall(request));
  BOOST_REQUIRE(found.hits.size() == 1U);
  BOOST_TEST((found.hits[0].explanation->retrievers.at(0).retriever == RetrieverKind::vector));
}

// The caller's own vector counts, with words and without them.
BOOST_AUTO_TEST_CASE(a_vector_in_the_request_takes_part) {
  test::TemporaryDatabase database;
  Memory memory = open_with_words(*database);
  must(memory.remember("red"));
  must(memory.remember("green"));
  RecallRequest request;
  request.vector = {0, 1, 0};
  BOOST_TEST(record_of(must(memory.recall(request)).hits.at(0)).content == "green");
  request.query = "colour";
  BOOST_TEST(record_of(must(memory.recall(request)).hits.at(0)).content == "green");
}

}  // namespace cairn::memory
