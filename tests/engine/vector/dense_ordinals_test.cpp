// Compares the conversion of ids to ordinals with a plain search in the list, for ids that are
// close together, far apart, or not in the list.
#include "engine/vector/internal_ids.hpp"
#include "engine/vector/ordinal_selection.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

using cairn::codec::Bitmap;
using namespace cairn::engine;

namespace {

using Ids = std::vector<std::uint64_t>;
constexpr std::uint64_t seed = 61;

// Blocks without a gap, blocks with gaps of every size, and single ids far away.
Ids mixed_ids(std::mt19937_64& random) {
  Ids ids;
  std::uint64_t id = 3;
  for (int block = 0; block < 12; ++block) {
    const std::uint64_t gap = block % 3 == 0 ? 1 : 1 + random() % (block % 3 == 1 ? 4 : 90);
    const std::size_t count = 1 + random() % 9'000;
    for (std::size_t i = 0; i < count; ++i, id += 1 + random() % gap) ids.push_back(id);
    id += random() % 200'000;
  }
  ids.push_back(std::uint64_t{1} << 40);
  return ids;
}

Bitmap random_subset(std::mt19937_64& random, const Ids& ids, double share) {
  Ids some;
  std::bernoulli_distribution is_in(share);
  for (const std::uint64_t id : ids)
    if (is_in(random)) some.push_back(id);
  for (int i = 0; i < 500; ++i) some.push_back(random() % (ids[ids.size() - 2] + 100));
  return Bitmap::from_unsorted(some);
}

Ids ranks_of(const Ids& ids, const Bitmap& set) {
  Ids ranks;
  for (std::size_t rank = 0; rank < ids.size(); ++rank)
    if (set.contains(ids[rank])) ranks.push_back(rank);
  return ranks;
}

Ids marked(const DenseOrdinals& map, std::size_t ranks, const Bitmap& set) {
  SlotBits bits((ranks + 63) / 64);
  const std::size_t count = map.mark(set, bits);
  Ids found;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    if (test_bit(bits, rank)) found.push_back(rank);
  BOOST_TEST(count == found.size());
  return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dense_ordinals)

BOOST_AUTO_TEST_CASE(a_set_becomes_the_ranks_of_its_ids) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 6; ++round) {
    const Ids ids = mixed_ids(random);
    const DenseOrdinals map(ids);
    for (const double share : {0.0, 0.001, 0.1, 0.5, 0.99, 1.0}) {
      const Bitmap set = random_subset(random, ids, share);
      const Ids wanted = ranks_of(ids, set);
      BOOST_TEST((marked(map, ids.size(), set) == wanted), "seed " << seed << ", share " << share);
      const auto list = map.list(set);
      BOOST_TEST((Ids(list.begin(), list.end()) == wanted), "seed " << seed << ", share " << share);
    }
  }
}

BOOST_AUTO_TEST_CASE(ranges_of_ids_become_runs_of_ranks) {
  std::mt19937_64 random(seed);
  const Ids ids = mixed_ids(random);
  const DenseOrdinals map(ids);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t first = random() % ids[ids.size() - 2];
    const Bitmap set = Bitmap::of_range(first, first + 1 + random() % 300'000);
    BOOST_TEST((marked(map, ids.size(), set) == ranks_of(ids, set)), "seed " << seed);
  }
}

BOOST_AUTO_TEST_CASE(every_id_is_found_and_no_other) {
  std::mt19937_64 random(seed);
  const Ids ids = mixed_ids(random);
  const DenseOrdinals map(ids);
  for (std::uint32_t rank = 0; rank < ids.size(); ++rank)
    BOOST_TEST(map.find(ids[rank]).value() == rank);
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t id = random() % (ids[ids.size() - 2] + 100'000);
    BOOST_TEST(map.find(id).has_value() == std::ranges::binary_search(ids, id));
  }
}

BOOST_AUTO_TEST_CASE(a_map_of_nothing_finds_nothing) {
  const DenseOrdinals map;
  BOOST_TEST(!map.find(1).has_value());
  BOOST_TEST(map.list(Bitmap::of_range(0, 100)).empty());
}

BOOST_AUTO_TEST_CASE(a_selection_comes_in_blocks_of_the_length_that_is_asked_for) {
  Ids ids(5'000), every_17th;
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = 10 + 3 * i;
  for (std::size_t i = 0; i < ids.size(); i += 17) every_17th.push_back(ids[i]);
  const InternalIds slots(ids, {});
  const Bitmap list = Bitmap::from_sorted(every_17th), bits = Bitmap::of_range(100, 9'010);
  for (const Bitmap* allowed : {&list, &bits, static_cast<const Bitmap*>(nullptr)}) {
    const OrdinalSelection selection(slots, allowed);
    BOOST_CHECK((selection.form() == OrdinalSelection::Form::list) == (allowed == &list));
    std::vector<std::uint32_t> wanted, found;
    for (std::uint32_t rank = 0; rank < ids.size(); ++rank)
      if (selection.contains(rank)) wanted.push_back(rank);
    selection.for_each_block<64>([&](std::span<const std::uint32_t> block) {
      BOOST_TEST(block.size() <= 128U);
      found.insert(found.end(), block.begin(), block.end());
    });
    BOOST_TEST(found == wanted, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_selection_is_the_same_as_bits_and_as_a_list) {
  Ids ids(5'000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = 10 + 3 * i;
  const InternalIds slots(ids, {});
  const auto visited = [&](const Bitmap* allowed) {
    const OrdinalSelection selection(slots, allowed);
    std::vector<std::uint32_t> ranks;
    selection.for_each_block([&](std::span<const std::uint32_t> block) {
      BOOST_TEST(block.size() <= 320U);
      ranks.insert(ranks.end(), block.begin(), block.end());
    });
    BOOST_TEST(ranks.size() == selection.count());
    BOOST_TEST(std::ranges::is_sorted(ranks));
    return ranks;
  };
  BOOST_TEST(visited(nullptr).size() == ids.size());
  const Bitmap few = Bitmap::from_sorted(Ids{10, 13, 14, 16'000 - 3, 14'998 + 9});
  BOOST_TEST(visited(&few) == (std::vector<std::uint32_t>{0, 1, 4'999}),
             boost::test_tools::per_element());
  const Bitmap many = Bitmap::of_range(0, 7'510);
  BOOST_TEST(visited(&many).size() == 2'500U);
}

BOOST_AUTO_TEST_SUITE_END()
