// Acknowledged commits are lost, because the newest log is missing, empty, cut exactly after a record, of another
// database or of an older state. Each open is refused, or reports the number of lost commits.

#include "engine/store/log_reader.hpp"
#include "engine/store/metadata_file.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/engine/store/fault_file_system.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <ranges>

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
  options.memory_bytes = std::size_t{32} << 20;
  return options;
}

/// Where the records of a log end, from none of them to all.
std::vector<std::size_t> record_ends(const std::string& log) {
  const auto valid_in = [&](std::size_t size) {
    return engine::inspect_log(std::string_view(log).substr(0, size)).valid_bytes;
  };
  const std::size_t all = valid_in(log.size());
  std::vector<std::size_t> ends{0};
  while (ends.back() < all) {
    // A longer part of the log has at least as many complete records.
    const auto sizes = std::views::iota(ends.back() + 1, all + 1);
    ends.push_back(*std::ranges::partition_point(
        sizes, [&](std::size_t size) { return valid_in(size) == ends.back(); }));
  }
  return ends;
}

/// Directories of a process that died after `commits` commits, the first `flushed` of which are in table files.
struct Died {
  explicit Died(const fs::path& place, Durability durability, int flushed, int commits)
      : path(place / "died"), older(place / "older") {
    Database database = must(Database::open(place / "live", with(durability)));
    commit_nodes(database, 0, flushed);
    test::FaultFileSystem::copy_at_rest(place / "live", older);
    must(database.checkpoint());
    commit_nodes(database, flushed, commits - flushed);
    test::FaultFileSystem::copy_at_rest(place / "live", path);
  }
  fs::path path;
  fs::path older;  ///< before the checkpoint
};

/// Refused, or opened with a warning, in either case with the number of what is lost.
void expect_told(const fs::path& database, std::uint64_t lost, const std::string& about) {
  const std::string number = ": " + std::to_string(lost) + (lost == 1 ? " commit" : " commits");
  std::string said;
  if (const auto opened = Database::open(database)) {
    for (const std::string& warning : opened->warnings()) said += warning + "\n";
  } else {
    BOOST_TEST((opened.error().code == ErrorCode::corruption), about);
    said = opened.error().message;
  }
  BOOST_TEST(said.find(number) != std::string::npos,
             about << ": wanted " << number << " in: " << said);
}

/// Expects that the database has at least these commits, agrees with itself, and gives no other warning.
void expect_prefix(const fs::path& database, std::uint64_t least, const std::string& about) {
  const Database opened = must(Database::open(database));
  BOOST_TEST(opened.warnings().empty(),
             about << (opened.warnings().empty() ? "" : opened.warnings()[0]));
  const auto statistics = must(opened.statistics());
  BOOST_TEST(statistics.nodes == statistics.commits, about);
  BOOST_TEST(statistics.commits >= least, about);
  BOOST_TEST(must(opened.check()).empty(), about);
}

void expect_repaired(const fs::path& database, std::uint64_t least, const std::string& about) {
  {
    const auto opened = Database::open(database, repairing());
    BOOST_TEST_REQUIRE(opened.has_value(), about << (opened ? "" : opened.error().message));
    BOOST_TEST(!opened->warnings().empty(), about);
  }
  expect_prefix(database, least, about);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lost_log)

