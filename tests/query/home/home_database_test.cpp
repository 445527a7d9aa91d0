#include "engine/home/home.hpp"
#include "engine/home/home_names.hpp"
#include "tests/query/home/homes.hpp"
#include "tests/support/copy_tree.hpp"
#ifdef CAIRN_TEST_S3
#include "tests/engine/home/s3_stub.hpp"
#endif

#include <cairn/scrub.hpp>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace cairn;
using namespace cairn::test;
namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

void fill(Database& database) {
  run_all(database,
          {"CREATE FULLTEXT INDEX notes FOR (n:Note) ON EACH [n.text]",
           "CREATE VECTOR INDEX meanings FOR (n:Note) ON (n.v) OPTIONS {indexConfig: "
           "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}",
           "UNWIND range(1, 200) AS i CREATE (n:Note {number: i, text: 'note ' + toString(i) + "
           "CASE WHEN i % 2 = 0 THEN ' even' ELSE ' odd' END, tags: ['a', toString(i % 7)]})",
           "MATCH (a:Note), (b:Note) WHERE b.number = a.number + 1 CREATE (a)-[:NEXT {by: 1}]->(b)",
           "MATCH (n:Note) WHERE n.number % 10 = 0 DETACH DELETE n",
           "MATCH (n:Note) WHERE n.number < 50 SET n.text = 'changed ' + n.text, n.tags = ['b']"});
  Transaction transaction = must(database.begin());
  for (int i = 0; i < 100; ++i)
    must(transaction.create_node(
        {{"Note"}, {{"number", 1'000 + i}, {"v", Vector({1.0F, static_cast<float>(i) / 10.0F})}}}));
  must(transaction.commit());
}

/// By name, all that is in a directory but LOCK, which names the process that has it open.
std::map<std::string, std::string> files_of(const fs::path& directory) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file() && entry.path().filename() != "LOCK")
      files[entry.path().string()] = bytes_of(entry.path());
  return files;
}

/// As an owner leaves it that was ended before its first commit, of the database that `copy` is of.
void make_empty_home(const fs::path& place, const fs::path& copy) {
  engine::Home::Wanted wanted;
  wanted.new_database_id = bytes_of(copy / "HOME");
  must(engine::Home::open("dir:" + place.string(), wanted));
}

const std::vector<std::string> questions = {
    "MATCH (n:Note) WHERE 'b' IN n.tags RETURN count(n)",
    "MATCH (n:Note)-[r:NEXT]->(m) RETURN count(r), sum(n.number)",
    "MATCH (n:Note) SEARCH n IN (VECTOR INDEX meanings FOR [1.0, 2.0] WHERE n.number > 1010 LIMIT "
    "5) RETURN n.number",
    "MATCH (n:Note) SEARCH n IN (FULLTEXT INDEX notes FOR 'changed even' LIMIT 5) RETURN n.number"};

std::vector<std::string> answers_of(Database& database) {
  std::vector<std::string> answers;
  for (const std::string& question : questions) answers.push_back(result_of(database, question));
  return answers;
}

void require_equal(Database& database, const std::string& exported,
                   const std::vector<std::string>& answers) {
  BOOST_REQUIRE(export_of(database) == exported);
  BOOST_TEST(answers_of(database) == answers, boost::test_tools::per_element());
  require_sound(database);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(home_database, HomeFixture)

BOOST_AUTO_TEST_CASE(a_node_with_an_empty_disk_finds_what_the_last_one_left) {
  std::string exported;
  std::vector<std::string> answers;
  {
    Database first = open("first");
    fill(first);
    exported = export_of(first);
    answers = answers_of(first);
    must(first.close());
  }
  Database second = open("second");
  BOOST_TEST(second.warnings().empty());
  require_equal(second, exported, answers);
  run_all(second, {"CREATE (:Note {number: 5000})"});
  BOOST_TEST(result_of(second, "MATCH (n:Note {number: 5000}) RETURN count(n)") == "1");
}

// No checkpoint was ever made: it is all in the log.
BOOST_AUTO_TEST_CASE(a_node_finds_what_one_that_was_killed_had_committed) {
  Database killed = open("killed");
  fill(killed);
  const std::string exported = export_of(killed);
  const auto answers = answers_of(killed);
  BOOST_TEST(objects("/checkpoint/") == 0U);
  Database next = open("next");
  require_equal(next, exported, answers);
}

BOOST_AUTO_TEST_CASE(an_owner_that_lost_its_home_commits_nothing_more) {
  Database first = open("first");
  run_all(first, {"CREATE (:A {n: 1})"});
  Database second = open("second");
  const Error error = error_of(first, "CREATE (:A {n: 2})");
  BOOST_TEST((error.code == ErrorCode::busy));
  // Who it was, in case that it belongs to another installation which uses the same address.
  for (const std::string& part : {std::string("taken over"), home, std::string("two installations"),
                                  ", process " + std::to_string(::getpid())})
    BOOST_TEST(error.message.find(part) != std::string::npos);
  BOOST_TEST(result_of(first, "MATCH (n:A) RETURN count(n)") == "1");
  run_all(second, {"CREATE (:A {n: 3})"});
  (void)first.close();
  BOOST_TEST(result_of(second, "MATCH (n:A) RETURN sum(n.n)") == "4");
  run_all(second, {"CREATE (:A {n: 4})"});
}

BOOST_AUTO_TEST_CASE(a_copy_of_before_is_brought_up_to_date) {
  {
    Database first = open("first");
    run_all(first, {"CREATE (:A {n: 1})"});
    Database second = open("second");
    run_all(second, {"CREATE (:A {n: 2})"});
    (void)first.close();
    Database again = open("first");
    BOOST_TEST(again.warnings().empty());
    BOOST_TEST(result_of(again, "MATCH (n:A) RETURN sum(n.n)") == "3");
    run_all(again, {"CREATE (:A {n: 4})"});
    require_sound(again);
  }
  Database third = open("third");
  BOOST_TEST(result_of(third, "MATCH (n:A) RETURN sum(n.n)") == "7");
}

BOOST_AUTO_TEST_CASE(a_copy_as_a_kill_leaves_it_goes_on) {
  Database first = open("first");
  fill(first);
  copy_running_tree(path("first"), path("crashed"));
  const std::string exported = export_of(first);
  const auto answers = answers_of(first);
  Database again = open("crashed");
  BOOST_TEST(again.warnings().empty());
  require_equal(again, exported, answers);
}

BOOST_AUTO_TEST_CASE(a_copy_that_is_damaged_is_fetched_again) {
  std::string exported;
  {
    Database first = open("first");
    fill(first);
    exported = export_of(first);
    must(first.close());
  }
  for (const auto& entry : fs::directory_iterator(path("first") / "store"))
    if (entry.path().filename().string().starts_with("MANIFEST")) fs::resize_file(entry.path(), 10);
  Database again = open("first");
  BOOST_REQUIRE(again.warnings().size() == 1U);
  BOOST_TEST(again.warnings().front().find("fetched again") != std::string::npos);
  BOOST_TEST((export_of(again) == exported));
}

BOOST_AUTO_TEST_CASE(many_commits_make_a_checkpoint_and_free_the_log) {
  {
    Database first = open("first");
    for (int i = 0; i < 600; ++i) {
      run_all(first, {"CREATE (:A {n: " + std::to_string(i) + "})"});
      // The background makes each checkpoint, and commits may be faster.
      const std::size_t due = (i + 1U) / 300U;
      const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (objects("/checkpoint/") < due && std::chrono::steady_clock::now() < give_up)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    must(first.close());
  }
  BOOST_TEST(objects("/checkpoint/") == 2U);
  BOOST_TEST(objects("/log/") < 600U);
  Database second = open("second");
  BOOST_TEST(result_of(second, "MATCH (n:A) RETURN count(n), sum(n.n)") == "600 | 179700");
  require_sound(second);
}

BOOST_AUTO_TEST_CASE(what_no_checkpoint_needs_is_erased) {
  for (int round = 0; round < 4; ++round) {
    Database node = open("node");
    run_all(node, {"CREATE (:A {n: 1})"});
    must(node.close());
  }
  // The newest, and the one before.
  BOOST_TEST(objects("/checkpoint/") == 2U);
  // Of each epoch its fence, but for the newest, and what is behind the older checkpoint.
  BOOST_TEST(objects("/log/") <= 5U);
  Database second = open("second");
  BOOST_TEST(result_of(second, "MATCH (n:A) RETURN count(n)") == "4");
}

BOOST_AUTO_TEST_CASE(a_database_of_its_own_stays_where_it_is) {
  Database owner = open("owner");
  run_all(owner, {"CREATE (:A {n: 1})"});
  std::string exported;
  {
    Database local = must(Database::open(path("local")));
    fill(local);
    exported = export_of(local);
    must(local.close());
  }
  const auto refused = try_open("local");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::unsupported));
  BOOST_TEST(refused.error().message.find("export it") != std::string::npos);
  run_all(owner, {"CREATE (:A {n: 2})"});
  Database local = must(Database::open(path("local")));
  BOOST_TEST(export_of(local) == exported);
}

// It would see commits that are in no home, or make some.
BOOST_AUTO_TEST_CASE(nobody_attaches_to_a_home_or_from_one) {
  Database owner = open("node");
  run_all(owner, {"CREATE (:A {n: 1})"});
  const auto refused = try_open("node");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::busy));
  Database plain = must(Database::open(path("plain")));
  BOOST_TEST(!try_open("plain").has_value());
}

BOOST_AUTO_TEST_CASE(a_copy_is_not_written_without_its_home) {
  {
    Database node = open("node");
    run_all(node, {"CREATE (:A)"});
    must(node.close());
  }
  const auto refused = Database::open(path("node"));
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::conflict));
  Options reading;
  reading.mode = OpenMode::read_only;
  Database reader = must(Database::open(path("node"), reading));
  BOOST_TEST(result_of(reader, "MATCH (n:A) RETURN count(n)") == "1");
}

