#include "engine/text/hashing_features.hpp"

#include <cairn/embedder.hpp>
#include <cairn/hashing_frequencies.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>

using cairn::engine::split_words;

namespace {

double cosine(std::string_view a, std::string_view b) {
  const auto embedder = cairn::make_hashing_embedder();
  const std::array texts{a, b};
  const auto vectors = embedder->embed(texts).value();
  double sum = 0;
  for (std::size_t i = 0; i < vectors[0].dimension(); ++i)
    sum += static_cast<double>(vectors[0].components()[i]) *
           static_cast<double>(vectors[1].components()[i]);
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(word_splitter)

BOOST_AUTO_TEST_CASE(words_are_folded_and_cut_at_what_is_no_letter) {
  const std::vector<std::string> expected{"grüße", "an", "ada", "42"};
  BOOST_TEST(split_words("Grüße an ADA, (42)!") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_identifier_gives_its_parts_and_the_whole) {
  const std::vector<std::string> expected{"vector", "index", "vectorindex", "user", "set"};
  BOOST_TEST(split_words("vectorIndex user_set") == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_separate_words) {
  const std::vector<std::string> expected{"a", "b"};
  BOOST_TEST(split_words("a\xff"
                         "b") == expected,
             boost::test_tools::per_element());
  BOOST_TEST(split_words("").empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(hashing_embedder)

BOOST_AUTO_TEST_CASE(vectors_have_length_one_and_the_dimension_asked_for) {
  const auto embedder = cairn::make_hashing_embedder(64);
  const std::array<std::string_view, 3> texts{"some words", "", "!?"};
  const auto vectors = embedder->embed(texts).value();
  for (const cairn::Vector& vector : vectors) {
    BOOST_TEST(vector.dimension() == 64U);
    double squares = 0;
    for (float x : vector.components()) squares += static_cast<double>(x) * static_cast<double>(x);
    BOOST_TEST(std::abs(squares - 1) < 1e-5);
  }
}

BOOST_AUTO_TEST_CASE(the_same_text_gives_the_same_vector) {
  BOOST_TEST(cosine("a river", "a river") > 0.9999);
}

BOOST_AUTO_TEST_CASE(texts_that_share_words_are_nearer_than_others) {
  const double near =
      cosine("the database lost an acknowledged write", "acknowledged writes of a database");
  const double far =
      cosine("the database lost an acknowledged write", "bake bread with flour and salt");
  BOOST_TEST(near > far + 0.2);
}

BOOST_AUTO_TEST_CASE(spelling_variants_are_near) {
  BOOST_TEST(cosine("tokenizer", "tokenizers") > cosine("tokenizer", "mountain") + 0.3);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

using cairn::HashingFrequencies;

// What every text has, and one word of its own.
HashingFrequencies frequencies_of_talk(std::size_t texts) {
  HashingFrequencies frequencies;
  for (std::size_t i = 0; i < texts; ++i) frequencies.add("the weather in the morning");
  frequencies.add("kettle");
  return frequencies;
}

double product(const cairn::Vector& a, const cairn::Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.dimension(); ++i)
    sum += static_cast<double>(a.components()[i]) * static_cast<double>(b.components()[i]);
  return sum;
}

double cosine(const cairn::Embedder& embedder, std::string_view a, std::string_view b) {
  const std::array texts{a, b};
  const auto vectors = embedder.embed(texts).value();
  return product(vectors[0], vectors[1]);
}

/// Returns the cosine of a question and a stored text.
double found(const cairn::Embedder& embedder, std::string_view question, std::string_view text) {
  return product(embedder.embed({&question, 1}).value()[0],
                 embedder.embed_documents({&text, 1}).value()[0]);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hashing_frequencies)

// The formula of the header. Of 101 texts one has "kettle", none "pan", all others "the" and "morning".
BOOST_AUTO_TEST_CASE(a_kept_text_counts_by_its_rare_words_against_eight_of_nothing) {
  const auto embedder = cairn::make_hashing_embedder(frequencies_of_talk(100), 1'024);
  const auto rarity = [](double with) { return std::log(1 + (101.5 - with) / (with + 0.5)); };
  const auto check = [&](const std::string& text, double words) {
    const double share = words / std::sqrt(words * words + 64);
    for (const std::string_view question : {"kettle", "the pan", "in the morning"})
      BOOST_TEST(found(*embedder, question, text) == share * cosine(*embedder, question, text),
                 boost::test_tools::tolerance(1e-4));
  };
  check("kettle", rarity(1) / rarity(0));
  check("the kettle, the pan", (rarity(1) + 2 * rarity(100)) / rarity(0) + 1);
  std::string text;
  for (int i = 0; i < 50; ++i) text += "a pan, kettles; ";
  check(text, 150);
}

BOOST_AUTO_TEST_CASE(a_kept_text_has_length_one_and_one_of_no_words_answers_nothing) {
  const auto embedder = cairn::make_hashing_embedder(frequencies_of_talk(9), 64);
  for (const std::string_view text : {"kettle", "the morning", "", "?"}) {
    const auto kept = embedder->embed_documents({&text, 1}).value()[0];
    BOOST_TEST(product(kept, kept) == 1, boost::test_tools::tolerance(1e-6));
  }
  for (const std::string_view question : {"kettle", "the weather in the morning"})
    BOOST_TEST(found(*embedder, question, "") == 0);
}

BOOST_AUTO_TEST_CASE(without_frequencies_or_room_a_kept_text_is_as_a_question) {
  const auto plain = cairn::make_hashing_embedder(64);
  BOOST_TEST(found(*plain, "a kettle", "a kettle") == 1, boost::test_tools::tolerance(1e-6));
  const auto narrow = cairn::make_hashing_embedder(frequencies_of_talk(9), 1);
  BOOST_TEST(found(*narrow, "kettle", "kettle") == 1, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(what_many_texts_have_brings_them_less_near) {
  const auto plain = cairn::make_hashing_embedder(1'024);
  const auto weighed = cairn::make_hashing_embedder(frequencies_of_talk(100), 1'024);
  const auto near = [](const cairn::Embedder& embedder) {
    return cosine(embedder, "the kettle in the morning", "kettle") -
           cosine(embedder, "the kettle in the morning", "the weather in the morning");
  };
  BOOST_TEST(near(*plain) < 0);
  BOOST_TEST(near(*weighed) > 0);
  BOOST_TEST(cosine(*weighed, "kettle", "kettle") == 1, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(other_frequencies_are_another_model) {
  const auto model = [](std::size_t texts) {
    return cairn::make_hashing_embedder(frequencies_of_talk(texts))->model();
  };
  BOOST_TEST(model(3) == model(3));
  BOOST_TEST(model(3) != model(4));
  BOOST_TEST(model(3) != cairn::make_hashing_embedder()->model());
}

BOOST_AUTO_TEST_CASE(texts_that_come_later_change_no_vector) {
  HashingFrequencies frequencies = frequencies_of_talk(10);
  const auto embedder = cairn::make_hashing_embedder(frequencies);
  const auto other = cairn::make_hashing_embedder(frequencies);
  for (int i = 0; i < 50; ++i) frequencies.add("kettle");
  const std::array<std::string_view, 1> text{"a kettle"};
  BOOST_TEST(
      embedder->embed(text).value()[0].components() == other->embed(text).value()[0].components(),
      boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(frequencies_come_back_from_their_bytes) {
  const HashingFrequencies frequencies = frequencies_of_talk(10);
  const std::string bytes = frequencies.encode();
  const HashingFrequencies again = HashingFrequencies::decode(bytes).value();
  BOOST_TEST(again.texts() == 11U);
  BOOST_TEST((again.encode() == bytes));
  BOOST_TEST(!HashingFrequencies::decode(bytes.substr(1)));
  BOOST_TEST(!HashingFrequencies::decode(bytes + "x"));
  BOOST_TEST(!HashingFrequencies::decode(""));
}

BOOST_AUTO_TEST_SUITE_END()
