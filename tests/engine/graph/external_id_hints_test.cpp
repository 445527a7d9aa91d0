#include "engine/graph/external_id_hints.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::engine {

BOOST_AUTO_TEST_SUITE(external_id_hints)

BOOST_AUTO_TEST_CASE(what_was_noted_last_is_found) {
  ExternalIdHints hints(16);  // two slots
  for (std::uint64_t id = 1; id <= 100; ++id) {
    const std::string text = "memory/" + std::to_string(id);
    hints.note(0, text, id);
    BOOST_TEST(hints.find(0, text) == id);
    hints.note(0, text, id + 1'000);
    BOOST_TEST(hints.find(0, text) == id + 1'000);
  }
}

BOOST_AUTO_TEST_CASE(a_third_full_nearly_all_are_found) {
  constexpr std::uint64_t ids = 10'000;
  ExternalIdHints hints(2 * 16'384 * 8);
  for (std::uint64_t id = 1; id <= ids; ++id) hints.note(3, std::to_string(id), id);
  std::uint64_t found = 0;
  for (std::uint64_t id = 1; id <= ids; ++id) found += hints.find(3, std::to_string(id)) == id;
  BOOST_TEST(found > ids * 9 / 10);
  // Another namespace is another text.
  std::uint64_t others = 0;
  for (std::uint64_t id = 1; id <= ids; ++id) others += hints.find(4, std::to_string(id)) != 0;
  BOOST_TEST(others < ids / 1'000);
}

BOOST_AUTO_TEST_CASE(nothing_is_held_before_the_first_note) {
  ExternalIdHints hints(1'024);
  BOOST_TEST(hints.find(0, "a") == 0u);
  BOOST_TEST(hints.memory_bytes() == 0u);
  // An id that is too large for a slot is not stored.
  hints.note(0, "a", std::uint64_t{1} << 48);
  BOOST_TEST(hints.memory_bytes() == 0u);
  hints.note(0, "a", 7);
  BOOST_TEST(hints.memory_bytes() == 1'024u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::engine
