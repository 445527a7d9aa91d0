// Two damages at once, or a damage in addition to what an earlier power cut left: the rules for one damage must not
// bypass the rules for the other. An open that is refused leaves every file unchanged.

#include "engine/store/column_family.hpp"
#include "engine/store/log_check.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/metadata.h>

#include <algorithm>
#include <chrono>
#include <map>

using namespace cairn;
using test::commit_nodes;
using test::content;
using test::must;
using test::newest_log;
using test::repairing;
using test::TemporaryDirectory;
using test::write;

namespace fs = std::filesystem;
namespace metadata_file = engine::metadata_file;

namespace {

Options with(Durability durability) {
  Options options;
  options.durability = durability;
  return options;
}

void flip(const fs::path& file, std::size_t at) {
  std::string bytes = content(file);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  write(file, bytes);
}

/// Flips a bit in the metadata of the newest table of a family.
void damage_table(const fs::path& database, engine::Family family) {
  const std::string store = database / metadata_file::store_directory;
  std::vector<rocksdb::ColumnFamilyDescriptor> families{{"default", {}}};
  for (const engine::Family one : engine::all_families)
    families.push_back({std::string(to_string(one)), {}});
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* raw = nullptr;
  BOOST_REQUIRE(rocksdb::DB::OpenForReadOnly({}, store, families, &handles, &raw).ok());
  const std::unique_ptr<rocksdb::DB> opened(raw);
  std::vector<rocksdb::LiveFileMetaData> files;
  opened->GetLiveFilesMetaData(&files);
  for (rocksdb::ColumnFamilyHandle* handle : handles)
    opened->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  const auto file =
      std::ranges::find(files, to_string(family), &rocksdb::LiveFileMetaData::column_family_name);
  BOOST_REQUIRE(file != files.end());
  const fs::path table = fs::path(store) / file->relative_filename;
  flip(table, content(table).rfind("leveldb.BytewiseComparator"));
}

/// A database as a killed process leaves it: ten commits in tables, ten only in the log.
fs::path make_died(const fs::path& place, Durability durability) {
  const fs::path live = place / "live";
  {
    Database database = must(Database::open(live, with(durability)));
    commit_nodes(database, 0, 10);
    must(database.close());
  }
  Database database = must(Database::open(live, with(durability)));
  commit_nodes(database, 10, 10);
  test::FaultFileSystem::copy_at_rest(live, place / "died");
  return place / "died";
}

fs::path copy_of(const fs::path& database) {
  const fs::path copy = database.parent_path() / "copy";
  fs::remove_all(copy);
  test::copy_tree(database, copy);
  return copy;
}

std::map<std::string, std::string> all_files(const fs::path& database) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(database)) {
    const std::string name = entry.path().lexically_relative(database).string();
    // Each opening begins a log of messages, and the lock is taken.
    if (entry.is_regular_file() && !name.starts_with("store/LOG") && name != metadata_file::lock)
      files[name] = content(entry.path());
  }
  return files;
}

/// Expects that opening fails with corruption and changes no file of all_files(). Returns the message.
std::string expect_refused(const fs::path& database, const Options& options = {}) {
  const auto before = all_files(database);
  const auto opened = Database::open(database, options);
  BOOST_TEST_REQUIRE(!opened.has_value());
  BOOST_TEST((opened.error().code == ErrorCode::corruption), opened.error().message);
  BOOST_TEST((all_files(database) == before), opened.error().message);
  return opened.error().message;
}

bool has_warning(const Database& database, const std::string& part) {
  return std::ranges::any_of(database.warnings(), [&](const std::string& warning) {
    return warning.find(part) != warning.npos;
  });
}

/// The first bytes of a log, up to the end of so many records.
std::size_t end_of_records(const std::string& log, std::size_t records) {
  for (std::size_t size = 1; size <= log.size(); ++size) {
    const auto report = engine::inspect_log(std::string_view(log).substr(0, size));
    if (report.records == records) return report.valid_bytes;
  }
  return 0;
}

