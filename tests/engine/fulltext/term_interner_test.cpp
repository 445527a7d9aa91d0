#include "engine/fulltext/term_dictionary.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

using cairn::engine::TermInterner;

BOOST_AUTO_TEST_SUITE(term_interner)

BOOST_AUTO_TEST_CASE(each_text_has_one_number_in_the_order_in_which_it_came) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  TermInterner table;
  for (int round = 0; round < 3; ++round, table.clear()) {
    std::map<std::string, std::uint32_t> known;
    for (int i = 0; i < 5'000; ++i) {
      std::string text(random() % 12, 'a');
      for (char& letter : text) letter = static_cast<char>('a' + random() % 3);
      const auto next = static_cast<std::uint32_t>(known.size());
      const std::uint32_t wanted = known.emplace(text, next).first->second;
      if (table.number_of(text) != wanted) BOOST_FAIL("seed " << seed << ", " << text);
    }
    BOOST_TEST(table.size() == known.size(), "seed " << seed);
    for (const auto& [text, number] : known)
      if (table[number] != text) BOOST_FAIL("seed " << seed << ", " << text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
