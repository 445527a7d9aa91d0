// Compares one encoded sample of every key and record with tests/codec/golden/*.hex. An unintended
// change of the format fails the test. CAIRN_UPDATE_GOLDEN=1 writes the files again; then
// codec/FORMAT.md, which shows these samples, and perhaps the format version must change too.
#include "codec/backup_manifest.hpp"
#include "codec/catalog_entry.hpp"
#include "codec/checksum.hpp"
#include "codec/commit_note.hpp"
#include "codec/commit_record.hpp"
#include "codec/format_version.hpp"
#include "codec/home_head.hpp"
#include "codec/keys.hpp"
#include "codec/meta.hpp"
#include "codec/ordered_key.hpp"
#include "codec/posting.hpp"
#include "codec/record.hpp"
#include "codec/segment_file.hpp"
#include "codec/snapshot_header.hpp"
#include "codec/text_segment.hpp"
#include "tests/support/hex.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::codec;

namespace {

using Samples = std::vector<std::pair<std::string, std::string>>;  // a name and its bytes

const std::string sample_database = database_id(0x0123456789abcdef, 0xfedcba9876543210);

std::string ordered(const Value& value) {
  std::string bytes;
  append_ordered(bytes, value);
  return bytes;
}

std::string index_value(const Value& value) {
  std::string bytes;
  append_index_value(bytes, value);
  return bytes;
}

std::string sample_index_key(EntryKind entry, std::string value) {
  return index_key({EntityKind::node, 64, entry, std::move(value), 3});
}

Value sample_map() {
  return map_of({{"list", list_of({1, 2.5, "x"})},
                 {"nothing", Value()},
                 {"yes", true},
                 {"day", Date{20'498}},
                 {"clock", LocalTime{1}},
                 {"zoned_clock", Time{2, 3'600}},
                 {"local", LocalDateTime{3, 4}},
                 {"zoned", DateTime{5, 6, 7'200, "Europe/Berlin"}},
                 {"length", Duration{1, 2, 3, 4}}});
}

NodeRecord sample_node() {
  NodeRecord record;
  record.header = {2, 1, 1'000'000, 2'000'000, std::nullopt, 3'000'000, std::nullopt, std::nullopt};
  record.labels = {1, 7};
  record.external_id = "ada";
  record.properties = {{1, Value("Ada")},
                       {2, Value(36)},
                       {3, sample_map()},
                       {4, VectorReference{1, 256}},
                       {5, TextReference{5'000, 0x1122334455667788}}};
  return record;
}

RelationshipRecord sample_relationship() {
  RelationshipRecord record;
  record.header.created = 1'000'000;
  record.header.updated = 1'000'000;
  record.type = 3;
  record.source = 4'096;
  record.target = 4'097;
  record.properties = {{6, Value(0.5)}};
  return record;
}

SnapshotHeader sample_snapshot() {
  SnapshotHeader header;
  header.database_id = sample_database;
  header.index = 1;
  header.dimension = 256;
  header.count = 1'000;
  header.sequence = 9;
  header.commit = 12;
  header.section_bytes = {8'000, 1'024'000};
  return header;
}

Samples key_samples() {
  return {{"nodes", record_key(4'097)},
          {"nodes large text", large_text_key(4'097, 5)},
          {"adj_out", adjacency_key({4'096, 3, 4'097, 1})},
          {"external_ids", external_id_key(2, "ada")},
          {"index scalar", sample_index_key(EntryKind::scalar, index_value("Ada"))},
          {"index presence", sample_index_key(EntryKind::presence, "\x50")},
          {"index container", sample_index_key(EntryKind::container, container_hash(list_of({1})))},
          {"vectors", vector_key(1, EntityKind::node, 4'097)},
          {"vector_log", vector_log_key(1, 9)},
          {"catalog", catalog_key(CatalogKind::property, 5)},
          {"stats", stats_key({Counter::deleted, EntityKind::node, 0})},
          {"meta next", meta_key::next_id(EntityKind::node)},
          {"meta block", meta_key::id_block(EntityKind::node, 2)},
          {"meta layout", meta_key::layout("index")}};
}

Samples ordered_samples() {
  Path path;
  path.nodes = {Node(NodeId{1}), Node(NodeId{2})};
  path.relationships = {Relationship(RelationshipId{9})};
  return {{"map", ordered(map_of({{"a", 1}, {"b", false}}))},
          {"node", ordered(Node(NodeId{258}))},
          {"relationship", ordered(Relationship(RelationshipId{258}))},
          {"list", ordered(list_of({1, "x"}))},
          {"path", ordered(path)},
          {"date_time", ordered(DateTime{5, 6, 7'200, "Europe/Berlin"})},
          {"local_date_time", ordered(LocalDateTime{5, 6})},
          {"date", ordered(Date{20'498})},
          {"time", ordered(Time{2, 3'600})},
          {"local_time", ordered(LocalTime{2})},
          {"duration", ordered(Duration{1, 2, 3, 4})},
          {"vector", ordered(Vector({0.5F, -1.0F}))},
          {"string", ordered(std::string("a\0b", 3))},
          {"long_string", index_value(std::string(300, 'x'))},
          {"boolean", ordered(true)},
          {"number 1", ordered(1)},
          {"number -0.5", ordered(-0.5)},
          {"number 2^53 + 1", ordered((std::int64_t{1} << 53) + 1)},
          {"not_a_number", ordered(std::numeric_limits<double>::quiet_NaN())},
          {"null", ordered(Value())}};
}

Samples record_samples() {
  return {{"node", encode_record(sample_node())},
          {"empty node", encode_record(NodeRecord{})},
          {"relationship", encode_record(sample_relationship())},
          {"vector", encode_vector(std::vector<float>{0.5F, -1.0F})}};
}

Samples catalog_samples() {
  return {{"name", encode(NameEntry{"Person"})},
          {"path", encode(PathEntry{EntityKind::node, "address.city", IndexState::online, true})},
          {"index", encode(IndexEntry{.name = "minds",
                                      .kind = IndexKind::vector,
                                      .labels_or_types = {1},
                                      .properties = {4},
                                      .state = IndexState::online,
                                      .space = 1,
                                      .dimension = 256,
                                      .message = ""})},
          {"space", encode(SpaceEntry{"minds", "hash-256", 256, Metric::cosine, 1})},
          {"constraint",
           encode(ConstraintEntry{"one", ConstraintKind::key, EntityKind::node, 1, {4, 5}})}};
}

Samples posting_samples() {
  std::vector<std::uint16_t> many;
  for (std::uint16_t low = 0; low < 40; ++low) many.push_back(static_cast<std::uint16_t>(low * 3));
  const std::vector<std::uint16_t> few = {1, 258};
  return {{"operand", encode_posting_delta({{1, 258}, {7}})},
          {"small", encode_posting(Container::from_sorted(few))},
          {"folded", encode_posting(Container::from_sorted(many))}};
}

BackupManifest sample_backup() {
  return {sample_database,
          258,
          3,
          1'000'000,
          {{"COMMIT", 3, 60, hash128("COMMIT"), 0},
           {"store/000012.sst", 1, 4'096, hash128("table"), 5}}};
}

TokenEntry sample_token() {
  TokenEntry token{"a", {}, 2, 1'000'000, "h2", {"", "*"}};
  token.sha256.fill(0xab);
  return token;
}

Samples segment_samples() {
  SegmentChanges changes;
  changes.ids[0] = {5, 6, 7, 300};
  changes.ids[2] = {5};
  return {{"header", encode(SegmentHeader{sample_database, SegmentSource::nodes, 7, 258, 1'000,
                                          checksum("body")})},
          {"list", encode(SegmentFileList{
                       3, {{SegmentSource::nodes, 7, 2, 258, 65'536, 1'088, checksum("header")}}})},
          {"changes", encode(changes)}};
}

Samples meta_samples() {
  return {{"format", encode(FormatRecord{})},
          {"commit", encode_number(258)},
          {"id block", encode(IdBlock{4'100, 8'192})},
          {"layout", encode_layout(1)},
          {"commit file", encode(CommitFile{sample_database, 258})},
          {"log note", encode(LogNote{checksum(sample_database), 258})},
          {"tail file", encode(TailFile{sample_database, 258, true, false})},
          {"snapshot header", encode(sample_snapshot())},
          {"backup list", encode(sample_backup())},
          {"key of a backup note", backup_note_key("/a")},
          {"backup note", encode(BackupNote{"/a", 258, 1'000'000})},
          {"scrub note", encode(ScrubNote{258, 259, true})},
          {"key of a token", token_entry_key("a")},
          {"token", encode(sample_token())},
          {"key of a client", client_entry_key("a")},
          {"client", encode(ClientEntry{3, 1'000'000, "\xa0"})},
          {"unfinished client", encode(ClientEntry{3, 1'000'000, "\xa0", true})}};
}

CommitRecord sample_commit() {
  CommitRecord record{RecordKind::commit, sample_database, 2, 5, 0x1122334455667788, 9, 258};
  append_change(record.changes, {ChangeOperation::put, 1, "commit", encode_number(258)});
  append_change(record.changes, {ChangeOperation::erase, 3, "a", ""});
  append_change(record.changes, {ChangeOperation::merge, 8, "b", "x"});
  append_change(record.changes, {ChangeOperation::erase_range, 12, "c", "d"});
  return record;
}

HomeHead sample_head() {
  return {sample_database,    7, 3, {"node", "host:7687", 0x1122334455667788}, {{1, 300}},
          {{1, 301}, {3, 1}}, {}};
}

HomeCheckpoint sample_checkpoint() {
  return {sample_database,
          {1, 300},
          258,
          {{"store/000012.sst", 4'096, hash128("table"), {1, 2}},
           {"store/CURRENT", 16, hash128("current"), {1, 1}}}};
}

HomeCheckpoint sample_checkpoint_of_pieces() {
  return {sample_database,
          {1, 300},
          258,
          {{"vector/2.segment", 4'096, hash128("first"), {1, 2}, 0},
           {"vector/2.segment", 16, hash128("last"), {1, 1}, 4'096}}};
}

HomeCheckpoint sample_timed_checkpoint() {
  HomeCheckpoint timed = sample_checkpoint();
  timed.made_at = 1'700'000'000'000'000;
  return timed;
}

HomeHead sample_deleted_head() {
  HomeHead head;
  head.database_id = sample_database;
  head.revision = 8;
  head.epoch = 4;
  head.deleted_at = 1'700'000'000'000'000;
  return head;
}

Samples home_samples() {
  CommitRecord fence{RecordKind::fence, sample_database, 2, 6, 0x1122334455667788};
  return {{"commit", encode(sample_commit())},
          {"fence", encode(fence)},
          {"head", encode(sample_head())},
          {"checkpoint", encode(sample_checkpoint())},
          {"pieces", encode(sample_checkpoint_of_pieces())},
          {"timed", encode(sample_timed_checkpoint())},
          {"deleted", encode(sample_deleted_head())}};
}

Samples text_samples() {
  TextPostings two;
  two.add(5, 4, {2});
  two.add(9, 300, {0, 7});
  TextPostings many;
  for (std::uint16_t low = 0; low < 300; ++low) many.add(low, 1U + low % 7, {low % 3U});
  TextPostings changes;
  changes.add(5, 4, {2});
  changes.remove(9);
  std::string key = text_term_prefix(1, 2, "tea");
  append_chunk(key, 3);
  TextSegmentWriter segment(2);
  segment.add("\x02tea", 0, changes);
  return {{"key", key},
          {"statistics key", text_statistics_key(1)},
          {"segment key", text_segment_key(1, 7)},
          {"short", encode_text_chunk(two)},
          {"blocks", encode_text_chunk(many)},
          {"operand", encode_text_operand(changes)},
          {"statistics", encode_text_statistics({{3, 12}, {0, 0}})},
          {"segment", segment.finish().bytes()}};
}

struct GoldenFile {
  const char* name;
  Samples (*samples)();
  friend std::ostream& operator<<(std::ostream& out, const GoldenFile& file) {
    return out << file.name;
  }
};

const std::vector<GoldenFile> golden_files = {
    {"catalog", catalog_samples}, {"keys", key_samples},         {"meta", meta_samples},
    {"ordered", ordered_samples}, {"postings", posting_samples}, {"records", record_samples},
    {"texts", text_samples},      {"homes", home_samples},       {"segments", segment_samples}};

std::string text_of(const Samples& samples) {
  std::string text;
  for (const auto& [name, bytes] : samples) text += name + ": " + test::hex(bytes) + "\n";
  return text;
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(format)

BOOST_DATA_TEST_CASE(every_sample_is_encoded_as_it_was, boost::unit_test::data::make(golden_files),
                     golden) {
  const auto file = std::filesystem::path(CAIRN_GOLDEN_DIR) / (std::string(golden.name) + ".hex");
  const std::string text = text_of(golden.samples());
  if (std::getenv("CAIRN_UPDATE_GOLDEN") != nullptr) std::ofstream(file, std::ios::binary) << text;
  BOOST_TEST(text == read_file(file));
}

BOOST_AUTO_TEST_CASE(the_samples_of_records_read_back) {
  BOOST_TEST((*decode_node_record(encode_record(sample_node())) == sample_node()));
  BOOST_TEST(
      (*decode_relationship_record(encode_record(sample_relationship())) == sample_relationship()));
}

BOOST_AUTO_TEST_CASE(the_samples_of_homes_read_back) {
  BOOST_TEST((*decode_commit_record(encode(sample_commit())) == sample_commit()));
  BOOST_TEST((*decode_home_head(encode(sample_head())) == sample_head()));
  BOOST_TEST((*decode_home_head(encode(sample_deleted_head())) == sample_deleted_head()));
  BOOST_TEST((*decode_home_checkpoint(encode(sample_checkpoint())) == sample_checkpoint()));
  BOOST_TEST((*decode_home_checkpoint(encode(sample_checkpoint_of_pieces())) ==
              sample_checkpoint_of_pieces()));
  BOOST_TEST(
      (*decode_home_checkpoint(encode(sample_timed_checkpoint())) == sample_timed_checkpoint()));
}

BOOST_AUTO_TEST_SUITE_END()
