// Database::scrub(): what is left of erased records in the files, and who is waited for.
#include "codec/meta.hpp"
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "engine/system/clock.hpp"
#include "tests/engine/scrub/file_scan.hpp"
#include "tests/engine/scrub/marked_database.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/backup.hpp>
#include <cairn/database.hpp>
#include <cairn/scrub.hpp>
#include <cairn/tokens.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <optional>
#include <thread>

using namespace cairn;
using test::must;
using test::rows_of;
using test::run_all;

BOOST_FIXTURE_TEST_SUITE(scrub, test::MarkedDatabase)

BOOST_AUTO_TEST_CASE(no_file_has_what_was_erased) {
  make_history();
  must(db->checkpoint());
  add_to_the_log();
  const test::TemporaryDirectory copy;
  test::copy_running_tree(db.path(), copy.path() / "db");
  // All of them can be found where nothing was scrubbed, and in every kind of file and of entry.
  for (const std::size_t missing : not_in(copy.path() / "db"))
    BOOST_ERROR("marker " << missing << " is nowhere");
  BOOST_TEST(in_segment_files(copy.path() / "db") >= 4);
  const auto places = places_of_markers(copy.path() / "db");
  for (const char* kind : {"family nodes, value", "family relationships, value",
                           "family index, key", "family text, key", "family catalog, value",
                           "family meta, key", "family meta, value", "MANIFEST", ".log", "vector/"})
    BOOST_TEST(std::ranges::any_of(
                   places,
                   [&](const std::string& place) { return place.find(kind) != std::string::npos; }),
               kind);
  db.close();
  db.reopen();
  const auto before = rows_of(*db, "MATCH (n) RETURN count(n), sum(n.number)");
  const ScrubReceipt receipt = must(db->scrub({.by = "a test"}));
  BOOST_TEST(receipt.by == "a test");
  BOOST_TEST(receipt.tables > 0u);
  BOOST_TEST(receipt.names > 0u);
  BOOST_TEST(receipt.vector_segments == 1u);
  BOOST_TEST(receipt.ended_at >= receipt.begun_at);
  BOOST_TEST(receipt.commit == must(db->statistics()).commits);
  const test::TemporaryDirectory running;
  test::copy_running_tree(db.path(), running.path() / "db");
  expect_nothing(running.path() / "db");
  db.close();
  expect_nothing(db.path());
  db.reopen();
  BOOST_TEST(must(db->check()).empty());
  BOOST_TEST(rows_of(*db, "MATCH (n) RETURN count(n), sum(n.number)") == before);
  BOOST_TEST(rows_of(*db, "MATCH (d:Doc {kept: 'x'}) RETURN d.content") ==
             std::vector<std::string>{"'other'"});
}

BOOST_AUTO_TEST_CASE(a_second_scrub_has_nothing_to_do) {
  copy_history();
  must(db->scrub());
  const ScrubReceipt again = must(db->scrub());
  BOOST_TEST(again.vector_segments == 0u);
  BOOST_TEST(again.names == 0u);
  // The small families of figures are written by every commit.
  BOOST_TEST(again.tables <= 8u);
}

// The client's commit comes before that of the scrub, so the receipt covers what it erased.
BOOST_AUTO_TEST_CASE(the_result_of_a_client_that_commits_during_the_scrub_goes) {
  make_history();
  const std::string key = codec::client_entry_key("request/r1");
  ScrubOptions options;
  options.on_progress = [&](const ScrubProgress& now) {
    if (now.step != "commit") return;
    const codec::ClientEntry entry{1, engine::system_time(), "rows with " + marker()};
    must(Access::core(*db)->write_note(key, codec::encode(entry)));
    run_all(*db, {"CREATE (:Doc {number: 1})"});
  };
  must(db->scrub(options));
  BOOST_TEST(!must(Access::core(*db)->note(key)).has_value());
  db.close();
  expect_nothing(db.path());
}

