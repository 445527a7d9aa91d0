#include "engine/store/side_file.hpp"

#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using test::must;

BOOST_AUTO_TEST_SUITE(side_file)

BOOST_AUTO_TEST_CASE(what_was_written_is_read_back_and_replaced_whole) {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "FILE";
  BOOST_TEST(!must(engine::read_file(file)).has_value());
  const std::string large(10'000, 'x');
  must(engine::write_file(file, large));
  BOOST_TEST((must(engine::read_file(file)) == large));
  must(engine::write_file(file, "short"));
  BOOST_TEST((must(engine::read_file(file)) == "short"));
  must(engine::erase_file(file));
  must(engine::erase_file(file));
  BOOST_TEST(!must(engine::read_file(file)).has_value());
}

BOOST_AUTO_TEST_CASE(a_place_that_cannot_be_written_is_named) {
  const auto written = engine::write_file("/proc/none/FILE", "x");
  BOOST_REQUIRE(!written);
  BOOST_TEST((written.error().code == ErrorCode::io_error));
  BOOST_TEST(written.error().message.find("/proc/none/FILE") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
