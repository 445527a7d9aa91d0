// What opening does with a damaged log: a torn tail is dropped and reported, anything else refused.

#include "engine/store/log_reader.hpp"
#include "engine/store/log_room.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

using namespace cairn;
using test::must;
using test::TemporaryDirectory;

namespace fs = std::filesystem;

namespace {

constexpr int commits = 60;

/// A database of one node a commit that was never closed, as a copy of its files.
fs::path unclosed_database(const fs::path& directory) {
  Database database = must(Database::open(directory / "live"));
  for (int i = 0; i < commits; ++i) {
    Transaction transaction = must(database.begin());
    must(transaction.create_node({{"N"}, {{"i", i}}, "n" + std::to_string(i)}));
    must(transaction.commit());
  }
  test::copy_tree(directory / "live", directory / "copy");
  return directory / "copy";
}

fs::path newest_log(const fs::path& database) {
  fs::path newest;
  for (const auto& entry : fs::directory_iterator(database / "store")) {
    if (entry.path().extension() == ".log" && fs::file_size(entry.path()) > 0) {
      newest = std::max(newest, entry.path());
    }
  }
  return newest;
}

/// Without the zeros ahead.
std::uintmax_t written_bytes(const fs::path& log) {
  std::ifstream stream(log, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return engine::inspect_log(bytes).written_bytes;
}

/// The tables of a database that was closed, the largest first: the records'. With a sanitizer one in five.
std::vector<fs::path> some_tables(const fs::path& database) {
  std::vector<fs::path> tables;
  for (const auto& entry : fs::directory_iterator(database / "store"))
    if (entry.path().extension() == ".sst") tables.push_back(entry.path());
  BOOST_TEST_REQUIRE(tables.size() > 3U);
  std::ranges::sort(tables, std::greater<>(),
                    [](const fs::path& table) { return fs::file_size(table); });
  std::vector<fs::path> some;
  for (std::size_t i = 0; i < tables.size(); i += test::stride()) some.push_back(tables[i]);
  return some;
}

void flip(const fs::path& file, std::uintmax_t offset) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset));
  const char byte = static_cast<char>(stream.get() ^ 1);
  stream.seekp(static_cast<std::streamoff>(offset));
  stream.put(byte);
}

/// Expects that the open is refused and names the number of lost commits, because every commit was acknowledged. After
/// a power cut, which may leave an older TAIL, the database opens, has a prefix of history, agrees with itself and
/// reports what it dropped.
void expect_prefix(const fs::path& database, const std::string& about) {
  const auto refused = Database::open(database);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::corruption), about);
  BOOST_TEST(refused.error().message.find(" commit") != std::string::npos, refused.error().message);
  test::age_tail(database);
  const Database opened = must(Database::open(database));
  const auto statistics = must(opened.statistics());
  BOOST_TEST(statistics.nodes == statistics.commits, about);
  BOOST_TEST(statistics.commits < static_cast<std::uint64_t>(commits), about);
  BOOST_TEST(opened.warnings().size() == 1u, about);
  BOOST_TEST(must(opened.check()).empty(), about);
  const Snapshot snapshot = must(opened.snapshot());
  for (std::uint64_t i = 0; i < statistics.commits; ++i) {
    BOOST_TEST(must(snapshot.find_node("n" + std::to_string(i))).has_value(), about);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recovery)

BOOST_AUTO_TEST_CASE(an_unclosed_database_opens_whole) {
  const TemporaryDirectory directory;
  const fs::path database = unclosed_database(directory.path());
  const fs::path log = newest_log(database);
  BOOST_TEST(fs::file_size(log) - written_bytes(log) > engine::CommitLog::ahead_bytes / 2);
  auto opened = must(Database::open(database));
  BOOST_TEST(must(opened.statistics()).nodes == static_cast<std::uint64_t>(commits));
  BOOST_TEST(opened.warnings().empty());
}

