// Compares a full-text index with a map of texts, through random commits, merges of its log, reopenings and rollbacks.
// Snapshots and a transaction are read in between.
#include "codec/text_segment.hpp"
#include "engine/database/access.hpp"
#include "engine/fulltext/text_search.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <sstream>

using namespace cairn;
using test::must;
using test::TemporaryDatabase;

namespace {

const char* const vocabulary[] = {"tea",  "teal", "green", "cup",  "cap",
                                  "leaf", "moss", "stone", "rope", "salt"};
using Model = std::map<std::uint64_t, std::string>;
using Ids = std::vector<std::uint64_t>;

Options unsynced() {
  Options options;
  options.durability = Durability::async;
  return options;
}

/// Every document with a word that `is_wanted`.
template <class IsWanted>
Ids matching(const Model& model, const IsWanted& is_wanted) {
  Ids ids;
  for (const auto& [id, text] : model) {
    std::istringstream words(text);
    bool found = false;
    for (std::string word; words >> word;) found = found || is_wanted(word);
    if (found) ids.push_back(id);
  }
  return ids;
}

struct Fixture {
  TemporaryDatabase db{unsynced()};
  unsigned seed = std::random_device{}();
  std::mt19937 random{seed};
  Model model;
  std::vector<std::pair<Snapshot, Model>> kept;
  std::size_t folds = 0;
  std::size_t files = 0;  // folds that left what came while they were written

  Fixture() {
    Transaction transaction = must(db->begin());
    engine::IndexRequest index;
    index.name = "texts";
    index.index_kind = codec::IndexKind::full_text;
    index.labels_or_types = {"M"};
    index.properties = {"content"};
    must(Access::writer(transaction)->create_index(index));
    must(transaction.commit());
  }

  std::string word() { return vocabulary[random() % std::size(vocabulary)]; }
  std::string text() {
    std::string result;
    for (std::size_t count = random() % 6; count > 0; --count) result += word() + " ";
    return result;
  }
  std::size_t segments() {
    const auto view = Access::view(must(db->snapshot()));
    const auto& state = dynamic_cast<const engine::GraphView&>(*view).state();
    return state.texts.begin()->second.log.segments().size();
  }

  void change(Transaction& transaction, std::size_t count) {
    for (std::size_t i = count; i > 0; --i) {
      const std::size_t what = model.empty() ? 0 : random() % 4;
      auto at = model.begin();
      if (what > 0) std::advance(at, static_cast<std::ptrdiff_t>(random() % model.size()));
      if (what < 2) {
        const std::string made = text();
        model[must(transaction.create_node({{"M"}, {{"content", made}}, ""})).value] = made;
      } else if (what == 2) {
        at->second = text();
        must(transaction.set_property(NodeId{at->first}, "content", at->second));
      } else {
        must(transaction.erase_node(NodeId{at->first}));
        model.erase(at);
      }
    }
  }

  void expect(const engine::View& view, const std::string& question, const Ids& wanted) {
    engine::TextQuery query;
    query.text = question;
    query.k = 10'000;
    Ids found;
    for (const auto& hit : must(view.search_text(*view.catalog().find_index("texts"), query)).hits)
      found.push_back(hit.id);
    std::sort(found.begin(), found.end());
    if (found != wanted)
      BOOST_FAIL("seed " << seed << ", [" << question << "]: " << found.size() << " instead of "
                         << wanted.size());
  }
  void expect(const engine::View& view, const Model& texts) {
    const std::string one = word();
    expect(view, one, matching(texts, [&](const std::string& word) { return word == one; }));
    const std::string beginning = one.substr(0, 1 + random() % 2);
    expect(view, beginning + "*",
           matching(texts, [&](const std::string& word) { return word.starts_with(beginning); }));
    expect(view, "cop~1",
           matching(texts, [](const std::string& word) { return word == "cup" || word == "cap"; }));
  }

