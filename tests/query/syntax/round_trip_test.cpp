#include "tests/query/syntax/query_generator.hpp"
#include "tests/query/syntax/support.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

using namespace query;

Result<ast::Statement> parse(const std::string& text) {
  const SourceText source(text);
  return parse_syntax(source);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(round_trip)

BOOST_AUTO_TEST_CASE(a_printed_tree_is_parsed_to_the_same_tree) {
  for (std::uint64_t seed = 1; seed <= rounds(20'000, 400'000); ++seed) {
    const std::string text = QueryGenerator(seed).statement();
    BOOST_TEST_CONTEXT("seed " << seed << ": " << text) {
      const auto tree = parse(text);
      BOOST_REQUIRE_MESSAGE(tree.has_value(), (tree.has_value() ? "" : tree.error().message));
      const std::string printed = print(*tree);
      const auto again = parse(printed);
      BOOST_REQUIRE_MESSAGE(again.has_value(),
                            printed + (again.has_value() ? "" : "\n" + again.error().message));
      BOOST_REQUIRE_MESSAGE(*again == *tree, printed);
      BOOST_REQUIRE(print(*again) == printed);
    }
  }
}

BOOST_AUTO_TEST_CASE(damaged_statements_give_an_error_or_a_tree) {
  for (std::uint64_t seed = 1; seed <= rounds(5'000, 100'000); ++seed) {
    std::string text = QueryGenerator(seed).statement();
    std::mt19937_64 random(seed);
    text.erase(random() % text.size(), 1 + random() % 3);
    text.insert(random() % (text.size() + 1), 1, "()[]{}'|,.:-<>$`"[random() % 16]);
    const auto tree = parse(text);
    if (tree.has_value()) {
      BOOST_TEST(parse(print(*tree)).has_value(), "seed " << seed << ": " << text);
    } else {
      BOOST_TEST(tree.error().where.has_value(), "seed " << seed << ": " << text);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
