// Tokens of the model Unigram, with Metaspace and Precompiled. Those of the first case are the npm
// package's.
#include "tests/support/graph_builder.hpp"
#include "tests/tools/embedders/golden_tokens.hpp"
#include "tools/embedders/tokenizer/aligned_text.hpp"
#include "tools/embedders/tokenizer/normalizer.hpp"
#include "tools/embedders/tokenizer/tokenizer.hpp"

#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using test::check;
using test::must;

namespace {

std::string file(const std::string& pre_tokenizer, const std::string& more = {}) {
  return R"({"added_tokens": [{"id": 0, "content": "<s>", "special": true}], "pre_tokenizer": )" +
         pre_tokenizer + R"(, "model": {"type": "Unigram", "unk_id": 1, "vocab": [["<s>", 0],
         ["<unk>", 0], ["▁", -3], ["▁the", -2.5], ["the", -4], ["t", -5], ["h", -5.25],
         ["e", -4.5], ["▁t", -4.75], ["he", -4.25], ["東", -6], ["東京", -6.5], ["京", -7],
         ["▁ab", -5], ["abab", -9.5], ["ab", -4.125], ["a", -6], ["b", -6.25], ["ﬁ", -7]])" +
         more + "}}";
}

tools::Tokenizer unigram(const std::string& pre_tokenizer, const std::string& more = {}) {
  return must(tools::Tokenizer::read(file(pre_tokenizer, more)));
}

const std::string metaspace =
    R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})";

/// Replaces U+0001 by a blank, and nothing else.
constexpr std::string_view small_map = "IAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAQ0AAAAAAIAAAAAAIAA=";

Result<std::vector<tools::Normalizer>> precompiled(std::string_view map) {
  return tools::read_normalizers(
      Value(Map{{"type", "Precompiled"}, {"precompiled_charsmap", std::string(map)}}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unigram_tokens)

BOOST_AUTO_TEST_CASE(the_best_sum_of_scores_wins) {
  check(unigram(metaspace), {{"", {}},
                             {"the the", {3, 3}},
                             {"The", {2, 1, 9}},
                             {"t he thet", {8, 2, 9, 3, 5}},
                             {"東京 東京東", {2, 11, 2, 11, 10}},
                             {"ababab ab", {13, 15, 15, 13}},
                             {"xx yx", {2, 1, 2, 1}},
                             {"<s>the <s> the", {0, 3, 2, 0, 3}},
                             {"  the", {2, 3}},
                             {"a\nb", {2, 16, 1, 17}},
                             {"\ufb01fi", {2, 18, 1}}});
}

BOOST_AUTO_TEST_CASE(metaspace_marks_the_pieces_that_the_file_says) {
  const auto with = [](const std::string& rest) {
    return unigram(R"({"type": "Metaspace", "replacement": "▁", )" + rest + "}");
  };
  check(with(R"("prepend_scheme": "never")"), {{"the the", {4, 3}}});
  check(with(R"("add_prefix_space": false)"), {{"the the", {4, 3}}});
  check(with(R"("prepend_scheme": "first")"), {{"the<s>the", {3, 0, 4}}});
  check(with(R"("split": false)"), {{"the the", {3, 3}}});
  const auto words = unigram(
      R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, )" + metaspace + "]}");
  check(words, {{"the\nthe", {3, 3}}});
}

BOOST_AUTO_TEST_CASE(unknown_points_are_bytes_where_the_vocabulary_has_them) {
  const auto bytes = must(tools::Tokenizer::read(
      R"({"model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": [["?", 0],
          ["a", -1], ["<0xC3>", -9], ["<0xBC>", -9]]}})"));
  check(bytes, {{"a\u00fca", {1, 2, 3, 1}}, {"a\u00f6", {1, 0}}});
}

BOOST_AUTO_TEST_CASE(a_map_of_characters_replaces_them) {
  const auto steps = must(precompiled(small_map));
  auto text = tools::aligned_text("a\x01\x01z");
  BOOST_REQUIRE(tools::normalise(text, steps).has_value());
  BOOST_TEST(tools::to_utf8(text.points) == "a  z");
  BOOST_TEST(text.origins[3].begin == 3U);
  for (const std::string_view damaged : {"", "AA", "!!!!", "AAAAAA==", "/////w==", "BQAAAAAAAAAA"})
    BOOST_TEST(!precompiled(damaged), damaged);
}

BOOST_AUTO_TEST_CASE(vocabularies_that_are_none_are_errors) {
  for (const std::string vocabulary :
       {R"([])", R"([["a"]])", R"([["a", "b"]])", R"([[1, 2]])", R"({"a": 1})", R"([["a", 1]])"})
    BOOST_TEST(!tools::Tokenizer::read(R"({"model": {"type": "Unigram", "unk_id": 1, "vocab": )" +
                                       vocabulary + "}}"),
               vocabulary);
  BOOST_TEST(tools::Tokenizer::read(
                 R"({"pre_tokenizer": {"type": "Metaspace", "prepend_scheme": "last"}})")
                 .error()
                 .message ==
             "the pre-tokenizer Metaspace has the prepend_scheme last, which Cairn "
             "does not know");
}

BOOST_AUTO_TEST_SUITE_END()
