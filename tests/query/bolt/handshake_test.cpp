// The handshake: which version both sides speak, by bytes in pieces of any size, and what is no handshake.

#include "query/bolt/connection.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::bolt {
namespace {

std::string bytes_of(const std::vector<int>& numbers) {
  std::string bytes;
  for (const int number : numbers) bytes += static_cast<char>(number);
  return bytes;
}

std::string greeting(const std::vector<int>& proposals) {
  std::string bytes = bytes_of({0x60, 0x60, 0xB0, 0x17}) + bytes_of(proposals);
  bytes.resize(20);
  return bytes;
}

struct Shaken {
  HandshakeState state = HandshakeState::open;
  std::string answer;
  std::string left;
  Version version;
};

/// Feeds the bytes to a handshake, `piece` at a time, until it ends.
Shaken shake(const std::string& bytes, std::size_t piece) {
  Handshake handshake;
  Shaken shaken;
  std::size_t at = 0;
  while (at < bytes.size() && shaken.state == HandshakeState::open) {
    std::string_view given = std::string_view(bytes).substr(at, piece);
    at += given.size();
    shaken.state = handshake.take(given, shaken.answer);
    shaken.left = std::string(given) + bytes.substr(at);
  }
  shaken.version = handshake.version();
  return shaken;
}

/// "5.8" with what was answered, in any cutting; what follows is left to the messages.
void check_agreed(const std::string& bytes, const std::string& answer, Version version) {
  for (std::size_t piece = 1; piece <= bytes.size() + 3; ++piece) {
    const Shaken shaken = shake(bytes + "abc", piece);
    BOOST_TEST(int(shaken.state) == int(HandshakeState::agreed));
    BOOST_TEST(shaken.answer == answer);
    BOOST_TEST(shaken.left == "abc");
    BOOST_TEST(int(shaken.version.major) == int(version.major));
    BOOST_TEST(int(shaken.version.minor) == int(version.minor));
  }
}

void check_failed(const std::string& bytes, const std::string& answer) {
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    const Shaken shaken = shake(bytes, piece);
    BOOST_TEST(int(shaken.state) == int(HandshakeState::failed));
    BOOST_TEST(shaken.answer == answer);
  }
}

const std::string manifest_answer =
    bytes_of({0, 0, 1, 0xFF, 2, 0, 0, 0, 6, 0, 8, 8, 5, 0});  // 6.0, and 5.8 down to 5.0

}  // namespace

BOOST_AUTO_TEST_SUITE(handshake)

BOOST_AUTO_TEST_CASE(a_proposed_version_is_answered) {
  check_agreed(greeting({0, 0, 4, 5}), bytes_of({0, 0, 4, 5}), {5, 4});
  check_agreed(greeting({0, 0, 0, 6}), bytes_of({0, 0, 0, 6}), {6, 0});
  check_agreed(greeting({0, 0, 0, 5}), bytes_of({0, 0, 0, 5}), {5, 0});
}

BOOST_AUTO_TEST_CASE(the_best_of_a_range_is_answered) {
  check_agreed(greeting({0, 8, 8, 5}), bytes_of({0, 0, 8, 5}), {5, 8});
  check_agreed(greeting({0, 3, 10, 5}), bytes_of({0, 0, 8, 5}), {5, 8});
  check_agreed(greeting({0, 2, 2, 6}), bytes_of({0, 0, 0, 6}), {6, 0});
  check_agreed(greeting({0, 9, 2, 5}), bytes_of({0, 0, 2, 5}), {5, 2});
}

BOOST_AUTO_TEST_CASE(the_client_prefers_what_it_names_first) {
  check_agreed(greeting({0, 0, 4, 4, 0, 0, 3, 5, 0, 0, 0, 6}), bytes_of({0, 0, 3, 5}), {5, 3});
  check_agreed(greeting({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5}), bytes_of({0, 0, 1, 5}),
               {5, 1});
}

BOOST_AUTO_TEST_CASE(what_we_do_not_speak_is_answered_with_zeros) {
  const std::string none(4, '\0');
  check_failed(greeting({0, 0, 4, 4, 0, 0, 3, 0, 0, 0, 0, 3}), none);
  check_failed(greeting({0, 1, 10, 5}), none);
  check_failed(greeting({0, 0, 1, 6}), none);
  check_failed(greeting({}), none);
}

BOOST_AUTO_TEST_CASE(the_manifest_lets_the_client_choose) {
  const std::string start = greeting({0, 0, 1, 0xFF, 0, 8, 8, 5, 0, 2, 4, 4, 0, 0, 0, 3});
  check_agreed(start + bytes_of({0, 0, 0, 6, 0}), manifest_answer, {6, 0});
  check_agreed(start + bytes_of({0, 0, 5, 5, 0}), manifest_answer, {5, 5});
  check_agreed(start + bytes_of({0, 0, 8, 5, 0xFF, 0x80, 0x01}), manifest_answer, {5, 8});
}

BOOST_AUTO_TEST_CASE(a_range_of_manifests_holds_ours) {
  check_agreed(greeting({0, 1, 2, 0xFF}) + bytes_of({0, 0, 0, 6, 0}), manifest_answer, {6, 0});
  check_agreed(greeting({0, 0, 2, 0xFF, 0, 0, 8, 5}), bytes_of({0, 0, 8, 5}), {5, 8});
}

BOOST_AUTO_TEST_CASE(a_choice_that_was_not_offered_ends_it) {
  const std::string start = greeting({0, 0, 1, 0xFF});
  check_failed(start + bytes_of({0, 0, 9, 5, 0}), manifest_answer);
  check_failed(start + bytes_of({0, 0, 1, 6, 0}), manifest_answer);
  check_failed(start + bytes_of({0, 0, 0, 0, 0}), manifest_answer);
}

BOOST_AUTO_TEST_CASE(capabilities_without_an_end_are_not_read_for_ever) {
  check_failed(greeting({0, 0, 1, 0xFF}) + bytes_of({0, 0, 0, 6}) + std::string(20, '\xFF'),
               manifest_answer);
}

BOOST_AUTO_TEST_CASE(another_protocol_ends_with_its_first_byte) {
  Handshake handshake;
  std::string answer;
  std::string_view bytes("G");
  BOOST_TEST(int(handshake.take(bytes, answer)) == int(HandshakeState::failed));
  BOOST_TEST(answer.empty());
  check_failed("\x16\x03\x01", "");
  check_failed(std::string("\x60\x60\xB0\x18", 4), "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query::bolt
