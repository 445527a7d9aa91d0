#include "engine/vector/vector_delta.hpp"

#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>

using namespace cairn;
using cairn::engine::DeltaView;
using cairn::engine::VectorDelta;
using cairn::test::Floats;

namespace {

/// Entity -> first component of what the view shows.
std::map<std::uint64_t, float> contents(const DeltaView& view) {
  std::map<std::uint64_t, float> found;
  view.for_each([&](std::uint64_t entity, const float* row) {
    BOOST_TEST(found.emplace(entity, row[0]).second, "entity " << entity << " comes once");
  });
  return found;
}

using Contents = std::map<std::uint64_t, float>;

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_delta)

BOOST_AUTO_TEST_CASE(an_empty_delta_shows_nothing) {
  const VectorDelta delta(3);
  BOOST_TEST(delta.view(1).positions() == 0u);
  BOOST_TEST(delta.view(1).find(0) == nullptr);
  BOOST_TEST(delta.view(1).memory_bytes() == 0u);
}

BOOST_AUTO_TEST_CASE(an_update_replaces_and_an_erasure_hides) {
  VectorDelta delta(2);
  delta.put(7, Floats{1, 1}, 1);
  delta.put(8, Floats{2, 2}, 1);
  delta.put(7, Floats{3, 3}, 2);
  delta.erase(8, 3);
  const DeltaView view = delta.view(3);
  BOOST_TEST((contents(view) == Contents{{7, 3}}));
  BOOST_TEST(view.positions() == 3u);
  BOOST_TEST(view.live() == 1u);
  BOOST_TEST(view.find(7)[1] == 3);
  BOOST_TEST(view.find(8) == nullptr);
}

BOOST_AUTO_TEST_CASE(the_last_change_of_one_version_wins) {
  VectorDelta delta(1);
  delta.put(5, Floats{1}, 1);
  delta.erase(5, 1);
  delta.put(5, Floats{2}, 1);
  BOOST_TEST((contents(delta.view(1)) == Contents{{5, 2}}));
  BOOST_TEST(delta.view(1).live() == 1u);
}

BOOST_AUTO_TEST_CASE(erasing_what_is_not_there_changes_nothing) {
  VectorDelta delta(1);
  delta.erase(5, 1);
  delta.put(6, Floats{1}, 1);
  delta.erase(5, 2);
  delta.erase(6, 3);
  delta.erase(6, 4);
  BOOST_TEST(delta.view(4).live() == 0u);
}

BOOST_AUTO_TEST_CASE(a_held_view_is_unchanged_by_whatever_follows) {
  const std::uint64_t seed = 21;
  std::mt19937_64 random(seed);
  VectorDelta delta(3);
  Contents model;
  std::vector<std::pair<DeltaView, Contents>> held;
  for (std::uint64_t version = 1; version <= 3'000; ++version) {
    const std::uint64_t entity = random() % 200;
    if (random() % 4 == 0) {
      delta.erase(entity, version);
      model.erase(entity);
    } else {
      const auto value = static_cast<float>(version);
      delta.put(entity, Floats{value, 0, 0}, version);
      model[entity] = value;
    }
    if (version % 50 == 0) held.emplace_back(delta.view(version), model);
  }
  for (const auto& [view, expected] : held) {
    BOOST_TEST((contents(view) == expected), "seed " << seed);
    BOOST_TEST(view.live() == expected.size());
    for (std::uint64_t entity = 0; entity < 200; ++entity) {
      const float* row = view.find(entity);
      const auto found = expected.find(entity);
      BOOST_TEST_REQUIRE((row != nullptr) == (found != expected.end()), "seed " << seed);
      if (row != nullptr) BOOST_TEST(row[0] == found->second);
    }
  }
}

BOOST_AUTO_TEST_CASE(memory_grows_with_the_vectors_and_not_with_the_views) {
  VectorDelta delta(256);
  for (std::uint64_t entity = 0; entity < 1'000; ++entity) delta.put(entity, Floats(256), 1);
  const std::size_t bytes = delta.view(1).memory_bytes();
  BOOST_TEST(bytes > 1'000u * 256 * 4);
  BOOST_TEST(bytes < 1'200u * 256 * 4);
  const DeltaView again = delta.view(2);
  BOOST_TEST(again.find(3) == delta.view(1).find(3));
}

BOOST_AUTO_TEST_SUITE_END()
