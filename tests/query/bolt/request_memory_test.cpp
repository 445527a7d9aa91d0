// The memory that a statement holds when its outcome is stored. A separate program, because it replaces operator new.
#include "tests/query/bolt/bolt_client.hpp"
#include "tests/support/counted_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

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
  /// The least of three peaks without an id and with one: other threads of the database allocate too.
  std::pair<std::size_t, std::size_t> least_peaks(const std::string& text) {
    std::size_t alone = SIZE_MAX;
    std::size_t noted = SIZE_MAX;
    for (const char* id : {"r1", "r2", "r3"}) {
      alone = std::min(alone, peak_of(text, {}));
      noted = std::min(noted, peak_of_request(text, id));
    }
    return {alone, noted};
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
  const auto [alone, noted] = least_peaks(text);
  BOOST_TEST_MESSAGE(alone << " bytes without an id, " << noted << " with one");
  BOOST_TEST(noted < alone + alone / 4);
}

// Eight hundred thousand values in the encoding, and nineteen lists in memory.
BOOST_AUTO_TEST_CASE(a_row_that_is_certainly_too_large_is_not_encoded) {
  const std::string text = "CREATE (:A) RETURN reduce(x = [1], i IN range(1, 18) | [x, x]) AS x";
  static_cast<void>(peak_of(text, {}));
  const auto [alone, noted] = least_peaks(text);
  BOOST_TEST_MESSAGE(alone << " bytes without an id, " << noted << " with one");
  BOOST_TEST(noted < alone + (std::size_t{256} << 10));
}

// A node is encoded with its properties each time: 32 GB here.
BOOST_AUTO_TEST_CASE(a_row_that_shares_a_large_node_is_not_encoded) {
  const std::string text =
      "MERGE (a:Large {text: 'x'}) SET a.text = reduce(t = 'x', i IN range(1, 20) | t + t) "
      "WITH a RETURN reduce(x = [a], i IN range(1, 15) | [x, x]) AS x";
  static_cast<void>(peak_of(text, {}));
  const auto [alone, noted] = least_peaks(text);
  BOOST_TEST_MESSAGE(alone << " bytes without an id, " << noted << " with one");
  BOOST_TEST(noted < alone + alone / 2);
}

BOOST_AUTO_TEST_SUITE_END()
