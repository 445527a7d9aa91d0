#include "engine/vector/internal_ids.hpp"

#include "engine/vector/ordinal_selection.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace cairn;
using codec::Bitmap;
using engine::IdTombstones;
using engine::InternalIds;
using engine::InternalIdSelection;
using engine::LiveIds;
using Ids = std::vector<std::uint64_t>;

namespace {

Ids found_of(const InternalIds& map, const Bitmap& allowed) {
  Ids entities;
  map.for_each_of(allowed, [&](std::uint32_t slot) { entities.push_back(map.entity(slot)); });
  return entities;
}

Ids selected(const InternalIdSelection& selection, const InternalIds& map) {
  Ids entities;
  selection.for_each([&](std::uint32_t slot) { entities.push_back(map.entity(slot)); });
  std::ranges::sort(entities);
  BOOST_TEST(entities.size() <= selection.count());
  return entities;
}

Ids intersection(const InternalIds& map, const Bitmap& allowed) {
  Ids entities;
  map.for_each([&](std::uint32_t slot) {
    if (allowed.contains(map.entity(slot))) entities.push_back(map.entity(slot));
  });
  return entities;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(internal_ids)

BOOST_AUTO_TEST_CASE(an_empty_map_holds_nobody) {
  const InternalIds map;
  BOOST_TEST(map.live() == 0u);
  BOOST_TEST(!map.find(0).has_value());
  BOOST_TEST(found_of(map, Bitmap::of_range(0, 100)).empty());
}

BOOST_AUTO_TEST_CASE(slots_are_found_in_ascending_and_in_any_order) {
  const InternalIds ascending({2, 4, 9}, {}), any({9, 2, 4}, {});
  BOOST_TEST(*ascending.find(9) == 2u);
  BOOST_TEST(*any.find(9) == 0u);
  BOOST_TEST(!any.find(3).has_value());
  BOOST_TEST(ascending.memory_bytes() < any.memory_bytes());
}

BOOST_AUTO_TEST_CASE(a_dead_slot_is_nobodys) {
  const InternalIds map({5, 6, 5}, {0b001});
  BOOST_TEST(map.live() == 2u);
  BOOST_TEST(*map.find(5) == 2u);
  BOOST_TEST(map.is_dead(0));
  BOOST_TEST(map.is_unambiguous());
  BOOST_TEST(!InternalIds({5, 6, 5}, {}).is_unambiguous());
}

BOOST_AUTO_TEST_CASE(walking_with_an_bitmap_gives_the_intersection_in_order) {
  const std::uint64_t seed = 31;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::set<std::uint64_t> members;
    const std::uint64_t space = 1 + random() % 400'000;
    for (std::uint64_t i = random() % 3'000; i > 0; --i) members.insert(random() % space);
    Ids entities(members.begin(), members.end());
    if (round % 2 == 1) std::ranges::shuffle(entities, random);
    const InternalIds map(entities, {});

    Ids values;
    const std::uint64_t count = std::uint64_t{1} << random() % 17;
    for (std::uint64_t i = 0; i < count; ++i) values.push_back(random() % space);
    const std::uint64_t first = random() % space;
    for (const Bitmap& allowed : {Bitmap::from_unsorted(values), Bitmap::of_range(first, space)})
      BOOST_TEST(found_of(map, allowed) == intersection(map, allowed), "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(internal_id_selection)

BOOST_AUTO_TEST_CASE(without_an_allow_list_all_live_ids_are_selected) {
  const InternalIds map({1, 2, 3}, {0b010});
  const LiveIds live{&map, nullptr, 1, 0};
  const InternalIdSelection selection(live, nullptr);
  BOOST_TEST(selected(selection, map) == (Ids{1, 3}));
  BOOST_TEST(!selection.is_every_slot());
  BOOST_TEST(!selection.contains(1));
  const InternalIds whole({1, 2, 3}, {});
  BOOST_TEST(InternalIdSelection(LiveIds{&whole, nullptr, 1, 0}, nullptr).is_every_slot());
}

BOOST_AUTO_TEST_CASE(a_slot_is_hidden_from_the_version_on_that_hid_it) {
  const InternalIds map({1, 2, 3}, {});
  IdTombstones tombstones(3);
  tombstones.hide(2, 5);
  const LiveIds before{&map, &tombstones, 4, 0}, after{&map, &tombstones, 5, 1};
  const Bitmap all = Bitmap::of_range(0, 10);
  BOOST_TEST(selected(InternalIdSelection(before, nullptr), map) == (Ids{1, 2, 3}));
  BOOST_TEST(selected(InternalIdSelection(after, nullptr), map) == (Ids{1, 2}));
  BOOST_TEST(selected(InternalIdSelection(before, &all), map) == (Ids{1, 2, 3}));
  BOOST_TEST(selected(InternalIdSelection(after, &all), map) == (Ids{1, 2}));
}

BOOST_AUTO_TEST_CASE(few_ids_make_a_list_and_many_make_bits) {
  Ids entities(1'000);
  for (std::size_t i = 0; i < entities.size(); ++i) entities[i] = 3 * i;
  const InternalIds map(entities, {});
  const LiveIds live{&map, nullptr, 1, 0};
  const Bitmap few = Bitmap::from_sorted(Ids{3, 4, 5, 6}), many = Bitmap::of_range(0, 900);
  const InternalIdSelection list(live, &few), bits(live, &many);
  BOOST_TEST(list.is_sparse());
  BOOST_TEST(selected(list, map) == (Ids{3, 6}));
  BOOST_TEST(!bits.is_sparse());
  BOOST_TEST(bits.count() == 300u);
  BOOST_TEST(bits.contains(299));
  BOOST_TEST(!bits.contains(300));
}

// Dead slots, hidden ones, and entities in any order: each slot by itself, as its words say.
BOOST_AUTO_TEST_CASE(what_is_selected_is_what_lives_and_is_allowed) {
  constexpr unsigned seed = 19;
  std::mt19937 random(seed);
  for (const bool is_ordered : {true, false})
    for (const bool has_dead : {false, true}) {
      Ids entities(700);
      for (std::size_t i = 0; i < entities.size(); ++i) entities[i] = 2 * i;
      if (!is_ordered) std::ranges::shuffle(entities, random);
      cairn::engine::SlotBits dead;
      if (has_dead) dead.assign(11, 0x10101010101010);
      const InternalIds map(entities, dead);
      IdTombstones tombstones(700);
      std::size_t hidden = 0;
      for (std::uint32_t slot = 0; slot < 700; slot += 5)
        if (!map.is_dead(slot)) tombstones.hide(slot, 3), ++hidden;
      const Bitmap allowed = Bitmap::of_range(100, 900);
      for (const LiveIds& live :
           {LiveIds{&map, nullptr, 4, 0}, LiveIds{&map, &tombstones, 4, hidden}}) {
        const InternalIdSelection selection(live, &allowed);
        std::size_t selected = 0;
        for (std::uint32_t slot = 0; slot < 700; ++slot) {
          const bool lives = !map.is_dead(slot) && (live.hidden == 0 || slot % 5 != 0);
          const bool is_selected = lives && allowed.contains(entities[slot]);
          BOOST_TEST_REQUIRE(selection.contains(slot) == is_selected, "seed " << seed);
          selected += is_selected ? 1 : 0;
        }
        BOOST_TEST(selection.count() >= selected);
        BOOST_TEST((live.hidden > 0 || selection.count() == selected));
        BOOST_TEST(!selection.is_every_slot());
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
