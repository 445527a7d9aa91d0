// Chunks: messages come out as they went in, however the bytes are cut; what is too large is not stored.

#include "query/bolt/chunks.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query::bolt {
namespace {

using Outcome = ChunkReader::Outcome;

constexpr std::size_t any_limit = std::size_t{1} << 30U;

std::string chunked(std::string_view message) {
  std::string bytes;
  BOOST_TEST(write_chunks(message, [&bytes](std::string_view piece) {
    bytes += piece;
    return true;
  }));
  return bytes;
}

std::string chunk_of(std::string_view piece) {
  std::string bytes{static_cast<char>(piece.size() >> 8U), static_cast<char>(piece.size() & 0xFFU)};
  return bytes += piece;
}

const std::string end_of_message("\0\0", 2);

/// Returns the next message; without a copy if `wants_whole` and the buffer has all of it.
std::optional<std::string> next_of(ChunkReader& reader, std::string_view& given, bool wants_whole) {
  if (wants_whole)
    if (const std::string_view whole = reader.take_whole(given); !whole.empty())
      return std::string(whole);
  if (reader.take(given, any_limit) == Outcome::message) return reader.take_message();
  return std::nullopt;
}

/// All messages of bytes that come in pieces.
std::vector<std::string> read_all(const std::string& bytes, std::size_t piece,
                                  bool wants_whole = false) {
  ChunkReader reader;
  std::vector<std::string> messages;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    std::string_view given = std::string_view(bytes).substr(at, piece);
    while (auto message = next_of(reader, given, wants_whole))
      messages.push_back(*std::move(message));
    BOOST_TEST(given.empty());
  }
  return messages;
}

/// Messages in chunks of random sizes, with empty ones between them.
struct RandomMessages {
  std::vector<std::string> messages;
  std::string bytes;

  explicit RandomMessages(std::mt19937_64& random) {
    const auto number = [&random](std::size_t most) { return std::size_t(random() % (most + 1)); };
    for (std::size_t i = number(4); i > 0; --i) {
      std::string message(1 + number(200), '\0');
      for (char& byte : message) byte = static_cast<char>(random());
      for (std::size_t empty = number(2); empty > 0; --empty) bytes += end_of_message;
      for (std::size_t at = 0; at < message.size();) {
        const std::string piece = message.substr(at, 1 + number(80));
        bytes += chunk_of(piece);
        at += piece.size();
      }
      bytes += end_of_message;
      messages.push_back(std::move(message));
    }
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(chunks)

BOOST_AUTO_TEST_CASE(messages_come_out_as_they_went_in) {
  std::mt19937_64 random(20261);
  for (int round = 0; round < 200; ++round) {
    const RandomMessages made(random);
    for (const std::size_t piece : {1U, 2U, 3U, 7U, 64U, 4096U})
      for (const bool wants_whole : {false, true})
        BOOST_TEST(read_all(made.bytes, piece, wants_whole) == made.messages,
                   boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_is_there_as_a_whole_is_not_copied) {
  ChunkReader reader;
  const std::string bytes = chunked("ab") + chunked("cde");
  std::string_view given(bytes);
  const std::string_view first = reader.take_whole(given);
  BOOST_TEST(first == "ab");
  BOOST_TEST((first.data() == bytes.data() + room_for_length));
  BOOST_TEST(reader.take_whole(given) == "cde");
  BOOST_TEST(given.empty());
  // Neither is one of which a part is missing, or that has two chunks, or whose beginning was taken.
  const std::string two = chunk_of("ab") + chunked("cd");
  for (const std::string& text : {bytes.substr(0, 5), std::string("\0", 1), end_of_message, two}) {
    std::string_view rest(text);
    BOOST_TEST(reader.take_whole(rest).empty());
    BOOST_TEST(rest.size() == text.size());
  }
  std::string_view rest(two);
  BOOST_TEST((reader.take(rest, any_limit) == Outcome::message));
  BOOST_TEST(reader.take_message() == "abcd");
  std::string_view begun = std::string_view(two).substr(0, 3);
  BOOST_TEST((reader.take(begun, any_limit) == Outcome::more));
  std::string_view other(bytes);
  BOOST_TEST(reader.take_whole(other).empty());
}

BOOST_AUTO_TEST_CASE(a_long_message_has_chunks_that_are_full) {
  const std::string message(200'000, 'x');
  const std::string bytes = chunked(message);
  BOOST_TEST(bytes.size() == message.size() + 4 * 2 + 2);
  BOOST_TEST(bytes.substr(0, 2) == "\xFF\xFF");
  const auto messages = read_all(bytes, 1'000);
  BOOST_REQUIRE_EQUAL(messages.size(), 1U);
  BOOST_TEST((messages[0] == message));
}

BOOST_AUTO_TEST_CASE(a_message_of_one_full_chunk_has_no_empty_rest) {
  const std::string message(0xFFFF, 'x');
  BOOST_TEST(chunked(message).size() == message.size() + 4);
  BOOST_TEST(read_all(chunked(message), 5'000).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_writer_that_is_refused_stops) {
  int calls = 0;
  BOOST_TEST(
      !write_chunks(std::string(200'000, 'x'), [&calls](std::string_view) { return ++calls < 3; }));
  BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(a_message_is_put_into_chunks_where_it_is) {
  for (const std::size_t size : {1U, 255U, 256U, 65'535U, 65'536U, 200'000U})
    for (const std::string& before : {std::string(), std::string("an earlier message")}) {
      std::string bytes = before + std::string(room_for_length + size, 'x');
      put_into_chunks(bytes, before.size());
      std::string wanted = before;
      BOOST_TEST(write_chunks(std::string(size, 'x'), [&wanted](std::string_view piece) {
        wanted += piece;
        return true;
      }));
      BOOST_TEST((bytes == wanted), size);
    }
}

BOOST_AUTO_TEST_CASE(what_is_too_large_is_refused_by_its_length_alone) {
  ChunkReader reader;
  const std::string bytes = chunk_of(std::string(60, 'a')) + std::string("\x00\x29", 2);
  std::string_view given(bytes);
  BOOST_TEST((reader.take(given, 100) == Outcome::too_large));
  BOOST_TEST(given.empty());
  BOOST_TEST(reader.take_message() == std::string(60, 'a'));
}

BOOST_AUTO_TEST_CASE(as_large_as_the_limit_is_not_too_large) {
  ChunkReader reader;
  const std::string bytes =
      chunk_of(std::string(60, 'a')) + chunk_of(std::string(40, 'b')) + end_of_message;
  std::string_view given(bytes);
  BOOST_TEST((reader.take(given, 100) == Outcome::message));
  BOOST_TEST(reader.take_message().size() == 100U);
}

BOOST_AUTO_TEST_CASE(a_higher_limit_goes_on_where_a_lower_one_stopped) {
  ChunkReader reader;
  const std::string bytes = chunk_of("abcd") + chunk_of("efgh") + end_of_message + chunk_of("ij");
  std::string_view given(bytes);
  BOOST_TEST((reader.take(given, 7) == Outcome::too_large));
  BOOST_TEST((reader.take(given, 7) == Outcome::too_large));
  BOOST_TEST(given.starts_with("efgh"));
  BOOST_TEST((reader.take(given, 8) == Outcome::message));
  BOOST_TEST(reader.take_message() == "abcdefgh");
  BOOST_TEST((reader.take(given, 8) == Outcome::more));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query::bolt
