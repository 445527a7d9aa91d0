// Adjacency lists in memory, compared with a map of the stored relationships.
#include "engine/segment/adjacency_segment.hpp"

#include "codec/keys.hpp"
#include "codec/packed_numbers.hpp"
#include "engine/store/store_batch.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using test::must;

namespace {

constexpr std::size_t no_bound = std::numeric_limits<std::size_t>::max();
const std::function<bool()> goes_on;

/// The ends and relationships of a list: sorted, as pairs of a neighbour and a relationship.
using Pairs = std::set<std::pair<std::uint64_t, std::uint64_t>>;
/// By node and type.
using Lists = std::map<std::pair<std::uint64_t, std::uint32_t>, Pairs>;

std::string bytes_of(const AdjacencySegment& segment) {
  std::string bytes;
  segment.append_to(bytes);
  return bytes;
}

void append_equal(std::string& bytes, std::size_t count, std::uint32_t number) {
  const std::vector<std::uint32_t> numbers(count, number);
  codec::append_packed<std::uint32_t>(bytes, numbers);
}

/// The segment as a file gives it back.
AdjacencySegment::Ptr read_back(const AdjacencySegment::Ptr& built) {
  if (built == nullptr) return nullptr;
  const std::string bytes = bytes_of(*built);
  auto read = must(AdjacencySegment::read(bytes, no_bound));
  BOOST_TEST_REQUIRE(bytes_of(*read) == bytes);
  BOOST_TEST_REQUIRE(read->ids() == built->ids());
  return read;
}

class Stored {
 public:
  explicit Stored(const Lists& lists) { change({}, lists); }

  /// Replaces some lists by others.
  void change(const Lists& before, const Lists& after) {
    StoreBatch batch(*store_);
    const auto each = [](const Lists& lists, const auto& visit) {
      for (const auto& [place, pairs] : lists)
        for (const auto& [other, relationship] : pairs)
          visit(codec::adjacency_key({place.first, place.second, other, relationship}));
    };
    each(before, [&](const std::string& key) { batch.erase(Family::adj_out, key); });
    each(after, [&](const std::string& key) { batch.put(Family::adj_out, key, ""); });
    must(store_->write(batch, WriteMode::async));
  }

  /// Makes a newer segment of an earlier one, and returns it as a file gives it back.
  [[nodiscard]] AdjacencySegment::Ptr update(const AdjacencySegment& earlier,
                                             const codec::Bitmap& changed,
                                             std::size_t most_bytes = no_bound) const {
    return read_back(
        must(earlier.updated(*store_, *store_->snapshot(), true, changed, {most_bytes, goes_on})));
  }

  /// Builds the segment, and returns it as a file gives it back.
  [[nodiscard]] AdjacencySegment::Ptr build(std::size_t most_bytes = no_bound,
                                            const std::function<bool()>& asked = goes_on,
                                            bool outgoing = true) const {
    return read_back(
        must(AdjacencySegment::build(*store_, *store_->snapshot(), outgoing, {most_bytes, asked})));
  }

