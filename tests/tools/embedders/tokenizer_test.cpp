// Tokens of small tokenizers, as the npm package @huggingface/tokenizers has them, and the errors of
// files. tests/clients/tokenizers compares many texts with the package itself.
#include "tools/embedders/tokenizer/tokenizer.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/tools/embedders/golden_tokens.hpp"
#include "tests/tools/embedders/made_tokenizer.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using test::check;
using test::Ids;
using test::ids_of;
using test::must;

namespace {

/// The texts that tokens stand for.
std::vector<std::string> words_of(const tools::Tokenizer& tokenizer, std::string_view text) {
  std::vector<std::string> words;
  for (const tools::Token& token : must(tokenizer.encode(text)))
    words.emplace_back(text.substr(token.origin.begin, token.origin.end - token.origin.begin));
  return words;
}

std::string message_of(const std::string& json) {
  const auto read = tools::Tokenizer::read(json);
  return read ? std::string() : read.error().message;
}

/// The file of the small BERT with one text in place of another.
std::string changed(std::string_view from, std::string_view to) {
  std::string json = test::small_bert();
  const std::size_t at = json.find(from);
  BOOST_REQUIRE(at != std::string::npos);
  return json.replace(at, from.size(), to);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tokenizer)

BOOST_AUTO_TEST_CASE(bert_has_the_tokens_of_the_package) {
  const auto bert = must(tools::Tokenizer::read(test::small_bert()));
  check(bert, {{"", {}},
               {"Unaffable", {5, 6, 7}},
               {"the Quickly fox, the FOX!", {10, 11, 12, 13, 14, 10, 13, 16}},
               {"caf\u00e9 CAF\u00c9 cafe\u0301 na\u00efve", {29, 29, 29, 30}},
               {"東京 日本", {31, 32, 33, 1}},
               {"日本東", {33, 1, 31}},
               {"ΟΔΟΣ ΟΔΟΣ.", {35, 36, 37, 38, 35, 36, 37, 38, 15}},
               {"Σ σ ς", {40, 40, 1}},
               {"İi", {41, 42}},
               {"привет, Мир!", {47, 14, 48, 16}},
               {"안", {50, 51, 52}},
               {"🙂🙂 🙂", {1, 53}},
               {"the\ufffdthe", {1}},
               {"a\tb\nb\r\nb\u00a0b\u3000b", {20, 21, 21, 21, 21, 21}},
               {"a\u200bb\ufeffb a\u0085b", {20, 9, 9, 20, 9}},
               {"aaaaaaaaaaa aaaaaaaaaa", {1, 20, 8, 8, 8, 8, 8, 8, 8, 8, 8}},
               {"the [MASK] fox[SEP]a", {10, 4, 13, 3, 20}},
               {"[mask] [MASK", {1, 1, 1, 1, 1}},
               {"122 1223 1.2", {43, 45, 45, 43, 45, 45, 46, 43, 15, 44}},
               {"it's-a", {41, 27, 18, 24, 19, 20}},
               {"\ufb01ne \ufb01", {54, 56, 54}}});
  BOOST_TEST(bert.frame().before == Ids{2}, boost::test_tools::per_element());
  BOOST_TEST(bert.frame().after == Ids{3}, boost::test_tools::per_element());
  BOOST_TEST(bert.unknown().value() == 1U);
  BOOST_TEST(bert.find("[MASK]").value() == 4U);
  BOOST_TEST(!bert.find("no token"));
}

BOOST_AUTO_TEST_CASE(tokens_know_their_bytes) {
  const auto bert = must(tools::Tokenizer::read(test::small_bert()));
  const std::vector<std::string> wanted = {"the", "caf\u00e9", "Un", "aff", "able", "東", "!"};
  BOOST_TEST(words_of(bert, " the caf\u00e9  Unaffable東!") == wanted,
             boost::test_tools::per_element());
  const std::vector<std::string> with_blank = {"the", " [MASK]", "fox"};
  BOOST_TEST(words_of(bert, "the [MASK] fox") == with_blank, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_is_not_utf_8_counts_as_the_replacement_character) {
  const auto bert = must(tools::Tokenizer::read(test::small_bert()));
  BOOST_TEST(ids_of(bert, "the\xff fox\xe6\x9d") == (Ids{10, 13}),
             boost::test_tools::per_element());
  BOOST_TEST(ids_of(bert, std::string_view("the\0 fox", 8)) == (Ids{10, 13}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pre_tokenizers_split_as_the_file_says) {
  const auto words = [](const std::string& pre_tokenizer, std::string_view text) {
    return words_of(must(tools::Tokenizer::read(test::word_level(pre_tokenizer))), text);
  };
  using Words = std::vector<std::string>;
  const auto is = [](const Words& found, const Words& wanted) {
    BOOST_TEST(found == wanted, boost::test_tools::per_element());
  };
  is(words(R"({"type": "Whitespace"})", "caf\u00e9, x!? 1"), {"caf\u00e9", ",", "x", "!?", "1"});
  is(words(R"({"type": "WhitespaceSplit"})", " a,b\u3000c "), {"a,b", "c"});
  is(words(R"({"type": "Digits", "individual_digits": true})", "a12"), {"a", "1", "2"});
  is(words(R"({"type": "Digits"})", "a12b"), {"a", "12", "b"});
  is(words(R"({"type": "Punctuation"})", "a!?b"), {"a", "!", "?", "b"});
  is(words(R"({"type": "Punctuation", "behavior": "Contiguous"})", "a!?b"), {"a", "!?", "b"});
  const auto split = [&](const std::string& rest, std::string_view text) {
    return words(R"({"type": "Split", "pattern": {"String": "-"}, )" + rest + "}", text);
  };
  is(split(R"("behavior": "Removed")", "a--b-c"), {"a", "b", "c"});
  is(split(R"("behavior": "Isolated")", "a--b"), {"a", "-", "-", "b"});
  is(split(R"("behavior": "Contiguous")", "a--b"), {"a", "--", "b"});
  is(split(R"("behavior": "MergedWithPrevious")", "-a--b"), {"-", "a-", "-", "b"});
  is(split(R"("behavior": "MergedWithNext")", "a--b-"), {"a", "-", "-b", "-"});
  is(split(R"("behavior": "Removed", "invert": true)", "a--b"), {"-", "-"});
  const std::string gpt =
      R"({"type": "Split", "behavior": "Isolated", "pattern": {"Regex":
          "(?i:'s|'t|'re)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}})";
  is(words(gpt, "It'S  12345 caf\u00e9!!\n x"),
     {"It", "'S", " ", " ", "123", "45", " caf\u00e9", "!!\n", " x"});
}

BOOST_AUTO_TEST_CASE(a_normalizer_does_not_multiply_a_text) {
  const auto replacing = [](const std::string& steps) {
    return must(tools::Tokenizer::read(
        R"({"normalizer": {"type": "Sequence", "normalizers": [)" + steps +
        R"(]}, "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0}}})"));
  };
  const auto step = [](std::size_t count) {
    return R"({"type": "Replace", "pattern": {"String": "a"}, "content": ")" +
           std::string(count, 'a') + "\"}";
  };
  const std::string text(1'000, 'a');
  BOOST_TEST(must(replacing(step(30)).encode(text)).size() == 1U);
  for (const std::string& steps : {step(40), step(30) + "," + step(30)}) {
    const auto tokens = replacing(steps).encode(text);
    BOOST_REQUIRE(!tokens);
    BOOST_TEST((tokens.error().code == ErrorCode::resource_limit));
    BOOST_TEST(tokens.error().message.find("shorten the content") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(the_longest_added_token_counts_and_the_last_of_equal_ones) {
  const auto added = [](const std::string& content, int id) {
    return R"({"content": ")" + content + R"(", "id": )" + std::to_string(id) + "}";
  };
  const auto tokenizer = must(tools::Tokenizer::read(
      R"({"added_tokens": [)" + added("<a>", 1) + "," + added("<a><b>", 2) + "," + added("<b>", 3) +
      "," + added("<b>", 4) +
      R"(], "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0}}})"));
  BOOST_TEST(ids_of(tokenizer, "<a><a><b><b>x<a") == (Ids{1, 2, 4, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_file_asks_for_and_is_not_there_is_an_error_with_its_name) {
  const auto asks = [](std::string_view from, std::string_view to, std::string_view wanted) {
    const std::string message = message_of(changed(from, to));
    BOOST_TEST(message.find(wanted) != std::string::npos, message << " lacks " << wanted);
    BOOST_TEST((tools::Tokenizer::read(changed(from, to)).error().code == ErrorCode::unsupported));
  };
  asks("\"BertNormalizer\"", "\"Shout\"", "the normalizer is a Shout, which Cairn does not have");
  asks("\"BertPreTokenizer\"", "\"Guess\"", "the pre-tokenizer is a Guess");
  asks("\"BertProcessing\"", "\"Crown\"", "the post-processor is a Crown");
  asks("\"WordPiece\"", "\"Oracle\"", "the model is a Oracle");
  asks("\"lowercase\":true", "\"uppercase\":true",
       "the normalizer BertNormalizer has the setting \"uppercase\"");
  asks("{\"type\":\"BertPreTokenizer\"}",
       R"({"type": "Split", "pattern": {"Regex": "a\\Kb"}, "behavior": "Isolated"})",
       "the regular expression a\\Kb has \\K");
  asks("{\"type\":\"BertPreTokenizer\"}",
       R"({"type": "Split", "pattern": {"Regex": "a{1,3}+"}, "behavior": "Isolated"})", "has }+");
  asks("{\"type\":\"BertPreTokenizer\"}",
       R"({"type": "Split", "pattern": {"String": "a"}, "behavior": "Sometimes"})",
       "the pre-tokenizer Split has the behavior Sometimes");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_tokenizer_is_an_error) {
  const std::string bert = test::small_bert();
  for (const std::string& json :
       {std::string(), std::string("[]"), std::string("{}"), bert.substr(0, bert.size() / 2),
        changed("\"[UNK]\":1", "\"[UNK]\":-1"), changed("\"[UNK]\":1", "\"[UNK]\":5000000000"),
        changed("\"unk_token\":\"[UNK]\"", "\"unk_token\":\"[NO]\""),
        changed("\"lowercase\":true", "\"lowercase\":1"), changed("[\"[SEP]\",3]", "[3]"),
        changed("{\"type\":\"BertPreTokenizer\"}", R"({"type": "Split", "pattern": {}})"),
        changed("{\"type\":\"BertPreTokenizer\"}",
                R"x({"type": "Split", "pattern": {"Regex": "a)"}})x")})
    BOOST_TEST(!message_of(json).empty(), json.substr(0, 200));
}

BOOST_AUTO_TEST_CASE(an_expression_that_takes_too_long_is_an_error) {
  const auto slow = must(tools::Tokenizer::read(test::word_level(
      R"({"type": "Split", "behavior": "Isolated", "pattern": {"Regex": "(?:a|a)*b|(?:a*)*c"}})")));
  const auto tokens = slow.encode(std::string(5'000, 'a'));
  BOOST_REQUIRE(!tokens);
  BOOST_TEST((tokens.error().code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_SUITE_END()
