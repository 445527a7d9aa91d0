// What the cache of columns takes while a commit changes many postings.

#include "engine/index/column_cache.hpp"
#include "engine/index/sorted_column.hpp"
#include "tests/support/counted_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace cairn;
using engine::PostingWriteSet;
using engine::SortedColumn;
using engine::SortedColumnCache;

BOOST_AUTO_TEST_SUITE(column_memory)

BOOST_AUTO_TEST_CASE(a_bulk_load_is_not_logged) {
  const std::string path = "path..";  // six bytes, like kind, path and entry
  SortedColumnCache cache(1 << 20);
  SortedColumn::Builder builder;
  builder.add("a", codec::Bitmap::from_sorted(std::vector<std::uint64_t>{0, 1}));
  cache.insert(engine::range_of_prefix(path), 0, builder.build());
  PostingWriteSet changes;
  for (std::uint64_t id = 0; id < 200'000; ++id) changes.change(path + "b", {id, true});
  const auto changed = changes.by_name();
  const test::MemoryPeak peak;
  cache.advance(1, changed);
  BOOST_TEST(peak.bytes() < 1'000'000U);
  BOOST_TEST(cache.memory_bytes() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
