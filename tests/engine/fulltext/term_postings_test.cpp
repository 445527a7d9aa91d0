// A cursor over the postings of a term, compared with a walk over the plain list of documents.
#include "engine/fulltext/term_postings.hpp"

#include "codec/bitmap.hpp"
#include "codec/text_posting.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace cairn;
using engine::TermCursor;
using engine::TermPostings;
using engine::TermPostingsPtr;

namespace {

using Ids = std::set<std::uint64_t>;

/// How often the term is in a document, and how long the document is: numbers that follow from its id.
std::uint32_t frequency_of(std::uint64_t id) { return static_cast<std::uint32_t>(1 + id % 3); }
std::uint32_t length_of(std::uint64_t id) { return static_cast<std::uint32_t>(10 + id % 50); }

TermPostings::Chunks chunks_of(const Ids& ids) {
  std::map<std::uint64_t, codec::TextPostings> postings;
  for (const std::uint64_t id : ids) {
    std::vector<std::uint32_t> places(frequency_of(id));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::uint32_t>(2 * i);
    postings[id >> codec::text_chunk_bits].add(
        static_cast<std::uint16_t>(id % codec::text_chunk_ids), length_of(id), places);
  }
  TermPostings::Chunks chunks;
  for (const auto& [chunk, one] : postings) chunks.emplace(chunk, codec::encode_text_chunk(one));
  return chunks;
}

TermPostingsPtr postings_of(const Ids& ids) { return TermPostings::make(chunks_of(ids)).value(); }

/// Dense and sparse ids in several chunks, so that there are short blocks, full ones and gaps.
Ids random_ids(test::ValueGenerator& random) {
  Ids ids;
  for (std::uint64_t parts = random.below(5); parts > 0; --parts) {
    std::uint64_t id = random.below(200'000);
    const std::uint64_t step = random.below(2) == 0 ? 2 : 500;
    for (std::uint64_t count = random.below(600); count > 0; --count)
      ids.insert(id += 1 + random.below(step));
  }
  return ids;
}

std::uint64_t next_of(const Ids& ids, std::uint64_t id) {
  const auto found = ids.lower_bound(id);
  return found == ids.end() ? TermCursor::end : *found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(term_postings)

BOOST_AUTO_TEST_CASE(a_cursor_visits_each_document_once_in_order) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int round = 0; round < 40; ++round) {
    const Ids ids = random_ids(random);
    const TermPostingsPtr postings = postings_of(ids);
    BOOST_TEST(postings->documents() == ids.size());
    TermCursor cursor(postings);
    for (const std::uint64_t id : ids) {
      BOOST_TEST_REQUIRE(cursor.id() == id, "seed " << seed);
      BOOST_TEST_REQUIRE(cursor.frequency() == frequency_of(id));
      BOOST_TEST_REQUIRE(cursor.length() == length_of(id));
      cursor.next();
    }
    BOOST_TEST(cursor.id() == TermCursor::end);
    cursor.next();
    cursor.advance(1'000'000);
    BOOST_TEST(cursor.id() == TermCursor::end);
    BOOST_TEST(!cursor.is_damaged());
  }
}

BOOST_AUTO_TEST_CASE(a_cursor_advances_to_the_first_document_that_is_not_before_an_id) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int round = 0; round < 60; ++round) {
    const Ids ids = random_ids(random);
    TermCursor cursor(postings_of(ids));
    std::uint64_t place = next_of(ids, 0);
    const std::uint64_t step = round % 2 == 0 ? 20 : 9'000;
    while (place != TermCursor::end) {
      const std::uint64_t wanted = place + random.below(step);
      if (random.below(3) == 0) {
        cursor.next();
        place = next_of(ids, place + 1);
      } else if (random.below(3) == 0) {
        // A look at a block, which must not move the cursor, and must not make it miss a document afterwards.
        const TermPostings::Block* const block = cursor.block_of(wanted);
        const std::uint64_t next = next_of(ids, wanted);
        BOOST_TEST_REQUIRE((block == nullptr) == (next == TermCursor::end), "seed " << seed);
        if (block != nullptr) BOOST_TEST_REQUIRE(block->last >= next);
        BOOST_TEST_REQUIRE(cursor.id() == place);
        cursor.advance(wanted);
        place = next;
      } else {
        cursor.advance(wanted);
        place = next_of(ids, wanted);
      }
      BOOST_TEST_REQUIRE(cursor.id() == place, "seed " << seed);
      cursor.advance(0);  // never moves backwards
      BOOST_TEST_REQUIRE(cursor.id() == place);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_bounds_of_a_block_hold_for_each_of_its_documents) {
  test::ValueGenerator random(2);
  Ids ids;
  while (ids.empty()) ids = random_ids(random);
  const TermPostingsPtr postings = postings_of(ids);
  std::size_t documents = 0;
  for (std::size_t i = 0; i < postings->blocks().size(); ++i) {
    const TermPostings::Block& block = postings->blocks()[i];
    const auto* const entries = postings->entries(i);
    BOOST_TEST_REQUIRE(entries != nullptr);
    BOOST_TEST(entries->size() == block.block.count);
    BOOST_TEST((block.base | entries->back().low) == block.last);
    for (const codec::TextEntry& entry : *entries) {
      BOOST_TEST_REQUIRE(entry.frequency <= block.block.most);
      BOOST_TEST_REQUIRE(entry.length >= block.block.shortest);
    }
    documents += entries->size();
  }
  BOOST_TEST(documents == ids.size());
}

BOOST_AUTO_TEST_CASE(documents_are_counted_among_the_members_of_namespaces) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int round = 0; round < 30; ++round) {
    const Ids ids = random_ids(random);
    const TermPostingsPtr postings = postings_of(ids);
    for (std::uint32_t space = 1; space <= 20; ++space) {
      const Ids members = random_ids(random);
      Ids both;
      std::ranges::set_intersection(ids, members, std::inserter(both, both.end()));
      const auto bitmap = codec::Bitmap::from_unsorted({members.begin(), members.end()});
      const std::vector<std::uint32_t> spaces{space, 100};
      BOOST_TEST(postings->count_among(spaces, bitmap).value() == both.size(), "seed " << seed);
      // The count is known by the namespaces, also after those of others.
      BOOST_TEST(postings->count_among(spaces, bitmap).value() == both.size());
    }
  }
}

