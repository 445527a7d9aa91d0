#include "engine/fulltext/term_dictionary.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

using cairn::engine::ShortWord;
using cairn::engine::WordInterner;

BOOST_AUTO_TEST_SUITE(word_interner)

BOOST_AUTO_TEST_CASE(a_short_word_is_all_of_its_letters) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  for (std::size_t size = 1; size <= ShortWord::most_bytes; ++size) {
    std::string word(size, '\0');
    for (char& letter : word) letter = static_cast<char>(random());
    BOOST_TEST(ShortWord(word).letters() == word, "seed " << seed << ", of " << size);
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = word;
      other[i] = static_cast<char>(other[i] + 1);
      BOOST_TEST(!(ShortWord(other) == ShortWord(word)), "seed " << seed << ", of " << size);
    }
  }
  BOOST_TEST(!(ShortWord("aa") == ShortWord("aaa")));
  BOOST_TEST(!(ShortWord("aaaa") == ShortWord("aaaaa")));
  BOOST_TEST(!(ShortWord(std::string(8, 'a')) == ShortWord(std::string(9, 'a'))));
}

BOOST_AUTO_TEST_CASE(each_word_leads_to_its_number) {
  const auto seed = std::random_device{}();
  std::mt19937 random(seed);
  WordInterner table;
  std::map<std::string, std::uint32_t> known;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    std::string letters(1 + random() % ShortWord::most_bytes, 'a');
    for (char& letter : letters) letter = static_cast<char>('a' + random() % 3);
    const ShortWord word(letters);
    const std::uint64_t hash = WordInterner::hash_of(word);
    const std::uint32_t* found = table.find(word, hash);
    const auto wanted = known.find(letters);
    if ((found != nullptr) != (wanted != known.end())) BOOST_FAIL("seed " << seed);
    if (found != nullptr && *found != wanted->second) BOOST_FAIL("seed " << seed);
    if (found != nullptr) continue;
    table.insert(word, hash, i);
    known[letters] = i;
  }
  BOOST_TEST(table.size() == known.size());
}

BOOST_AUTO_TEST_SUITE_END()