/// Returns the log with the first bytes of one more record appended, followed by zeros.
std::string with_torn_tail(const std::string& log, std::size_t zeros) {
  const auto report = engine::inspect_log(log);
  const std::size_t last = end_of_records(log, report.records - 1);
  return log.substr(0, report.valid_bytes) + log.substr(last, 60) + std::string(zeros, '\0');
}

}  // namespace

BOOST_AUTO_TEST_SUITE(two_damages)

BOOST_AUTO_TEST_CASE(a_damaged_table_is_no_way_around_a_damaged_log) {
  const TemporaryDirectory directory;
  const fs::path died = make_died(directory.path(), Durability::sync);
  flip(newest_log(died), engine::inspect_log(content(newest_log(died))).valid_bytes - 40);
  const fs::path copy = copy_of(died);
  const std::string alone = expect_refused(copy);
  damage_table(copy, engine::Family::index);
  BOOST_TEST(expect_refused(copy) == alone);
}

BOOST_AUTO_TEST_CASE(a_damaged_table_hides_no_warning_about_lost_commits) {
  const TemporaryDirectory directory;
  const fs::path died = make_died(directory.path(), Durability::async);
  const std::string log = content(newest_log(died));
  write(newest_log(died), log.substr(0, end_of_records(log, 4)));
  damage_table(died, engine::Family::index);
  {
    const Database opened = must(Database::open(died));
    BOOST_TEST(has_warning(opened, "6 commits are lost"));
    BOOST_TEST(has_warning(opened, "index is rebuilt from the records"));
    BOOST_TEST(must(opened.statistics()).nodes == 14U);
    BOOST_TEST(must(opened.check()).empty());
  }
  BOOST_TEST(must(Database::open(died)).warnings().empty());
}

// The process ended and the machine did not, so that everything was in the file: a changed byte is no power cut.
BOOST_AUTO_TEST_CASE(a_changed_byte_before_commits_is_refused_without_syncs_as_well) {
  const TemporaryDirectory directory;
  const fs::path died = make_died(directory.path(), Durability::async);
  const std::string log = content(newest_log(died));
  flip(newest_log(died), end_of_records(log, 4) + 20);
  BOOST_TEST(expect_refused(died).find("valid commits follow the damage") != std::string::npos);
}

// An earlier power cut tore the log before the last one, and the log was recovered. At the next power cut, the deletion
// of this log was not on the disk yet.
BOOST_AUTO_TEST_CASE(a_torn_log_that_is_not_needed_any_longer_is_passed_over) {
  const TemporaryDirectory directory;
  const fs::path live = directory.path() / "live";
  const fs::path died = make_died(directory.path(), Durability::sync);
  const fs::path old_log = newest_log(died);
  const std::string torn = with_torn_tail(content(old_log), 600);
  write(old_log, torn);
  fs::remove_all(live);
  test::copy_tree(died, live);
  const fs::path cut = directory.path() / "cut";
  Database database = must(Database::open(live));
  commit_nodes(database, 20, 10);
  test::FaultFileSystem::copy_at_rest(live, cut);
  // The tail of a commit that nobody waited for.
  write(newest_log(cut), with_torn_tail(content(newest_log(cut)), 0));
  const auto expect_all = [&](const fs::path& place, const Options& options) {
    const Database opened = must(Database::open(place, options));
    BOOST_TEST(must(opened.statistics()).nodes == 30U);
    BOOST_TEST(must(opened.check()).empty());
  };
  expect_all(copy_of(cut), {});
  write(cut / metadata_file::store_directory / old_log.filename(), torn);
  expect_all(copy_of(cut), {});
  expect_all(copy_of(cut), repairing());
}

