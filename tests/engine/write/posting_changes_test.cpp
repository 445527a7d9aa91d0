#include "engine/write/property_editor.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;

BOOST_AUTO_TEST_SUITE(posting_changes)

BOOST_AUTO_TEST_CASE(the_last_change_of_an_id_counts_and_chunks_are_apart) {
  const std::uint64_t second = 1ull << 16;
  const std::vector<engine::PostingWriteSet::Change> changes = {
      {second | 5, true}, {9, true}, {7, false}, {9, false}, {7, true}, {8, true}};
  engine::ChunkChanges changes_of;
  const auto chunks = changes_of.of(changes);
  BOOST_REQUIRE(chunks.size() == 2u);
  BOOST_TEST(chunks[0].chunk == 0u);
  BOOST_TEST((chunks[0].delta == codec::PostingDelta{{7, 8}, {9}}));
  BOOST_TEST(chunks[1].chunk == 1u);
  BOOST_TEST((chunks[1].delta == codec::PostingDelta{{5}, {}}));
}

BOOST_AUTO_TEST_CASE(no_change_gives_no_chunk) {
  BOOST_TEST(engine::ChunkChanges().of({}).empty());
}

BOOST_AUTO_TEST_CASE(nothing_stays_of_the_posting_before) {
  const std::vector<engine::PostingWriteSet::Change> first = {{1ull << 16, true}, {9, false}};
  const std::vector<engine::PostingWriteSet::Change> second = {{4, true}};
  engine::ChunkChanges changes_of;
  BOOST_TEST(changes_of.of(first).size() == 2u);
  const auto chunks = changes_of.of(second);
  BOOST_REQUIRE(chunks.size() == 1u);
  BOOST_TEST(chunks[0].chunk == 0u);
  BOOST_TEST((chunks[0].delta == codec::PostingDelta{{4}, {}}));
}

BOOST_AUTO_TEST_SUITE_END()