// A client writes each result under its one key. The result of a later commit is still needed if the host ends.
BOOST_AUTO_TEST_CASE(a_result_that_replaced_another_during_the_scrub_stays) {
  copy_history();
  const std::string key = codec::client_entry_key("client/c1");
  const auto write = [&](std::uint64_t number) {
    const codec::ClientEntry entry{number, engine::system_time(), "rows"};
    must(Access::core(*db)->write_note(key, codec::encode(entry)));
    return codec::encode(entry);
  };
  write(1);
  const std::uint64_t before = must(db->statistics()).commits;
  std::string replaced;
  std::thread client([&] {
    while (must(db->statistics()).commits == before)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    replaced = write(2);
  });
  must(db->scrub());
  client.join();
  const auto found = must(Access::core(*db)->note(key));
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST((*found == replaced));
}

// It has no data, and whoever repeats the statement must find it.
// Its key and its digest of the statement are data of a user too, so it does not stay for long.
BOOST_AUTO_TEST_CASE(the_entry_of_an_unfinished_statement_stays_while_it_may_go_on) {
  copy_history();
  const std::string fresh = codec::client_entry_key("client/c1");
  const std::string old = codec::client_entry_key("client/c2");
  const auto core = Access::core(*db);
  must(core->write_note(
      fresh, codec::encode(codec::ClientEntry{1, engine::system_time(), "counts", true})));
  must(core->write_note(old, codec::encode(codec::ClientEntry{1, 0, "counts", true})));
  must(db->scrub());
  BOOST_TEST(must(core->note(fresh)).has_value());
  BOOST_TEST(!must(core->note(old)).has_value());
}

BOOST_AUTO_TEST_CASE(a_held_snapshot_is_waited_for_and_then_named) {
  make_history();
  std::optional<Snapshot> held = must(db->snapshot());
  const std::uint64_t commit = held->commit_number();
  ScrubOptions options;
  options.wait_for_readers = std::chrono::milliseconds(50);
  const auto refused = db->scrub(options);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == ErrorCode::busy));
  BOOST_TEST(refused.error().message.find("commit " + std::to_string(commit)) != std::string::npos,
             refused.error().message);
  options.wait_for_readers = std::chrono::seconds(60);
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    held.reset();
  });
  BOOST_TEST(db->scrub(options).has_value());
  reader.join();
  db.close();
  expect_nothing(db.path());
}

BOOST_AUTO_TEST_CASE(a_name_that_comes_back_is_found) {
  run_all(*db, {"CREATE (:Doc:Once {place: 'here', number: 1})", "MATCH (d) DETACH DELETE d"});
  must(db->scrub());
  BOOST_TEST(rows_of(*db, "CALL db.propertyKeys()").empty());
  run_all(*db, {"CREATE (:Doc:Once {place: 'there', number: 2})"});
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(rows_of(*db, "MATCH (d:Once {place: 'there'}) RETURN d.number") ==
               std::vector<std::string>{"2"});
    BOOST_TEST(rows_of(*db, "MATCH (d:Once {place: 'here'}) RETURN d.number").empty());
    BOOST_TEST(must(db->check()).empty());
    db.reopen();
  }
}

BOOST_AUTO_TEST_CASE(backups_of_before_are_named) {
  copy_history();
  const test::TemporaryDirectory backups;
  must(db->backup(backups.path() / "one"));
  const ScrubReceipt receipt = must(db->scrub());
  BOOST_REQUIRE(receipt.backups.size() == 1u);
  BOOST_TEST(receipt.backups[0].path == (backups.path() / "one").string());
  // Its files have what was erased before it.
  BOOST_TEST(not_in(backups.path() / "one" / "generation-1").size() < markers.size());
}