BOOST_AUTO_TEST_CASE(any_part_of_the_zeros_ahead_is_no_damage) {
  const TemporaryDirectory directory;
  const fs::path whole = unclosed_database(directory.path());
  for (const OpenMode mode : {OpenMode::read_write, OpenMode::read_only}) {
    for (std::uintmax_t zeros = 0; zeros < 9; ++zeros) {
      const fs::path copy = directory.path() / "cut";
      fs::remove_all(copy);
      test::copy_tree(whole, copy);
      const fs::path log = newest_log(copy);
      fs::resize_file(log, written_bytes(log) + zeros);
      Options options;
      options.mode = mode;
      const Database opened = must(Database::open(copy, options));
      BOOST_TEST(must(opened.statistics()).nodes == static_cast<std::uint64_t>(commits), zeros);
      BOOST_TEST(opened.warnings().empty(), zeros);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cut_tail_costs_only_what_was_cut_and_is_reported) {
  const TemporaryDirectory directory;
  const fs::path whole = unclosed_database(directory.path());
  // A log ends in the commit's number, of which seven bytes are zeros like those ahead.
  const std::array<std::uintmax_t, 5> cuts{700, 1, 7, 100, 3'000};
  for (std::size_t i = 0; i < cuts.size(); i += test::stride()) {
    const std::uintmax_t cut = cuts[i];
    for (const bool has_zeros : {false, true}) {
      if (has_zeros && cut <= 7) continue;
      const std::string about = "cut" + std::to_string(cut) + (has_zeros ? "zeros" : "");
      const fs::path copy = directory.path() / about;
      test::copy_tree(whole, copy);
      const fs::path log = newest_log(copy);
      const auto size = fs::file_size(log);
      fs::resize_file(log, written_bytes(log) - cut);
      if (has_zeros) fs::resize_file(log, size);
      expect_prefix(copy, about);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tail_of_zeros_within_a_record_is_a_torn_tail) {
  const TemporaryDirectory directory;
  const fs::path database = unclosed_database(directory.path());
  const fs::path log = newest_log(database);
  const auto size = written_bytes(log);
  fs::resize_file(log, size - 300);
  fs::resize_file(log, size);  // the gap reads as zeros
  expect_prefix(database, "zeros");
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_in_the_middle_is_refused_with_the_repair) {
  const TemporaryDirectory directory;
  const fs::path whole = unclosed_database(directory.path());
  const auto size = written_bytes(newest_log(whole));
  for (std::size_t i = 1; i < 10; i += test::stride()) {
    const fs::path copy = directory.path() / ("flip" + std::to_string(i));
    test::copy_tree(whole, copy);
    flip(newest_log(copy), size * static_cast<std::uintmax_t>(i) / 11);
    const auto opened = Database::open(copy);
    BOOST_REQUIRE(!opened);
    BOOST_TEST((opened.error().code == ErrorCode::corruption));
    BOOST_TEST(opened.error().message.find("restore a backup") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_large_commit_that_was_torn_is_dropped_and_one_that_was_damaged_is_refused) {
  const TemporaryDirectory directory;
  {
    Database database = must(Database::open(directory.path() / "live"));
    for (const std::size_t bytes : {10u, 300'000u}) {
      Transaction transaction = must(database.begin());
      must(transaction.create_node(
          {{"N"}, {{"text", std::string(bytes, 't')}}, "n" + std::to_string(bytes)}));
      must(transaction.commit());
    }
    for (const char* copy : {"torn", "damaged"})
      test::copy_tree(directory.path() / "live", directory.path() / copy);
  }
  const fs::path log = newest_log(directory.path() / "torn");
  const auto page = fs::file_size(log) / 2 / 4'096 * 4'096;
  {
    std::fstream stream(log, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(page));
    stream << std::string(4'096, '\0');
  }
  test::age_tail(directory.path() / "torn");
  const Database opened = must(Database::open(directory.path() / "torn"));
  BOOST_TEST(must(opened.statistics()).nodes == 1u);
  BOOST_TEST(opened.warnings().size() == 1u);
  BOOST_TEST(must(opened.check()).empty());
  flip(newest_log(directory.path() / "damaged"), page);
  BOOST_TEST(!Database::open(directory.path() / "damaged").has_value());
}

BOOST_AUTO_TEST_CASE(a_repair_drops_what_is_behind_the_damage_and_says_so) {
  const TemporaryDirectory directory;
  const fs::path database = unclosed_database(directory.path());
  flip(newest_log(database), written_bytes(newest_log(database)) / 2);
  BOOST_TEST(!Database::open(database).has_value());
  Options repair;
  repair.repair = true;
  must(must(Database::open(database, repair)).close());
  const Database repaired = must(Database::open(database));
  const auto statistics = must(repaired.statistics());
  BOOST_TEST(statistics.nodes > 0u);
  BOOST_TEST(statistics.nodes < static_cast<std::uint64_t>(commits));
  BOOST_TEST(must(repaired.check()).empty());
}

BOOST_AUTO_TEST_CASE(a_flipped_bit_in_a_table_is_an_error_that_names_it) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  {
    Database database = must(Database::open(path));
    Transaction transaction = must(database.begin());
    for (int i = 0; i < 200; ++i) {
      must(transaction.create_node(
          {{"N"}, {{"text", std::string(300, static_cast<char>('a' + i % 26))}}, ""}));
    }
    must(transaction.commit());
    must(database.close());
  }
  for (const fs::path& table : some_tables(path)) {
    const fs::path copy = directory.path() / table.stem();
    test::copy_tree(path, copy);
    flip(copy / "store" / table.filename(), fs::file_size(table) / 3);
    const auto opened = Database::open(copy);
    if (!opened) {
      BOOST_TEST((opened.error().code == ErrorCode::corruption), opened.error().message);
    } else {
      // Where a small file is hit in its end, it is rebuilt at once.
      const auto findings = opened->check();
      BOOST_TEST((!findings || !findings->empty() || !opened->warnings().empty()), table.string());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_repair_that_cannot_read_the_records_clears_nothing) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  const std::uint64_t nodes = 200;
  {
    Database database = must(Database::open(path));
    Transaction transaction = must(database.begin());
    for (std::uint64_t i = 0; i < nodes; ++i) {
      must(transaction.create_node({{"N"}, {{"text", std::string(300, 'x')}}, ""}));
    }
    must(transaction.commit());
    must(database.close());
  }
  Options repair;
  repair.repair = true;
  int refused = 0;
  for (const fs::path& table : some_tables(path)) {
    const fs::path copy = directory.path() / table.stem();
    test::copy_tree(path, copy);
    flip(copy / "store" / table.filename(), fs::file_size(table) / 3);
    refused += Database::open(copy, repair).has_value() ? 0 : 1;
    const auto opened = Database::open(copy);
    if (!opened) continue;
    const auto labels = must(opened->snapshot()).labels();
    if (!labels) continue;
    BOOST_TEST(labels->size() == 1u, table.string());
    for (const NameCount& label : *labels) BOOST_TEST(label.count == nodes, table.string());
  }
  BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_SUITE_END()
