// Compares full-text search with an oracle without postings, which analyses every text and scores it by the formula.
#include "engine/fulltext/text_search.hpp"

#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/fulltext/phrase_matcher.hpp"
#include "engine/fulltext/text_document.hpp"
#include "engine/fulltext/top_k_documents.hpp"
#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <iterator>
#include <random>
#include <sstream>

using namespace cairn;
using test::must;
using test::run_all;
using test::TemporaryDatabase;

namespace {

const char* const vocabulary[] = {"tea",   "green", "cup",  "pot",   "leaf",  "river",
                                  "stone", "moss",  "bird", "cloud", "paper", "candle",
                                  "lamp",  "door",  "rope", "salt"};

engine::IndexRequest request() {
  engine::IndexRequest index;
  index.name = "texts";
  index.index_kind = codec::IndexKind::full_text;
  index.labels_or_types = {"M"};
  index.properties = {"content", "title"};
  index.text.weights = {1.0F, 2.0F};
  return index;
}

struct Texts {
  std::string content, title;
};

/// What these tests look at does not wait for the disk.
Options unsynced() {
  Options options;
  options.durability = Durability::async;
  return options;
}

/// A database and the expected content of its index.
struct Fixture {
  TemporaryDatabase db{unsynced()};
  unsigned seed = std::random_device{}();
  std::mt19937 random{seed};
  std::map<std::uint64_t, Texts> model;

  Fixture() {
    BOOST_TEST_MESSAGE("seed " << seed);
    Transaction transaction = must(db->begin());
    must(Access::writer(transaction)->create_index(request()));
    must(transaction.commit());
  }

  // Early words of the vocabulary come often, late ones seldom.
  std::string text(std::size_t most) {
    std::string result;
    for (std::size_t count = random() % (most + 1); count > 0; --count) {
      const std::size_t bound = 1 + random() % std::size(vocabulary);
      result += std::string(vocabulary[random() % bound]) + " ";
    }
    return result;
  }
  Texts texts() { return {text(20), text(4)}; }
  /// What the analysis makes of the model.
  std::map<std::uint64_t, engine::TextDocument> documents() const {
    const engine::Analyzer analyzer({});
    std::map<std::uint64_t, engine::TextDocument> made;
    for (const auto& [id, texts] : model)
      made[id] = engine::make_document(analyzer, {{texts.content}, {texts.title}});
    return made;
  }

  void add(std::size_t count, const std::string& name_space = "") {
    Transaction transaction = must(db->begin());
    if (!name_space.empty())
      must(Access::writer(transaction)->use_place({.name_space = name_space}));
    add(transaction, count);
    must(transaction.commit());
  }
  void add(Transaction& transaction, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Texts made = texts();
      const NodeId id = must(transaction.create_node(
          {{"M"}, {{"content", made.content}, {"title", made.title}, {"n", int(i)}}, ""}));
      model[id.value] = made;
    }
  }
  /// Update, erase, take and give back labels.
  void change(Transaction& transaction, std::size_t count) {
    for (std::size_t i = 0; i < count && !model.empty(); ++i) {
      auto at = model.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(random() % model.size()));
      if (random() % 3 == 0) {
        must(transaction.erase_node(NodeId{at->first}));
        model.erase(at);
      } else {
        at->second.content = text(20);
        must(transaction.set_property(NodeId{at->first}, "content", at->second.content));
      }
    }
  }
};

using Documents = std::map<std::uint64_t, engine::TextDocument>;
using Hits = std::vector<engine::TextHit>;

/// The terms of a question in the order in which they count, each with its weight.
std::vector<std::pair<std::string, double>> terms_of(const std::string& question) {
  std::vector<std::pair<std::string, double>> terms;
  for (const auto& token : engine::Analyzer({}).query_tokens(question)) {
    const auto known = std::find_if(terms.begin(), terms.end(),
                                    [&](const auto& term) { return term.first == token.term; });
    if (known != terms.end())
      known->second += 1;
    else
      terms.emplace_back(token.term, 1);
  }
  return terms;
}

