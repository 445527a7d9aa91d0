// Word vectors: the text form to the mapped file, texts to vectors, and files that are none.

#include "tests/support/graph_builder.hpp"

#include <cairn/word_vectors.hpp>

#include <boost/test/unit_test.hpp>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <random>
#include <sstream>

namespace cairn::test {
namespace {

/// Ten words before them, so that those that are meant are rare; all share the third axis.
constexpr const char* source =
    "the 0 0 1\nof 0 0 1\nto 0 0 1\nin 0 0 1\nand 0 0 1\nfor 0 0 1\non 0 0 1\nis 0 0 1\n"
    "cup 1 0.1 0.5\nmug 0.9 0.2 0.5\ncar -0.2 1 0.5\nbus -0.3 0.9 0.5\nAda 0.5 -1 0.5\n";

struct Vectors {
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return temporary.path() / name;
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream stream(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  [[nodiscard]] std::unique_ptr<WordVectors> converted(const std::string& text) const {
    write("text", text);
    must(WordVectors::convert(file("text"), file("vectors")));
    return must(WordVectors::open(file("vectors")));
  }
  [[nodiscard]] std::string conversion_error(const std::string& text) const {
    write("text", text);
    const auto made = WordVectors::convert(file("text"), file("vectors"));
    return made ? "no error" : made.error().message;
  }

  TemporaryDirectory temporary;
};

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.dimension(); ++i)
    sum += static_cast<double>(a.components()[i]) * static_cast<double>(b.components()[i]);
  return sum;
}

double cosine(const WordVectors& vectors, std::string_view a, std::string_view b) {
  const std::string_view texts[] = {a, b};
  const auto made = must(vectors.embed(texts));
  return product(made[0], made[1]);
}

/// Returns the cosine of a question and a stored text.
double found(const WordVectors& vectors, std::string_view question, std::string_view text) {
  return product(must(vectors.embed({&question, 1}))[0],
                 must(vectors.embed_documents({&text, 1}))[0]);
}

std::string near(const WordVectors& vectors, std::string_view word, std::size_t count) {
  std::ostringstream out;
  for (const auto& found : vectors.nearest_words(word, count)) out << found.word << ' ';
  return out.str();
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(word_vectors, Vectors)

BOOST_AUTO_TEST_CASE(texts_of_like_words_are_near_each_other) {
  const auto vectors = converted(source);
  BOOST_TEST(vectors->dimension() == 3U);
  BOOST_TEST(vectors->size() == 13U);
  BOOST_TEST(cosine(*vectors, "a cup", "the mug") > 0.9);
  BOOST_TEST(cosine(*vectors, "a cup", "the car") < 0.3);
  BOOST_TEST(cosine(*vectors, "Cups? CUP'S", "cup") > 0.999);
}

BOOST_AUTO_TEST_CASE(frequent_words_weigh_little_and_what_is_common_is_taken_away) {
  const auto vectors = converted(source);
  BOOST_TEST(cosine(*vectors, "the cup is in the car", "cup car") > 0.99);
  // All words have the direction of the third axis in common, so this axis distinguishes nothing.
  const std::string_view text = "cup";
  BOOST_TEST(std::abs(must(vectors->embed({&text, 1}))[0].components()[2]) < 0.2F);
}

BOOST_AUTO_TEST_CASE(every_vector_has_the_length_one_also_of_nothing) {
  const auto vectors = converted(source);
  for (const std::string_view text : {"cup and car", "unknown", "", "?!"})
    BOOST_TEST(cosine(*vectors, text, text) == 1, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(cosine(*vectors, "", "unknown") == 1);
}

// As the header has it: the weights of words by Zipf's law, and eight words of nothing.
BOOST_AUTO_TEST_CASE(a_kept_text_counts_by_its_words_against_eight_of_nothing) {
  const auto vectors = converted(source);
  const auto weight = [](double rank) {
    const double share = 1 / (rank * (std::log(13.0) + 0.5772156649));
    return 3e-4 / (3e-4 + share);
  };
  std::string text;
  double words = 0;
  for (int i = 0; i < 2'000; ++i) {
    text += i % 2 == 0 ? "car " : "the bus, ";
    words += i % 2 == 0 ? weight(11) : weight(12) + weight(1);
    if (i != 0 && i != 9 && i != 1'999) continue;
    const double share = words / std::sqrt(words * words + 64);
    for (const std::string_view question : {"car", "cup", "the bus is in"})
      BOOST_TEST(found(*vectors, question, text) == share * cosine(*vectors, question, text),
                 boost::test_tools::tolerance(1e-4));
  }
}

BOOST_AUTO_TEST_CASE(a_kept_text_has_length_one_and_one_of_no_words_answers_nothing) {
  const auto vectors = converted(source);
  for (const std::string_view text : {"cup and car", "unknown", ""}) {
    const Vector kept = must(vectors->embed_documents({&text, 1}))[0];
    BOOST_TEST(product(kept, kept) == 1, boost::test_tools::tolerance(1e-6));
  }
  BOOST_TEST(std::abs(found(*vectors, "cup", "unknown")) < 1e-6);
  BOOST_TEST(std::abs(found(*vectors, "cup", "")) < 1e-6);
}

// Vectors that have no direction in common leave no room: nothing is added then.
BOOST_AUTO_TEST_CASE(without_a_common_direction_a_kept_text_is_as_a_question) {
  const auto vectors = converted("a 0 0\nb 0 0\n");
  for (const std::string_view text : {"a b", ""})
    BOOST_TEST(found(*vectors, text, text) == 1, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(words_are_found_folded_or_as_written) {
  const auto vectors = converted(source);
  BOOST_TEST(near(*vectors, "CUP", 1) == "mug ");
  BOOST_TEST(near(*vectors, "Ada", 1) == "cup ");
  BOOST_TEST(near(*vectors, "ada", 1).empty());
}

BOOST_AUTO_TEST_CASE(the_nearest_words_come_best_first_without_the_word_itself) {
  const auto vectors = converted(source);
  const auto words = vectors->nearest_words("cup", 100);
  BOOST_TEST_REQUIRE(words.size() > 2U);
  for (std::size_t i = 0; i < words.size(); ++i) {
    BOOST_TEST(words[i].word != "cup");
    if (i > 0) BOOST_TEST(words[i - 1].similarity >= words[i].similarity);
  }
  BOOST_TEST(words[0].similarity == 0.9877, boost::test_tools::tolerance(0.01));
  BOOST_TEST(vectors->nearest_words("cup", 0).empty());
}

// Two thousand words in bundles of four: of so many not all are compared.
BOOST_AUTO_TEST_CASE(the_nearest_of_many_words_are_those_that_comparing_all_finds) {
  constexpr std::size_t words = 2'000, dimension = 41, bundle = 4;
  std::mt19937 random(20'261'122);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> rows(words, std::vector<double>(dimension));
  std::ostringstream text;
  for (std::size_t i = 0; i < words; ++i) {
    text << 'w' << i;
    for (std::size_t k = 0; k < dimension; ++k) {
      const double own = 0.4 * normal(random);
      rows[i][k] = i % bundle == 0 ? 1 + normal(random) : rows[i - i % bundle][k] + own;
      text << ' ' << rows[i][k];
    }
    text << '\n';
  }
  const auto vectors = converted(text.str());
  const auto like = [&](std::size_t a, std::size_t b) {
    const auto dot = [&](std::size_t x, std::size_t y) {
      return std::inner_product(rows[x].begin(), rows[x].end(), rows[y].begin(), 0.0);
    };
    return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b));
  };
  for (std::size_t i = 0; i < words; i += 37) {
    std::vector<double> best;
    for (std::size_t other = 0; other < words; ++other)
      if (other != i) best.push_back(like(i, other));
    std::ranges::sort(best, std::greater());
    const auto found = vectors->nearest_words("w" + std::to_string(i), bundle);
    BOOST_TEST_REQUIRE(found.size() == bundle);
    for (std::size_t k = 0; k + 1 < bundle; ++k) {
      BOOST_TEST(std::abs(found[k].similarity - best[k]) < 0.02, i << ": " << found[k].word);
      BOOST_TEST(std::stoul(found[k].word.substr(1)) / bundle == i / bundle);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_nearest_may_be_asked_for_among_frequent_words_alone) {
  const auto vectors = converted(source);
  BOOST_TEST(vectors->nearest_words("cup", 1, 9).at(0).word != "mug");
  BOOST_TEST(vectors->nearest_words("cup", 1, 10).at(0).word == "mug");
  BOOST_TEST(vectors->nearest_words("bus", 1, 10).at(0).word != "car");
  BOOST_TEST(vectors->nearest_words("bus", 1, 11).at(0).word == "car");
  BOOST_TEST(vectors->nearest_words("cup", 1, 0).empty());
}

BOOST_AUTO_TEST_CASE(a_first_line_of_counts_and_other_ends_of_lines_change_nothing) {
  const std::string model = converted("a 1 2\nb 3 -4\n")->model();
  BOOST_TEST(converted("2 2\na 1 2\nb 3 -4\n")->model() == model);
  BOOST_TEST(converted("a 1 2 \r\nb\t3 -4\r\n")->model() == model);
  BOOST_TEST(converted("a 1 2\nb 3 -4\na 9 9\n")->model() == model);
  BOOST_TEST(converted("b 1 2\na 3 -4\n")->model() != model);
}

BOOST_AUTO_TEST_CASE(lines_that_are_no_vectors_are_named) {
  BOOST_TEST(conversion_error("a 1 2\nb 3\n").find("line 2") != std::string::npos);
  BOOST_TEST(conversion_error("a 1 2\nb 3 x\n").find("line 2") != std::string::npos);
  BOOST_TEST(conversion_error("a 1 nan\n").find("line 1") != std::string::npos);
  BOOST_TEST(conversion_error("a\n").find("line 1") != std::string::npos);
  BOOST_TEST(conversion_error("").find("no word vectors") != std::string::npos);
  const auto missing = WordVectors::convert(file("not there"), file("vectors"));
  BOOST_TEST_REQUIRE(!missing);
  BOOST_TEST((missing.error().code == ErrorCode::io_error));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_whole_is_refused) {
  static_cast<void>(converted(source));
  const std::string whole = read("vectors");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write("part", whole.substr(0, size));
    BOOST_TEST_REQUIRE(!WordVectors::open(file("part")));
  }
  write("more", whole + "more");
  BOOST_TEST(!WordVectors::open(file("more")));
  BOOST_TEST((WordVectors::open(file("not there")).error().code == ErrorCode::io_error));
}

// It would wait for a writer.
BOOST_AUTO_TEST_CASE(a_pipe_is_refused) {
  const test::TemporaryDirectory directory;
  const auto pipe = directory.path() / "pipe";
  BOOST_REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto opened = WordVectors::open(pipe);
  BOOST_REQUIRE(!opened);
  BOOST_TEST((opened.error().code == ErrorCode::corruption), opened.error().message);
}

BOOST_AUTO_TEST_CASE(a_file_with_a_changed_byte_is_refused) {
  static_cast<void>(converted(source));
  const std::string whole = read("vectors");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x81);
    write("changed", changed);
    const auto vectors = WordVectors::open(file("changed"));
    BOOST_TEST_REQUIRE(!vectors, "byte " << at);
    BOOST_TEST((vectors.error().code == ErrorCode::corruption));
  }
}

// Its readers have it mapped: a file that was cut to be rewritten would stop them.
BOOST_AUTO_TEST_CASE(a_file_that_is_converted_again_stays_for_who_has_it_open) {
  const auto vectors = converted(source);
  const auto before = must(vectors->embed(std::vector<std::string_view>{"cup car"}));
  write("other", "one 1 2\ntwo 2 1\n");
  static_cast<void>(must(WordVectors::convert(file("other"), file("vectors"))));
  const auto after = must(vectors->embed(std::vector<std::string_view>{"cup car"}));
  BOOST_TEST_REQUIRE(before.size() == after.size());
  BOOST_TEST(before[0].components() == after[0].components(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
