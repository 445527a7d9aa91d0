#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "codec/commit_record.hpp"
#include "codec/home_head.hpp"
#include "codec/meta.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>

using namespace cairn;
using namespace cairn::codec;

namespace {

CommitRecord commit() {
  CommitRecord record{RecordKind::commit, database_id(1, 2), 3, 4, 5, 6, 7};
  append_change(record.changes, {ChangeOperation::put, 1, "key", std::string(300, 'x')});
  append_change(record.changes, {ChangeOperation::erase, 2, "key", ""});
  return record;
}

HomeHead head() {
  return {database_id(1, 2), 9,       5, {"node", "host:1", 8}, {{2, 7}, {3, 0}},
          {{3, 1}, {5, 1}},  {{2, 9}}};
}

HomeHead deleted_head() {
  HomeHead deleted;
  deleted.database_id = database_id(1, 2);
  deleted.revision = 10;
  deleted.epoch = 6;
  deleted.deleted_at = 1'700'000'000'000'000;
  return deleted;
}

HomeCheckpoint checkpoint() {
  return {database_id(1, 2), {3, 0}, 12, {{"store/000001.sst", 3, hash128("abc"), {3, 1}}}};
}

HomeCheckpoint checkpoint_of_pieces() {
  return {database_id(1, 2),
          {3, 0},
          12,
          {{"store/000001.sst", 3, hash128("abc"), {3, 1}, 0},
           {"store/000001.sst", 2, hash128("de"), {3, 2}, 3},
           {"store/CURRENT", 0, hash128(""), {3, 3}, 0}}};
}

HomeCheckpoint checkpoint_with_history() {
  HomeCheckpoint checkpoint = checkpoint_of_pieces();
  checkpoint.made_at = 1'700'000'000'000'000;
  checkpoint.history = 604'800;
  return checkpoint;
}

HomeCheckpoint timed_checkpoint() {
  HomeCheckpoint timed = checkpoint_of_pieces();
  timed.made_at = 1'700'000'000'000'000;
  return timed;
}

std::string sealed(std::string bytes) {
  append_little(bytes, checksum(bytes));
  return bytes;
}

std::string without_checksum(const std::string& bytes) { return bytes.substr(0, bytes.size() - 8); }

ErrorCode code_of(const std::function<Status(std::string_view)>& decode, const std::string& bytes) {
  const Status result = decode(bytes);
  return result ? ErrorCode{} : result.error().code;
}

Status read_record(std::string_view bytes) {
  CAIRN_TRY(decode_commit_record(bytes));
  return {};
}
Status read_head(std::string_view bytes) {
  CAIRN_TRY(decode_home_head(bytes));
  return {};
}
Status read_checkpoint(std::string_view bytes) {
  CAIRN_TRY(decode_home_checkpoint(bytes));
  return {};
}

struct Sample {
  std::string bytes;
  Status (*decode)(std::string_view);
};

std::vector<Sample> samples() {
  return {{encode(commit()), read_record},
          {encode(head()), read_head},
          {encode(deleted_head()), read_head},
          {encode(checkpoint()), read_checkpoint},
          {encode(checkpoint_of_pieces()), read_checkpoint},
          {encode(timed_checkpoint()), read_checkpoint},
          {encode(checkpoint_with_history()), read_checkpoint}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(home_objects)

BOOST_AUTO_TEST_CASE(each_reads_back) {
  BOOST_TEST((*decode_commit_record(encode(commit())) == commit()));
  BOOST_TEST((*decode_home_head(encode(head())) == head()));
  BOOST_TEST((*decode_home_head(encode(deleted_head())) == deleted_head()));
  BOOST_TEST((*decode_home_checkpoint(encode(checkpoint())) == checkpoint()));
  BOOST_TEST((*decode_home_checkpoint(encode(checkpoint_of_pieces())) == checkpoint_of_pieces()));
  BOOST_TEST((*decode_home_checkpoint(encode(timed_checkpoint())) == timed_checkpoint()));
  BOOST_TEST(
      (*decode_home_checkpoint(encode(checkpoint_with_history())) == checkpoint_with_history()));
}

BOOST_AUTO_TEST_CASE(each_is_refused_where_it_is_cut_or_longer) {
  for (const Sample& sample : samples()) {
    for (std::size_t size = 0; size < sample.bytes.size(); ++size)
      BOOST_REQUIRE(
          (code_of(sample.decode, sample.bytes.substr(0, size)) == ErrorCode::corruption));
    BOOST_REQUIRE((code_of(sample.decode, sample.bytes + '\0') == ErrorCode::corruption));
  }
}

BOOST_AUTO_TEST_CASE(each_is_refused_with_any_bit_changed) {
  for (const Sample& sample : samples()) {
    for (std::size_t bit = 0; bit < sample.bytes.size() * 8; ++bit) {
      std::string bytes = sample.bytes;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
      BOOST_REQUIRE((code_of(sample.decode, bytes) == ErrorCode::corruption));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_newer_layout_says_so) {
  for (const Sample& sample : samples()) {
    std::string bytes = without_checksum(sample.bytes);
    bytes[8] = 5;
    BOOST_TEST((code_of(sample.decode, sealed(bytes)) == ErrorCode::format_too_new));
    bytes[8] = 0;
    BOOST_TEST((code_of(sample.decode, sealed(bytes)) == ErrorCode::corruption));
  }
}

BOOST_AUTO_TEST_CASE(changes_that_are_none_are_refused_behind_a_right_checksum) {
  for (const std::string& bad :
       {std::string("\x05\x01\x01k\x00", 5), std::string("\x02\x01\x01k\x01v", 6),
        std::string("\x01\x01\x09k", 4), std::string("\x01", 1)}) {
    CommitRecord record = commit();
    record.changes.clear();
    const std::string bytes = sealed(without_checksum(encode(record)) + bad);
    BOOST_TEST((code_of(read_record, bytes) == ErrorCode::corruption));
  }
}

BOOST_AUTO_TEST_CASE(a_fence_holds_no_changes) {
  CommitRecord fence{RecordKind::fence, database_id(1, 2), 3, 4, 5};
  BOOST_TEST((*decode_commit_record(encode(fence)) == fence));
  const std::string bytes =
      sealed(without_checksum(encode(fence)) + std::string("\x02\x01\x01k\x00", 5));
  BOOST_TEST((code_of(read_record, bytes) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_head_whose_chain_does_not_end_with_its_epoch_is_refused) {
  std::string bytes = without_checksum(encode(head()));
  bytes[8 + 4 + 32 + 8] = 6;  // the epoch
  BOOST_TEST((code_of(read_head, sealed(bytes)) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_deleted_head_without_a_time_is_refused) {
  std::string bytes = without_checksum(encode(deleted_head()));
  bytes.replace(bytes.size() - 8, 8, 8, '\0');
  BOOST_TEST((code_of(read_head, sealed(bytes)) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_name_that_leads_out_of_the_database_is_refused) {
  std::string bytes = without_checksum(encode(checkpoint()));
  const std::size_t at = bytes.find("store/");
  bytes.replace(at, 6, "../../");
  BOOST_TEST((code_of(read_checkpoint, sealed(bytes)) == ErrorCode::corruption));
}

// Refuses a gap, an overlap, and a first piece that does not begin at the start of the file.
BOOST_AUTO_TEST_CASE(pieces_that_do_not_follow_each_other_are_refused) {
  const std::string whole = without_checksum(encode(checkpoint_of_pieces()));
  const std::size_t at = whole.find("store/CURRENT") - 2;  // before it: the length of the name
  BOOST_REQUIRE(whole[at] == 3);
  for (const char wrong : {'\0', '\2', '\4'}) {
    std::string bytes = whole;
    bytes[at] = wrong;
    BOOST_TEST((code_of(read_checkpoint, sealed(bytes)) == ErrorCode::corruption));
  }
  std::string bytes = whole;
  bytes.back() = 1;
  BOOST_TEST((code_of(read_checkpoint, sealed(bytes)) == ErrorCode::corruption));
  // Layout 2 without a need.
  bytes = without_checksum(encode(checkpoint()));
  bytes[8] = 2;
  BOOST_TEST((code_of(read_checkpoint, sealed(bytes + '\0')) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_CASE(a_number_that_the_bytes_do_not_hold_allocates_nothing) {
  std::string bytes = without_checksum(encode(checkpoint()));
  bytes.resize(8 + 4 + 32 + 24);
  append_varint(bytes, std::uint64_t{1} << 60);
  BOOST_TEST((code_of(read_checkpoint, sealed(bytes)) == ErrorCode::corruption));
}

BOOST_AUTO_TEST_SUITE_END()