BOOST_AUTO_TEST_CASE(a_home_is_opened_for_reading_and_writing_alone) {
  Options other = options();
  other.mode = OpenMode::bulk_load;
  const auto refused = Database::open(path("node"), other);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::unsupported));
}

BOOST_AUTO_TEST_CASE(a_home_that_is_not_there_is_made_only_if_it_may_be) {
  Options there = options();
  there.create_if_missing = false;
  const auto refused = Database::open(path("node"), there);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::not_found));
  {
    Database made = open("other");
  }
  Database found = must(Database::open(path("node"), there));
  BOOST_TEST(result_of(found, "MATCH (n) RETURN count(n)") == "0");
}

// In a place where nothing is, and in one with a home of this name that nothing was committed to.
BOOST_AUTO_TEST_CASE(a_copy_whose_home_is_not_found_stays_as_it_is) {
  for (const int openings : {1, 2}) {
    const std::string node = "node" + std::to_string(openings);
    for (int i = 0; i < openings; ++i) {
      Database copy = open(node);
      run_all(copy, {"CREATE (:A)"});
      must(copy.close());
    }
    const auto before = files_of(path(node));
    Options wrong = options();
    wrong.home += "-typo" + std::to_string(openings);
    const fs::path place = wrong.home.substr(std::string("dir:").size());
    for (int i = 0; i < 2; ++i) {
      const auto refused = Database::open(path(node), wrong);
      BOOST_REQUIRE(!refused.has_value());
      BOOST_TEST((refused.error().code == ErrorCode::not_found));
      for (const std::string& part : {path(node).string(), std::string("HOME"), wrong.home})
        BOOST_TEST(refused.error().message.find(part) != std::string::npos);
      BOOST_TEST((files_of(path(node)) == before));
      make_empty_home(place, path(node));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_scrub_is_refused_as_objects_keep_what_was_erased) {
  Database node = open("node");
  run_all(node, {"CREATE (:A {secret: 1})", "MATCH (n:A) DELETE n"});
  const auto refused = node.scrub();
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::unsupported));
  BOOST_TEST(refused.error().message.find("objects of the home " + home) != std::string::npos);
}