/// Every document that has a term of the question, best first.
Hits oracle(const Documents& documents, const std::string& question) {
  std::array<double, 2> counts{}, words{};
  for (const auto& [id, document] : documents) {
    for (std::size_t f = 0; f < 2; ++f) {
      counts[f] += document[f].words > 0 ? 1 : 0;
      words[f] += document[f].words;
    }
  }
  std::map<std::uint64_t, double> scores;
  for (const auto& [term, weight] : terms_of(question)) {
    for (std::size_t f = 0; f < 2; ++f) {
      std::uint64_t with = 0;
      for (const auto& [id, document] : documents) with += document[f].terms.count(term);
      const double factor = weight * (f == 0 ? 1.0 : 2.0) *
                            engine::inverse_frequency(static_cast<std::uint64_t>(counts[f]), with);
      const engine::Bm25 score(1.2, 0.75, words[f] / counts[f], factor);
      for (const auto& [id, document] : documents) {
        const auto found = document[f].terms.find(term);
        if (found == document[f].terms.end()) continue;
        scores[id] += score.of(static_cast<std::uint32_t>(found->second.size()), document[f].words);
      }
    }
  }
  Hits hits;
  for (const auto& [id, score] : scores) hits.push_back({id, score});
  std::sort(hits.begin(), hits.end(), engine::is_better);
  return hits;
}

Hits best_of(Hits hits, std::size_t k, const codec::Bitmap* allowed) {
  if (allowed != nullptr)
    std::erase_if(hits, [&](const engine::TextHit& hit) { return !allowed->contains(hit.id); });
  hits.resize(std::min(hits.size(), k));
  return hits;
}

std::uint32_t index_of(const engine::View& view) { return *view.catalog().find_index("texts"); }

void compare(unsigned seed, const Hits& all, const engine::View& view, const std::string& question,
             std::size_t k, const codec::Bitmap* allowed) {
  engine::TextQuery query;
  query.text = question;
  query.k = k;
  query.allowed = allowed;
  const auto found = must(view.search_text(index_of(view), query));
  const Hits wanted = best_of(all, k, allowed);
  if (found.hits == wanted) return;
  BOOST_FAIL("seed " << seed << ", [" << question << "] k " << k << ": " << found.hits.size()
                     << " hits by " << found.executor << ", wanted " << wanted.size());
}

