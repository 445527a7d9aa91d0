// Tokens of the model BPE, as the npm package has them.
#include "tests/support/graph_builder.hpp"
#include "tests/tools/embedders/golden_tokens.hpp"
#include "tools/embedders/tokenizer/tokenizer.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cairn;
using test::check;
using test::must;

namespace {

tools::Tokenizer byte_pairs(const std::string& rest, const std::string& pre_tokenizer = "null") {
  return must(tools::Tokenizer::read(R"({"pre_tokenizer": )" + pre_tokenizer +
                                     R"(, "model": {"type": "BPE", )" + rest + "}}"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(byte_pair_tokens)

BOOST_AUTO_TEST_CASE(pairs_are_merged_by_their_ranks) {
  const auto roberta = byte_pairs(
      R"("dropout": null, "unk_token": "<unk>", "continuing_subword_prefix": "", "fuse_unk": false,
         "vocab": {"<unk>": 0, "a": 1, "b": 2, "c": 3, "Ġ": 4, "ab": 5, "abc": 6, "Ġab": 7, "bc": 8,
                   "Ġc": 9, "Ã": 10, "©": 11, "Ã©": 12, "1": 13, "Ċ": 14},
         "merges": ["a b", "Ġ ab", "b c", ["ab", "c"], "Ġ c", "Ã ©"])",
      R"({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true})");
  check(roberta, {{"", {}},
                  {"abc", {7, 3}},
                  {"abc ab c", {7, 3, 7, 9}},
                  {"  abc", {4, 7, 3}},
                  {"abcab\n", {7, 3, 5, 14}},
                  {"\u00e9 a\u00e9", {4, 12, 4, 1, 12}},
                  {"ab1 x", {7, 13, 4, 0}},
                  {"aaab", {4, 1, 1, 5}}});
  const auto tokens = must(roberta.encode("abc \u00e9"));
  BOOST_REQUIRE(tokens.size() == 4U);
  BOOST_TEST((tokens[0].origin == tools::Origin{0, 2}));
  BOOST_TEST((tokens[3].origin == tools::Origin{4, 6}));
}

BOOST_AUTO_TEST_CASE(unknown_points_are_bytes_or_one_token) {
  const auto bytes = byte_pairs(
      R"("unk_token": "?", "fuse_unk": true, "byte_fallback": true, "merges": [["a", "b"]],
         "vocab": {"?": 0, "a": 1, "b": 2, "ab": 3, "<0xC3>": 4, "<0xBC>": 5})");
  check(bytes, {{"abab", {3, 3}},
                {"a\u00fcb", {1, 4, 5, 2}},
                {"a\u00f6b", {1, 0, 2}},
                {"\u00f6\u00f6", {0}},
                {"a\u00f6\u00fc\u00f6a", {1, 0, 4, 5, 0, 1}}});
}

BOOST_AUTO_TEST_CASE(the_end_of_a_word_has_tokens_of_its_own) {
  const auto ends = byte_pairs(
      R"("unk_token": "?", "end_of_word_suffix": "</w>", "merges": ["a b</w>"],
         "vocab": {"?": 0, "a": 1, "b</w>": 2, "ab</w>": 3, "b": 4, "a</w>": 5})",
      R"({"type": "WhitespaceSplit"})");
  check(ends, {{"ab a b", {3, 5, 2}}, {"aab", {1, 3}}});
}

BOOST_AUTO_TEST_CASE(a_piece_that_is_a_token_may_stay_whole) {
  const std::string vocabulary =
      R"("merges": ["b c"], "vocab": {"a": 1, "b": 2, "c": 3, "bc": 4, "abc": 5})";
  check(byte_pairs(R"("ignore_merges": true, )" + vocabulary), {{"abc", {5}}, {"abcc", {1, 4, 3}}});
  check(byte_pairs(vocabulary), {{"abc", {1, 4}}});
}

BOOST_AUTO_TEST_CASE(a_long_piece_takes_no_long_time) {
  const auto pairs =
      byte_pairs(R"("merges": ["a a", "aa aa"], "vocab": {"a": 1, "aa": 2, "aaaa": 3})");
  BOOST_TEST(must(pairs.encode(std::string(400'000, 'a'))).size() == 100'000U);
}

BOOST_AUTO_TEST_CASE(merges_that_are_none_are_errors) {
  for (const std::string merges :
       {R"(["ab"])", R"([["a"]])", R"([1])", R"(["a c"])", R"(["b a"])", R"({"a": 1})"})
    BOOST_TEST(!tools::Tokenizer::read(
                   R"({"model": {"type": "BPE", "vocab": {"a": 1, "b": 2, "ab": 3}, "merges": )" +
                   merges + "}}"),
               merges);
  for (const std::string setting :
       {R"("dropout": 0.1)", R"("continuing_subword_prefix": "##")", R"("unk_token": "?")"})
    BOOST_TEST(
        !tools::Tokenizer::read(R"({"model": {"type": "BPE", "vocab": {"a": 1}, "merges": [], )" +
                                setting + "}}"),
        setting);
}

BOOST_AUTO_TEST_SUITE_END()
