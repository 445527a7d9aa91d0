// Capitals of all scripts.
#include "engine/fulltext/letter_case.hpp"

#include <boost/test/unit_test.hpp>

using cairn::engine::begins_with_capital;
using cairn::engine::begins_with_small_letter;
using cairn::engine::first_letter;
using cairn::engine::with_capital;

BOOST_AUTO_TEST_SUITE(letter_case)

BOOST_AUTO_TEST_CASE(the_first_letter_may_have_several_bytes) {
  BOOST_TEST(first_letter("") == "");
  BOOST_TEST(first_letter("tea") == "t");
  BOOST_TEST(first_letter("ümit") == "ü");
  BOOST_TEST(first_letter("茶") == "茶");
}

BOOST_AUTO_TEST_CASE(capitals_of_all_scripts_are_known) {
  for (const char* text : {"Tea", "Ümit", "Élodie", "Иван", "Ωmega", "ǅep"})
    BOOST_TEST(begins_with_capital(text), text);
  for (const char* text : {"", "tea", "ümit", "иван", "ßa", "7up", "茶", "שלום", "\xc3", "\xa4"})
    BOOST_TEST(!begins_with_capital(text), text);
}

BOOST_AUTO_TEST_CASE(small_letters_of_all_scripts_are_known) {
  for (const char* text : {"tea", "ümit", "élodie", "иван", "ωmega", "ßa"})
    BOOST_TEST(begins_with_small_letter(text), text);
  for (const char* text : {"", "Tea", "Ümit", "Иван", "ǅep", "7up", "茶", "שלום", "\xc3", "\xa4"})
    BOOST_TEST(!begins_with_small_letter(text), text);
}

BOOST_AUTO_TEST_CASE(the_first_letter_becomes_a_capital) {
  BOOST_TEST(with_capital("") == "");
  BOOST_TEST(with_capital("maya") == "Maya");
  BOOST_TEST(with_capital("éLODIE") == "ÉLODIE");
  BOOST_TEST(with_capital("иван") == "Иван");
  for (const char* text : {"Maya", "Ümit", "7up", "茶", "ßa", "\xc3",
                           "\xa4"
                           "a"})
    BOOST_TEST(with_capital(text) == text);
}

BOOST_AUTO_TEST_SUITE_END()
