#include "codec/posting.hpp"

#include "codec/schema/posting_generated.h"
#include "tests/codec/bitmap_samples.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::codec;
using namespace cairn::codec::samples;
using cairn::ErrorCode;

namespace {

template <class Check>
void with_seeds(int count, Check&& check) {
  for (int seed = 1; seed <= count; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Random random(static_cast<std::uint64_t>(seed));
      check(random);
    }
  }
}

PostingDelta random_delta(Random& random, std::uint16_t last) {
  PostingDelta delta;
  for (std::uint16_t value : pick(random, below(random, last), 0, last))
    (below(random, 2) == 0 ? delta.added : delta.removed).push_back(value);
  return delta;
}

void expect_corruption(const std::string& bytes, std::string_view what) {
  const auto decoded = decode_posting(bytes);
  BOOST_TEST_REQUIRE(!decoded.has_value(), "accepted: " << what);
  BOOST_TEST((decoded.error().code == ErrorCode::corruption));
  BOOST_TEST(decoded.error().message.find(what) != std::string::npos, decoded.error().message);
}

void expect_corrupt_delta(const std::string& bytes, std::string_view what) {
  const auto decoded = decode_posting_delta(bytes);
  BOOST_TEST_REQUIRE(!decoded.has_value(), "accepted: " << what);
  BOOST_TEST((decoded.error().code == ErrorCode::corruption));
  BOOST_TEST(decoded.error().message.find(what) != std::string::npos, decoded.error().message);
}

// A folded block with exactly these fields, sound or not; what is empty is absent.

struct Fields {
  std::uint8_t form = 0;
  std::uint32_t cardinality = 0;
  std::vector<std::uint16_t> array = {};
  std::vector<std::uint64_t> words = {};
  std::vector<std::uint16_t> runs = {};
};

