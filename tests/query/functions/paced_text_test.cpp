#include "query/functions/paced_text.hpp"

#include "codec/utf8.hpp"
#include "tests/query/functions/few_steps.hpp"
#include "tests/query/functions/support.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

namespace cairn::query {
namespace {

// Long enough for several chunks, of few letters, so that parts are found often and across chunks.
std::string some_text(std::mt19937_64& random, std::size_t letters) {
  static const char* const all[] = {"a", "b", " ", "\u00e4", "\u03a3", "\u20ac", "\U0001f600"};
  std::string text;
  for (std::size_t i = 0; i < letters; ++i) text += all[random() % std::size(all)];
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(paced_text)

BOOST_AUTO_TEST_CASE(chunks_change_no_answer) {
  std::mt19937_64 random(11);
  for (std::size_t round = 0; round < cairn::test::rounds(20, 500); ++round) {
    const std::string text = some_text(random, 20'000 + random() % 100'000);
    BOOST_TEST(paced_length(nullptr, text).value() == codec::utf8_length(text));
    for (int i = 0; i < 20; ++i) {
      const auto count = static_cast<std::int64_t>(random() % (text.size() + 10));
      BOOST_TEST(paced_offset(nullptr, text, count).value() == codec::utf8_offset(text, count));
      const std::size_t from = random() % text.size();
      const std::string part = text.substr(random() % text.size(), random() % 70'000);
      BOOST_TEST(paced_find(nullptr, text, part, from).value() == text.find(part, from));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_part_across_two_chunks_is_found) {
  for (const std::size_t before : {65'530U, 65'535U, 65'536U, 131'071U}) {
    const std::string text = std::string(before, 'a') + "needle" + std::string(100'000, 'a');
    BOOST_TEST(paced_find(nullptr, text, "needle", 0).value() == before);
  }
}

BOOST_AUTO_TEST_CASE(walks_end_with_the_steps) {
  const std::string text(1'000'000, 'a');
  FewSteps few(200);
  BOOST_TEST(!paced_length(&few, text).has_value());
  FewSteps enough(2'000);
  BOOST_TEST(paced_length(&enough, text).value() == 1'000'000);
  FewSteps none(10);
  BOOST_TEST(!paced_find(&none, text, "b", 0).has_value());
}

BOOST_AUTO_TEST_CASE(pieces_of_a_text_have_the_case_and_the_form_of_the_whole) {
  std::mt19937_64 random(12);
  for (std::size_t round = 0; round < cairn::test::rounds(5, 100); ++round) {
    const std::string text = some_text(random, 60'000 + random() % 60'000);
    // Each part is short enough to be one piece; a blank ends the context of case mapping.
    for (const char* function : {"toUpper", "toLower", "normalize"}) {
      std::string parts;
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size() - 1) + 1;
        parts += test::call(function, {Value(text.substr(begin, end - begin))}).value().as_string();
        begin = end;
      }
      BOOST_TEST((test::call(function, {Value(text)}).value().as_string() == parts));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