/// Within a group every posting is read and scored.
void compare_conjunction(unsigned seed, const engine::View& view, const std::string& question,
                         const codec::Bitmap* allowed) {
  const std::uint32_t index = index_of(view);
  const std::string exhaustive = "(" + question + ")";
  engine::TextQuery query;
  query.text = exhaustive;
  query.k = 5'000;
  query.allowed = allowed;
  const Hits all = must(view.search_text(index, query)).hits;
  query.text = question;
  for (const std::size_t k : {1UL, 10UL, 5'000UL}) {
    query.k = k;
    const auto found = must(view.search_text(index, query));
    if (found.hits == best_of(all, k, allowed)) continue;
    BOOST_FAIL("seed " << seed << ", [" << question << "] k " << k << " by " << found.executor);
  }
}

void compare_conjunctions(Fixture& fixture, const engine::View& view, const codec::Bitmap& few,
                          const codec::Bitmap& half) {
  const auto word = [&] { return std::string(vocabulary[fixture.random() % 16]); };
  for (int round = 0; round < 6; ++round) {
    const std::string must_occur = "+" + word() + " +" + word();
    for (const std::string& question :
         {must_occur, must_occur + " " + word() + " -" + word(),
          word() + " +" + word() + "* -nobody", "+title:" + word() + " tea", "+nobody " + word()}) {
      compare_conjunction(fixture.seed, view, question, nullptr);
      compare_conjunction(fixture.seed, view, question, &few);
      compare_conjunction(fixture.seed, view, question, &half);
    }
  }
}

void compare_many(Fixture& fixture, const engine::View& view) {
  const Documents documents = fixture.documents();
  std::vector<std::uint64_t> some;
  for (const auto& [id, texts] : fixture.model)
    if (fixture.random() % 40 == 0) some.push_back(id);
  const auto few = codec::Bitmap::from_sorted(some);
  some.clear();
  for (const auto& [id, texts] : fixture.model)
    if (fixture.random() % 2 == 0) some.push_back(id);
  const auto half = codec::Bitmap::from_sorted(some);
  for (int round = 0; round < 12; ++round) {
    const std::string question = fixture.text(4) + " tea";
    const Hits all = oracle(documents, question);
    for (const std::size_t k : {1UL, 3UL, 10UL, 5'000UL}) {
      compare(fixture.seed, all, view, question, k, nullptr);
      compare(fixture.seed, all, view, question, k, &few);
      compare(fixture.seed, all, view, question, k, &half);
    }
  }
  compare_conjunctions(fixture, view, few, half);
}

std::vector<std::uint64_t> ids_of(Database& db, const std::string& question,
                                  const std::string& index = "texts") {
  const Snapshot snapshot = must(db.snapshot());
  const auto shared = Access::view(snapshot);
  const engine::View& view = *shared;
  engine::TextQuery query;
  query.text = question;
  query.k = 100;
  std::vector<std::uint64_t> ids;
  for (const auto& hit : must(view.search_text(*view.catalog().find_index(index), query)).hits)
    ids.push_back(hit.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// True if the other words, besides those in `taken`, can have positions of their own, such that position minus offset
/// differs by at most `slop` among all words.
bool has_places(const std::vector<std::string>& text, const std::vector<std::string>& words,
                std::vector<int>& taken, int slop) {
  const int offset = static_cast<int>(taken.size());
  if (taken.size() == words.size()) {
    int low = 1'000, high = -1'000;
    for (int i = 0; i < offset; ++i) {
      low = std::min(low, taken[static_cast<std::size_t>(i)] - i);
      high = std::max(high, taken[static_cast<std::size_t>(i)] - i);
    }
    return high - low <= slop;
  }
  for (int at = 0; at < static_cast<int>(text.size()); ++at) {
    if (text[static_cast<std::size_t>(at)] != words[taken.size()] ||
        std::find(taken.begin(), taken.end(), at) != taken.end())
      continue;
    taken.push_back(at);
    const bool found = has_places(text, words, taken, slop);
    taken.pop_back();
    if (found) return true;
  }
  return false;
}

bool has_phrase(const std::string& text, const std::vector<std::string>& words,
                std::uint32_t slop) {
  std::istringstream in(text);
  const std::vector<std::string> in_text{std::istream_iterator<std::string>(in), {}};
  std::vector<int> taken;
  return has_places(in_text, words, taken, static_cast<int>(slop));
}

std::size_t findings(Database& db) { return must(db.check(50)).size(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(text_search)

BOOST_AUTO_TEST_CASE(scores_and_order_are_those_of_scoring_every_document) {
  Fixture fixture;
  fixture.add(1'500);
  fixture.add(1'200);
  const Snapshot snapshot = must(fixture.db->snapshot());
  compare_many(fixture, *Access::view(snapshot));
}

// Each namespace has a block of 4,096 ids, so that these lie in three chunks.
BOOST_AUTO_TEST_CASE(documents_in_several_chunks_are_searched_as_one) {
  Fixture fixture;
  for (int i = 0; i < 9; ++i) fixture.add(60, "n" + std::to_string(i));
  BOOST_TEST(fixture.model.rbegin()->first > 2 * codec::text_chunk_ids);
  const Snapshot snapshot = must(fixture.db->snapshot());
  compare_many(fixture, *Access::view(snapshot));
  BOOST_TEST(findings(*fixture.db) == 0U);
}

BOOST_AUTO_TEST_CASE(updates_and_deletes_are_exact_at_once) {
  Fixture fixture;
  fixture.add(400);
  for (int round = 0; round < 90; ++round) {  // more than the changes that lie unfolded
    Transaction transaction = must(fixture.db->begin());
    fixture.change(transaction, 3);
    fixture.add(transaction, 1);
    must(transaction.commit());
    if (round % 3 == 0) static_cast<void>(ids_of(*fixture.db, "tea stone"));  // kept postings
  }
  const Snapshot snapshot = must(fixture.db->snapshot());
  compare_many(fixture, *Access::view(snapshot));
  BOOST_TEST(findings(*fixture.db) == 0U);
}

BOOST_AUTO_TEST_CASE(a_transaction_finds_what_it_wrote_and_a_snapshot_does_not) {
  Fixture fixture;
  fixture.add(300);
  const auto before = fixture.model;
  const Snapshot snapshot = must(fixture.db->snapshot());
  Transaction transaction = must(fixture.db->begin());
  fixture.change(transaction, 30);
  fixture.add(transaction, 20);
  compare_many(fixture, Access::writer(transaction)->view());
  auto after = std::exchange(fixture.model, before);
  compare_many(fixture, *Access::view(snapshot));
  must(transaction.commit());
  compare_many(fixture, *Access::view(snapshot));
  fixture.model = std::move(after);
  compare_many(fixture, *Access::view(must(fixture.db->snapshot())));
}

BOOST_AUTO_TEST_CASE(an_index_made_later_holds_what_was_there_and_one_dropped_is_gone) {
  Fixture fixture;
  fixture.add(300);
  for (int round = 0; round < 2; ++round) {
    Transaction transaction = must(fixture.db->begin());
    must(Access::writer(transaction)->drop_index("texts"));
    must(transaction.commit());
    BOOST_TEST(findings(*fixture.db) == 0U);
    Transaction again = must(fixture.db->begin());
    must(Access::writer(again)->create_index(request()));
    fixture.change(again, 5);
    must(again.commit());
    BOOST_TEST(findings(*fixture.db) == 0U);
  }
  compare_many(fixture, *Access::view(must(fixture.db->snapshot())));
}

BOOST_AUTO_TEST_CASE(a_database_opened_again_and_one_repaired_find_the_same) {
  Fixture fixture;
  fixture.add(200);
  fixture.db.reopen();
  compare_many(fixture, *Access::view(must(fixture.db->snapshot())));
  Options options;
  options.repair = true;
  fixture.db.reopen(options);
  compare_many(fixture, *Access::view(must(fixture.db->snapshot())));
  BOOST_TEST(findings(*fixture.db) == 0U);
}

BOOST_AUTO_TEST_CASE(labels_decide_who_is_in_the_index) {
  Fixture fixture;
  Transaction transaction = must(fixture.db->begin());
  const NodeId in = must(transaction.create_node({{"M"}, {{"content", "moss"}}, ""}));
  const NodeId out = must(transaction.create_node({{"X"}, {{"content", "moss"}}, ""}));
  must(transaction.commit());
  BOOST_TEST(ids_of(*fixture.db, "moss") == std::vector{in.value},
             boost::test_tools::per_element());
  Transaction moved = must(fixture.db->begin());
  must(moved.add_label(out, "M"));
  must(moved.remove_label(in, "M"));
  must(moved.commit());
  BOOST_TEST(ids_of(*fixture.db, "moss") == std::vector{out.value},
             boost::test_tools::per_element());
  BOOST_TEST(findings(*fixture.db) == 0U);
}

BOOST_AUTO_TEST_CASE(relationships_leave_the_index_with_their_nodes) {
  Fixture fixture;
  Transaction transaction = must(fixture.db->begin());
  engine::IndexRequest said = request();
  said.name = "said";
  said.kind = codec::EntityKind::relationship;
  said.labels_or_types = {"SAID"};
  must(Access::writer(transaction)->create_index(said));
  const NodeId a = must(transaction.create_node({{"M"}, {{"content", "moss"}}, ""}));
  const NodeId b = must(transaction.create_node({{"M"}, {}, ""}));
  must(transaction.create_relationship({a, "SAID", b, {{"content", "green moss"}}}));
  must(transaction.create_relationship({a, "MEANT", b, {{"content", "moss"}}}));
  const auto kept =
      must(transaction.create_relationship({b, "SAID", b, {{"content", "a moss"}, {"title", 7}}}));
  must(transaction.commit());
  BOOST_TEST(ids_of(*fixture.db, "moss", "said").size() == 2U);
  run_all(*fixture.db, {"MATCH (n {content: 'moss'}) DETACH DELETE n"});
  BOOST_TEST((ids_of(*fixture.db, "moss", "said") == std::vector{kept.value}));
  BOOST_TEST(ids_of(*fixture.db, "moss").empty());
  BOOST_TEST(findings(*fixture.db) == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_no_text_is_not_indexed_and_a_text_may_come_and_go) {
  Fixture fixture;
  Transaction transaction = must(fixture.db->begin());
  const NodeId id = must(
      transaction.create_node({{"M"}, {{"content", 5}, {"title", Map{{"a", Value("moss")}}}}, ""}));
  must(transaction.create_node({{"M"}, {{"content", ""}, {"title", "-- !? _"}}, ""}));
  must(transaction.create_node({{"M"}, {{"content", "\xC2\xAD_\xC2\xAD"}}, ""}));
  must(transaction.commit());
  BOOST_TEST(ids_of(*fixture.db, "moss 5").empty());
  BOOST_TEST(ids_of(*fixture.db, "").empty());
  for (const Value& value : {Value("moss"), Value(), Value("a moss"), Value(true)}) {
    Transaction change = must(fixture.db->begin());
    must(change.set_property(id, "content", value));
    must(change.commit());
    BOOST_TEST(ids_of(*fixture.db, "moss").size() == (value.string() != nullptr ? 1U : 0U));
    BOOST_TEST(findings(*fixture.db) == 0U);
  }
}

BOOST_AUTO_TEST_CASE(a_rolled_back_transaction_leaves_nothing) {
  Fixture fixture;
  fixture.add(50);
  {
    Transaction transaction = must(fixture.db->begin());
    auto model = fixture.model;
    fixture.change(transaction, 20);
    fixture.add(transaction, 20);
    transaction.rollback();
    fixture.model = std::move(model);
  }
  compare_many(fixture, *Access::view(must(fixture.db->snapshot())));
  BOOST_TEST(findings(*fixture.db) == 0U);
}

BOOST_AUTO_TEST_CASE(large_texts_and_lists_of_texts_are_indexed) {
  Fixture fixture;
  std::string large(5'000, 'x');
  Transaction transaction = must(fixture.db->begin());
  const NodeId a = must(transaction.create_node({{"M"}, {{"content", large + " candle"}}, ""}));
  const NodeId b = must(transaction.create_node(
      {{"M"}, {{"content", List{Value("green"), Value("candle"), Value(5)}}}, ""}));
  must(transaction.commit());
  BOOST_TEST((ids_of(*fixture.db, "candle") == std::vector{a.value, b.value}));
  BOOST_TEST(ids_of(*fixture.db, "\"green candle\"~50").empty());
}

BOOST_AUTO_TEST_CASE(the_syntax_finds_what_it_says) {
  Fixture fixture;
  std::vector<std::uint64_t> made;
  Transaction transaction = must(fixture.db->begin());
  for (const auto& [content, title] :
       std::vector<std::pair<std::string, std::string>>{{"green tea in a cup", "morning"},
                                                        {"tea that is green", "cup"},
                                                        {"black coffee", "green"},
                                                        {"teapots and cups", "evening"}})
    made.push_back(
        must(transaction.create_node({{"M"}, {{"content", content}, {"title", title}}, ""})).value);
  must(transaction.commit());
  const auto found = [&](const std::string& question) {
    std::string text;
    for (const std::uint64_t id : ids_of(*fixture.db, question))
      text += std::to_string(std::find(made.begin(), made.end(), id) - made.begin());
    return text;
  };
  BOOST_TEST(found("green") == "012");
  BOOST_TEST(found("+green +tea") == "01");
  BOOST_TEST(found("green -tea") == "2");
  BOOST_TEST(found("green AND NOT coffee") == "01");
  BOOST_TEST(found("\"green tea\"") == "0");
  BOOST_TEST(found("\"tea green\"") == "");
  BOOST_TEST(found("\"tea green\"~2") == "01");
  BOOST_TEST(found("title:green") == "2");
  BOOST_TEST(found("title:cup content:coffee") == "12");
  BOOST_TEST(found("tea*") == "013");
  BOOST_TEST(found("grean~1") == "012");
  BOOST_TEST(found("+(coffee evening) -black") == "3");
  BOOST_TEST(found("+the") == "");
  BOOST_TEST(found("that is") == "1");
}

BOOST_AUTO_TEST_CASE(occurrences_of_a_phrase_are_counted_within_the_slop) {
  BOOST_TEST(engine::count_occurrences({{1, 5}, {1, 9}}, 0) == 1U);
  BOOST_TEST(engine::count_occurrences({{1, 5}, {3, 9}}, 2) == 2U);
  BOOST_TEST(engine::count_occurrences({{1}, {}}, 9) == 0U);
  // "tea tea": one tea is not both.
  const engine::PhraseRepeats repeats = {{{0, 0}, {1, 1}}};
  BOOST_TEST(engine::count_occurrences({{4}, {3}}, 5, repeats) == 0U);
  BOOST_TEST(engine::count_occurrences({{4, 6}, {3, 5}}, 5, repeats) > 0U);
}

// By trying every choice of places.
BOOST_AUTO_TEST_CASE(phrases_are_found_where_a_naive_reading_of_the_texts_finds_them) {
  Fixture fixture;
  fixture.add(100);  // as many as ids_of() asks for
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> words;
    for (std::size_t count = 2 + fixture.random() % 3; count > 0; --count)
      words.emplace_back(vocabulary[fixture.random() % 6]);
    const auto slop = static_cast<std::uint32_t>(fixture.random() % 5);
    std::vector<std::uint64_t> wanted;
    for (const auto& [id, texts] : fixture.model)
      if (has_phrase(texts.content, words, slop)) wanted.push_back(id);
    std::string question = "content:\"";
    for (const std::string& word : words) question += word + " ";
    question += "\"~" + std::to_string(slop);
    const bool same = ids_of(*fixture.db, question) == wanted;
    if (!same) BOOST_ERROR("seed " << fixture.seed << ", " << question);
  }
}

BOOST_AUTO_TEST_SUITE_END()
