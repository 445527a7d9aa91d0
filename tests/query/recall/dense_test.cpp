// Vectors beside texts: what they add to scores, and what is refused.

#include "tests/query/recall/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace cairn::test {
namespace {

// Texts of equal length; the vectors of a and c point away from each other.
struct Meanings : Recalling {
  Meanings() {
    add("CREATE VECTOR INDEX meanings FOR (m:Memory) ON (m.v) OPTIONS {indexConfig: "
        "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}");
    put("a", "red tea", {1, 0});
    put("b", "hot milk", {0.6F, 0.8F});
    put("c", "old tea", {-1, 0});
    options.vector_index = "meanings";
    options.vector = {1, 0};
    options.features.dense_weight = 0.5;
  }
  void put(const std::string& name, const std::string& text, std::vector<float> vector) {
    Transaction transaction = must(database->begin());
    must(transaction.create_node(
        {{"Memory"}, {{"name", name}, {"content", text}, {"v", Vector(std::move(vector))}}}));
    must(transaction.commit());
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(meaning, Meanings)

BOOST_AUTO_TEST_CASE(near_vectors_add_to_texts_and_stand_without_one) {
  BOOST_TEST(scores("tea") == "a 1.5; c 1; b 0.3");
  BOOST_TEST(parts_of(hits("tea")[0]).dense == 0.5);
  options.features.dense_weight = 0;
  BOOST_TEST(scores("tea") == "a 1; c 1");
  options.vector_index = "";
  options.vector = {};
  options.features.dense_weight = 0.5;
  BOOST_TEST(scores("tea") == "a 1; c 1");
}

BOOST_AUTO_TEST_CASE(a_question_without_words_is_answered_by_vectors_alone) {
  BOOST_TEST(scores("?") == "a 0.5; b 0.3");
}

BOOST_AUTO_TEST_CASE(the_filter_binds_vectors_too) {
  options.filter = Filter::where("name", FilterOperator::not_equals, "a");
  BOOST_TEST(scores("tea") == "c 1; b 0.5");
}

BOOST_AUTO_TEST_CASE(the_best_texts_count_by_their_vectors_however_far_these_are) {
  // 200 nearer vectors than that of the only text.
  add("MATCH (m:Memory) DELETE m");
  for (int i = 0; i < 200; ++i) put("n", "milk", {1, 0});
  put("d", "tea", {0.6F, 0.8F});
  BOOST_TEST(parts_of(hits("tea")[0]).text == 1);
  BOOST_TEST(parts_of(hits("tea")[0]).dense == 0.3, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(an_index_or_a_vector_that_does_not_fit_is_refused) {
  options.vector = {1, 0, 0};
  BOOST_TEST((error("tea").code == ErrorCode::invalid_argument));
  BOOST_TEST(error("tea").message.find("3 components") != std::string::npos);
  options.vector = {1, std::numeric_limits<float>::quiet_NaN()};
  BOOST_TEST((error("tea").code == ErrorCode::invalid_argument));
  options.vector = {1, 0};
  for (const char* unknown : {"texts", "not there"}) {
    options.vector_index = unknown;
    BOOST_TEST((error("tea").code == ErrorCode::not_found));
  }
}

BOOST_AUTO_TEST_CASE(a_vector_without_an_index_is_refused) {
  options.vector_index = "";
  for (const double weight : {0.5, 0.0}) {
    options.features.dense_weight = weight;
    BOOST_TEST((error("tea").code == ErrorCode::invalid_argument));
    BOOST_TEST(error("tea").message.find("`vector_index`") != std::string::npos);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
