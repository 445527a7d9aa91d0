// Segments in files: after reopening, statements read the values of the records, whatever happened
// to the files.
#include "tests/query/execute/segments/segment_place.hpp"

#include <cairn/scrub.hpp>

#include <algorithm>

namespace cairn::test {

BOOST_AUTO_TEST_SUITE(segment_files)

BOOST_AUTO_TEST_CASE(files_are_read_after_an_opening_and_not_written_again) {
  Place place;
  const auto files = place.files();
  place.compare();
  // A segment that was built again would have a file of another name.
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

// The file has fewer bytes than there are changed ids.
BOOST_AUTO_TEST_CASE(a_small_column_may_have_many_changed_ids) {
  Place place;
  const std::size_t files = place.files().size();
  {
    Database database = place.open();
    run_all(database, {"CREATE (:M {rare: 1})"});
    static_cast<void>(sorted_rows(database, "MATCH (n:N) RETURN n.k AS k, n.rare AS x"));
    run_all(database, {"MATCH (n:N) SET n.v = 5"});
    BOOST_REQUIRE(database.close());
  }
  BOOST_TEST_REQUIRE(place.files().size() == files + 1);
  Database database = place.open();
  BOOST_TEST(must(database.check()).empty());
  BOOST_TEST(place.told() == 0U);
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

BOOST_AUTO_TEST_CASE(a_check_compares_files_with_records) {
  Place place;
  {
    Database database = place.open();
    change(database, 10);
    BOOST_TEST(must(database.check()).empty());
    BOOST_REQUIRE(database.close());
  }
  Database opened = place.open();
  BOOST_TEST(must(opened.check()).empty());
  BOOST_REQUIRE(opened.close());
  std::string content = content_of(place.files()[0]);
  content.back() = static_cast<char>(content.back() ^ 1);
  write(place.files()[0], content);
  Database damaged = place.open();
  const auto findings = must(damaged.check());
  BOOST_TEST_REQUIRE(findings.size() == 1U);
  BOOST_TEST(findings[0].problem.find("checksum does not match") != std::string::npos);
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

BOOST_AUTO_TEST_CASE(what_is_no_segment_file_stays_and_stops_no_scrub) {
  Place place;
  const fs::path others[] = {place.segments() / "notes.txt",
                             place.segments() / "98.seg" / "inner.txt"};
  write(others[0], "of somebody else");
  fs::create_directory(place.segments() / "98.seg");
  write(others[1], "of somebody else");
  write(place.segments() / "99.seg", "left by a crash");
  Database database = place.open();
  BOOST_TEST(must(database.scrub()).commit != 0U);
  BOOST_REQUIRE(database.close());
  for (const fs::path& other : others) BOOST_TEST(content_of(other) == "of somebody else");
  BOOST_TEST(!fs::exists(place.segments() / "99.seg"));
}

BOOST_AUTO_TEST_CASE(namespaces_see_their_own_records_in_files) {
  const TemporaryDirectory directory;
  for (int opening = 0; opening < 3; ++opening) {
    Database database =
        std::move(Database::open(directory.path() / "db", with(Segments::always)).value());
    for (const std::string name : {"one", "two"}) {
      const auto rows_in = [&](const std::string& statement) {
        StatementOptions options;
        options.name_space = name;
        return must(must(execute(database, statement, {}, options)).all());
      };
      if (opening == 0)
        static_cast<void>(rows_in("UNWIND range(1, 50) AS k CREATE (:N {k: k})-[:R {x: '" + name +
                                  "'}]->(:M {k: -k})"));
      const auto rows = rows_in("MATCH (n:N)-[r:R]->(m) RETURN r.x, count(*), sum(n.k + m.k)");
      BOOST_TEST_REQUIRE(rows.size() == 1U);
      BOOST_TEST(rows[0][0].as_string() == name);
      BOOST_TEST(rows[0][1].as_integer() == 50);
      BOOST_TEST(rows[0][2].as_integer() == 0);
    }
    BOOST_REQUIRE(database.close());
  }
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
