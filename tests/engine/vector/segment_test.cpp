#include "engine/vector/segment.hpp"

#include "engine/vector/distance.hpp"
#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>

using namespace cairn;
using cairn::test::Floats;
using engine::InternalIdSelection;
using engine::LiveIds;
using engine::Segment;
using engine::SegmentParts;
using engine::SegmentPlan;
using engine::VectorIndexOptions;

namespace {

constexpr std::uint64_t seed = 41;
const VectorIndexOptions options{.dimension = 16, .metric = codec::Metric::euclidean, .m = 8};

const std::vector<Floats>& vectors() {
  static const auto made = test::VectorMaker(seed, 16, 8).make(3'000);
  return made;
}

/// Rows of vectors [first, last) under ten times their number.
std::vector<engine::SegmentRow> rows(std::size_t first, std::size_t last) {
  std::vector<engine::SegmentRow> rows;
  for (std::size_t i = first; i < last; ++i) rows.push_back({10 * i, vectors()[i].data()});
  return rows;
}

std::shared_ptr<const Segment> build(const SegmentPlan& plan) {
  return Segment::build(options, plan, {}).value();
}

std::shared_ptr<const Segment> build_first(std::size_t count) {
  return build({nullptr, {}, rows(0, count)});
}

LiveIds all_of(const Segment& segment) { return {&segment.slots(), nullptr, 1, 0}; }

std::vector<std::uint32_t> search(const Segment& segment, const Floats& query, std::size_t ef,
                                  const InternalIdSelection& selection) {
  std::vector<std::uint32_t> slots;
  const auto found = segment.search({query.data(), ef, ef, &selection, 1'000'000});
  BOOST_TEST_REQUIRE(found.has_value());
  for (const auto& hit : *found) slots.push_back(hit.slot);
  return slots;
}

/// What saving and loading would give.
SegmentParts parts_of(const Segment& segment) {
  const auto image = segment.image(options);
  SegmentParts parts;
  parts.shape = image.shape;
  parts.entities.assign(image.entities.begin(), image.entities.end());
  parts.dead.assign(image.dead.begin(), image.dead.end());
  parts.level0 = engine::allocate_memory(image.level0.size());
  std::memcpy(parts.level0.get(), image.level0.data(), image.level0.size());
  parts.levels = image.levels;
  parts.upper = image.upper;
  return parts;
}

bool is_same(const Segment& a, const Segment& b) {
  const auto left = a.image(options), right = b.image(options);
  return left.shape == right.shape && std::ranges::equal(left.entities, right.entities) &&
         std::ranges::equal(left.dead, right.dead) &&
         std::ranges::equal(left.level0, right.level0) && left.levels == right.levels &&
         left.upper == right.upper;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_segment)

BOOST_AUTO_TEST_CASE(a_segment_of_nothing_has_no_slots) {
  BOOST_TEST(build({})->slots().slots() == 0u);
  BOOST_TEST(Segment().image(options).levels.empty());
}

BOOST_AUTO_TEST_CASE(each_vector_lies_in_the_slot_of_its_entity) {
  const auto segment = build_first(500);
  for (std::uint32_t i = 0; i < 500; ++i) {
    BOOST_TEST(*segment->slots().find(10 * i) == i);
    BOOST_TEST(segment->row(i)[3] == vectors()[i][3]);
  }
}

BOOST_AUTO_TEST_CASE(the_same_rows_give_the_same_graph) {
  BOOST_TEST(is_same(*build_first(700), *build_first(700)));
}

BOOST_AUTO_TEST_CASE(several_workers_make_a_graph_as_good) {
  engine::BuildThreads workers;
  workers.threads = 4;
  const auto base = Segment::build(options, {nullptr, {}, rows(0, 1'500)}, workers).value();
  const auto segment =
      Segment::build(options, {base.get(), {}, rows(1'500, 3'000)}, workers).value();
  const auto alone = build_first(3'000);
  const LiveIds live = all_of(*segment), live_alone = all_of(*alone);
  BOOST_TEST(segment->image(options).levels.size() == 3'000u);
  std::ptrdiff_t found = 0, found_alone = 0;
  for (std::uint32_t slot = 0; slot < 3'000; ++slot) {
    BOOST_TEST_REQUIRE(*segment->slots().find(10 * slot) == slot);
    BOOST_TEST_REQUIRE(segment->row(slot)[5] == vectors()[slot][5]);
    if (slot % 10 != 0) continue;
    const auto hits = search(*segment, vectors()[slot], 12, InternalIdSelection(live, nullptr));
    found += std::ranges::count(hits, slot);
    const auto more = search(*alone, vectors()[slot], 12, InternalIdSelection(live_alone, nullptr));
    found_alone += std::ranges::count(more, slot);
  }
  BOOST_TEST(found + 6 >= found_alone);  // of 300
  BOOST_TEST(engine::check_parts(parts_of(*segment)).has_value());
}

BOOST_AUTO_TEST_CASE(a_search_with_a_wide_ef_finds_each_vector_itself) {
  const auto segment = build_first(1'000);
  const LiveIds live = all_of(*segment);
  for (std::uint32_t slot = 0; slot < 1'000; slot += 7) {
    const auto found = search(*segment, vectors()[slot], 50, InternalIdSelection(live, nullptr));
    BOOST_TEST((std::ranges::find(found, slot) != found.end()), "slot " << slot);
    BOOST_TEST(found.size() == 50u);
  }
}

BOOST_AUTO_TEST_CASE(only_selected_slots_are_found) {
  const auto segment = build_first(1'000);
  const auto allowed = codec::Bitmap::of_range(2'000, 6'000);
  const LiveIds live = all_of(*segment);
  for (const auto slot : search(*segment, vectors()[900], 60, InternalIdSelection(live, &allowed)))
    BOOST_TEST((slot >= 200 && slot < 600));
}

BOOST_AUTO_TEST_CASE(a_spent_budget_gives_nothing) {
  const auto segment = build_first(1'000);
  const auto allowed = codec::Bitmap::of_range(0, 2'000);
  const LiveIds live = all_of(*segment);
  const InternalIdSelection selection(live, &allowed);
  BOOST_TEST(!segment->search({vectors()[900].data(), 100, 100, &selection, 50}).has_value());
  BOOST_TEST(segment->search({vectors()[900].data(), 100, 100, &selection, 5'000}).has_value());
}

BOOST_AUTO_TEST_CASE(extending_keeps_slots_and_buries_what_was_dropped) {
  const auto base = build_first(800);
  SegmentPlan plan{base.get(), engine::SlotBits(13), rows(800, 900)};
  engine::set_bit(plan.dropped, 4);
  plan.added[0].entity = 40;  // the entity of slot 4 has a new vector
  std::ranges::sort(plan.added, {}, &engine::SegmentRow::entity);
  const auto extended = build(plan);
  BOOST_TEST(extended->slots().slots() == 900u);
  BOOST_TEST(extended->slots().live() == 899u);
  BOOST_TEST(*extended->slots().find(40) == 800u);
  BOOST_TEST(*extended->slots().find(50) == 5u);
  BOOST_TEST(is_same(*base, *build_first(800)));
  const LiveIds live = all_of(*extended);
  const auto found = search(*extended, vectors()[4], 100, InternalIdSelection(live, nullptr));
  BOOST_TEST((std::ranges::find(found, 4u) == found.end()));
  BOOST_TEST(search(*extended, vectors()[850], 30, InternalIdSelection(live, nullptr)).size() ==
             30u);
}

BOOST_AUTO_TEST_CASE(a_build_stops_when_asked) {
  int asked = 0;
  const auto stopped =
      Segment::build(options, {nullptr, {}, rows(0, 3'000)}, [&] { return ++asked == 3; });
  BOOST_TEST_REQUIRE(!stopped.has_value());
  BOOST_TEST((stopped.error().code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(a_restored_segment_is_the_same_and_can_be_extended) {
  const auto segment = build_first(600);
  BOOST_TEST_REQUIRE(check_parts(parts_of(*segment)).has_value());
  const auto restored = Segment::restore(parts_of(*segment)).value();
  BOOST_TEST(is_same(*segment, *restored));
  BOOST_TEST(is_same(*build({segment.get(), {}, rows(600, 700)}),
                     *build({restored.get(), {}, rows(600, 700)})));
}

BOOST_AUTO_TEST_CASE(an_entity_with_two_slots_is_refused) {
  auto parts = parts_of(*build_first(50));
  parts.entities[7] = parts.entities[8];
  BOOST_TEST(!Segment::restore(std::move(parts)).has_value());
}

BOOST_AUTO_TEST_CASE(memory_is_told_within_a_tenth_of_what_is_saved) {
  const auto segment = build_first(3'000);
  const auto image = segment->image(options);
  const double saved = static_cast<double>(image.level0.size() + image.upper.size());
  BOOST_TEST(static_cast<double>(segment->memory().total()) > saved);
  BOOST_TEST(static_cast<double>(segment->memory().total()) < saved * 1.3);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(serialized_segment)

namespace {

/// The message of check_parts() after `damage`.
template <class Damage>
std::string fault_of(Damage&& damage) {
  static const auto segment = build_first(400);
  auto parts = parts_of(*segment);
  damage(parts);
  const auto status = check_parts(parts);
  return status.has_value() ? "" : status.error().message;
}

template <class T>
void poke(SegmentParts& parts, std::uint32_t slot, std::size_t offset, T value) {
  std::memcpy(parts.level0.get() + slot * parts.shape.record_bytes() + offset, &value,
              sizeof value);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_a_segment_shows_is_sound) {
  BOOST_TEST(fault_of([](SegmentParts&) {}) == "");
}

BOOST_AUTO_TEST_CASE(links_are_held_to_the_slots_that_are_there) {
  BOOST_TEST(fault_of([](auto& parts) { poke(parts, 5, 4, 400u); }) ==
             "vector segment: slot 5: it has a link to slot 400, which does not exist");
  BOOST_TEST(fault_of([](auto& parts) { poke(parts, 5, 0, 17u); }) ==
             "vector segment: slot 5: it has 17 links, more than the 16 that fit");
  BOOST_TEST(fault_of([](auto& parts) {
               poke(parts, 5, 2, std::uint8_t{1});
             }).ends_with(" links, more than the 16 that fit"));
}

BOOST_AUTO_TEST_CASE(labels_and_vectors_are_held_to_what_was_written) {
  BOOST_TEST(fault_of([](auto& parts) {
               poke(parts, 9, parts.shape.label_offset(), std::uint64_t{8});
             }) == "vector segment: slot 9: its label is not the number of the slot");
  BOOST_TEST(fault_of([](auto& parts) {
               poke(parts, 9, parts.shape.vector_offset(), 0x7FC00000u);
             }) == "vector segment: slot 9: its vector is not normalised or not finite");
}

BOOST_AUTO_TEST_CASE(levels_are_held_to_the_entry_slot_and_the_upper_links) {
  const auto slot_of_level = [](const SegmentParts& parts, std::uint8_t level) {
    return std::ranges::find(parts.levels, level) - parts.levels.begin();
  };
  BOOST_TEST(fault_of([&](auto& parts) {
               parts.shape.entry_slot = static_cast<std::uint32_t>(slot_of_level(parts, 0));
             }) == "vector segment: the entry slot is not on the top level");
  BOOST_TEST(fault_of([&](auto& parts) {
               parts.levels[static_cast<std::size_t>(slot_of_level(parts, 0))] = 1;
             }) == "vector segment: the size of the upper links does not match the levels");
  BOOST_TEST(fault_of([&](auto& parts) {
               const auto flat = static_cast<std::uint32_t>(slot_of_level(parts, 0));
               std::memcpy(parts.upper.data() + 4, &flat, sizeof flat);
             }).ends_with(", which does not have this level"));
}

BOOST_AUTO_TEST_CASE(dead_bits_beyond_the_slots_are_refused) {
  BOOST_TEST(fault_of([](auto& parts) {
               parts.dead.assign(7, 0);
               engine::set_bit(parts.dead, 399);
             }) == "");
  BOOST_TEST(fault_of([](auto& parts) {
               parts.dead.assign(7, 0);
               engine::set_bit(parts.dead, 400);
             }) == "vector segment: the bitmap of dead slots marks a slot that does not exist");
}

BOOST_AUTO_TEST_CASE(shapes_out_of_range_are_refused) {
  const engine::SegmentShape good{codec::Metric::cosine, 4, 16, 100, 10, 3, 1};
  BOOST_TEST(check_shape(good).has_value());
  const auto is_refused = [&](auto member, auto value) {
    auto bad = good;
    bad.*member = value;
    return !check_shape(bad).has_value();
  };
  using Shape = engine::SegmentShape;
  BOOST_TEST(is_refused(&Shape::dimension, 0u));
  BOOST_TEST(is_refused(&Shape::dimension, 4'097u));
  BOOST_TEST(is_refused(&Shape::m, 1u));
  BOOST_TEST(is_refused(&Shape::m, 513u));
  BOOST_TEST(is_refused(&Shape::entry_slot, 10u));
  BOOST_TEST(is_refused(&Shape::top_level, 65u));
  BOOST_TEST(is_refused(&Shape::count, 0x80000000u));
  BOOST_TEST(is_refused(&Shape::metric, static_cast<codec::Metric>(4)));
}

BOOST_AUTO_TEST_SUITE_END()
