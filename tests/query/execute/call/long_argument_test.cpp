// The error of a CALL shows where a wrong argument begins, however long it is.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

// Calls that fail for any content of the text or list.
const char* const calls[] = {
    "CALL db.facets({field: 'i', operator: 'exists'}, [$list])",
    "CALL db.facets({field: 'i', operator: 'exists'}, {field: $list})",
    "CALL db.facets({field: 'i', operator: 'exists'}, {field: 'i', limit: $text})",
    "CALL db.facets({field: 'i', operator: 'exists'}, {field: $text, by_age: true, limit: 1})",
    "CALL db.recall($list)",
    "CALL db.recall('tea', $list)",
    "CALL db.recall('tea', {boosts: $text})",
    "CALL db.recall('tea', {boosts: [$text]})",
    "CALL db.recall('tea', {limit: $text})",
    "CALL db.index.fulltext.queryNodes($list, 'tea')",
    "CALL db.index.fulltext.queryNodes('texts', $list)",
    "CALL db.rules.put($list, 'tea', 'drink')",
    "CALL db.rules.put('tea', $list, 'drink')",
    "CALL db.rules.drop($list)",
    "CALL db.rules.undo($list)",
    "MATCH (n) CALL db.create.setNodeVectorProperty(n, $list, [1.0])",
    ("CREATE VECTOR INDEX v FOR (n:N) ON (n.v) OPTIONS "
     "{indexConfig: {`vector.dimensions`: $text}}"),
};

}  // namespace

BOOST_AUTO_TEST_SUITE(long_arguments)

BOOST_AUTO_TEST_CASE(an_error_shows_the_beginning_of_an_argument) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:N {i: 1})"});
  const std::string text(100'000, 'x');
  const Parameters given = {{"text", text}, {"list", list_of({text, text})}};
  for (const char* call : calls) {
    const std::string message = error_of(*database, call, given).message;
    BOOST_TEST_CONTEXT(call) {
      BOOST_TEST(message.find("xxxx") != std::string::npos, message.substr(0, 300));
      BOOST_TEST(message.size() < 300U, message.substr(0, 300));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
