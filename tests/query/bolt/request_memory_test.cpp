// What a statement holds when its outcome is stored. A program of its own, as it replaces operator new.
#include "tests/query/bolt/bolt_client.hpp"
#include "tests/support/counted_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>

using namespace cairn;
using namespace cairn::test;
using query::bolt::Tag;

namespace {

struct MemoryFixture : BoltFixture {
  BoltClient session = client();

  /// The most memory that a statement takes. Its rows are discarded.
  std::size_t peak_of(const std::string& text, const Map& extra) {
    const MemoryPeak peak;
    BOOST_TEST(failure_text(session.run(text, {}, extra)) == "SUCCESS");
    BOOST_TEST(session.ask(Tag::discard, {Map{{"n", -1}}}).name() == "SUCCESS");
    return peak.bytes();
  }
  std::size_t peak_of_request(const std::string& text, const char* id) {
    return peak_of(text, {{"tx_metadata", Map{{"cairn_request_id", id}}}});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(request_memory, MemoryFixture)

BOOST_AUTO_TEST_CASE(the_rows_of_a_request_are_held_once) {
  const std::string text =
      "CREATE (:A) WITH 1 AS one UNWIND range(1, 100000) AS i RETURN i, -i, 2 * i";
  static_cast<void>(peak_of(text, {}));
  const std::size_t alone = peak_of(text, {});
  const std::size_t noted = peak_of_request(text, "r1");
  BOOST_TEST_MESSAGE(alone << " bytes without an id, " << noted << " with one");
  BOOST_TEST(noted < alone + alone / 4);
}

// Eight hundred thousand values in the encoding, and nineteen lists in memory.
BOOST_AUTO_TEST_CASE(a_row_that_is_certainly_too_large_is_not_encoded) {
  const std::string text = "CREATE (:A) RETURN reduce(x = [1], i IN range(1, 18) | [x, x]) AS x";
  static_cast<void>(peak_of(text, {}));
  const std::size_t alone = peak_of(text, {});
  const std::size_t noted = peak_of_request(text, "r1");
  BOOST_TEST_MESSAGE(alone << " bytes without an id, " << noted << " with one");
  BOOST_TEST(noted < alone + (std::size_t{256} << 10));
}

BOOST_AUTO_TEST_SUITE_END()
