// Hostile tables, which no writer of ours makes; what it does make is shown in record_test.cpp.

#include "codec/stored_values.hpp"

#include "codec/record.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace cairn;
using namespace cairn::codec;
using fb::StoredType;

namespace {

struct Table {
  std::vector<StoredType> types;
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> text_ends = {};
  std::string texts = {};
  std::vector<fb::Wide> wides = {};
};

class Hostile {
 public:
  flatbuffers::Offset<fb::Values> add(
      const Table& table, const std::vector<flatbuffers::Offset<fb::Values>>& inner = {}) {
    std::vector<std::uint8_t> types;
    for (StoredType type : table.types) types.push_back(static_cast<std::uint8_t>(type));
    const std::vector<std::uint8_t> texts(table.texts.begin(), table.texts.end());
    return fb::CreateValuesDirect(builder_, &types, &table.words, &table.text_ends, &texts,
                                  &table.wides, &inner);
  }
  /// Reads value 0 of `root` and returns what the reader found wrong.
  std::string fault(flatbuffers::Offset<fb::Values> root) {
    builder_.Finish(root);
    const auto* values = flatbuffers::GetRoot<fb::Values>(builder_.GetBufferPointer());
    ValuesReader reader(builder_.GetSize());
    if (reader.has_count(values, 1)) (void)reader.read_stored(*values, 0);
    return reader.fault() == nullptr ? "none" : reader.fault();
  }
  std::string fault(const Table& table) { return fault(add(table)); }

 private:
  flatbuffers::FlatBufferBuilder builder_;
};

std::string fault_of(const Table& table) { return Hostile().fault(table); }

constexpr auto huge = std::numeric_limits<std::int64_t>::max();

}  // namespace

BOOST_AUTO_TEST_SUITE(stored_values)

BOOST_AUTO_TEST_CASE(a_sound_table_has_no_fault) {
  BOOST_TEST(fault_of({{StoredType::integer}, {7}}) == "none");
  BOOST_TEST(fault_of({{StoredType::string}, {0}, {3}, "abc"}) == "none");
}

BOOST_AUTO_TEST_CASE(types_and_words_must_be_as_many_as_keys) {
  BOOST_TEST(fault_of({{StoredType::null, StoredType::null}, {0, 0}}) ==
             "its numbers of values, types and keys differ");
  BOOST_TEST(fault_of({{StoredType::null}, {}}) == "its numbers of values, types and keys differ");
}

BOOST_AUTO_TEST_CASE(unknown_types_and_booleans_are_faults) {
  BOOST_TEST(fault_of({{static_cast<StoredType>(99)}, {0}}) == "a value has an unknown type");
  BOOST_TEST(fault_of({{StoredType::boolean}, {2}}) == "a boolean is neither true nor false");
}

BOOST_AUTO_TEST_CASE(a_text_must_lie_within_the_texts) {
  BOOST_TEST(fault_of({{StoredType::string}, {1}, {3}, "abc"}) == "a text is missing");
  BOOST_TEST(fault_of({{StoredType::string}, {0}, {4}, "abc"}) ==
             "a text does not lie within the texts");
  BOOST_TEST(fault_of({{StoredType::string}, {1}, {3, 2}, "abc"}) ==
             "a text does not lie within the texts");
}

BOOST_AUTO_TEST_CASE(fields_must_be_there_and_in_range) {
  BOOST_TEST(fault_of({{StoredType::time}, {0}}) == "the fields of a value are missing");
  const auto wide = [](StoredType type, const fb::Wide& fields) {
    return fault_of({{type}, {0}, {}, {}, {fields}});
  };
  const std::string out_of_range = "a temporal value is out of range";
  BOOST_TEST(wide(StoredType::time, {0, huge, 0, 0}) == out_of_range);
  BOOST_TEST(wide(StoredType::time, {-1, 0, 0, 0}) == out_of_range);
  BOOST_TEST(wide(StoredType::local_date_time, {huge, 0, 0, 0}) == out_of_range);
  BOOST_TEST(wide(StoredType::date_time, {0, 0, 100'000, 0}) == out_of_range);
  BOOST_TEST(wide(StoredType::date_time, {0, 0, 0, 5}) == "a text is missing");
  BOOST_TEST(wide(StoredType::date_time, {0, 0, 0, -5}) == "a text is missing");
  BOOST_TEST(wide(StoredType::duration, {0, 0, 0, -1}) == out_of_range);
}

BOOST_AUTO_TEST_CASE(containers_must_be_there) {
  BOOST_TEST(fault_of({{StoredType::list}, {0}}) == "a list or map is missing");
}

BOOST_AUTO_TEST_CASE(references_stand_at_the_top_only) {
  Hostile hostile;
  const auto inner = hostile.add({{StoredType::vector_reference}, {0}});
  BOOST_TEST(hostile.fault(hostile.add({{StoredType::list}, {0}}, {inner})) ==
             "a value has an unknown type");
}

BOOST_AUTO_TEST_CASE(the_keys_of_a_map_must_ascend) {
  Hostile hostile;
  const auto inner = hostile.add({{StoredType::null, StoredType::null}, {0, 0}, {1, 2}, "ba"});
  BOOST_TEST(hostile.fault(hostile.add({{StoredType::map}, {0}}, {inner})) ==
             "the keys of a map do not ascend");
}

// Forty levels of two references to one table would be 2^40 values.
BOOST_AUTO_TEST_CASE(a_table_that_is_used_again_and_again_does_not_grow_without_end) {
  Hostile hostile;
  auto inner = hostile.add({{StoredType::integer}, {1}});
  for (int level = 0; level < 40; ++level)
    inner = hostile.add({{StoredType::list, StoredType::list}, {0, 0}}, {inner});
  BOOST_TEST(hostile.fault(hostile.add({{StoredType::list}, {0}}, {inner})) == "its parts overlap");
}

BOOST_AUTO_TEST_CASE(a_text_that_is_used_again_and_again_does_not_grow_without_end) {
  Hostile hostile;
  const std::vector<StoredType> types(1'000, StoredType::string);
  const auto inner =
      hostile.add({types, std::vector<std::uint64_t>(1'000), {100'000}, std::string(100'000, 'x')});
  BOOST_TEST(hostile.fault(hostile.add({{StoredType::list}, {0}}, {inner})) == "its parts overlap");
}

BOOST_AUTO_TEST_SUITE_END()

// encode_vector and decode_vector.

BOOST_AUTO_TEST_SUITE(stored_vector)

BOOST_AUTO_TEST_CASE(every_vector_reads_back) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 1'000; ++i) {
    const Vector vector = random.vector();
    const auto decoded = decode_vector(encode_vector(vector.components()));
    BOOST_TEST_REQUIRE(decoded.has_value());
    BOOST_TEST_REQUIRE((Value(Vector(*decoded)) == Value(vector)));
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_noticed) {
  const std::vector<float> components = {0.25F, -1.0F, std::nanf(""), 3e38F};
  const std::string bytes = encode_vector(components);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    BOOST_TEST(!decode_vector(damaged).has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_count_beyond_the_bytes_is_refused) {
  const auto result = decode_vector(std::string(4, '\xff') + std::string(8, '\0'));
  BOOST_TEST(!result.has_value());
  BOOST_TEST((result.error().code == ErrorCode::corruption));
  BOOST_TEST(!decode_vector("").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
