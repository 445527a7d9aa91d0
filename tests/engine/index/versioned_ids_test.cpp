#include "engine/index/versioned_ids.hpp"

#include "tests/model/random.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <set>
#include <vector>

using namespace cairn;
using codec::Bitmap;
using engine::VersionedIds;

namespace {

using Ids = std::vector<std::uint64_t>;

Bitmap bitmap(const std::set<std::uint64_t>& ids) {
  return Bitmap::from_sorted(Ids(ids.begin(), ids.end()));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(versioned_ids)

BOOST_AUTO_TEST_CASE(each_commit_has_its_version) {
  VersionedIds ids(Bitmap::from_sorted(Ids{1, 2}), 6);
  ids.follow(7, Ids{2, 4}, Ids{});  // 2 is there already
  ids.follow(9, Ids{}, Ids{1, 5});  // 5 is not
  BOOST_TEST((ids.newest() == Bitmap::from_sorted(Ids{2, 4})));
  BOOST_TEST((ids.at(100) == Bitmap::from_sorted(Ids{2, 4})));
  BOOST_TEST((ids.at(8) == Bitmap::from_sorted(Ids{1, 2, 4})));
  BOOST_TEST((ids.at(7) == Bitmap::from_sorted(Ids{1, 2, 4})));
  BOOST_TEST((ids.at(6) == Bitmap::from_sorted(Ids{1, 2})));
  BOOST_TEST(!ids.at(5).has_value());
}

BOOST_AUTO_TEST_CASE(a_large_commit_ends_what_is_remembered) {
  VersionedIds ids(Bitmap::from_sorted(Ids{1}), 1);
  ids.follow(2, Ids{2}, Ids{});
  const std::size_t before = ids.memory_bytes();
  Ids many;
  for (std::uint64_t id = 10; id < 5'000; ++id) many.push_back(id);
  ids.follow(3, many, Ids{1});
  BOOST_TEST(!ids.at(2).has_value());
  BOOST_TEST(ids.oldest_commit() == 3U);
  BOOST_TEST(ids.at(3)->cardinality() == many.size() + 1);
  ids.follow(4, Ids{}, many);
  ids.follow(5, Ids{1}, Ids{2});
  BOOST_TEST(ids.memory_bytes() <= before + 64);
}

BOOST_AUTO_TEST_CASE(versions_equal_a_model) {
  test::Random random(3);
  VersionedIds ids(Bitmap(), 0);
  std::vector<std::set<std::uint64_t>> model(1);
  std::size_t kept = 0;
  for (std::uint64_t commit = 1; commit < 3'000; ++commit) {
    std::set<std::uint64_t> now = model.back(), added, removed;
    for (std::size_t i = random.below(5); i > 0; --i) {
      const std::uint64_t id = random.below(4) << 16 | random.below(40);
      if (!added.contains(id)) (random.one_in(2) ? added : removed).insert(id);
      if (added.contains(id)) removed.erase(id);
    }
    for (const std::uint64_t id : added) now.insert(id);
    for (const std::uint64_t id : removed) now.erase(id);
    ids.follow(commit, Ids(added.begin(), added.end()), Ids(removed.begin(), removed.end()));
    model.push_back(now);
    const std::uint64_t asked = commit - random.below(std::min<std::uint64_t>(commit, 300));
    const auto found = ids.at(asked);
    BOOST_TEST_REQUIRE(found.has_value() == (asked >= ids.oldest_commit()));
    if (found) BOOST_TEST_REQUIRE((*found == bitmap(model[asked])));
    kept += found ? 1 : 0;
  }
  BOOST_TEST(kept > 2'000U);
}

BOOST_AUTO_TEST_SUITE_END()