// It was killed while it wrote a checkpoint or erased what one had freed.
BOOST_AUTO_TEST_CASE(litter_of_an_owner_that_was_killed_is_erased) {
  {
    Database first = open("first");
    run_all(first, {"CREATE (:A {n: 1})"});
    must(first.close());
  }
  Database killed = open("first");
  const fs::path place = home_directory();
  const std::vector<std::string> litter = {
      engine::home_name::part({1, 1'000}), engine::home_name::part({2, 1'000}),
      engine::home_name::checkpoint({1, 0}), engine::home_name::slot(1, 0)};
  for (const std::string& name : litter) std::ofstream(place / name) << "litter";
  const std::string later = engine::home_name::part({9, 1});
  std::ofstream(place / later) << "of a later owner";
  {
    Database next = open("next");
    run_all(next, {"CREATE (:A {n: 2})"});
    must(next.close());
  }
  for (const std::string& name : litter) BOOST_TEST(!fs::exists(place / name), name);
  BOOST_TEST(fs::exists(place / later));
  Database third = open("third");
  BOOST_TEST(result_of(third, "MATCH (n:A) RETURN sum(n.n)") == "3");
  require_sound(third);
}

// As a life-cycle rule of a bucket does.
BOOST_AUTO_TEST_CASE(a_part_that_was_erased_is_named_and_uploaded_again) {
  {
    Database first = open("first");
    fill(first);
    must(first.close());
  }
  std::vector<std::string> messages;
  Options options = this->options();
  options.log = [&](const LogMessage& message) { messages.emplace_back(message.text); };
  std::string exported;
  {
    Database again = must(Database::open(path("first"), options));
    fs::remove_all(home_directory() / "part");
    run_all(again, {"CREATE (:A {n: 2})"});
    exported = export_of(again);
    must(again.close());
  }
  const auto is_named = [](const std::string& message) {
    return message.find("part/0000") != std::string::npos &&
           message.find("life-cycle rule") != std::string::npos;
  };
  BOOST_TEST(std::ranges::count_if(messages, is_named) == 1);
  Database second = open("second");
  BOOST_TEST((export_of(second) == exported));
  require_sound(second);
}

