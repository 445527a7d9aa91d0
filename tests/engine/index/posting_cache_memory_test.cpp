// Memory that ends while cached postings, names and columns follow a commit, which is published already.

#include "engine/index/current_order.hpp"
#include "engine/index/instant_column.hpp"
#include "engine/index/posting_cache.hpp"
#include "engine/index/sorted_column.hpp"
#include "tests/support/counted_memory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

using namespace cairn;
using codec::Bitmap;
using engine::KeyRange;
using engine::PostingCache;
using engine::PostingWriteSet;
using Extent = PostingCache::Extent;

namespace {

const std::string path = "path..";  // six bytes, like kind, path and entry
const std::string name = path + "a value that takes memory of its own";

Bitmap ids(const std::vector<std::uint64_t>& list) { return Bitmap::from_sorted(list); }

void advance(PostingCache& cache, std::uint64_t commit) {
  PostingWriteSet changes;
  changes.change(name, {commit, true});
  const auto changed = changes.by_name();
  cache.advance(commit, changed);
}

/// Whatever is found is right.
void require_right(PostingCache& cache, std::uint64_t commit) {
  std::vector<std::uint64_t> all{0};
  for (std::uint64_t id = 1; id <= commit; ++id) all.push_back(id);
  const KeyRange whole = engine::range_of_prefix(path);
  if (const auto found = cache.find(engine::range_of_prefix(name), commit))
    BOOST_TEST_REQUIRE((*found == ids(all)));
  if (const auto found = cache.find(whole, commit)) BOOST_TEST_REQUIRE((*found == ids(all)));
  if (const auto found = cache.find_names(whole, commit))
    BOOST_TEST_REQUIRE((*found == std::vector<std::string>{name}));
  if (const auto found = cache.orders().find(whole, commit))
    BOOST_TEST_REQUIRE((found->all() == ids(all)));
  if (const auto found = cache.columns().find(whole, commit))
    BOOST_TEST_REQUIRE((found->among(ids(all)) == ids(all)));
}

/// True if one of the allocations failed.
bool fail_allocation(std::size_t allocations) {
  const KeyRange whole = engine::range_of_prefix(path);
  PostingCache cache(1 << 20);
  cache.insert(engine::range_of_prefix(name), Extent::one_posting, 0, ids({0}));
  cache.insert(whole, Extent::many_postings, 0, ids({0}));
  cache.insert_names(whole, 0, {});
  engine::SortedColumn::Builder builder;
  builder.add(std::string_view(name).substr(path.size()), ids({0}));
  cache.orders().insert(whole, 0, builder.build());
  cache.columns().insert(whole, 0,
                         std::make_shared<const engine::InstantColumn>(
                             std::vector<engine::InstantColumn::Entry>{{0, 1}}));
  PostingWriteSet changes;
  changes.change(name, {1, true});
  const auto changed = changes.by_name();
  bool has_failed = false, has_thrown = false;
  {
    const test::FailingAllocation failing(allocations);
    try {
      cache.advance(1, changed);
    } catch (const std::bad_alloc&) {
      has_thrown = true;
    }
    has_failed = test::FailingAllocation::has_failed();
  }
  BOOST_TEST_REQUIRE(!has_thrown);
  require_right(cache, 1);
  advance(cache, 2);
  require_right(cache, 2);
  BOOST_TEST_REQUIRE(cache.memory_bytes() < (1U << 20));
  cache.insert(whole, Extent::many_postings, 2, ids({0, 1, 2}));
  BOOST_TEST_REQUIRE(cache.find(whole, 2).has_value());
  return has_failed;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(posting_cache_memory)

BOOST_AUTO_TEST_CASE(without_memory_nothing_is_cached_and_nothing_is_wrong) {
  std::size_t allocations = 0;
  while (fail_allocation(allocations)) ++allocations;
  BOOST_TEST(allocations > 10U);
}

BOOST_AUTO_TEST_CASE(the_names_of_a_bulk_load_are_not_collected) {
  PostingCache cache(1 << 20);
  const KeyRange whole = engine::range_of_prefix(path);
  cache.insert_names(whole, 0, {name});
  PostingWriteSet changes;
  for (std::uint64_t id = 0; id < 50'000; ++id)
    changes.change(name + std::to_string(id), {id, true});
  const auto changed = changes.by_name();
  const test::MemoryPeak peak;
  cache.advance(1, changed);
  BOOST_TEST(peak.bytes() < 1'000'000U);
  BOOST_TEST(cache.find_names(whole, 1) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