BOOST_AUTO_TEST_CASE(a_backup_made_after_a_scrub_is_named_if_something_was_committed_since) {
  copy_history();
  const test::TemporaryDirectory backups;
  const std::string old = (backups.path() / "old").string();
  const std::string clean = (backups.path() / "clean").string();
  const auto named = [&] {
    std::vector<std::string> paths;
    for (const ScrubbedBackup& backup : must(db->scrub()).backups) paths.push_back(backup.path);
    return paths;
  };
  must(db->backup(old));
  BOOST_TEST(named() == std::vector{old});
  must(db->backup(clean));
  expect_nothing(backups.path() / "clean" / "generation-1");
  for (int i = 0; i < 2; ++i) {
    BOOST_TEST(named() == std::vector{old});
    db.reopen();
  }
  run_all(*db, {"MATCH (d:Doc {kept: 'x'}) SET d.kept = 'y'"});
  BOOST_TEST(named() == (std::vector{clean, old}));
  must(db->backup(clean));
  must(db->backup(old));
  BOOST_TEST(named().empty());
}

// A token is no part of a commit.
BOOST_AUTO_TEST_CASE(a_backup_that_has_a_revoked_token_is_named) {
  const test::TemporaryDirectory backups;
  must(db->scrub());
  must(create_token(*db, {.name = "agent"}));
  must(db->backup(backups.path() / "one"));
  BOOST_TEST(must(db->scrub()).backups.empty());
  BOOST_TEST(must(revoke_token(*db, "agent")));
  BOOST_TEST(must(db->scrub()).backups.size() == 1u);
}

// Nor is the answer to a client, or the name of an embedder.
BOOST_AUTO_TEST_CASE(a_backup_that_has_an_erased_or_replaced_note_is_named) {
  const test::TemporaryDirectory backups;
  const std::string path = (backups.path() / "one").string();
  const auto core = Access::core(*db);
  const auto scrub_and_back_up = [&] {
    must(db->scrub());
    must(db->backup(path));
    return must(db->scrub()).backups.size();
  };
  must(core->write_note("some/note", std::string("before")));
  BOOST_TEST(scrub_and_back_up() == 0u);
  must(core->erase_notes({"some/other"}));
  must(core->write_note("some/note", std::string("before")));
  BOOST_TEST(must(db->scrub()).backups.empty());
  must(core->write_note("some/note", std::string("after")));
  BOOST_TEST(must(db->scrub()).backups.size() == 1u);
  BOOST_TEST(scrub_and_back_up() == 0u);
  must(core->erase_notes({"some/note"}));
  BOOST_TEST(must(db->scrub()).backups.size() == 1u);
}

// It has no data, so its backups stay clean.
BOOST_AUTO_TEST_CASE(the_end_of_an_unfinished_statement_keeps_the_scrub_note) {
  const auto core = Access::core(*db);
  const std::string key = codec::client_entry_key("client/c1");
  for (const bool was_unfinished : {true, false}) {
    must(core->write_note(key, codec::encode(codec::ClientEntry{1, 0, "counts", was_unfinished})));
    must(db->scrub());
    if (!was_unfinished)
      must(core->write_note(key, codec::encode(codec::ClientEntry{1, 0, "rows"})));
    must(core->write_note(key, codec::encode(codec::ClientEntry{1, 1, "counts"})));
    BOOST_TEST(must(core->note("scrubbed")).has_value() == was_unfinished);
  }
}

// The bytes of a scrub that was stopped may be in a backup.
BOOST_AUTO_TEST_CASE(a_backup_made_after_a_scrub_that_was_stopped_is_named) {
  copy_history();
  const test::TemporaryDirectory backups;
  std::stop_source stop;
  ScrubOptions options;
  options.on_progress = [&](const ScrubProgress& now) {
    if (now.step == "tables") stop.request_stop();
  };
  BOOST_REQUIRE(!db->scrub(options, stop.get_token()));
  must(db->backup(backups.path() / "one"));
  BOOST_TEST(must(db->scrub()).backups.size() == 1u);
}

