#include "codec/sorted_ids.hpp"
#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>

using namespace cairn::codec;
using namespace cairn::codec::samples;

namespace {

/// The same ids, chunks in turn as runs and in the form that fits.
Bitmap set_of(const Ids& ids) {
  const Bitmap plain = Bitmap::from_sorted(ids);
  Bitmap set;
  for (const Bitmap::Chunk& chunk : plain.chunks()) {
    const bool is_second = set.chunks().size() % 2 == 1;
    set.append_chunk(chunk.key, is_second ? std::make_shared<const Container>(
                                                as_runs(values_of(*chunk.container)))
                                          : chunk.container);
  }
  return set;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(id_seeker)

BOOST_AUTO_TEST_CASE(of_an_empty_set_there_is_no_next_id) {
  const Bitmap none;
  IdSeeker seeker(none);
  BOOST_TEST(seeker.seek(0) == IdSeeker::end);
  BOOST_TEST(!seeker.contains(70'000));
}

BOOST_AUTO_TEST_CASE(the_next_id_is_that_of_a_binary_search_whatever_the_steps) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    const Ids all = ids(random);
    const Bitmap set = set_of(all);
    for (const std::uint64_t longest : {2U, 300U, 100'000U, 50'000'000U}) {
      IdSeeker seeker(set);
      std::uint64_t wrong = 0;
      std::uint64_t id = below(random, longest);
      for (int step = 0; step < 3'000; ++step, id += below(random, longest)) {
        const auto next = std::ranges::lower_bound(all, id);
        const std::uint64_t expected = next == all.end() ? IdSeeker::end : *next;
        if (seeker.seek(id) != expected || seeker.contains(id) != (expected == id)) ++wrong;
      }
      BOOST_TEST(wrong == 0U, "seed " << seed << ", steps up to " << longest);
    }
  }
}

BOOST_AUTO_TEST_CASE(from_member_to_member_every_one_is_found) {
  Random random(1);
  const Ids all = ids(random);
  const Bitmap set = set_of(all);
  IdSeeker seeker(set);
  Ids found;
  for (std::uint64_t id = seeker.seek(0); id != IdSeeker::end; id = seeker.seek(id + 1))
    found.push_back(id);
  BOOST_TEST((found == all));
}

BOOST_AUTO_TEST_SUITE_END()
