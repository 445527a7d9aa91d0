// Words like those of a question, by a small file of word vectors.

#include "tests/support/graph_builder.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/similar_words.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>

namespace cairn::test {

BOOST_AUTO_TEST_SUITE(similar_words_of_questions)

BOOST_AUTO_TEST_CASE(words_that_are_like_enough_come_best_first_and_none_of_the_question_does) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() / "words.txt") << "the 0 0 1\n"
                                                   "car 1 0 0\n"
                                                   "auto 0.95 0.3 0\n"
                                                   "truck 0.8 0.6 0\n"
                                                   "tea 0 1 0\n";
  must(WordVectors::convert(directory.path() / "words.txt", directory.path() / "words.cwv"));
  const auto vectors = must(WordVectors::open(directory.path() / "words.cwv"));
  const auto words = [&](std::string_view question, SimilarWordsOptions options = {}) {
    std::string all;
    for (const RecallWord& word : similar_words(*vectors, question, options))
      all += (all.empty() ? "" : " ") + word.word;
    return all;
  };
  BOOST_TEST(words("the Car?") == "auto truck");
  BOOST_TEST(words("the car, an auto") == "truck");
  BOOST_TEST(words("car", {1, 0.7}) == "auto");
  BOOST_TEST(words("car", {3, 0.9}) == "auto");
  BOOST_TEST(words("nobody").empty());
  const auto found = similar_words(*vectors, "car");
  BOOST_TEST(found.at(0).share > 0.9);
  BOOST_TEST(found.at(0).share <= 1);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