BOOST_AUTO_TEST_CASE(without_its_file_of_the_commit_a_refused_database_stays_as_it_is) {
  const TemporaryDirectory directory;
  const fs::path died = make_died(directory.path(), Durability::sync);
  fs::remove(died / metadata_file::commit);
  Options reading;
  reading.mode = OpenMode::read_only;
  for (const Options& options : {Options(), reading})
    BOOST_TEST(expect_refused(died, options).find("is missing") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(several_logs)

namespace {

/// A process that died with three logs that have commits.
struct SeveralLogs {
  explicit SeveralLogs(const fs::path& place, Durability durability) : path(place / "died") {
    Options small = with(durability);
    small.memory_bytes = std::size_t{16} << 20;
    Database database = must(Database::open(place / "live", small));
    const std::string text(100'000, 't');
    for (int i = 0; i < 4'000 && logs.size() != 3; ++i) {
      Transaction transaction = must(database.begin());
      must(transaction.create_node({{"N"}, {{"t", text}}, "n" + std::to_string(i)}));
      must(transaction.commit());
      if (i % 8 == 7) take(place / "live");
    }
    BOOST_TEST_REQUIRE(logs.size() == 3U);
  }
  void take(const fs::path& live) {
    fs::remove_all(path);
    test::FaultFileSystem::copy_at_rest(live, path);
    logs.clear();
    for (const auto& entry : fs::directory_iterator(path / metadata_file::store_directory))
      if (entry.path().extension() == ".log" &&
          engine::inspect_log(content(entry.path())).notes.last)
        logs.push_back(entry.path().filename());
    std::ranges::sort(logs);
  }
  fs::path path;
  std::vector<fs::path> logs;  // names, oldest first
};

}  // namespace

// RocksDB aborts where it replays records of another database; where the manifest lists the log there is no repair.
BOOST_AUTO_TEST_CASE(
    one_of_another_database_is_refused_by_a_repair_too_or_goes_with_what_is_behind) {
  const TemporaryDirectory directory;
  const SeveralLogs ours(directory.path(), Durability::sync);
  fs::create_directory(directory.path() / "other");
  const fs::path other = make_died(directory.path() / "other", Durability::sync);
  std::string foreign = content(newest_log(other));
  foreign.resize(engine::inspect_log(foreign).valid_bytes);
  for (const fs::path& log : ours.logs) {
    const fs::path copy = copy_of(ours.path);
    const fs::path place = copy / metadata_file::store_directory / log;
    std::string bytes = foreign;
    bytes.resize(std::max<std::size_t>(bytes.size(), fs::file_size(place)));
    write(place, bytes);
    BOOST_TEST(expect_refused(copy).find("belongs to another database") != std::string::npos);
    const auto before = all_files(copy);
    const auto repaired = Database::open(copy, repairing());
    if (repaired) {  // the manifest does not list it yet: it goes, with those behind it, and that is told
      const auto& said = repaired->warnings();
      BOOST_TEST(std::ranges::any_of(said, [&](const std::string& warning) {
        return warning.find("log " + log.string() + " was renamed") != std::string::npos;
      }));
      BOOST_TEST(must(repaired->check()).empty());
      continue;
    }
    const std::string& said = repaired.error().message;
    BOOST_TEST(
        said.find("belongs to another database, and the store cannot be opened without it") !=
            std::string::npos,
        said);
    BOOST_TEST((all_files(copy) == before), said);
  }
}

// The manifest lists a log that was synced: its loss is nothing that a power cut leaves.
BOOST_AUTO_TEST_CASE(one_that_was_moved_away_costs_nothing_when_it_is_put_back) {
  const TemporaryDirectory directory;
  const SeveralLogs ours(directory.path(), Durability::async);
  for (const fs::path& log : ours.logs) {
    const fs::path copy = copy_of(ours.path);
    const std::uint64_t all = must(Database::open(copy_of(ours.path)).value().statistics()).nodes;
    const fs::path again = copy_of(ours.path);
    const fs::path place = again / metadata_file::store_directory / log;
    const fs::path moved = directory.path() / "moved";
    fs::rename(place, moved);
    if (const auto without = Database::open(again)) {
      // As after a power cut, where the log was not synced yet: the manifest lists it only then.
      BOOST_TEST((log == ours.logs.back() || !without->warnings().empty()));
      continue;
    }
    fs::rename(moved, place);
    const Database opened = must(Database::open(again));
    BOOST_TEST(opened.warnings().empty());
    BOOST_TEST(must(opened.statistics()).nodes == all);
  }
}

// A power cut may leave such files if no commit waited for the disk. RocksDB itself refuses the log that is cut here,
// because its manifest has the size of the log. So only the decision is tested.
BOOST_AUTO_TEST_CASE(a_reader_and_a_writer_end_before_a_gap_that_a_power_cut_may_leave) {
  const TemporaryDirectory directory;
  for (const Durability durability : {Durability::async, Durability::sync}) {
    const fs::path place = directory.path() / (durability == Durability::sync ? "sync" : "async");
    fs::create_directory(place);
    const SeveralLogs ours(place, durability);
    const fs::path log = ours.path / metadata_file::store_directory / ours.logs[1];
    const std::string bytes = content(log);
    const auto first_records = std::string_view(bytes).substr(0, 150'000);
    write(log, bytes.substr(0, engine::inspect_log(first_records).valid_bytes));
    const auto before = all_files(ours.path);
    for (const bool reads : {true, false}) {
      engine::StoreOptions options;
      options.read_only = reads;
      std::vector<std::string> warnings;
      engine::LogCheck check(*rocksdb::Env::Default(), log.parent_path().string(), options,
                             must(engine::read_promise(ours.path, warnings)));
      const bool is_taken = check.run(false).has_value();
      BOOST_TEST(is_taken == (durability == Durability::async));
      if (!is_taken) continue;
      BOOST_TEST_REQUIRE(check.end().has_value());
      BOOST_TEST(check.end()->log == engine::log_number(ours.logs[2].string()));
      BOOST_TEST(check.lost().find("lost") != std::string::npos);
    }
    BOOST_TEST((all_files(ours.path) == before));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cost_of_doubt)

// Each byte after a damage may begin a record, and before each record there may be holes, which are checked.
BOOST_AUTO_TEST_CASE(a_damaged_log_is_read_in_time_that_grows_with_its_length) {
  std::string log;
  std::string record(251, 'r');
  record[0] = 1;  // the type: whole
  const std::uint32_t crc = engine::crc32c(record);
  const std::uint32_t masked = (crc >> 15 | crc << 17) + 0xa282ead8U;
  std::string fragment;
  for (int i = 0; i < 4; ++i) fragment += static_cast<char>(masked >> (8 * i) & 255U);
  fragment += static_cast<char>(250);
  fragment += '\0';
  fragment += record;
  constexpr std::size_t block = 32'768;
  const std::size_t in_block = block / fragment.size();
  while (log.size() < (std::size_t{32} << 20)) {
    for (std::size_t i = 0; i < in_block; ++i) log += fragment;
    // The rest of the block is a damage too: what is there is no fragment.
    log.append(block - in_block * fragment.size(), 'x');
  }
  log[20] ^= 1;
  const auto start = std::chrono::steady_clock::now();
  BOOST_TEST(engine::inspect_log(log).valid_behind);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  BOOST_TEST(taken.count() < 20);  // quadratic: minutes
}

BOOST_AUTO_TEST_CASE(a_file_with_a_large_number_costs_nothing) {
  const TemporaryDirectory directory;
  const fs::path died = make_died(directory.path(), Durability::sync);
  write(died / metadata_file::store_directory / "900000000.sst", "x");
  write(newest_log(died), with_torn_tail(content(newest_log(died)), 0));
  const Database opened = must(Database::open(died));
  BOOST_TEST(must(opened.statistics()).nodes == 20U);
}

BOOST_AUTO_TEST_SUITE_END()
