// Segments in files: what statements read after an opening is what the records say, whatever happened to the files.
#include "tests/support/copy_tree.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/scrub.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
using Rows = std::vector<std::string>;

Options with(Segments segments, OpenMode mode = OpenMode::read_write) {
  Options options;
  options.segments = segments;
  options.share = Share::exclusive;
  options.mode = mode;
  return options;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// Statements that read two columns of nodes, one of relationships, and lists in both directions.
Rows answers(Database& database) {
  Rows all;
  for (const char* question : {"MATCH (n:N) RETURN n.v AS v, count(*) AS c, sum(n.k) AS s",
                               "MATCH (n:N) RETURN n.k AS k, n.w AS w",
                               "MATCH (a:N)-[r:R]->(b) RETURN a.k AS a, r.x AS x, b.k AS b",
                               "MATCH (a:N)<-[:R]-(b) RETURN a.k AS a, count(b) AS c"}) {
    const Rows rows = sorted_rows(database, question);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

/// A closed database with segment files, or an open one.
class Place {
 public:
  Place() {
    Database database = open();
    run_all(database, {"UNWIND range(0, 299) AS k CREATE (:N {k: k, v: k % 7, w: 'secret' + k})",
                       "MATCH (a:N), (b:N) WHERE b.k = a.k + 1 OR b.k = a.k * 2 CREATE (a)-[:R {x: "
                       "a.k % 5}]->(b)"});
    static_cast<void>(answers(database));
    BOOST_REQUIRE(database.close());
    BOOST_TEST_REQUIRE(files().size() >= 5U);
  }

  [[nodiscard]] fs::path path() const { return directory_.path() / "db"; }
  [[nodiscard]] fs::path segments() const { return path() / "segment"; }
  [[nodiscard]] Database open(Segments segments = Segments::always) {
    return std::move(Database::open(path(), logged(with(segments))).value());
  }
  /// The paths of the files, in the order of their names.
  [[nodiscard]] std::vector<fs::path> files() const {
    std::set<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(segments(), none)) found.insert(entry.path());
    return {found.begin(), found.end()};
  }
  /// Opens without segments and with them, and compares the answers.
  void compare() {
    Database database = open();
    const Rows read = answers(database);
    BOOST_REQUIRE(database.close());
    BOOST_TEST(read == answers_of_records(path()), boost::test_tools::per_element());
  }
  /// The answers of a copy without segment files.
  [[nodiscard]] static Rows answers_of_records(const fs::path& database) {
    const TemporaryDirectory other;
    copy_tree(database, other.path() / "db");
    Database records =
        std::move(Database::open(other.path() / "db", with(Segments::never)).value());
    return answers(records);
  }
  /// Warnings about segments that were told while the database was open.
  [[nodiscard]] std::size_t told() const { return told_; }

 private:
  [[nodiscard]] Options logged(Options options) {
    options.log = [this](const LogMessage& message) {
      if (message.level == LogLevel::warning && message.text.find("segment") != std::string::npos)
        ++told_;
    };
    return options;
  }

  TemporaryDirectory directory_;
  std::size_t told_ = 0;
};

void change(Database& database, int from) {
  run_all(database,
          {"MATCH (n:N {k: " + std::to_string(from) + "}) SET n.v = 100, n.w = 'new'",
           "MATCH (n:N {k: " + std::to_string(from + 1) + "}) DETACH DELETE n",
           "MATCH (a:N {k: " + std::to_string(from + 2) +
               "}) CREATE (a)-[:R {x: 77}]->(:N {k: " + std::to_string(1'000 + from) + ", v: 3})"});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(segment_files)

BOOST_AUTO_TEST_CASE(files_are_read_after_an_opening_and_not_written_again) {
  Place place;
  const auto files = place.files();
  place.compare();
  // A segment that was built anew would have a file of another name.
  BOOST_TEST((place.files() == files));
  BOOST_TEST(place.told() == 0U);
}

BOOST_AUTO_TEST_CASE(later_commits_are_taken_from_the_log) {
  Place place;
  const auto files = place.files();
  for (int round = 0; round < 3; ++round) {
    Database database = place.open();
    change(database, 10 * round);
    if (round == 1) static_cast<void>(answers(database));
    change(database, 10 * round + 5);
    BOOST_REQUIRE(database.close());
    place.compare();
    // A statement may read one more list or column than before.
    BOOST_TEST(std::ranges::includes(place.files(), files));
  }
}

BOOST_AUTO_TEST_CASE(commits_before_a_kill_are_taken_from_the_log) {
  Place place;
  Database database = place.open();
  change(database, 10);
  static_cast<void>(answers(database));
  change(database, 20);
  const TemporaryDirectory other;
  copy_running_tree(place.path(), other.path() / "db");
  const auto names = [](const fs::path& directory) {
    std::set<fs::path> found;
    for (const auto& entry : fs::directory_iterator(directory))
      found.insert(entry.path().filename());
    return found;
  };
  const auto before = names(place.segments());
  Database killed = std::move(Database::open(other.path() / "db", with(Segments::always)).value());
  BOOST_TEST(answers(killed) == answers(database), boost::test_tools::per_element());
  BOOST_REQUIRE(killed.close());
  BOOST_TEST((names(other.path() / "db" / "segment") == before));
}

BOOST_AUTO_TEST_CASE(commits_without_the_log_make_files_useless) {
  Place place;
  {
    Database database = place.open(Segments::never);
    change(database, 10);
    BOOST_REQUIRE(database.close());
  }
  {
    // The log goes on after the gap.
    Database database = place.open();
    change(database, 20);
    BOOST_REQUIRE(database.close());
  }
  place.compare();
}

BOOST_AUTO_TEST_CASE(too_many_changes_make_files_useless) {
  Place place;
  const auto files = place.files();
  Database database = place.open();
  run_all(database, {"UNWIND range(1, 2000) AS k CREATE (:N {k: k + 5000, v: 1})"});
  static_cast<void>(answers(database));
  BOOST_REQUIRE(database.close());
  BOOST_TEST((place.files() != files));
  place.compare();
}

BOOST_AUTO_TEST_CASE(a_damaged_file_costs_time_only) {
  Place place;
  for (const fs::path& file : place.files()) {
    const std::string sound = content_of(file);
    for (std::size_t at = 0; at < sound.size(); at += 1 + sound.size() / 5) {
      std::string damaged = sound;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      const TemporaryDirectory other;
      copy_tree(place.path(), other.path() / "db");
      const fs::path target = other.path() / "db" / "segment" / file.filename();
      write(target, damaged);
      std::size_t told = 0;
      Options options = with(Segments::always);
      options.log = [&](const LogMessage& message) {
        if (message.level == LogLevel::warning &&
            message.text.find(target.string()) != std::string_view::npos)
          ++told;
      };
      Database database = std::move(Database::open(other.path() / "db", options).value());
      BOOST_TEST(answers(database) == Place::answers_of_records(place.path()),
                 boost::test_tools::per_element());
      BOOST_TEST(told == 1U);
      BOOST_TEST(database.warnings().size() == (at < 88 ? 1U : 0U));
      BOOST_REQUIRE(database.close());
      BOOST_TEST(!fs::exists(target));
    }
  }
}

BOOST_AUTO_TEST_CASE(files_that_are_cut_missing_or_something_else_cost_time_only) {
  Place place;
  const auto files = place.files();
  write(files[0], content_of(files[0]).substr(0, 200));
  write(files[1], "");
  fs::remove(files[2]);
  write(files[3], content_of(files[4]));
  fs::remove(files[4]);
  fs::create_directory(files[4]);
  write(place.segments() / "99.seg", "left by a crash");
  write(place.segments() / "100.seg.new", "left by a crash");
  place.compare();
  BOOST_TEST(place.told() == 4U);
  for (const fs::path& file : place.files()) BOOST_TEST(fs::is_regular_file(file));
  BOOST_TEST(!fs::exists(place.segments() / "99.seg"));
  BOOST_TEST(!fs::exists(place.segments() / "100.seg.new"));
}

BOOST_AUTO_TEST_CASE(files_of_another_state_of_the_database_are_not_used) {
  Place place;
  const TemporaryDirectory older;
  copy_tree(place.path(), older.path() / "db");
  {
    Database database = place.open();
    run_all(database, {"MATCH (n:N) SET n.v = n.v + 1000"});
    static_cast<void>(answers(database));
    BOOST_REQUIRE(database.close());
  }
  // The store of the older state beside the newer files, and the other way around.
  const TemporaryDirectory newer;
  copy_tree(place.path(), newer.path() / "db");
  fs::remove_all(newer.path() / "db" / "segment");
  copy_tree(older.path() / "db" / "segment", newer.path() / "db" / "segment");
  fs::remove_all(older.path() / "db" / "segment");
  copy_tree(place.segments(), older.path() / "db" / "segment");
  for (const fs::path& path : {older.path() / "db", newer.path() / "db"}) {
    const Rows expected = Place::answers_of_records(path);
    Database database = std::move(Database::open(path, with(Segments::always)).value());
    BOOST_TEST(answers(database) == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(readers_use_files_and_write_nothing) {
  Place place;
  const auto files = place.files();
  const Rows expected = Place::answers_of_records(place.path());
  {
    Database database = std::move(
        Database::open(place.path(), with(Segments::always, OpenMode::read_only)).value());
    BOOST_TEST(answers(database) == expected, boost::test_tools::per_element());
  }
  BOOST_TEST((place.files() == files));
  write(files[0], "damaged");
  Database database =
      std::move(Database::open(place.path(), with(Segments::always, OpenMode::read_only)).value());
  BOOST_TEST(answers(database) == expected, boost::test_tools::per_element());
  BOOST_TEST(content_of(files[0]) == "damaged");
}

BOOST_AUTO_TEST_CASE(nothing_is_written_without_segments_and_for_small_ones) {
  const TemporaryDirectory directory;
  for (const Segments segments : {Segments::never, Segments::automatic}) {
    Database database = std::move(Database::open(directory.path() / "db", with(segments)).value());
    run_all(database,
            {"UNWIND range(0, 299) AS k CREATE (:N {k: k, v: k % 7})", "CALL db.warm(['v'])"});
    static_cast<void>(answers(database));
    BOOST_REQUIRE(database.close());
    BOOST_TEST(!fs::exists(directory.path() / "db" / "segment"));
  }
}

BOOST_AUTO_TEST_CASE(a_scrub_leaves_nothing_that_was_erased_in_segment_files) {
  Place place;
  Database database = place.open();
  static_cast<void>(answers(database));
  run_all(database, {"MATCH (n:N {k: 42}) DETACH DELETE n"});
  BOOST_REQUIRE(database.checkpoint());
  const auto with_text = [&] {
    std::size_t found = 0;
    for (const auto& entry : fs::recursive_directory_iterator(place.path()))
      if (entry.is_regular_file() && content_of(entry.path()).find("secret42") != std::string::npos)
        ++found;
    return found;
  };
  BOOST_TEST(with_text() > 0U);
  BOOST_REQUIRE(database.scrub());
  BOOST_TEST(with_text() == 0U);
  static_cast<void>(answers(database));
  BOOST_REQUIRE(database.close());
  BOOST_TEST(with_text() == 0U);
  place.compare();
}

BOOST_AUTO_TEST_CASE(a_repair_erases_the_files) {
  Place place;
  const auto files = place.files();
  Options options = with(Segments::always);
  options.repair = true;
  Database database = std::move(Database::open(place.path(), options).value());
  for (const fs::path& file : files) BOOST_TEST(!fs::exists(file));
  BOOST_REQUIRE(database.close());
  place.compare();
}

BOOST_AUTO_TEST_CASE(a_link_in_place_of_the_directory_is_refused) {
  Place place;
  const TemporaryDirectory elsewhere;
  fs::remove_all(place.segments());
  fs::create_directory_symlink(elsewhere.path(), place.segments());
  const auto opened = Database::open(place.path(), with(Segments::always));
  BOOST_TEST((!opened && opened.error().code == ErrorCode::corruption));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
