#include "engine/write/posting_changes.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;

BOOST_AUTO_TEST_SUITE(posting_changes)

BOOST_AUTO_TEST_CASE(the_last_change_of_an_id_counts_and_chunks_are_apart) {
  const std::uint64_t second = 1ull << 16;
  const std::vector<engine::PostingOverlay::Change> changes = {
      {second | 5, true}, {9, true}, {7, false}, {9, false}, {7, true}, {8, true}};
  const auto chunks = engine::to_chunk_changes(changes);
  BOOST_REQUIRE(chunks.size() == 2u);
  BOOST_TEST(chunks[0].chunk == 0u);
  BOOST_TEST((chunks[0].delta == codec::PostingDelta{{7, 8}, {9}}));
  BOOST_TEST(chunks[1].chunk == 1u);
  BOOST_TEST((chunks[1].delta == codec::PostingDelta{{5}, {}}));
}

BOOST_AUTO_TEST_CASE(no_change_gives_no_chunk) { BOOST_TEST(engine::to_chunk_changes({}).empty()); }

BOOST_AUTO_TEST_SUITE_END()