BOOST_AUTO_TEST_CASE(readers_and_writers_go_on) {
  make_history();
  std::atomic<bool> ends = false;
  std::atomic<std::size_t> reads = 0;
  std::atomic<std::size_t> writes = 0;
  std::vector<std::string> problems;
  std::thread reader([&] {
    while (!ends) {
      const auto counted = rows_of(*db, "MATCH (d:Doc {marked: true}) RETURN count(d) % 3");
      if (counted != std::vector<std::string>{"0"}) problems.push_back(counted.front());
      ++reads;
    }
  });
  std::thread writer([&] {
    while (!ends) {
      const auto done = rows_of(*db, "UNWIND range(1, 3) AS i CREATE (:Doc {marked: true, v: i})");
      if (!done.empty()) problems.push_back(done.front());
      ++writes;
    }
  });
  for (std::size_t i = 0; i < test::rounds(2, 20); ++i) BOOST_TEST(db->scrub().has_value());
  ends = true;
  reader.join();
  writer.join();
  BOOST_TEST(problems.empty());
  BOOST_TEST(reads > 0u);
  BOOST_TEST(writes > 0u);
  BOOST_TEST(must(db->check()).empty());
  db.close();
  expect_nothing(db.path());
}

BOOST_AUTO_TEST_CASE(the_language_gives_the_receipt) {
  copy_history();
  StatementOptions options;
  options.caller = "desk";
  const auto rows = rows_of(*db, "CALL db.scrub() YIELD caller, tables, backups", {}, options);
  BOOST_REQUIRE(rows.size() == 1u);
  BOOST_TEST(rows[0].starts_with("'desk' | "), rows[0]);
  const auto commit = must(db->snapshot()).commit_number();
  BOOST_TEST((test::error_of(*db, "CALL db.scrub() YIELD nope").code == ErrorCode::not_found));
  BOOST_TEST(must(db->snapshot()).commit_number() == commit);  // nothing was scrubbed
  BOOST_TEST(test::error_of(*db, "MATCH (n) CALL db.scrub() YIELD caller RETURN caller")
                 .message.find("must be the whole statement") != std::string::npos);
  const Snapshot snapshot = must(db->snapshot());
  BOOST_TEST(!must(Statement::parse("CALL db.scrub()")).run(snapshot).has_value());
}

BOOST_AUTO_TEST_CASE(a_caller_of_some_namespaces_learns_nothing_of_others) {
  StatementOptions options;
  options.listed_name_spaces = std::vector<std::string>{"a"};
  BOOST_TEST(rows_of(*db, "CALL db.scrub() YIELD tables, names, backups", {}, options) ==
             std::vector<std::string>{"null | null | null"});
}

BOOST_AUTO_TEST_CASE(it_can_be_stopped) {
  copy_history();
  std::stop_source stop;
  ScrubOptions options;
  options.on_progress = [&](const ScrubProgress& now) {
    if (now.step == "tables" && now.tables > 0) stop.request_stop();
  };
  const auto stopped = db->scrub(options, stop.get_token());
  BOOST_REQUIRE(!stopped);
  BOOST_TEST((stopped.error().code == ErrorCode::cancelled));
  must(db->scrub());
  db.close();
  expect_nothing(db.path());
}

BOOST_AUTO_TEST_CASE(files_that_were_set_aside_are_named) {
  copy_history();
  db.close();
  {
    std::ofstream(db.path() / "store" / "000004.log.aside") << "something";
  }
  db.reopen();
  const auto refused = db->scrub();
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().message.find("000004.log.aside") != std::string::npos);
  StatementOptions options;
  options.listed_name_spaces = std::vector<std::string>{"a"};
  BOOST_TEST(test::error_of(*db, "CALL db.scrub()", {}, options).message ==
             "the files cannot be scrubbed; `cairn scrub` on the directory says why");
}

BOOST_AUTO_TEST_SUITE_END()
