// If a power cut tore the last record of a manifest, nothing has relied on this record, so the store opens without it.
// A record that was changed is refused.

#include "codec/byte_io.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>

using namespace cairn;
using test::must;
using test::TemporaryDirectory;

namespace fs = std::filesystem;

namespace {

fs::path make_database(const fs::path& place) {
  Database database = must(Database::open(place));
  Transaction transaction = must(database.begin());
  must(transaction.create_node({{"N"}, {}, "one"}));
  must(transaction.commit());
  must(database.close());
  return place;
}

fs::path newest_manifest(const fs::path& database) {
  fs::path newest;
  for (const auto& entry :
       fs::directory_iterator(database / engine::metadata_file::store_directory))
    if (entry.path().filename().string().starts_with("MANIFEST-"))
      newest = std::max(newest, entry.path());
  return newest;
}

/// Add a record of `size` bytes without a right checksum, of which only so many were written.
void add_record(const fs::path& manifest, std::size_t size, std::size_t written) {
  std::string record;
  codec::append_little(record, std::uint32_t{0xbadc0de});
  codec::append_little(record, static_cast<std::uint16_t>(size));
  record.push_back(1);  // whole
  record.append(written, 'x');
  record.resize(size + 7);
  std::ofstream(manifest, std::ios::binary | std::ios::app) << record;
}

/// Adds a complete record whose content RocksDB does not know.
void add_whole_record(const fs::path& manifest) {
  const std::string content = "\x01 of the same sync";
  const std::uint32_t crc = engine::crc32c(content);
  std::string record;
  codec::append_little(record, (crc >> 15 | crc << 17) + 0xa282ead8U);
  codec::append_little(record, static_cast<std::uint16_t>(content.size() - 1));
  std::ofstream(manifest, std::ios::binary | std::ios::app) << record << content;
}

bool has_node(const fs::path& place, const Options& options) {
  const Database database = must(Database::open(place, options));
  return must(must(database.snapshot()).find_node("one")).has_value();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(torn_manifest)

BOOST_AUTO_TEST_CASE(a_record_that_was_never_wholly_written_is_passed_over) {
  const TemporaryDirectory directory;
  const fs::path place = make_database(directory.path() / "db");
  add_record(newest_manifest(place), 3'000, 1'500);
  Options reading;
  reading.mode = OpenMode::read_only;
  BOOST_TEST(has_node(place, reading));
  BOOST_TEST(has_node(place, {}));
  BOOST_TEST(has_node(place, {}));
}

// Of several records before one sync the sectors reach the disk in any order.
BOOST_AUTO_TEST_CASE(what_was_written_after_it_is_passed_over_too) {
  const TemporaryDirectory directory;
  const fs::path place = make_database(directory.path() / "db");
  add_record(newest_manifest(place), 3'000, 1'500);
  add_whole_record(newest_manifest(place));
  BOOST_TEST(has_node(place, {}));
  BOOST_TEST(has_node(place, {}));
}

BOOST_AUTO_TEST_CASE(a_record_whose_last_sector_was_torn_is_passed_over) {
  const TemporaryDirectory directory;
  const fs::path place = make_database(directory.path() / "db");
  const auto begin = fs::file_size(newest_manifest(place)) + 7;
  const std::size_t size = 3'172 - begin % 512;  // so that 100 bytes of it are in the last sector
  add_record(newest_manifest(place), size, size - 20);
  BOOST_TEST(has_node(place, {}));
}

BOOST_AUTO_TEST_CASE(a_record_that_was_changed_is_refused) {
  const TemporaryDirectory directory;
  const fs::path place = make_database(directory.path() / "db");
  const fs::path manifest = newest_manifest(place);
  add_record(manifest, 3'000, 3'000);
  const auto before = fs::file_size(manifest);
  const auto opened = Database::open(place);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(opened.error().message.find("MANIFEST") != std::string::npos, opened.error().message);
  BOOST_TEST(fs::file_size(manifest) == before);
}

BOOST_AUTO_TEST_SUITE_END()
