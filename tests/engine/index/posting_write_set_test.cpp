#include "engine/index/posting_write_set.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <string>
#include <vector>

using namespace cairn;
using codec::Bitmap;
using engine::PostingWriteSet;
using test::must;

namespace {

Bitmap merged(PostingWriteSet& write_set, std::string_view name, std::vector<std::uint64_t> below) {
  return must(
      write_set.merged(name, [&]() -> Result<Bitmap> { return Bitmap::from_sorted(below); }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(posting_write_set)

BOOST_AUTO_TEST_CASE(changes_lie_over_what_is_committed_in_their_order) {
  PostingWriteSet write_set;
  write_set.change("a", {3, true});
  write_set.change("a", {1, false});
  BOOST_TEST((merged(write_set, "a", {1, 2}).to_vector() == std::vector<std::uint64_t>{2, 3}));
  write_set.change("a", {3, false});
  write_set.change("a", {1, true});
  BOOST_TEST((merged(write_set, "a", {1, 2}).to_vector() == std::vector<std::uint64_t>{1, 2}));
  BOOST_TEST((merged(write_set, "b", {7}).to_vector() == std::vector<std::uint64_t>{7}));
}

BOOST_AUTO_TEST_CASE(changed_names_come_in_order_also_when_asked_between_changes) {
  PostingWriteSet write_set;
  for (const char* name : {"m", "c", "x"}) write_set.change(name, {1, true});
  BOOST_TEST(write_set.changed_in({"a", "n"}) == (std::vector<std::string_view>{"c", "m"}),
             boost::test_tools::per_element());
  for (const char* name : {"d", "b"}) write_set.change(name, {1, true});
  BOOST_TEST(write_set.changed_in({"b", "m"}) == (std::vector<std::string_view>{"b", "c", "d"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(many_names_of_all_lengths_keep_their_changes_and_come_in_order) {
  PostingWriteSet write_set;
  std::map<std::string, std::vector<std::uint64_t>> expected;
  std::mt19937_64 random(1);
  for (std::uint64_t id = 1; id <= 20'000; ++id) {
    // Beginnings in common, zeros at the end and names longer than a block of the arena.
    std::string name(random() % 9, 'a');
    name += std::to_string(random() % 500);
    name.append(random() % 3, '\0');
    if (id % 5'000 == 0) name.append(100'000, 'x');
    write_set.change(name, {id, true});
    expected[name].push_back(id);
  }
  const auto sorted = write_set.by_name();
  BOOST_REQUIRE(sorted.size() == expected.size());
  std::size_t at = 0;
  for (const auto& [name, ids] : expected) {
    const PostingWriteSet::Posting& found = *sorted[at++];
    BOOST_REQUIRE(found.name() == name);
    BOOST_REQUIRE(write_set.find(name) == &found);
    std::vector<std::uint64_t> changed;
    for (const auto& change : found.changes()) changed.push_back(change.id);
    BOOST_REQUIRE((changed == ids));
  }
  BOOST_TEST(write_set.find("b") == nullptr);
  BOOST_TEST(PostingWriteSet().find("b") == nullptr);
}

BOOST_AUTO_TEST_CASE(its_size_grows_with_its_changes) {
  PostingWriteSet write_set;
  const auto empty = write_set.memory_bytes();
  write_set.change("a", {1, true});
  const auto one = write_set.memory_bytes();
  write_set.change("a", {1, false});
  BOOST_TEST(one > empty);
  BOOST_TEST(write_set.memory_bytes() == one);  // the same id once more
}

BOOST_AUTO_TEST_SUITE_END()