  void commit() { commit(1 + random() % 4); }
  void commit(std::size_t changes) {
    const std::size_t before = segments();
    const Model old = model;
    Transaction transaction = must(db->begin());
    change(transaction, changes);
    if (random() % 4 == 0) expect(Access::writer(transaction)->view(), model);
    if (random() % 8 == 0) {
      transaction.rollback();
      model = old;
    } else {
      must(transaction.commit());
    }
    const std::size_t after = segments();
    if (after < before) ++folds;
    if (after < before && after > 0) ++files;
  }
  void keep_snapshot() {
    if (kept.size() > 5) kept.erase(kept.begin());
    kept.emplace_back(must(db->snapshot()), model);
  }
  void reopen() {
    kept.clear();
    db.reopen(unsynced());
  }
  void expect_all() {
    expect(*Access::view(must(db->snapshot())), model);
    for (const auto& [snapshot, texts] : kept) expect(*Access::view(snapshot), texts);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(text_log_model)

BOOST_AUTO_TEST_CASE(every_reader_sees_its_own_commit_through_folds_and_reopenings) {
  Fixture fixture;
  BOOST_TEST_MESSAGE("seed " << fixture.seed);
  for (int round = 0; round < 280; ++round) {
    fixture.commit();
    if (fixture.random() % 6 == 0) fixture.keep_snapshot();
    if (fixture.random() % 70 == 0) fixture.reopen();
    if (fixture.random() % 5 == 0) fixture.expect_all();
    if (round % 70 == 0) BOOST_TEST(must(fixture.db->check(9)).empty(), "seed " << fixture.seed);
  }
  fixture.expect_all();
  BOOST_TEST(fixture.folds > 1U, "seed " << fixture.seed);
  BOOST_TEST(must(fixture.db->check(9)).empty(), "seed " << fixture.seed);
}

BOOST_AUTO_TEST_CASE(every_reader_sees_its_own_commit_through_folds_that_are_files) {
  Fixture fixture;
  for (int round = 0; round < 200; ++round) {
    fixture.commit(45);
    if (round % 9 == 0) fixture.keep_snapshot();
    if (round == 150) fixture.reopen();
    if (round % 12 == 0) fixture.expect_all();
  }
  fixture.expect_all();
  BOOST_TEST(fixture.files > 0U, "seed " << fixture.seed);
  BOOST_TEST(must(fixture.db->check(9)).empty(), "seed " << fixture.seed);
}

// Below the bound nothing of it is in a chunk: what erases must find the log's postings.
BOOST_AUTO_TEST_CASE(a_document_that_comes_and_goes_within_the_log_is_gone_after_the_fold) {
  Fixture fixture;
  for (int round = 0; round < 70; ++round) {
    Transaction transaction = must(fixture.db->begin());
    const NodeId id = must(transaction.create_node({{"M"}, {{"content", "moss"}}, ""}));
    must(transaction.commit());
    Transaction again = must(fixture.db->begin());
    must(again.erase_node(id));
    must(again.commit());
    fixture.expect(*Access::view(must(fixture.db->snapshot())), "moss", {});
  }
  BOOST_TEST(must(fixture.db->check(9)).empty());
}

BOOST_AUTO_TEST_CASE(a_commit_of_many_documents_goes_past_the_log) {
  Fixture fixture;
  fixture.commit();
  Transaction transaction = must(fixture.db->begin());
  for (int i = 0; i < 17'000; ++i)
    must(transaction.create_node({{"M"}, {{"content", i % 1'000 == 0 ? "rare" : "salt"}}, ""}));
  must(transaction.commit());
  BOOST_TEST(fixture.segments() == 0U);
  fixture.db.reopen(unsynced());
  engine::TextQuery query;
  query.text = "rare";
  query.k = 100;
  const auto view = Access::view(must(fixture.db->snapshot()));
  const auto found = must(view->search_text(*view->catalog().find_index("texts"), query));
  BOOST_TEST(found.hits.size() == 17U);
}

// Of each index half the texts are analysed on another thread: indexes of one language share its words.
BOOST_AUTO_TEST_CASE(large_commits_come_as_two_segments_of_each_index) {
  Fixture fixture;
  Transaction first = must(fixture.db->begin());
  engine::IndexRequest index;
  index.name = "titles";
  index.index_kind = codec::IndexKind::full_text;
  index.labels_or_types = {"M"};
  index.properties = {"title"};
  must(Access::writer(first)->create_index(index));
  must(first.commit());
  std::vector<std::size_t> segments;
  for (int round = 0; round < 5; ++round) {
    Transaction transaction = must(fixture.db->begin());
    if (round > 0) {
      must(transaction.erase_node(NodeId{fixture.model.begin()->first}));
      fixture.model.erase(fixture.model.begin());
    }
    for (int i = 0; i < 4'200; ++i) {
      const std::string word = fixture.word();
      const Properties properties{{"content", word}, {"title", fixture.word()}};
      fixture.model[must(transaction.create_node({{"M"}, properties, ""})).value] = word;
    }
    must(transaction.commit());
    segments.push_back(fixture.segments());
  }
  // Four commits fill the log, and the fifth is another quarter.
  BOOST_TEST((segments == std::vector<std::size_t>{2, 4, 6, 8, 4}));
  const std::string one = fixture.word();
  const auto wanted = matching(fixture.model, [&](const std::string& word) { return word == one; });
  fixture.expect(*Access::view(must(fixture.db->snapshot())), one, wanted);
  BOOST_TEST(must(fixture.db->check(9)).empty(), "seed " << fixture.seed);
}

BOOST_AUTO_TEST_SUITE_END()
