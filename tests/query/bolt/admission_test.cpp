// Addresses that tried wrong tokens, and how long that is remembered.
#include "query/bolt/admission.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::test {

using query::bolt::WrongTokens;

BOOST_AUTO_TEST_SUITE(bolt_wrong_tokens)

BOOST_AUTO_TEST_CASE(an_address_has_some_tries_a_minute) {
  WrongTokens wrong(3);
  const auto begin = WrongTokens::Clock::now();
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(!wrong.is_refused("a", begin));
    wrong.note("a", begin + std::chrono::seconds(i));
  }
  BOOST_TEST(wrong.is_refused("a", begin + std::chrono::seconds(3)));
  BOOST_TEST(!wrong.is_refused("b", begin + std::chrono::seconds(3)));
  BOOST_TEST(wrong.is_refused("a", begin + std::chrono::seconds(59)));
  BOOST_TEST(!wrong.is_refused("a", begin + std::chrono::seconds(60)));
  wrong.note("a", begin + std::chrono::seconds(60));
  BOOST_TEST(wrong.is_refused("a", begin + std::chrono::seconds(60)));
}

BOOST_AUTO_TEST_CASE(the_latest_addresses_are_remembered) {
  WrongTokens wrong(1);
  const auto begin = WrongTokens::Clock::now();
  for (int i = 0; i < 5'000; ++i)
    wrong.note(std::to_string(i), begin + std::chrono::milliseconds(i));
  const auto end = begin + std::chrono::seconds(6);
  BOOST_TEST(!wrong.is_refused("0", end));
  BOOST_TEST(!wrong.is_refused("903", end));
  BOOST_TEST(wrong.is_refused("904", end));
  BOOST_TEST(wrong.is_refused("4999", end));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
