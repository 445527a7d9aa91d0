#include "tools/bench/text.hpp"

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace cairn::tools;

BOOST_AUTO_TEST_SUITE(text_data)

BOOST_AUTO_TEST_CASE(texts_have_nine_to_25_words_and_are_the_same_for_a_seed) {
  TextWorkload workload;
  workload.texts = 200;
  const auto texts = make_texts(workload).value();
  BOOST_TEST(texts.size() == 200U);
  for (const std::string& text : texts) {
    const auto words = 1 + std::count(text.begin(), text.end(), ' ');
    BOOST_TEST((words >= 9 && words <= 25));
  }
  BOOST_TEST((make_texts(workload).value() == texts));
  workload.seed = 2;
  BOOST_TEST((make_texts(workload).value() != texts));
}

BOOST_AUTO_TEST_CASE(a_question_has_different_words_of_one_text) {
  const std::vector<std::string> texts{"green tea and green cups", "black coffee", "one"};
  TextWorkload workload;
  workload.questions = 50;
  const auto questions = make_questions(texts, workload, 2);
  BOOST_TEST(questions.size() == 50U);
  for (const TextQuestion& question : questions) {
    BOOST_REQUIRE(question.words.size() == 2U);
    BOOST_TEST(question.words[0] != question.words[1]);
    BOOST_TEST(std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
      return text.find(question.words[0]) != text.npos && text.find(question.words[1]) != text.npos;
    }));
  }
  BOOST_TEST(make_questions({"one"}, workload, 2).empty());
}

BOOST_AUTO_TEST_CASE(the_lines_of_a_file_are_texts) {
  const auto file =
      std::filesystem::temp_directory_path() / ("cairn_text_data_" + std::to_string(getpid()));
  std::ofstream(file) << "first line\n\nsecond line\nthird line\n";
  TextWorkload workload;
  workload.texts = 2;
  workload.file = file;
  BOOST_TEST(
      (make_texts(workload).value() == std::vector<std::string>{"first line", "second line"}));
  std::filesystem::remove(file);
  BOOST_TEST(!make_texts(workload));
}

BOOST_AUTO_TEST_CASE(cairn_is_measured_with_every_kind_of_question) {
  const auto directory =
      std::filesystem::temp_directory_path() / ("cairn_text_bench_" + std::to_string(getpid()));
  TextWorkload workload;
  workload.texts = 40;
  workload.questions = 5;
  std::ostringstream out;
  {
    const auto engine = make_cairn_engine(directory, workload).value();
    BOOST_TEST(bool(measure_text_engine(*engine, make_texts(workload).value(), workload, out)));
  }
  for (const char* part : {"texts/s", "index of the raw text", "2 words, any", "2 words, all",
                           "3 words, any, filter of 5 %", "3 words, all, filter of 5 %"})
    BOOST_TEST(out.str().find(part) != std::string::npos, part);
  std::filesystem::remove_all(directory);
}

BOOST_AUTO_TEST_SUITE_END()