// A chunk in short form is decoded when it is opened. The blocks of a long one are decoded when a cursor stops there.
BOOST_AUTO_TEST_CASE(a_damaged_block_ends_the_cursor_and_is_reported) {
  Ids ids;
  for (std::uint64_t id = 0; id < 400; ++id) ids.insert(7 * id);
  const TermPostings::Chunks whole = chunks_of(ids);
  std::size_t refused = 0, reported = 0;
  for (std::size_t at = 0; at < whole.at(0).size(); ++at) {
    TermPostings::Chunks chunks = whole;
    chunks[0][at] = static_cast<char>(0xff);
    const auto postings = TermPostings::make(std::move(chunks));
    if (!postings) {
      ++refused;
      BOOST_TEST((postings.error().code == ErrorCode::corruption));
      continue;
    }
    TermCursor cursor(*postings);
    while (cursor.id() != TermCursor::end) cursor.next();
    if (!cursor.is_damaged()) continue;
    ++reported;
    const auto all = codec::Bitmap::of_range(0, 10'000);
    const std::vector<std::uint32_t> space{1};
    BOOST_TEST(!(*postings)->count_among(space, all));
  }
  BOOST_TEST(refused > 0U);
  BOOST_TEST(reported > 0U);
}

BOOST_AUTO_TEST_CASE(a_term_without_documents_has_no_blocks) {
  const TermPostingsPtr postings = postings_of({});
  BOOST_TEST(postings->blocks().empty());
  TermCursor cursor(postings);
  BOOST_TEST(cursor.id() == TermCursor::end);
  BOOST_TEST(cursor.block_of(5) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
