// Objects of a home that are missing or damaged: the database is restored from what is left, and what cannot be restored is
// named.
#include "codec/byte_io.hpp"
#include "codec/checksum.hpp"
#include "engine/home/home_names.hpp"
#include "tests/query/home/homes.hpp"
#include "tests/support/copy_tree.hpp"

#include <cairn/result.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace cairn;
using namespace cairn::test;
namespace fs = std::filesystem;
namespace home_name = cairn::engine::home_name;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A home with two checkpoints: each of two owners made commits and closed.
struct TwoCheckpoints : HomeFixture {
  TwoCheckpoints() {
    for (int round = 1; round <= 2; ++round) {
      Database node = open("node");
      run_all(node,
              {"UNWIND range(1, 100) AS i CREATE (:A {n: i, round: " + std::to_string(round) + "})",
               "MATCH (n:A) WHERE n.n % 7 = 0 DETACH DELETE n",
               "MATCH (n:A {n: 5}) SET n.text = 'changed'"});
      exported = export_of(node);
      must(node.close());
    }
  }

  /// The parts that the owner of this epoch uploaded.
  [[nodiscard]] std::vector<fs::path> parts_of(std::uint64_t epoch) const {
    const std::string begin =
        fs::path(home_name::part({epoch, 0})).filename().string().substr(0, 17);
    std::vector<fs::path> parts;
    for (const auto& entry : fs::directory_iterator(home_directory() / "part"))
      if (entry.path().filename().string().starts_with(begin)) parts.push_back(entry.path());
    BOOST_REQUIRE(!parts.empty());
    return parts;
  }
  [[nodiscard]] fs::path newest_checkpoint() const {
    std::vector<fs::path> checkpoints;
    for (const auto& entry : fs::directory_iterator(home_directory() / "checkpoint"))
      checkpoints.push_back(entry.path());
    BOOST_REQUIRE(checkpoints.size() == 2U);
    return *std::ranges::max_element(checkpoints);
  }

  /// A node with an empty disk has everything, and tells what was wrong. After its checkpoint the home is whole.
  void require_healed(const std::string& lost) {
    {
      Database healer = open("healer");
      BOOST_REQUIRE(healer.warnings().size() == 1U);
      BOOST_TEST(has(healer.warnings().front(), "earlier checkpoint"));
      BOOST_TEST(has(healer.warnings().front(), lost));
      BOOST_REQUIRE(export_of(healer) == exported);
      require_sound(healer);
      must(healer.close());
    }
    Database next = open("next");
    BOOST_TEST(next.warnings().empty());
    BOOST_REQUIRE(export_of(next) == exported);
    require_sound(next);
  }

  std::string exported;
};

void flip_last_byte(const fs::path& file) {
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekg(-1, std::ios::end);
  const auto last = static_cast<char>(bytes.get());
  bytes.seekp(-1, std::ios::end);
  bytes.put(static_cast<char>(last ^ 1));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(home_damage, TwoCheckpoints)

BOOST_AUTO_TEST_CASE(damaged_parts_are_restored_from_the_checkpoint_before) {
  for (const fs::path& part : parts_of(2)) flip_last_byte(part);
  require_healed("is damaged");
}

BOOST_AUTO_TEST_CASE(parts_that_are_missing_are_restored_from_the_checkpoint_before) {
  const fs::path lost = parts_of(2).front();
  fs::remove(lost);
  require_healed(lost.filename().string());
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_is_missing_is_restored_from_the_one_before) {
  const fs::path lost = newest_checkpoint();
  fs::remove(lost);
  require_healed(lost.filename().string());
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_is_damaged_is_restored_from_the_one_before) {
  const fs::path damaged = newest_checkpoint();
  flip_last_byte(damaged);
  require_healed(damaged.filename().string());
}

// The checkpoint before needs the log after it.
BOOST_AUTO_TEST_CASE(a_commit_that_is_missing_behind_the_checkpoint_before_is_named) {
  fs::remove(newest_checkpoint());
  const std::string lost = home_name::slot(2, 2);
  BOOST_REQUIRE(fs::remove(home_directory() / lost));
  const auto refused = try_open("other");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::corruption));
  for (const std::string& part : {lost, home, std::string("put the object back")})
    BOOST_TEST(has(refused.error().message, part));
}

BOOST_AUTO_TEST_CASE(parts_that_both_checkpoints_lack_are_named_with_the_fix) {
  fs::remove_all(home_directory() / "part");
  const auto refused = try_open("other");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::corruption));
  for (const std::string& part : {std::string("part/0000"), home, std::string("is missing"),
                                  std::string("put the object back")})
    BOOST_TEST(has(refused.error().message, part));
}

