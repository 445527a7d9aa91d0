#include <cairn/memory/chunks.hpp>

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

using cairn::memory::ChunkSizes;
using cairn::memory::split_chunks;
using cairn::memory::TextChunk;

namespace {

std::string random_text(std::mt19937& random) {
  const std::string pieces[] = {"word", "ä", "\n", "\n\n", " ", "日本", "x", "😀", ". "};
  std::string text;
  for (auto i = random() % 900; i > 0; --i) text += pieces[random() % 9];
  return text;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chunks)

BOOST_AUTO_TEST_CASE(an_empty_text_has_no_chunk) { BOOST_TEST(split_chunks("", {}).empty()); }

BOOST_AUTO_TEST_CASE(a_short_text_is_one_chunk) {
  const auto chunks = split_chunks("hello", {});
  BOOST_REQUIRE(chunks.size() == 1U);
  BOOST_TEST(chunks[0].text == "hello");
  BOOST_TEST(chunks[0].end_character == 5U);
}

BOOST_AUTO_TEST_CASE(a_chunk_ends_at_a_paragraph_where_there_is_one) {  // M3.4
  std::string paragraph(60, 'a');
  paragraph += "\n\n";
  const std::string text = paragraph + std::string(60, 'b');
  const auto chunks = split_chunks(text, {100, 20});
  BOOST_TEST(chunks[0].text == paragraph);
}

BOOST_AUTO_TEST_CASE(chunks_cover_the_text_and_keep_to_their_sizes) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const std::string text = random_text(random);
    const ChunkSizes sizes{5 + random() % 60, random() % 5};
    std::size_t covered = 0;
    std::size_t last_begin = 0;
    for (const TextChunk& chunk : split_chunks(text, sizes)) {
      BOOST_TEST_CONTEXT("seed " << seed) {
        BOOST_REQUIRE(chunk.begin_byte <= covered);
        BOOST_REQUIRE(chunk.end_byte > covered);
        BOOST_REQUIRE(chunk.begin_byte + (covered == 0 ? 1 : 0) > last_begin);
        BOOST_REQUIRE(chunk.end_character - chunk.begin_character <= sizes.size);
        BOOST_REQUIRE(text.substr(chunk.begin_byte, chunk.end_byte - chunk.begin_byte) ==
                      chunk.text);
        BOOST_REQUIRE(code_points(text.substr(0, chunk.begin_byte)) == chunk.begin_character);
        BOOST_REQUIRE(code_points(chunk.text) == chunk.end_character - chunk.begin_character);
      }
      last_begin = chunk.begin_byte;
      covered = chunk.end_byte;
    }
    BOOST_TEST(covered == text.size());
  }
}

BOOST_AUTO_TEST_CASE(no_chunk_splits_a_code_point) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "日";
  for (const TextChunk& chunk : split_chunks(text, {7, 3}))
    BOOST_TEST((static_cast<unsigned char>(chunk.text.front()) & 0xc0) != 0x80);
}

BOOST_AUTO_TEST_SUITE_END()