BOOST_AUTO_TEST_CASE(what_a_lost_end_of_the_log_took_is_told_with_its_number) {
  const auto rounds = static_cast<std::uint32_t>(test::rounds(3, 60));
  for (std::uint32_t seed = 1; seed <= rounds; ++seed) {
    std::mt19937 random(seed);
    for (const Durability durability : {Durability::sync, Durability::async}) {
      const TemporaryDirectory directory;
      const int flushed = static_cast<int>(random() % 10);
      const int logged = 1 + static_cast<int>(random() % 12);
      const Died died(directory.path(), durability, flushed, flushed + logged);
      const std::string log = content(newest_log(died.path));
      const auto ends = record_ends(log);
      BOOST_TEST_REQUIRE(ends.size() == static_cast<std::size_t>(logged) + 1);
      const auto kept = random() % static_cast<std::size_t>(logged);
      const auto cut = log.substr(0, ends[kept]);
      const std::vector<std::pair<std::string, std::function<void(const fs::path&)>>> losses = {
          {"missing", [](const fs::path& file) { fs::remove(file); }},
          {"emptied", [](const fs::path& file) { fs::resize_file(file, 0); }},
          {"cut", [&](const fs::path& file) { write(file, cut); }},
          {"zeros", [&](const fs::path& file) {
             write(file, cut + std::string(log.size() - cut.size(), '\0'));
           }}};
      for (std::size_t i = seed % test::stride(); i < losses.size(); i += test::stride()) {
        const auto& [kind, lose] = losses[(i + (durability == Durability::sync ? 0 : 2)) % 4];
        const bool has_some = kind == "cut" || kind == "zeros";
        const auto left = static_cast<std::uint64_t>(flushed) + (has_some ? kept : 0);
        const auto all = static_cast<std::uint64_t>(flushed + logged);
        const std::string about = kind + ", seed " + std::to_string(seed);
        const fs::path copy = directory.path() / kind;
        test::copy_tree(died.path, copy);
        lose(newest_log(copy));
        expect_told(copy, all - left, about);
        if (durability == Durability::sync) expect_repaired(copy, left, about);
        expect_prefix(copy, left, about);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_refused_database_is_whole_when_its_log_is_put_back) {
  const TemporaryDirectory directory;
  const Died died(directory.path(), Durability::sync, 5, 12);
  const fs::path log = newest_log(died.path);
  fs::rename(log, directory.path() / "moved");
  for (int i = 0; i < 2; ++i) BOOST_TEST(!Database::open(died.path).has_value());
  fs::rename(directory.path() / "moved", log);
  const Database opened = must(Database::open(died.path));
  BOOST_TEST(must(opened.statistics()).nodes == 12U);
  BOOST_TEST(opened.warnings().empty());
}

BOOST_AUTO_TEST_CASE(
    a_log_of_another_database_or_of_an_older_state_is_refused_and_set_aside_by_a_repair) {
  for (const Durability durability : {Durability::sync, Durability::async}) {
    const TemporaryDirectory directory;
    const Died died(directory.path(), durability, 8, 20);
    const fs::path place = directory.path() / "other";
    fs::create_directory(place);
    const Died other(place, durability, 8, 30);
    for (const fs::path& source : {other.path, died.older}) {
      const std::string about = source.string();
      const fs::path copy = directory.path() / "copy";
      fs::remove_all(copy);
      test::copy_tree(died.path, copy);
      write(newest_log(copy), content(newest_log(source)));
      const auto opened = Database::open(copy);
      BOOST_TEST_REQUIRE(!opened.has_value(), about);
      BOOST_TEST((opened.error().code == ErrorCode::corruption), about);
      BOOST_TEST(opened.error().message.find("this database's own log") != std::string::npos,
                 opened.error().message);
      expect_repaired(copy, 8, about);
    }
  }
}

// A log that a flush began again while another family still needed it is listed in the manifest, with its size.
BOOST_AUTO_TEST_CASE(
    of_several_logs_one_that_is_lost_is_told_and_a_repair_goes_on_without_the_newest) {
  const TemporaryDirectory directory;
  const fs::path live = directory.path() / "live";
  Options small = with(Durability::sync);
  small.memory_bytes = std::size_t{16} << 20;
  Database database = must(Database::open(live, small));
  const auto files_of = [](const fs::path& place) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(place / metadata_file::store_directory))
      if (entry.path().extension() == ".log") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
  };
  const auto logs_of = [&](const fs::path& place) {
    std::vector<fs::path> logs = files_of(place);
    std::erase_if(
        logs, [](const fs::path& log) { return !engine::inspect_log(content(log)).notes.last; });
    return logs;
  };
  const std::string text(100'000, 't');
  constexpr std::size_t wanted = 3;
  const fs::path died = directory.path() / "died";
  std::vector<fs::path> logs;
  // A flush may delete a log meanwhile, so that what counts is the copy.
  for (int commits = 0; commits < 2'000 && logs.size() != wanted; ++commits) {
    Transaction transaction = must(database.begin());
    must(transaction.create_node({{"N"}, {{"t", text}}, "n" + std::to_string(commits)}));
    must(transaction.commit());
    if (files_of(live).size() < wanted) continue;
    test::FaultFileSystem::copy_at_rest(live, died);
    logs = logs_of(died);
  }
  BOOST_TEST_REQUIRE(logs.size() == wanted);
  for (const fs::path& lost : logs) {
    const std::string about = lost.filename().string();
    const fs::path copy = directory.path() / "copy";
    fs::remove_all(copy);
    test::copy_tree(died, copy);
    const auto notes = engine::inspect_log(content(lost)).notes;
    fs::remove(copy / metadata_file::store_directory / lost.filename());
    const auto refused = Database::open(copy);
    BOOST_TEST_REQUIRE(!refused.has_value(), about);
    BOOST_TEST((refused.error().code == ErrorCode::corruption), about);
    if (lost != logs.back()) {
      // Tables may have later commits, so no repair can determine up to which commit the rest is complete.
      const std::string& said = refused.error().message;
      BOOST_TEST((said.find("back if it was moved") != std::string::npos ||
                  said.find("a log is lost") != std::string::npos),
                 said);
      BOOST_TEST(!Database::open(copy, repairing()).has_value(), about);
      BOOST_TEST((logs_of(copy).size() == wanted - 1), about);
      continue;
    }
    expect_repaired(copy, 0, about);
    const Database opened = must(Database::open(copy));
    BOOST_TEST(must(opened.statistics()).commits == notes.first - 1, about);
  }
}

BOOST_AUTO_TEST_CASE(behind_a_closing_no_log_is_needed) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  Database database = must(Database::open(path));
  commit_nodes(database, 0, 9);
  must(database.close());
  for (const auto& entry : fs::directory_iterator(path / metadata_file::store_directory))
    if (entry.path().extension() == ".log") fs::remove(entry.path());
  const Database opened = must(Database::open(path));
  BOOST_TEST(must(opened.statistics()).nodes == 9U);
  BOOST_TEST(opened.warnings().empty());
}

BOOST_AUTO_TEST_CASE(without_its_file_of_the_commit_a_database_is_refused_with_the_repair) {
  const TemporaryDirectory directory;
  const Died died(directory.path(), Durability::sync, 5, 12);
  const fs::path file = died.path / metadata_file::commit;
  fs::remove(file);
  const auto refused = Database::open(died.path);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::corruption));
  for (const std::string& said : {file.string(), std::string("repair")})
    BOOST_TEST(refused.error().message.find(said) != std::string::npos, refused.error().message);
  expect_repaired(died.path, 12, "no COMMIT");
}