std::string folded(const Fields& fields) {
  flatbuffers::FlatBufferBuilder builder;
  const auto* array = fields.array.empty() ? nullptr : &fields.array;
  const auto* words = fields.words.empty() ? nullptr : &fields.words;
  const auto* runs = fields.runs.empty() ? nullptr : &fields.runs;
  builder.Finish(
      fb::CreatePostingBlockDirect(builder, fields.form, fields.cardinality, array, words, runs));
  return '\x03' +
         std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

Lows counted(std::size_t count) {
  Lows values(count);
  std::iota(values.begin(), values.end(), std::uint16_t{0});
  return values;
}

// What is decoded must be a sound container, whatever the bytes were.
void expect_sound(const Container& container) {
  const Lows values = values_of(container);
  BOOST_TEST(values.size() == container.cardinality());
  BOOST_TEST((std::ranges::adjacent_find(values, std::ranges::greater_equal{}) == values.end()));
  BOOST_TEST((decode_posting(encode_posting(container)).value() == container));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(posting)

BOOST_AUTO_TEST_CASE(what_is_encoded_is_decoded) {
  with_seeds(3, [](Random& random) {
    for (const Lows& values : shapes(random))
      for (const Container& container : forms_of(values)) {
        const std::string bytes = encode_posting(container);
        BOOST_TEST(!is_posting_delta(bytes));
        const auto decoded = decode_posting(bytes);
        BOOST_TEST_REQUIRE(decoded.has_value());
        BOOST_TEST((values_of(*decoded) == values));
        BOOST_TEST((encode_posting(*decoded) == bytes), "one set has one encoding");
      }
  });
}

BOOST_AUTO_TEST_CASE(bytes_at_any_address_are_decoded) {
  const Container container = Container::from_sorted(counted(5'000));
  const std::string bytes = encode_posting(container);
  for (std::size_t offset = 0; offset < 9; ++offset) {
    const std::string moved = std::string(offset, 'x') + bytes;
    const auto decoded = decode_posting(std::string_view(moved).substr(offset));
    BOOST_TEST((decoded.value() == container));
  }
}

BOOST_AUTO_TEST_CASE(up_to_32_ids_are_stored_as_they_are) {
  BOOST_TEST(encode_posting(Container()) == "\x02");
  BOOST_TEST(encode_posting(Container::from_sorted(Lows{1, 0x203})) ==
             std::string("\x02\x01\x00\x03\x02", 5));
  BOOST_TEST(encode_posting(Container::from_sorted(counted(32))).size() == 65U);
  BOOST_TEST(encode_posting(Container::from_sorted(counted(33))).front() == '\x03');
}

BOOST_AUTO_TEST_CASE(small_values_that_were_never_encoded_are_refused) {
  expect_corruption("", "unknown tag");
  expect_corruption("\x04", "unknown tag");
  expect_corruption(encode_posting_delta({}), "unknown tag");
  expect_corruption(std::string("\x02\x01", 2), "ends within an id");
  expect_corruption(std::string("\x02\x02\x00\x01\x00", 5), "out of order");
  expect_corruption(std::string("\x02\x01\x00\x01\x00", 5), "out of order");
  expect_corruption(std::string(1, '\x02').append(66, '\0'), "too many ids");
}

BOOST_AUTO_TEST_CASE(folded_blocks_that_contradict_themselves_are_refused) {
  std::vector<std::uint64_t> bitmap(1'024, 1);
  bitmap[0] = ~std::uint64_t{0};
  bitmap[1] = ~std::uint64_t{0};
  const std::vector<std::uint64_t> dense(1'024, 0xffff);
  // The sound ones, of which each of the others differs in one thing.
  BOOST_TEST(decode_posting(folded({.form = 1, .cardinality = 3, .array = {1, 2, 3}})).has_value());
  BOOST_TEST(
      decode_posting(folded({.form = 2, .cardinality = 16'384, .words = dense})).has_value());
  BOOST_TEST(
      decode_posting(folded({.form = 3, .cardinality = 5, .runs = {1, 2, 4, 6}})).has_value());

  expect_corruption(folded({.form = 1, .cardinality = 2, .array = {1, 2, 3}}), "number of ids");
  expect_corruption(folded({.form = 1, .cardinality = 3, .array = {1, 3, 2}}), "out of order");
  expect_corruption(folded({.form = 1, .cardinality = 3, .array = {1, 2, 2}}), "out of order");
  expect_corruption(folded({.form = 1, .cardinality = 4'097, .array = counted(4'097)}), "too long");

  expect_corruption(folded({.form = 2, .cardinality = 16'383, .words = dense}), "number of ids");
  expect_corruption(folded({.form = 2, .cardinality = 1'150, .words = bitmap}), "too few ids");
  expect_corruption(
      folded({.form = 2, .cardinality = 16'368, .words = {dense.begin(), dense.end() - 1}}),
      "wrong length");

  expect_corruption(folded({.form = 3, .cardinality = 6, .runs = {1, 2, 4, 6}}), "number of ids");
  expect_corruption(folded({.form = 3, .cardinality = 5, .runs = {1, 2, 3, 5}}), "out of order");
  expect_corruption(folded({.form = 3, .cardinality = 5, .runs = {1, 3, 3, 4}}), "out of order");
  expect_corruption(folded({.form = 3, .cardinality = 5, .runs = {4, 6, 1, 2}}), "out of order");
  expect_corruption(folded({.form = 3, .cardinality = 5, .runs = {2, 1}}), "ends before");
  expect_corruption(folded({.form = 3, .cardinality = 2, .runs = {1, 2, 4}}), "without an end");
  expect_corruption(folded({.form = 3, .cardinality = 0}), "without an end");

  expect_corruption(folded({.form = 0, .cardinality = 3, .array = {1, 2, 3}}), "unknown form");
  expect_corruption(folded({.form = 4, .cardinality = 3, .array = {1, 2, 3}}), "unknown form 4");
  expect_corruption(folded({.form = 1, .cardinality = 1, .array = {1}, .runs = {1, 1}}),
                    "more than one form");
}

// The verifier of FlatBuffers lets through vectors whose items lie at a multiple of four only.
BOOST_AUTO_TEST_CASE(a_misaligned_bitmap_is_refused) {
  std::vector<std::uint16_t> even(20'000);
  for (std::size_t i = 0; i < even.size(); ++i) even[i] = static_cast<std::uint16_t>(2 * i);
  std::string bytes = encode_posting(Container::from_sorted(even));
  const std::size_t words = bytes.size() - 8'192 - 4;  // the last vector, behind its length
  BOOST_TEST_REQUIRE(bytes.substr(words, 4) == std::string("\0\4\0\0", 4));
  std::size_t offset = words - 4;  // the field that leads there; nothing behind it moves
  while (static_cast<unsigned char>(bytes[offset]) != words - offset || bytes[offset + 1] != 0)
    --offset;
  bytes.insert(words, 4, '\0');
  bytes[offset] = static_cast<char>(bytes[offset] + 4);
  const auto decoded = decode_posting(bytes);
  BOOST_TEST_REQUIRE(!decoded.has_value());
  BOOST_TEST(decoded.error().message.find("misaligned bitmap") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_block_that_is_cut_short_is_refused) {
  with_seeds(1, [](Random& random) {
    for (const Lows& values : {counted(33), pick(random, 5'000, 0, 65'535)}) {
      const std::string bytes = encode_posting(Container::from_sorted(values));
      for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 16)
        BOOST_TEST(!decode_posting(std::string_view(bytes).substr(0, size)).has_value());
    }
  });
}

BOOST_AUTO_TEST_CASE(flipped_bits_give_an_error_or_a_sound_container) {
  with_seeds(20, [](Random& random) {
    for (const Lows& values : shapes(random)) {
      std::string bytes = encode_posting(Container::from_sorted(values));
      for (std::uint64_t i = 1 + below(random, 3); i > 0; --i) {
        // Most of what can go wrong is in the first bytes.
        const auto at = below(
            random, below(random, 2) == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 80));
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
      }
      const auto decoded = decode_posting(bytes);
      if (decoded.has_value())
        expect_sound(*decoded);
      else
        BOOST_TEST((decoded.error().code == ErrorCode::corruption));
    }
  });
}

BOOST_AUTO_TEST_CASE(deltas_are_decoded_as_they_were_encoded) {
  with_seeds(30, [](Random& random) {
    const PostingDelta delta =
        random_delta(random, static_cast<std::uint16_t>(1 + below(random, 900)));
    const std::string bytes = encode_posting_delta(delta);
    BOOST_TEST(is_posting_delta(bytes));
    BOOST_TEST((decode_posting_delta(bytes).value() == delta));
  });
  BOOST_TEST(encode_posting_delta({.added = {2}, .removed = {1, 0x405}}) ==
             std::string("\x01\x02\x01\x01\x00\x05\x04\x02\x00", 9));
}

BOOST_AUTO_TEST_CASE(deltas_that_were_never_encoded_are_refused) {
  expect_corrupt_delta("", "unknown tag");
  expect_corrupt_delta("\x02", "unknown tag");
  expect_corrupt_delta(std::string("\x01\x00", 2), "wrong length");
  expect_corrupt_delta(std::string("\x01\x00\x01\x05", 4), "wrong length");
  expect_corrupt_delta(std::string("\x01\x00\x00\x05", 4), "wrong length");
  expect_corrupt_delta(std::string("\x01\x00\x02\x02\x00\x01\x00", 7), "out of order");
  expect_corrupt_delta(std::string("\x01\x02\x00\x01\x00\x01\x00", 7), "out of order");
  expect_corrupt_delta(std::string("\x01\x01\x01\x01\x00\x01\x00", 7), "out of order");
  // A count that exceeds any memory is refused before memory is allocated for it.
  expect_corrupt_delta("\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f" + std::string("\0\0\0", 3),
                       "wrong length");
}

BOOST_AUTO_TEST_CASE(a_combined_delta_does_what_both_do_in_order) {
  with_seeds(100, [](Random& random) {
    const auto last = static_cast<std::uint16_t>(1 + below(random, 200));
    const PostingDelta first = random_delta(random, last);
    const PostingDelta second = random_delta(random, last);
    const Lows start = pick(random, below(random, last), 0, last);

    Container in_order = Container::from_sorted(start);
    in_order.apply(first.added, first.removed);
    in_order.apply(second.added, second.removed);

    const PostingDelta combined = combine(first, second);
    Container at_once = Container::from_sorted(start);
    at_once.apply(combined.added, combined.removed);
    BOOST_TEST((at_once == in_order));
    BOOST_TEST(decode_posting_delta(encode_posting_delta(combined)).has_value(), "still sound");
  });
}

BOOST_AUTO_TEST_CASE(combining_deltas_is_associative) {
  with_seeds(100, [](Random& random) {
    const PostingDelta a = random_delta(random, 60);
    const PostingDelta b = random_delta(random, 60);
    const PostingDelta c = random_delta(random, 60);
    BOOST_TEST((combine(combine(a, b), c) == combine(a, combine(b, c))));
    BOOST_TEST((combine(a, {}) == a));
    BOOST_TEST((combine({}, a) == a));
  });
}

BOOST_AUTO_TEST_CASE(postings_of_many_chunks_are_added_to_a_union) {
  with_seeds(5, [](Random& random) {
    BitmapBuilder builder;
    Ids expected;
    for (const Lows& values : shapes(random)) {
      const std::uint64_t key = below(random, 4);
      Ids of_chunk;
      for (std::uint16_t low : values) of_chunk.push_back(key << 16 | low);
      expected = either(expected, of_chunk);
      BOOST_TEST(
          add_posting(encode_posting(Container::from_sorted(values)), key, builder).has_value());
    }
    BOOST_TEST((builder.build().to_vector() == expected));
  });
}

BOOST_AUTO_TEST_CASE(a_broken_posting_is_not_added_to_a_union) {
  BitmapBuilder builder;
  BOOST_TEST(!add_posting(std::string("\x02\x01\x00\x01\x00", 5), 1, builder).has_value());
  BOOST_TEST(!add_posting("\x03nonsense", 1, builder).has_value());
  BOOST_TEST(builder.build().empty());
}

BOOST_AUTO_TEST_CASE(an_operand_tells_whether_it_removes) {
  BOOST_TEST(removes_ids(encode_posting_delta({{}, {3}})));
  BOOST_TEST(removes_ids(encode_posting_delta({{1, 2}, {3}})));
  BOOST_TEST(!removes_ids(encode_posting_delta({{1, 2}, {}})));
  BOOST_TEST(!removes_ids(encode_posting_delta({})));
  BOOST_TEST(!removes_ids(encode_posting(Container())));
  BOOST_TEST(!removes_ids(""));
}

BOOST_AUTO_TEST_SUITE_END()
