#include "engine/fulltext/text_cache.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using engine::TermCursor;
using engine::TermPostings;
using engine::TermPostingsPtr;
using engine::TextCache;

namespace {

/// Postings of two chunks: `ids` ids each, 0, 3, 6 and so on; frequencies and lengths differ.
TermPostingsPtr make_postings(std::uint32_t ids) {
  TermPostings::Chunks chunks;
  for (const std::uint64_t chunk : {std::uint64_t{0}, std::uint64_t{5}}) {
    codec::TextPostings postings;
    for (std::uint32_t i = 0; i < ids; ++i)
      postings.add(static_cast<std::uint16_t>(3 * i), 10 + i % 7,
                   std::vector<std::uint32_t>(i % 4 == 0 ? std::vector<std::uint32_t>{1, 2}
                                                         : std::vector<std::uint32_t>{4}));
    chunks.emplace(chunk, codec::encode_text_chunk(postings));
  }
  return TermPostings::make(std::move(chunks)).value();
}

auto names(std::vector<std::string> all) {
  return [all = std::move(all)](const auto& drop_one) {
    for (const std::string& name : all) drop_one(name);
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_cache)

BOOST_AUTO_TEST_CASE(an_entry_is_found_until_a_commit_changes_its_term) {
  TextCache cache(1'000'000);
  const TermPostingsPtr postings = make_postings(4);
  cache.insert("tea", 7, postings);
  BOOST_TEST(cache.find("tea", 7) == postings);
  BOOST_TEST(cache.find("tea", 9) == postings);
  BOOST_TEST(cache.find("tea", 6) == nullptr);  // may have been otherwise then
  cache.drop(10, names({"cup"}));
  BOOST_TEST(cache.find("tea", 10) == postings);
  cache.drop(11, names({"cup", "tea"}));
  BOOST_TEST(cache.find("tea", 10) == nullptr);
  BOOST_TEST(cache.find("tea", 11) == nullptr);
  BOOST_TEST(cache.memory_bytes() == 0U);
}

// A reader of 7 that is late would bring in what commit 8 made untrue.
BOOST_AUTO_TEST_CASE(a_reader_of_an_older_commit_brings_nothing_in) {
  TextCache cache(1'000'000);
  cache.drop(8, names({"tea"}));
  cache.insert("tea", 7, make_postings(4));
  BOOST_TEST(cache.find("tea", 8) == nullptr);
  cache.insert("tea", 8, make_postings(4));
  BOOST_TEST(cache.find("tea", 8) != nullptr);
  cache.drop_all(9);
  BOOST_TEST(cache.find("tea", 9) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_commit_that_does_not_come_keeps_no_reader_from_bringing_in) {
  TextCache cache(1'000'000);
  cache.drop(8, names({"tea"}));
  cache.withdraw(8);
  cache.insert("tea", 7, make_postings(4));
  BOOST_TEST(cache.find("tea", 7) != nullptr);
  cache.withdraw(5);
  cache.insert("cup", 6, make_postings(4));
  BOOST_TEST(cache.find("cup", 7) == nullptr);
}

BOOST_AUTO_TEST_CASE(what_was_not_used_longest_goes_first) {
  const TermPostingsPtr postings = make_postings(1'000);
  TextCache cache(5 * postings->most_memory_bytes() / 2);
  cache.insert("a", 1, postings);
  cache.insert("b", 1, postings);
  BOOST_TEST(cache.find("a", 1) != nullptr);
  cache.insert("c", 1, postings);
  BOOST_TEST(cache.find("a", 1) != nullptr);
  BOOST_TEST(cache.find("b", 1) == nullptr);
  BOOST_TEST(cache.find("c", 1) != nullptr);
}

BOOST_AUTO_TEST_CASE(a_cursor_finds_every_document_and_skips_to_any) {
  const TermPostingsPtr postings = make_postings(2'000);
  BOOST_TEST(postings->documents() == 4'000U);
  const std::uint64_t second = std::uint64_t{5} << codec::text_chunk_bits;
  TermCursor walking(postings);
  for (const std::uint64_t base : {std::uint64_t{0}, second})
    for (std::uint64_t i = 0; i < 2'000; ++i, walking.next()) {
      if (walking.id() != base + 3 * i) BOOST_FAIL("at " << walking.id());
      if (walking.length() != 10 + i % 7) BOOST_FAIL("length at " << walking.id());
    }
  BOOST_TEST(walking.id() == TermCursor::end);
  for (const std::uint64_t step : {1U, 2U, 50U, 383U, 4'000U, 100'000U}) {
    TermCursor skipping(postings);
    for (std::uint64_t wanted = 0; wanted < second + 7'000; wanted += step) {
      skipping.advance(wanted);
      const bool is_behind_first = wanted > 3 * 1'999 && wanted < second;
      std::uint64_t next = is_behind_first
                               ? second
                               : wanted + (3 - (wanted - (wanted < second ? 0 : second)) % 3) % 3;
      if (next > second + 3 * 1'999) next = TermCursor::end;
      if (skipping.id() != next) BOOST_FAIL("from " << wanted << " to " << skipping.id());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_block_ends_its_cursor_and_says_so) {
  codec::TextPostings postings;
  for (std::uint16_t i = 0; i < 200; ++i) postings.add(i, 5, {1});
  std::string bytes = codec::encode_text_chunk(postings);
  bytes[30] = static_cast<char>(0x7f);  // an entry of the first block
  const auto made = TermPostings::make({{0, bytes}});
  BOOST_REQUIRE(bool(made));
  TermCursor cursor(*made);
  while (cursor.id() != TermCursor::end) cursor.next();
  BOOST_TEST(cursor.is_damaged());
  BOOST_TEST(!TermPostings::make({{0, std::string(1, '\x05')}}));
}

BOOST_AUTO_TEST_SUITE_END()
