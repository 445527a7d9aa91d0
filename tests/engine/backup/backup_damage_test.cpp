// Each file of a backup is damaged in each way. verify_backup() names the file, and restore_backup() creates no
// database.
#include "codec/backup_manifest.hpp"
#include "tests/engine/backup/backup_sample.hpp"
#include "tests/model/random.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <vector>

using namespace cairn;
using namespace cairn::test;
using namespace std::string_literals;

namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Under another inode: tables of the database may be linked.
void put_content(const fs::path& file, const std::string& bytes) {
  fs::remove(file);
  std::ofstream(file, std::ios::binary) << bytes;
}

struct Fixture {
  TemporaryDirectory directory;
  fs::path place = directory.path() / "backup";
  Random random{test_seed()};
  std::vector<fs::path> files;

  Fixture() {
    TemporaryDatabase database;
    CrashHistory history(test_seed(), 0);
    work(*database, history, 40);
    must(database->backup(place));
    work(*database, history, 5);
    must(database->backup(place));  // files of two generations
    for (const auto& entry : fs::recursive_directory_iterator(place))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }

  /// What is said of a backup in which this file is wrong.
  void expect_named(const fs::path& file, const std::string& how) {
    const auto verified = verify_backup(place);
    const fs::path restored = directory.path() / "restored";
    const auto made = restore_backup(place, restored);
    BOOST_TEST((!verified && !made), file << " " << how);
    BOOST_TEST(!fs::exists(restored), file << " " << how);
    BOOST_TEST(!fs::exists(directory.path() / "restored.restoring"), file << " " << how);
    if (verified || file.filename() == "BACKUP") return;
    BOOST_TEST((verified.error().code == ErrorCode::corruption), how);
    BOOST_TEST(verified.error().message.find(file.string()) != std::string::npos,
               file << " " << how << ": " << verified.error().message);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(backup_damage, Fixture)

BOOST_AUTO_TEST_CASE(every_changed_cut_longer_or_missing_file_is_named) {
  for (const fs::path& file : files) {
    const std::string bytes = content_of(file);
    const std::size_t flips = rounds(4, 1'000);
    for (std::size_t i = 0; i < flips && !bytes.empty(); ++i) {
      std::string flipped = bytes;
      const std::size_t at = random.below(bytes.size());
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.below(8)));
      put_content(file, flipped);
      expect_named(file, "flipped at " + std::to_string(at));
    }
    if (!bytes.empty()) {
      put_content(file, bytes.substr(0, random.below(bytes.size())));
      expect_named(file, "cut");
    }
    put_content(file, bytes + '\0');
    expect_named(file, "longer");
    fs::remove(file);
    expect_named(file, "missing");
    fs::create_symlink("/dev/null", file);
    expect_named(file, "a link");
    put_content(file, bytes);
  }
  BOOST_TEST(verify_backup(place).has_value());
}

BOOST_AUTO_TEST_CASE(two_files_that_were_exchanged_are_told) {
  const std::string bytes = content_of(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    const std::string other = content_of(files[i]);
    if (other == bytes) continue;
    put_content(files.front(), other);
    put_content(files[i], bytes);
    BOOST_TEST(!verify_backup(place).has_value(), files[i]);
    put_content(files.front(), bytes);
    put_content(files[i], other);
  }
}

// The list is what a restoration goes by, and may come from anywhere.
BOOST_AUTO_TEST_CASE(no_bytes_of_a_list_crash_or_lead_out_of_the_directory) {
  const std::string bytes = content_of(place / "BACKUP");
  codec::BackupManifest manifest = must(codec::decode_backup_manifest(bytes));
  BOOST_TEST(codec::encode(manifest) == bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    BOOST_TEST(!codec::decode_backup_manifest(bytes.substr(0, size)).has_value(), size);
  const std::vector<std::string> outside = {
      "../FORMAT", "/etc/passwd", "store/../../x", "store/a/b",   "store/",  "store/.",
      "store/..",  "vector/.x",   "BULK",          "LOCK",        "",        "store",
      "TAIL",      "storex/a",    "store/a\n",     "store/a\0b"s, "store//a"};
  for (const std::string& name : outside) {
    BOOST_TEST(!codec::is_backup_name(name), name);
    codec::BackupManifest wrong = manifest;
    wrong.files.back().name = name;
    BOOST_TEST(!codec::decode_backup_manifest(codec::encode(wrong)).has_value(), name);
  }
  codec::BackupManifest twice = manifest;
  twice.files.push_back(twice.files.back());
  BOOST_TEST(!codec::decode_backup_manifest(codec::encode(twice)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
