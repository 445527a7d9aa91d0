// A stop and the end of a statement may come at the same moment: either both know of the stop, or none.
#include "engine/telemetry/statement_register.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

namespace cairn::engine {

BOOST_AUTO_TEST_SUITE(statement_register)

BOOST_AUTO_TEST_CASE(a_statement_knows_that_it_was_stopped_when_it_leaves) {
  StatementRegister all;
  StatementOptions options;
  StatementRegister::Place place(&all, "", options);
  BOOST_TEST(!all.stop(7, {}).has_value());
  const auto number = all.list({}).front().number;
  BOOST_TEST(all.stop(number, {}).has_value());
  BOOST_TEST(options.cancel.stop_requested());
  BOOST_TEST(place.leave());
  BOOST_TEST(place.leave());
  BOOST_TEST(!all.stop(number, {}).has_value());
}

// The end of its caller's own token is not one by the register.
BOOST_AUTO_TEST_CASE(a_token_of_the_caller_is_no_stop_by_the_register) {
  StatementRegister all;
  std::stop_source source;
  StatementOptions options;
  options.cancel = source.get_token();
  StatementRegister::Place place(&all, "", options);
  source.request_stop();
  BOOST_TEST(options.cancel.stop_requested());
  BOOST_TEST(!place.leave());
}

BOOST_AUTO_TEST_CASE(a_stop_is_reported_if_and_only_if_the_statement_sees_it) {
  StatementRegister all;
  for (std::uint64_t number = 1; number <= 500; ++number) {
    StatementOptions options;
    StatementRegister::Place place(&all, "", options);
    std::atomic<bool> is_ready = false;
    bool is_reported = false;
    std::thread other([&] {
      is_ready = true;
      is_reported = all.stop(number, {}).has_value();
    });
    while (!is_ready) std::this_thread::yield();
    const bool is_seen = place.leave();
    other.join();
    BOOST_TEST(is_seen == is_reported);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::engine
