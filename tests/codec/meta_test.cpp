#include "codec/meta.hpp"

#include "codec/checksum.hpp"
#include "codec/commit_note.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::codec;

namespace {

const CommitFile sample{database_id(1, 0xabcdef), 42};

}  // namespace

BOOST_AUTO_TEST_SUITE(meta)

BOOST_AUTO_TEST_CASE(numbers_and_blocks_read_back) {
  BOOST_TEST(*decode_number(encode_number(~std::uint64_t{0})) == ~std::uint64_t{0});
  BOOST_TEST(*decode_layout(encode_layout(7)) == 7U);
  const IdBlock block{4'096, 8'192};
  BOOST_TEST((*decode_id_block(encode(block)) == block));
}

BOOST_AUTO_TEST_CASE(keys_of_blocks_read_back_and_share_their_beginning) {
  const IdBlockKey key{EntityKind::relationship, 300};
  const std::string bytes = meta_key::id_block(key.kind, key.name_space);
  BOOST_TEST(bytes.starts_with(meta_key::id_blocks));
  BOOST_TEST((*decode_id_block_key(bytes) == key));
  BOOST_TEST(!decode_id_block_key("block/").has_value());
  BOOST_TEST(!decode_id_block_key("BLOCK/" + bytes.substr(6)).has_value());
  BOOST_TEST(!decode_id_block_key("block/\7" + bytes.substr(7)).has_value());
}

BOOST_AUTO_TEST_CASE(keys_differ) {
  BOOST_TEST(meta_key::next_id(EntityKind::node) != meta_key::next_id(EntityKind::relationship));
  BOOST_TEST(meta_key::layout("index") == "layout/index");
}

BOOST_AUTO_TEST_CASE(wrong_lengths_and_turned_blocks_are_refused) {
  BOOST_TEST(!decode_number("1234567").has_value());
  BOOST_TEST(!decode_layout("12345").has_value());
  BOOST_TEST(!decode_id_block("").has_value());
  BOOST_TEST(!decode_id_block(encode(IdBlock{2, 1})).has_value());
}

BOOST_AUTO_TEST_CASE(a_database_id_is_32_lower_case_hexadecimal_digits) {
  BOOST_TEST(database_id(1, 0xabcdef) == "00000000000000010000000000abcdef");
  BOOST_TEST(is_database_id(sample.database_id));
  BOOST_TEST(!is_database_id("00000000000000010000000000ABCDEF"));
  BOOST_TEST(!is_database_id("1"));
}

BOOST_AUTO_TEST_CASE(the_commit_file_reads_back_and_notices_every_flipped_bit) {
  const std::string bytes = encode(sample);
  BOOST_TEST((*decode_commit_file(bytes) == sample));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    BOOST_TEST(!decode_commit_file(damaged).has_value());
  }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    BOOST_TEST(!decode_commit_file(bytes.substr(0, size)).has_value());
}

BOOST_AUTO_TEST_CASE(the_file_of_the_newest_commit_reads_back_and_notices_every_flipped_bit) {
  const TailFile tail{sample.database_id, 42, false, true};
  const std::string bytes = encode(tail);
  BOOST_TEST((*decode_tail_file(bytes) == tail));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    BOOST_TEST(!decode_tail_file(damaged).has_value());
  }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    BOOST_TEST(!decode_tail_file(bytes.substr(0, size)).has_value());
}

BOOST_AUTO_TEST_CASE(a_note_of_the_log_reads_back_and_other_bytes_are_none) {
  const LogNote note{checksum(sample.database_id), 42};
  const std::string bytes = encode(note);
  BOOST_TEST(bytes.size() == LogNote::bytes);
  BOOST_TEST((decode_log_note(bytes) == note));
  BOOST_TEST(!decode_log_note(bytes.substr(1)).has_value());
  BOOST_TEST(!decode_log_note("x" + bytes.substr(1)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
