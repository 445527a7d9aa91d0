// Differences between a full-text index and its records are written into the closed store. A check finds them, and a
// repair rebuilds the index.
#include "codec/keys.hpp"
#include "codec/text_segment.hpp"
#include "engine/check/index_checks.hpp"
#include "engine/database/access.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

using namespace cairn;
using engine::Family;
using engine::RocksStore;
using engine::StoreBatch;
using test::must;

namespace {

struct Fixture {
  test::TemporaryDatabase db;
  std::uint32_t index = 0;

  Fixture() {
    // An index made later has its postings in chunks, and what follows in its log.
    test::run_all(*db, {"CREATE (:M {content: 'green tea'}), (:M {content: 'tea'})",
                        "CREATE FULLTEXT INDEX texts FOR (m:M) ON EACH [m.content]",
                        "CREATE (:M {content: 'white tea'})", "CREATE (:M {content: 'cold tea'})"});
    index = *Access::view(must(db->snapshot()))->catalog().find_index("texts");
  }
  /// Changes the closed store without the engine.
  void plant(const std::function<void(StoreBatch&)>& change) {
    db.close();
    const auto store =
        must(RocksStore::open(db.path() / engine::metadata_file::store_directory, {}));
    StoreBatch batch(*store);
    change(batch);
    must(store->write(batch, engine::WriteMode::sync));
  }
  std::string term_key(std::string_view term, std::uint64_t chunk = 0) const {
    std::string key = codec::text_term_prefix(index, 1, term);
    codec::append_chunk(key, chunk);
    return key;
  }
  std::string findings() {
    std::string text;
    for (const Finding& finding : must(db->check()))
      text += finding.place + ": " + finding.problem + "\n";
    return text;
  }
  /// Expects that the check finds `wanted` after `change`, and nothing after a repair.
  void expect(std::string_view wanted, const std::function<void(StoreBatch&)>& change,
              OpenMode mode = OpenMode::read_write) {
    plant(change);
    Options reading;
    reading.mode = mode;
    db.reopen(reading);
    const std::string text = findings();
    BOOST_TEST(text.find(wanted) != std::string::npos, "found: " << text);
    Options options;
    options.repair = true;
    db.reopen(options);
    BOOST_TEST(findings() == "");
  }
  /// After `change` it does not open, but for a repair, after which all is found.
  void expect_refusal(const std::function<void(StoreBatch&)>& change) {
    plant(change);
    const auto opened = Database::open(db.path());
    BOOST_REQUIRE(!opened);
    BOOST_TEST((opened.error().code == ErrorCode::corruption));
    BOOST_TEST(opened.error().message.find("repair") != std::string::npos);
    Options options;
    options.repair = true;
    db.reopen(options);
    BOOST_TEST(findings() == "");
    BOOST_TEST(test::result_of(*db,
                               "CALL db.index.fulltext.queryNodes('texts', 'tea') YIELD node "
                               "RETURN count(node)") == "4");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(text_check, Fixture)

BOOST_AUTO_TEST_CASE(a_sound_index_has_no_findings) { BOOST_TEST(findings() == ""); }

BOOST_AUTO_TEST_CASE(a_posting_that_is_missing_is_found) {
  expect("do not match its texts",
         [&](StoreBatch& batch) { batch.erase(Family::text, term_key("green")); });
}

BOOST_AUTO_TEST_CASE(a_posting_that_no_text_has_is_found) {
  codec::TextPostings postings;
  postings.add(1, 2, {0});
  expect("do not match its texts", [&](StoreBatch& batch) {
    batch.put(Family::text, term_key("fern"), codec::encode_text_chunk(postings));
  });
}

BOOST_AUTO_TEST_CASE(damaged_postings_are_found) {
  expect("are damaged",
         [&](StoreBatch& batch) { batch.put(Family::text, term_key("tea"), "\x02?"); });
}

BOOST_AUTO_TEST_CASE(a_segment_that_is_missing_at_the_end_is_found) {
  expect("do not match its texts",
         [&](StoreBatch& batch) { batch.erase(Family::text, codec::text_segment_key(index, 1)); });
}

BOOST_AUTO_TEST_CASE(a_segment_that_says_something_else_is_found) {
  codec::TextPostings postings;
  postings.add(4, 2, {0});
  codec::TextSegmentWriter writer(1);
  writer.add("\x01rope", 0, postings);
  const std::string bytes = writer.finish().bytes();
  expect("do not match its texts", [&](StoreBatch& batch) {
    batch.put(Family::text, codec::text_segment_key(index, 1), bytes);
  });
}

BOOST_AUTO_TEST_CASE(wrong_counts_are_found) {
  expect("its counts of documents and words are wrong", [&](StoreBatch& batch) {
    batch.put(Family::text, codec::text_statistics_key(index),
              codec::encode_text_statistics({{2, 4}}));
  });
}

// Who opens the database for writing erases them.
BOOST_AUTO_TEST_CASE(keys_of_no_index_are_found_by_who_only_reads) {
  const auto plant_key = [&](StoreBatch& batch) {
    batch.put(Family::text, codec::text_statistics_key(index + 7),
              codec::encode_text_statistics({{0, 0}}));
  };
  expect("it was never finished", plant_key, OpenMode::read_only);
  plant(plant_key);
  db.reopen();
  BOOST_TEST(findings() == "");
}

BOOST_AUTO_TEST_CASE(without_its_counts_a_database_asks_for_a_repair) {
  expect_refusal(
      [&](StoreBatch& batch) { batch.erase(Family::text, codec::text_statistics_key(index)); });
}

BOOST_AUTO_TEST_CASE(with_a_gap_in_its_log_a_database_asks_for_a_repair) {
  expect_refusal(
      [&](StoreBatch& batch) { batch.erase(Family::text, codec::text_segment_key(index, 0)); });
}

BOOST_AUTO_TEST_CASE(with_a_damaged_log_a_database_asks_for_a_repair) {
  expect_refusal([&](StoreBatch& batch) {
    batch.put(Family::text, codec::text_segment_key(index, 1), "\x01?");
  });
}

BOOST_AUTO_TEST_SUITE_END()
