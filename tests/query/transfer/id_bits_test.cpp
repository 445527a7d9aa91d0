// A set of ids in pages of bits.
#include "query/transfer/id_bits.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <set>

BOOST_AUTO_TEST_SUITE(id_bits)

BOOST_AUTO_TEST_CASE(it_contains_what_was_inserted_and_nothing_else) {
  cairn::query::IdBits bits;
  BOOST_TEST(!bits.contains(0));
  const std::set<std::uint64_t> ids = {0, 1, 4'095, 4'096, 1ULL << 32U, 1ULL << 63U, ~0ULL};
  for (const std::uint64_t id : ids) bits.insert(id);
  for (const std::uint64_t id : ids) {
    bits.insert(id);
    for (const std::uint64_t near : {id - 1, id, id + 1})
      BOOST_TEST(bits.contains(near) == ids.contains(near), near);
  }
}

BOOST_AUTO_TEST_SUITE_END()