// A node whose copy has all commits needs no checkpoint, and writes a complete one.
BOOST_AUTO_TEST_CASE(a_node_with_a_copy_heals_a_home_without_a_checkpoint) {
  fs::remove_all(home_directory() / "checkpoint");
  fs::remove_all(home_directory() / "part");
  {
    Database node = open("node");
    BOOST_REQUIRE(export_of(node) == exported);
    must(node.close());
  }
  Database next = open("next");
  BOOST_TEST(next.warnings().empty());
  BOOST_REQUIRE(export_of(next) == exported);
  require_sound(next);
}

// Otherwise a new and empty database would hide the old one.
BOOST_AUTO_TEST_CASE(a_head_that_is_missing_is_named_and_none_is_made) {
  const fs::path place = home_directory();
  fs::rename(place / "head", root.path() / "saved");
  for (const char* node : {"node", "other"}) {
    const auto refused = try_open(node);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().code == ErrorCode::corruption));
    for (const std::string& part : {home, std::string("/head"), std::string("newest version back")})
      BOOST_TEST(has(refused.error().message, part));
    BOOST_TEST(!fs::exists(place / "head"));
  }
  fs::rename(root.path() / "saved", place / "head");
  Database other = open("other");
  BOOST_TEST((export_of(other) == exported));
}

BOOST_AUTO_TEST_CASE(a_head_that_was_edited_is_named_with_the_fix) {
  const fs::path head = home_directory() / "head";
  flip_last_byte(head);
  for (const char* node : {"node", "other"}) {
    const auto refused = try_open(node);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().code == ErrorCode::corruption));
    for (const std::string& part :
         {std::string("head of the home is damaged"), home, std::string("put the newest version")})
      BOOST_TEST(has(refused.error().message, part));
  }
  flip_last_byte(head);
  Database node = open("node");
  BOOST_TEST((export_of(node) == exported));
}

BOOST_AUTO_TEST_CASE(a_home_of_a_newer_format_is_refused_with_both_numbers_and_stays) {
  const fs::path head = home_directory() / "head";
  std::ostringstream read;
  read << std::ifstream(head, std::ios::binary).rdbuf();
  std::string bytes = read.str();
  bytes.resize(bytes.size() - 8);
  bytes[8] = 9;
  codec::append_little(bytes, codec::checksum(bytes));
  std::ofstream(head, std::ios::binary) << bytes;
  const auto refused = try_open("other");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::format_too_new));
  for (const std::string& part : {home, std::string("layout 9"), std::string("reads up to 2"),
                                  std::string("newer version of Cairn")})
    BOOST_TEST(has(refused.error().message, part));
  std::ostringstream again;
  again << std::ifstream(head, std::ios::binary).rdbuf();
  BOOST_TEST((again.str() == bytes));
}

// The copy may be the only one that has the commits since.
BOOST_AUTO_TEST_CASE(an_older_head_that_was_put_back_does_not_erase_a_copy_that_has_more) {
  const fs::path head = home_directory() / "head";
  fs::copy_file(head, root.path() / "older");
  {
    Database node = open("node");
    run_all(node, {"CREATE (:A {n: 1000})"});
    exported = export_of(node);
    must(node.close());
  }
  fs::copy_file(root.path() / "older", head, fs::copy_options::overwrite_existing);
  const auto refused = try_open("node");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::corruption));
  for (const std::string& part :
       {home, path("node").string(), std::string("older version"), std::string("newest version")})
    BOOST_TEST(has(refused.error().message, part));
  Options reading;
  reading.mode = OpenMode::read_only;
  Database reader = must(Database::open(path("node"), reading));
  BOOST_TEST((export_of(reader) == exported));
}

// As a life-cycle rule does: the takeover takes the gap for the end of the epoch.
BOOST_AUTO_TEST_CASE(erased_commits_do_not_erase_a_copy_that_has_them) {
  Database killed = open("node");
  run_all(killed, {"CREATE (:A {n: 1000})", "CREATE (:A {n: 1001})"});
  copy_running_tree(path("node"), path("crashed"));
  fs::remove_all(home_directory() / home_name::slots_of(3));
  const auto refused = try_open("crashed");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::corruption));
  BOOST_TEST(has(refused.error().message, "erased objects of its log"));
}

BOOST_AUTO_TEST_SUITE_END()