BOOST_AUTO_TEST_CASE(a_part_that_is_missing_is_named) {
  {
    Database node = open("node");
    run_all(node, {"CREATE (:A)"});
    must(node.close());
  }
  fs::path part;
  for (const auto& entry : fs::recursive_directory_iterator(root.path() / "home"))
    if (entry.path().string().find("/part/") != std::string::npos && entry.is_regular_file())
      part = entry.path();
  fs::remove(part);
  const auto refused = try_open("second");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::corruption));
  BOOST_TEST(refused.error().message.find(part.filename().string()) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

#ifdef CAIRN_TEST_S3

BOOST_AUTO_TEST_SUITE(home_in_s3)

BOOST_AUTO_TEST_CASE(a_node_with_an_empty_disk_finds_what_the_last_one_left) {
  const S3Stub stub;
  stub.set_environment();
  HomeFixture fixture;
  fixture.home = "s3://bucket/homes";
  std::string exported;
  {
    Database first = fixture.open("first");
    fill(first);
    exported = export_of(first);
    must(first.close());
  }
  Database second = fixture.open("second");
  BOOST_TEST((export_of(second) == exported));
  BOOST_TEST(stub.wrong_signatures == 0U);
}

// Each look at the head works, and the head is never taken.
BOOST_AUTO_TEST_CASE(a_takeover_ends_where_reads_work_and_writes_do_not) {
  S3Stub stub;
  stub.set_environment();
  // Those of the probe: it makes an object, replaces it and erases it.
  stub.takes_writes = 5;
  engine::Home::Wanted wanted;
  wanted.new_database_id = "0123456789abcdef0123456789abcdef";
  const auto home = engine::Home::open("s3://bucket", wanted, std::chrono::milliseconds(200));
  BOOST_REQUIRE(!home.has_value());
  BOOST_TEST((home.error().code == ErrorCode::busy));
  BOOST_TEST(stub.takes_writes == 0);
}

BOOST_AUTO_TEST_CASE(a_commit_is_one_request) {
  S3Stub stub;
  stub.set_environment();
  HomeFixture fixture;
  fixture.home = "s3://bucket";
  Database node = fixture.open("first");
  run_all(node, {"CREATE (:A)"});
  const std::size_t before = stub.requests;
  for (int i = 0; i < 10; ++i) run_all(node, {"CREATE (:A)"});
  BOOST_TEST(stub.requests - before == 10U);
}

BOOST_AUTO_TEST_CASE(answers_that_are_lost_lose_and_double_nothing) {
  S3Stub stub;
  stub.set_environment();
  HomeFixture fixture;
  fixture.home = "s3://bucket";
  {
    Database node = fixture.open("first");
    for (int i = 0; i < 20; ++i) {
      (i % 2 == 0 ? stub.fails_next : stub.drops_next) = i % 3;
      run_all(node, {"CREATE (:A {n: " + std::to_string(i) + "})"});
    }
    must(node.close());
  }
  Database second = fixture.open("second");
  BOOST_TEST(result_of(second, "MATCH (n:A) RETURN count(n), sum(n.n)") == "20 | 190");
}

BOOST_AUTO_TEST_SUITE_END()

#endif
