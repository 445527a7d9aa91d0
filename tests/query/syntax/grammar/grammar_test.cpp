// The grammar file describes the language of the parser: known statements can be derived from the grammar, random
// sentences of the grammar can be parsed, and the generated GBNF describes the same language.
#include "query/syntax/gbnf.hpp"
#include "query/syntax/lexical.hpp"
#include "query/syntax/syntax_parser.hpp"
#include "tests/query/syntax/grammar/gbnf_reader.hpp"
#include "tests/query/syntax/grammar/known_statements.hpp"
#include "tests/query/syntax/grammar/recogniser.hpp"
#include "tests/query/syntax/grammar/sentence_generator.hpp"
#include "tests/support/rounds.hpp"

#include <cairn/language_grammar.hpp>

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace cairn::test {
namespace {

using query::ebnf::Grammar;

constexpr const char* advice =
    "If the parser has learnt something, query/syntax/cypher.ebnf is to say it; its head tells "
    "how.";

template <class T>
const T& must(const Result<T>& result) {
  BOOST_REQUIRE_MESSAGE(result.has_value(), (result.has_value() ? "" : result.error().message));
  return *result;
}

const Grammar& ebnf() {
  static const auto grammar = query::ebnf::read_ebnf(query::ebnf::cypher_ebnf());
  return must(grammar);
}

const Grammar& gbnf() {
  static const auto grammar = read_gbnf(must(language_grammar("gbnf")));
  return must(grammar);
}

/// A number that does not fit is no matter of grammar.
bool is_value_too_large(const Error& error) {
  return error.message.find(" is too large") != std::string::npos;
}

void check_derives(const Grammar& grammar, const std::vector<KnownStatement>& statements) {
  for (const KnownStatement& one : statements) {
    const Derivation derivation = derive(grammar, one.text);
    BOOST_TEST(derivation.is_derived, one.place << "\n"
                                                << one.text << "\n"
                                                << derivation.problem << "\n"
                                                << advice);
  }
}

void check_sentences_parse(const Grammar& grammar, std::size_t count) {
  std::cout << "seeds 1 to " << count << "\n";
  SentenceGenerator generator(grammar);
  std::size_t bytes = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::string text = generator.sentence(seed);
    const query::SourceText source(text);
    const auto tree = query::parse_syntax(source);
    const bool is_taken = tree.has_value() || is_value_too_large(tree.error());
    BOOST_TEST(is_taken, "seed " << seed << ": " << text << "\n"
                                 << (is_taken ? "" : tree.error().message));
    bytes += text.size();
  }
  BOOST_TEST(bytes / count > 40, "the sentences are too short to show anything: " << bytes / count);
}

std::string problem_of(const std::string& grammar) {
  const auto read = query::ebnf::read_ebnf(grammar);
  return read.has_value() ? "" : read.error().message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(grammar_as_a_file)

BOOST_AUTO_TEST_CASE(known_statements_are_derived) {
  const auto statements = golden_statements();
  BOOST_TEST(statements.size() > 300, statements.size());
  check_derives(ebnf(), statements);
}

BOOST_AUTO_TEST_CASE(statements_of_the_conformance_kit_are_derived) {
  const auto statements = kit_statements();
  if (statements.empty()) std::cout << "SKIPPED: no conformance kit at CAIRN_TCK_DIR\n";
  check_derives(ebnf(), statements);
}

BOOST_AUTO_TEST_CASE(random_sentences_parse) {
  check_sentences_parse(ebnf(), rounds(1'000, 10'000));
}

BOOST_AUTO_TEST_CASE(what_does_not_parse_is_not_derived) {
  for (const char* text : {"",
                           ";",
                           "RETURN",
                           "RETURN1",
                           "RETURN 1 2",
                           "RETURN 12abc",
                           "RETURN 010",
                           "MATCH (n RETURN n",
                           "RETURN all",
                           "RETURN [1, 2",
                           "RETURN 'a",
                           "RETURN '\\x'",
                           "RETURN '\\uD800'",
                           "RETURN a.`b",
                           "RETURN ``",
                           "RETURN $",
                           "RETURN 1 = NOT 2",
                           "RETURN a !b",
                           "RETURN a == b",
                           "MATCH (a)-[:A]>(b) RETURN a",
                           "RETURN 1 // x\n2",
                           "RETURN a ///* c */\n2",
                           "CREATE INDEX IF FOR (n:A) ON (n.x)",
                           "RETURN any(x IN xs)",
                           "FOREACH (x IN xs) SET x = 1"}) {
    BOOST_TEST(!parses(text), text);
    BOOST_TEST(!derive(ebnf(), text).is_derived, text);
    BOOST_TEST(!derive(gbnf(), text).is_derived, text);
  }
}

// Every character that a name of the grammar may have, to the last.
BOOST_AUTO_TEST_CASE(letters_are_letters_to_the_parser) {
  const std::size_t rule = *ebnf().find("LETTER");
  for (const auto& set : ebnf().rules[rule].part.parts)
    for (const auto& [first, last] : set.ranges)
      for (char32_t c = first; c <= last; ++c) {
        std::string text = "RETURN ";
        text += c < 0x80 ? std::string(1, static_cast<char>(c)) : std::string();
        if (c >= 0x800) text += static_cast<char>(0xE0 | (c >> 12));
        if (c >= 0x800) text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        if (c >= 0x80 && c < 0x800) text += static_cast<char>(0xC0 | (c >> 6));
        if (c >= 0x80) text += static_cast<char>(0x80 | (c & 0x3F));
        if (!parses(text)) BOOST_TEST(false, static_cast<std::uint32_t>(c) << " is no letter");
      }
}

BOOST_AUTO_TEST_CASE(a_mistake_in_the_grammar_is_named_with_its_line) {
  BOOST_TEST(problem_of("a ::= 'x'\nb ::= c") == "line 2 of the grammar: there is no rule c");
  BOOST_TEST(problem_of("a ::= 'x'\na ::= 'y'") ==
             "line 2 of the grammar: the rule a is defined twice");
  BOOST_TEST(problem_of("a ::= ('x'") == "line 1 of the grammar: a ) is missing");
  BOOST_TEST(problem_of("a ::= 'x") == "line 1 of the grammar: this text does not end");
  BOOST_TEST(problem_of("a ::= [x") == "line 1 of the grammar: this set does not end");
  BOOST_TEST(problem_of("a ::= | 'x'") == "line 1 of the grammar: something is missing here");
  BOOST_TEST(problem_of("a 'x'") == "line 1 of the grammar: a rule is written name ::= ...");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(grammar_as_gbnf)

BOOST_AUTO_TEST_CASE(it_is_well_formed) {
  std::cout << "GBNF: " << gbnf().rules.size() << " rules, "
            << must(language_grammar("gbnf")).size() << " bytes\n";
  BOOST_TEST(gbnf().rules.front().name == "root");
}

BOOST_AUTO_TEST_CASE(known_statements_are_derived) { check_derives(gbnf(), golden_statements()); }

BOOST_AUTO_TEST_CASE(random_sentences_parse) {
  check_sentences_parse(gbnf(), rounds(1'000, 10'000));
}

BOOST_AUTO_TEST_CASE(random_sentences_of_the_source_are_derived) {
  SentenceGenerator generator(ebnf());
  for (std::uint64_t seed = 1; seed <= rounds(30, 3'000); ++seed) {
    const std::string text = generator.sentence(seed);
    const Derivation derivation = derive(gbnf(), text);
    BOOST_TEST(derivation.is_derived, "seed " << seed << ": " << text);
  }
}

BOOST_AUTO_TEST_CASE(words_are_apart_and_keywords_in_any_case) {
  for (const char* text : {"return 1", "ReTuRn(1)AS x", "RETURN/**/1", "RETURN'a'",
                           "RETURN 1 // end", "RETURN 4 / /* c */ 2"})
    BOOST_TEST(derive(gbnf(), text).is_derived, text);
}

BOOST_AUTO_TEST_CASE(another_format_is_refused_by_name) {
  BOOST_TEST(language_grammar("bnf").error().message ==
             "there is no grammar in the format \"bnf\"; the formats are \"ebnf\" and \"gbnf\"");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