 private:
  test::TemporaryDirectory directory_;
  std::unique_ptr<RocksStore> store_ = must(RocksStore::open(directory_.path() / "store", {}));
};

Pairs pairs_of(const AdjacencySegment::List& list) {
  BOOST_TEST_REQUIRE(list.neighbours.size() == list.relationships.size());
  BOOST_TEST_REQUIRE(std::ranges::is_sorted(list.neighbours));
  Pairs pairs;
  for (std::size_t i = 0; i < list.size(); ++i)
    pairs.emplace(list.neighbours[i], list.relationships[i]);
  BOOST_TEST_REQUIRE(pairs.size() == list.size());
  return pairs;
}

using Places = std::set<std::pair<std::uint64_t, std::uint32_t>>;

Places places_of(const Lists& lists) {
  Places places;
  for (const auto& [place, pairs] : lists) places.insert(place);
  return places;
}

/// By nodes(), which gives nodes without a list in dense chunks only.
Places places_of(const AdjacencySegment& segment) {
  Places places;
  for (const std::uint32_t type : segment.types())
    for (std::size_t chunk = 0; chunk < segment.chunks(type); ++chunk) {
      const auto nodes = segment.nodes(type, chunk);
      BOOST_TEST_REQUIRE(std::ranges::is_sorted(nodes));
      for (const std::uint64_t node : nodes) {
        BOOST_TEST_REQUIRE((node >> 16 == chunk));
        const bool has_list = segment.list(node, type).size() > 0;
        BOOST_TEST_REQUIRE((has_list || nodes.size() == 65'536));
        if (has_list) places.emplace(node, type);
      }
    }
  return places;
}

void compare(const AdjacencySegment& segment, const Lists& lists) {
  std::set<std::uint32_t> types;
  std::set<std::uint64_t> nodes;
  BOOST_TEST_REQUIRE((places_of(segment) == places_of(lists)));
  for (const auto& [place, pairs] : lists) {
    types.insert(place.second);
    nodes.insert(place.first);
    const auto list = segment.list(place.first, place.second);
    BOOST_TEST_REQUIRE((pairs_of(list) == pairs), "node " << place.first);
    const std::uint64_t neighbour = pairs.begin()->first;
    Pairs between;
    for (const auto& pair : pairs)
      if (pair.first == neighbour) between.insert(pair);
    BOOST_TEST_REQUIRE((pairs_of(list.between(neighbour)) == between));
    BOOST_TEST_REQUIRE(list.between(4'000'000'000).size() == 0U);
    // Nodes next to it, which may have no list.
    for (const std::uint64_t node : {place.first + 1, place.first + 65'536}) {
      const auto other = lists.find({node, place.second});
      const std::size_t size = other == lists.end() ? 0 : other->second.size();
      BOOST_TEST_REQUIRE(segment.list(node, place.second).size() == size, "node " << node);
    }
  }
  BOOST_TEST(std::ranges::equal(segment.types(), types));
  BOOST_TEST(segment.ids() == nodes.size());
  BOOST_TEST(segment.list(0, 999).size() == 0U);
  BOOST_TEST(segment.list(~std::uint64_t{0}, 1).size() == 0U);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(adjacency_segment)

BOOST_AUTO_TEST_CASE(lists_of_several_types_and_chunks_are_read_back) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int round = 0; round < 5; ++round) {
    Lists lists;
    for (std::uint64_t relationship = 1; relationship < 4'000; ++relationship) {
      const std::uint64_t node = random.below(3) * 100'000 + random.below(1'500);
      const auto type = static_cast<std::uint32_t>(2 * random.below(4) + 1);
      lists[{node, type}].emplace(random.below(50), relationship);
    }
    compare(*Stored(lists).build(), lists);
  }
}

// Nodes get and lose lists, some in chunks and of types that had none.
BOOST_AUTO_TEST_CASE(updated_lists_are_those_of_the_store) {
  test::ValueGenerator random(test::test_seed());
  for (const std::uint64_t nodes : {std::uint64_t{300}, std::uint64_t{30'000}}) {
    Lists lists;
    lists[{1, 5}].emplace(1, 1'000'000);  // so that this type remains
    for (std::uint64_t relationship = 1; relationship < 40'000; ++relationship)
      lists[{random.below(2) * 65'536 + random.below(nodes), 5}].emplace(random.below(50),
                                                                         relationship);
    Stored stored(lists);
    auto segment = stored.build();
    for (std::uint64_t round = 0; round < 8; ++round) {
      Lists before, after;
      std::vector<std::uint64_t> changed;
      for (int i = 0; i < 50; ++i) {
        const std::uint64_t node = 2 + random.below(4) * 65'536 + random.below(nodes);
        const auto type = static_cast<std::uint32_t>(1 + 4 * (round % 3));
        changed.push_back(node);
        Pairs& pairs = lists[{node, type}];
        before[{node, type}].insert(pairs.begin(), pairs.end());
        if (random.below(3) == 0)
          pairs.clear();
        else
          pairs.emplace(random.below(50), 2'000'000 + 100 * round + static_cast<std::uint64_t>(i));
        after[{node, type}] = pairs;
        if (pairs.empty()) lists.erase({node, type});
      }
      stored.change(before, after);
      segment = stored.update(*segment, codec::Bitmap::from_unsorted(changed));
      BOOST_TEST_REQUIRE((segment != nullptr));
      compare(*segment, lists);
      const auto built = stored.build();
      for (const std::uint32_t type : built->types())
        for (std::size_t chunk = 0; chunk < 5; ++chunk)
          BOOST_TEST(segment->has_same_lists(*built, type, chunk));
    }
    BOOST_TEST((stored.update(*segment, codec::Bitmap::from_unsorted({1}), 1'000) == nullptr));
  }
}

BOOST_AUTO_TEST_CASE(lists_are_compared_by_chunk) {
  Lists lists;
  lists[{5, 1}].emplace(6, 1);
  lists[{200'000, 3}].emplace(7, 2);
  const auto some = Stored(lists).build();
  lists[{200'001, 3}].emplace(8, 3);
  const auto more = Stored(lists).build();
  BOOST_TEST(some->chunks(1) == 1U);
  BOOST_TEST(some->chunks(2) == 0U);
  BOOST_TEST(some->chunks(3) == 4U);
  BOOST_TEST(some->nodes(2, 0).empty());
  BOOST_TEST(some->nodes(3, 0).empty());
  BOOST_TEST(some->nodes(3, 4).empty());
  for (std::uint32_t type = 1; type <= 3; ++type)
    for (std::size_t chunk = 0; chunk < 5; ++chunk) {
      BOOST_TEST(some->has_same_lists(*some, type, chunk));
      BOOST_TEST(some->has_same_lists(*more, type, chunk) == (type != 3 || chunk != 3));
      BOOST_TEST(more->has_same_lists(*some, type, chunk) == (type != 3 || chunk != 3));
    }
}

// A dense chunk has an offset for each of its nodes, also for those before the first and after the last list.
BOOST_AUTO_TEST_CASE(dense_chunks_have_the_same_lists) {
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{10}}) {
    Lists lists;
    std::uint64_t relationship = 0;
    for (std::uint64_t node = first; node < 65'500; node += 3) {
      lists[{node, 1}].emplace(node % 7, ++relationship);
      if (node % 5 == 0) lists[{node, 1}].emplace(node % 7, ++relationship);
    }
    if (first == 0) lists[{65'535, 1}].emplace(1, ++relationship);
    lists[{65'536, 1}].emplace(1, ++relationship);
    compare(*Stored(lists).build(), lists);
  }
}

BOOST_AUTO_TEST_CASE(the_directions_are_separate) {
  const Stored stored({{{1, 1}, {{2, 3}}}});
  BOOST_TEST(stored.build()->list(1, 1).size() == 1U);
  const auto incoming = stored.build(no_bound, goes_on, false);
  BOOST_TEST(incoming->list(1, 1).size() == 0U);
  BOOST_TEST(incoming->types().empty());
}

BOOST_AUTO_TEST_CASE(larger_ids_than_the_arrays_hold_build_no_segment) {
  constexpr std::uint64_t most = AdjacencySegment::most_id;
  BOOST_TEST(Stored({{{1, 1}, {{most, most}}}}).build()->list(1, 1).neighbours[0] == most);
  BOOST_TEST(Stored({{{1, 1}, {{most + 1, 1}}}}).build() == nullptr);
  BOOST_TEST(Stored({{{1, 1}, {{1, most + 1}}}}).build() == nullptr);
  BOOST_TEST(Stored({{{most + 1, 1}, {{1, 1}}}}).build() == nullptr);
}

BOOST_AUTO_TEST_CASE(a_build_ends_at_its_bounds) {
  Lists lists;
  for (std::uint64_t i = 0; i < 5'000; ++i) lists[{i, 1}].emplace(i, i);
  const Stored stored(lists);
  const std::size_t bytes = stored.build()->memory_bytes();
  BOOST_TEST(stored.build(2 * bytes) != nullptr);
  BOOST_TEST(stored.build(bytes / 2) == nullptr);
  int calls = 0;
  BOOST_TEST(stored.build(no_bound, [&] { return ++calls < 3; }) == nullptr);
  BOOST_TEST(calls == 3);
  // The chunks of nodes far behind the others take memory too.
  BOOST_TEST(Stored({{{AdjacencySegment::most_id, 1}, {{1, 1}}}}).build(100'000) == nullptr);
}

BOOST_AUTO_TEST_CASE(damaged_lists_are_refused_or_read_as_lists) {
  Lists lists;
  for (std::uint64_t node = 1; node < 700; ++node)
    for (std::uint64_t i = 0; i < node % 4; ++i)
      lists[{node, 1 + static_cast<std::uint32_t>(node % 2)}].emplace(i * 3, node * 10 + i);
  lists[{200'000, 3}].emplace(5, 1);
  const auto segment = Stored(lists).build();
  const std::string bytes = bytes_of(*segment);
  test::ValueGenerator random(5);
  for (std::size_t i = 0; i < bytes.size(); i += i < 100 ? 1 : 31) {
    BOOST_TEST_REQUIRE(!AdjacencySegment::read(bytes.substr(0, i), no_bound), "cut at " << i);
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << random.below(8)));
    const auto read = AdjacencySegment::read(damaged, std::size_t{1} << 24);
    if (!read || *read == nullptr) continue;
    for (const auto& [place, ignored] : lists)
      static_cast<void>(pairs_of((*read)->list(place.first, place.second)));
  }
  BOOST_TEST(!AdjacencySegment::read(bytes + "x", no_bound));
  BOOST_TEST((must(AdjacencySegment::read(bytes, 1'000)) == nullptr));
}

BOOST_AUTO_TEST_CASE(more_relationships_than_offsets_count_are_refused) {
  using namespace std::string_literals;
  std::string bytes =
      "\x02\0\0\0\0\0\0\0\x01\0\0\0"    // two nodes, one type
      "\x03\0\0\0\x01\0\0\0"            // type 3, one chunk
      "\x01\0\x02\0\0\0\x05\0\x06\0"s;  // lists of slots 5 and 6
  append_equal(bytes, 2, std::numeric_limits<std::uint32_t>::max());
  BOOST_TEST(!AdjacencySegment::read(bytes, no_bound));
}

// A chunk of equal numbers takes some 400 bytes in a file, and 768 KiB in memory. The last ones are refused, as fewer bytes
// follow them than they have relationships; the bound is reached before.
BOOST_AUTO_TEST_CASE(chunks_of_equal_numbers_are_read_up_to_the_bound_of_memory) {
  using namespace std::string_literals;
  std::string bytes =
      "\0\0\0\0\0\0\0\0\x01\0\0\0"
      "\x03\0\0\0\xc8\0\0\0"s;  // type 3, 200 chunks
  for (int chunk = 0; chunk < 200; ++chunk) {
    bytes += '\x02';
    append_equal(bytes, 65'536, 1);
    append_equal(bytes, 65'536, 0);
    append_equal(bytes, 65'536, 0);
  }
  BOOST_TEST(!AdjacencySegment::read(bytes, no_bound));
  BOOST_TEST((must(AdjacencySegment::read(bytes, std::size_t{4} << 20)) == nullptr));
}

BOOST_AUTO_TEST_CASE(lists_have_these_bytes_in_a_file) {
  const auto segment = Stored({{{5, 3}, {{6, 1}, {7, 2}}}}).build();
  using namespace std::string_literals;
  const std::string expected =
      "\x01\0\0\0\0\0\0\0\x01\0\0\0"  // one node, one type
      "\x03\0\0\0\x01\0\0\0"          // type 3, one chunk
      "\x01\0\x01\0\0\0\x05\0"        // lists of slot 5
      "\x02\0"                        // one list of two
      "\x06\x01\x02"                  // neighbours, 0 and 1 above 6
      "\x01\x01\x02"s;                // relationships, 0 and 1 above 1
  BOOST_TEST((bytes_of(*segment) == expected));
}

BOOST_AUTO_TEST_SUITE_END()