BOOST_AUTO_TEST_CASE(a_database_without_commits_may_lack_that_file) {
  const TemporaryDirectory directory;
  const fs::path path = directory.path() / "db";
  must(must(Database::open(path)).close());
  fs::remove(path / metadata_file::commit);
  BOOST_TEST(must(Database::open(path)).warnings().empty());
}

BOOST_AUTO_TEST_CASE(a_damaged_or_foreign_note_of_the_newest_commit_is_passed_over_with_a_warning) {
  const TemporaryDirectory directory;
  const Died died(directory.path(), Durability::sync, 5, 12);
  const fs::path place = directory.path() / "other";
  fs::create_directory(place);
  const Died other(place, Durability::sync, 5, 30);
  std::string damaged = content(died.path / metadata_file::tail);
  damaged[20] ^= 1;
  for (const std::string& bytes :
       {damaged, std::string(), content(other.path / metadata_file::tail)}) {
    const fs::path copy = directory.path() / "copy";
    fs::remove_all(copy);
    test::copy_tree(died.path, copy);
    write(copy / metadata_file::tail, bytes);
    {
      const Database opened = must(Database::open(copy));
      BOOST_TEST(opened.warnings().size() == 1U);
      BOOST_TEST(must(opened.statistics()).nodes == 12U);
    }
    BOOST_TEST(must(Database::open(copy)).warnings().empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
