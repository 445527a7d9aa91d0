#include "engine/home/litter.hpp"

#include "codec/meta.hpp"
#include "engine/home/home_names.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::engine;
using codec::HomePlace;
using home_name::NamedObject;
using Names = std::vector<std::string>;

namespace {

/// Of epoch 5, with a checkpoint up to its slot 3.
codec::HomeHead head_of_five() {
  codec::HomeHead head;
  head.database_id = codec::database_id(1, 2);
  head.epoch = 5;
  head.checkpoints = {{5, 3}};
  head.chain = {{5, 4}};
  return head;
}

Names litter_among(Names names, const std::set<HomePlace>& used = {}) {
  std::ranges::sort(names);
  return litter_of(head_of_five(), names, used);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(litter)

BOOST_AUTO_TEST_CASE(names_are_read_as_they_are_made) {
  const HomePlace place{0x12, 0xfedcba9876543210U};
  const auto check = [&](const std::string& name, NamedObject::Kind kind) {
    const auto object = home_name::parse(name);
    BOOST_REQUIRE(object.has_value());
    BOOST_TEST((object->kind == kind && object->place == place));
    BOOST_TEST(!home_name::parse(name + "0").has_value());
    BOOST_TEST(!home_name::parse(name.substr(0, name.size() - 1)).has_value());
    BOOST_TEST(!home_name::parse(name.substr(0, name.size() - 1) + "G").has_value());
  };
  check(home_name::slot(place.epoch, place.slot), NamedObject::Kind::slot);
  check(home_name::part(place), NamedObject::Kind::part);
  check(home_name::checkpoint(place), NamedObject::Kind::checkpoint);
  for (const char* other : {"", "head", "log/", "part/1-1", "xabcdef"})
    BOOST_TEST(!home_name::parse(other).has_value());
}

BOOST_AUTO_TEST_CASE(parts_that_no_checkpoint_has_are_litter_but_not_of_later_owners) {
  const Names found = litter_among({home_name::part({2, 1}), home_name::part({2, 2}),
                                    home_name::part({5, 1}), home_name::part({6, 1})},
                                   {{2, 2}});
  BOOST_TEST((found == Names{home_name::part({2, 1}), home_name::part({5, 1})}));
}

BOOST_AUTO_TEST_CASE(checkpoints_before_the_newest_are_litter) {
  const Names found = litter_among({home_name::checkpoint({1, 9}), home_name::checkpoint({5, 2}),
                                    home_name::checkpoint({5, 3}), home_name::checkpoint({5, 4}),
                                    home_name::checkpoint({6, 1})});
  BOOST_TEST((found == Names{home_name::checkpoint({1, 9}), home_name::checkpoint({5, 2})}));
}

BOOST_AUTO_TEST_CASE(slots_up_to_the_checkpoint_are_litter_but_no_fence) {
  const Names found = litter_among(
      {home_name::slot(1, 1), home_name::slot(1, 2), home_name::slot(4, 1), home_name::slot(5, 2),
       home_name::slot(5, 3), home_name::slot(5, 4), home_name::slot(6, 1)});
  BOOST_TEST((found == Names{home_name::slot(1, 1), home_name::slot(5, 2), home_name::slot(5, 3)}));
}

BOOST_AUTO_TEST_CASE(what_has_another_name_and_a_home_without_a_checkpoint_stay) {
  BOOST_TEST(litter_among({"head", "xprobe", "part/1", "log/1/1"}).empty());
  codec::HomeHead head = head_of_five();
  head.checkpoints.clear();
  BOOST_TEST(litter_of(head, {home_name::part({2, 1})}, {}).empty());
}

BOOST_AUTO_TEST_CASE(an_epoch_that_ended_and_has_no_slot_lost_its_fence) {
  const auto missing = epochs_without_fence(
      head_of_five(), {home_name::slot(1, 2), home_name::slot(3, 1), home_name::slot(4, 1)});
  BOOST_TEST((missing == std::vector<std::uint64_t>{2}));
}

BOOST_AUTO_TEST_SUITE_END()
