// Searches, system fields, tokens and the like of an attached process give what they give in the host.

#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace cairn::test {
namespace {

/// The same records in a database of this process and in one that is attached.
struct Both {
  Both() {
    fill(*local);
    fill(attached.database);
  }

  static void fill(Database& database) {
    must(execute(database,
                 "CREATE VECTOR INDEX vectors FOR (n:N) ON (n.v) OPTIONS {indexConfig: "
                 "{`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}"));
    must(execute(database, "CREATE FULLTEXT INDEX texts FOR (n:N) ON EACH [n.text]"));
    Transaction transaction = must(database.begin());
    for (int i = 0; i < 20; ++i)
      must(transaction.create_node({{"N"},
                                    {{"i", i},
                                     {"even", i % 2 == 0},
                                     {"created_at", "2026-01-" + std::to_string(10 + i)},
                                     {"tags", list_of({i % 3 == 0 ? "a" : "b"})},
                                     {"text", i % 2 == 0 ? "Ada drinks tea" : "Bob plays chess"},
                                     {"v", Vector({1.0F, static_cast<float>(i)})}},
                                    "urn:" + std::to_string(i)}));
    must(transaction.commit());
  }

  TemporaryDatabase local;
  AttachedFixture attached;
};

std::string text_of(const VectorHits& neighbors) {
  std::ostringstream out;
  out.precision(17);
  for (const Hit& hit : neighbors.hits) out << hit.id << ":" << hit.score << " ";
  out << to_string(neighbors.executor);
  return out.str();
}

std::string text_of(const HybridHits& found) {
  std::ostringstream out;
  out.precision(17);
  for (const Hit& hit : found.hits) {
    out << hit.node->external_id() << " " << hit.score << " " << hit.explanation->raw << " "
        << hit.explanation->fused;
    for (const RetrieverShare& share : hit.explanation->retrievers)
      out << " " << to_string(share.retriever) << share.rank << ":" << share.score << ":"
          << share.share;
    for (const double term : hit.explanation->terms) out << " +" << term;
    for (const double factor : hit.explanation->factors) out << " *" << factor;
    for (const Relationship& one : hit.relationships) out << " " << one.type() << " ";
    for (const Node& one : hit.passage_nodes) out << " ~" << one.external_id();
    out << " -" << hit.left_out << ":" << hit.passage.size();
    out << "; ";
  }
  for (const std::string& warning : found.warnings) out << warning << "\n";
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attached_searches)

BOOST_AUTO_TEST_CASE(vectors_are_found_bit_by_bit) {
  Both both;
  VectorSearchOptions options;
  options.k = 5;
  options.filter = Filter::where("even", FilterOperator::equals, true);
  const std::vector<float> question{1, 3};
  const auto ask = [&](Database& database) {
    const Snapshot snapshot = must(database.snapshot());
    const auto many = must(search_vectors(
        snapshot, "vectors", std::vector<VectorQuestion>{{{1, 2}, 0}, {{0, 1}, 0}}, options));
    return text_of(must(search_vectors(snapshot, "vectors", question, options))) + " " +
           text_of(many[0]) + " " + text_of(many[1]);
  };
  BOOST_TEST(ask(both.attached.database) == ask(*both.local));
  const Snapshot snapshot = must(both.attached.database.snapshot());
  BOOST_TEST((search_vectors(snapshot, "none", question).error().code == ErrorCode::not_found));
  Transaction transaction = must(both.attached.database.begin());
  BOOST_TEST(must(search_vectors(transaction, "vectors", question, options)).hits.size() == 5u);
}

BOOST_AUTO_TEST_CASE(facets_and_pages_are_the_same) {
  Both both;
  FacetedSearch search;
  search.labels = {"N"};
  search.tags = {"a"};
  search.page_size = 3;
  search.facets = {{.field = "even"}, {.field = "i", .limit = 2}};
  const auto ask = [&](Database& database) {
    const FacetedPage page = must(faceted_search(must(database.snapshot()), search));
    std::string text = std::to_string(page.total) + " " + std::to_string(page.total_pages);
    for (const Node& node : page.nodes) text += " " + node.external_id();
    for (const Facet& facet : page.facets)
      for (const FacetValue& value : facet.values)
        text += " " + facet.field + "=" + value.value.to_text() + "*" + std::to_string(value.count);
    return text + (page.has_more ? " more" : "");
  };
  BOOST_TEST(ask(both.attached.database) == ask(*both.local));
  search.page = 0;
  const auto wrong = faceted_search(must(both.attached.database.snapshot()), search);
  BOOST_TEST(wrong.error().message == "page must be >= 1");
}

BOOST_AUTO_TEST_CASE(recall_is_the_same) {
  Both both;
  RecallOptions options;
  options.limit = 4;
  options.with_nodes = true;
  options.boosts = {{Filter::where("i", FilterOperator::equals, 4), 0.5}};
  options.features.group_properties = {"even"};
  options.expand = PassageExtent::session;
  options.max_tokens = 30;
  const auto ask = [&](Database& database) {
    std::ostringstream out;
    out.precision(17);
    for (const Hit& hit : must(recall(must(database.snapshot()), "who drinks tea", options)))
      out << hit.id << " " << hit.score << " " << hit.explanation->features->text << " "
          << hit.explanation->features->rules << " " << hit.node->external_id() << " "
          << hit.passage.size() << " " << hit.passage_nodes.size() << " " << hit.left_out << "; ";
    return out.str();
  };
  BOOST_TEST(ask(both.attached.database) == ask(*both.local));
  BOOST_TEST(!ask(*both.local).empty());
}

BOOST_AUTO_TEST_CASE(hybrid_searches_are_the_same_with_all_that_explains_them) {
  Both both;
  HybridSearch search;
  GivenRetriever given{RetrieverKind::keyword, {{NodeId{3}, 0.5}, {NodeId{5}, 0.25}}};
  RankedRetriever ranked{"who drinks tea", {}};
  ranked.options.index = "texts";
  search.retrievers = {VectorRetriever{"vectors", {1, 3}, 0.1},
                       TextRetriever{"texts", "tea"},
                       std::move(ranked),
                       GraphRetriever{2, {}, "N"},
                       std::move(given),
                       KeywordRetriever{"text", "drinks"}};
  search.filter = Filter::where("i", FilterOperator::less_than, 12);
  search.ranking.fusion = {
      Fusion::Kind::reciprocal_rank, 10, {{RetrieverKind::text, 2}, {RetrieverKind::graph, 0.5}}};
  search.ranking.terms = {
      {.weight = 0.25, .field = "created_at"},
      {.kind = Ranking::Term::Kind::position, .weight = 0.5, .field = "i", .total_field = "i"}};
  search.ranking.boosts = {{"even", 0.5}, {"i", 0.25, Value(4)}};
  search.ranking.highest_score = std::nullopt;
  search.relationships.emplace();
  StatementOptions options;
  options.now = 1'800'000'000'000'000;
  const auto ask = [&](Database& database) {
    return text_of(must(hybrid_search(must(database.snapshot()), search, options)));
  };
  must(execute(both.attached.database, "MATCH (a:N {i: 2}), (b:N {i: 4}) CREATE (a)-[:R]->(b)"));
  must(execute(*both.local, "MATCH (a:N {i: 2}), (b:N {i: 4}) CREATE (a)-[:R]->(b)"));
  BOOST_TEST(ask(both.attached.database) == ask(*both.local));
  BOOST_TEST(ask(*both.local).find(" R ") != std::string::npos, ask(*both.local));
  search.passages.emplace();
  search.passages->index = "texts";
  search.passages->expand = PassageExtent::session;
  search.passages->features.group_properties = {"even"};
  search.passages->max_tokens = 20;
  BOOST_TEST(ask(both.attached.database) == ask(*both.local));
  BOOST_TEST(ask(*both.local).find(" ~urn:") != std::string::npos, ask(*both.local));
  search.ranking.boosts[0].factor = std::numeric_limits<double>::infinity();
  const auto refused = [&](Database& database) {
    return outcome_text(hybrid_search(must(database.snapshot()), search));
  };
  BOOST_TEST(refused(both.attached.database) == refused(*both.local));
  search.ranking.boosts.clear();
  search.ranking.fusion.weights = {{RetrieverKind::ranked, 1}};
  BOOST_TEST(refused(both.attached.database) == refused(*both.local));
  search.ranking.fusion.weights.clear();
  search.retrievers.emplace_back(GivenRetriever{RetrieverKind::ranked, {{NodeId{3}, 1}}});
  BOOST_TEST(refused(both.attached.database) == refused(*both.local));
  const Snapshot snapshot = must(both.attached.database.snapshot());
  BOOST_TEST((must(full_text_indexes(snapshot, "N", "text")) == std::vector<std::string>{"texts"}));
}

BOOST_AUTO_TEST_CASE(values_are_counted_and_paths_listed) {
  Both both;
  const Filter even = Filter::where("even", FilterOperator::equals, true);
  const auto ask = [&](Database& database) {
    const Snapshot snapshot = must(database.snapshot());
    const Facet facet = must(count_values(snapshot, {.field = "tags"}, even));
    std::string text = facet.field + std::to_string(facet.distinct);
    for (const FacetValue& value : facet.values)
      text += " " + value.value.to_text() + "*" + std::to_string(value.count);
    auto paths = must(property_paths(snapshot, even));
    std::ranges::sort(paths);
    for (const auto& path : paths) text += " " + path.front();
    return text;
  };
  BOOST_TEST(ask(both.attached.database) == ask(*both.local));
  Filter wrong = Filter::where("a..b", FilterOperator::equals, 1);
  const auto refused = [&](Database& database) {
    return outcome_text(property_paths(must(database.snapshot()), wrong));
  };
  BOOST_TEST(refused(both.attached.database) == refused(*both.local));
}

BOOST_AUTO_TEST_CASE(nodes_are_selected_and_viewed) {
  Both both;
  const Snapshot snapshot = must(both.attached.database.snapshot());
  BOOST_TEST(must(count_nodes(snapshot, Filter::where("even", FilterOperator::equals, true))) ==
             10u);
  const auto view = must(view_node(snapshot, "urn:3"));
  BOOST_TEST_REQUIRE(view.has_value());
  BOOST_TEST(must(view->property("i")).as_integer() == 3);
  BOOST_TEST(view->has_label("N"));
  BOOST_TEST(view->external_id() == "urn:3");
  BOOST_TEST(!must(view_node(snapshot, "urn:none")).has_value());
}

BOOST_AUTO_TEST_CASE(an_export_is_the_same) {
  Both both;
  const auto exported = [](Database& database) {
    std::ostringstream out;
    must(export_jsonl(must(database.snapshot()), out));
    return out.str();
  };
  BOOST_TEST(exported(both.attached.database).size() > 1'000u);
  BOOST_TEST(must(name_spaces(must(both.attached.database.snapshot()))).size() == 1u);
  const auto file = both.attached.directory.path() / "export.jsonl";
  std::ofstream(file) << exported(both.attached.database);
  TemporaryDatabase copy;
  must(import_jsonl(*copy, file.string()));
  BOOST_TEST(must(copy->statistics()).nodes == 20u);
  AttachedFixture there;
  must(import_jsonl(there.database, file.string()));
  BOOST_TEST(there.count() == 20);
}

BOOST_AUTO_TEST_CASE(namespaces_are_used_and_dropped) {
  AttachedFixture fixture;
  StatementOptions options;
  options.name_space = "acme";
  must(execute(fixture.database, "CREATE (:A), (:A)", {}, options));
  BOOST_TEST(fixture.count() == 0);
  BOOST_TEST(must(name_spaces(must(fixture.database.snapshot()))).size() == 2u);
  must(execute(fixture.database, "DROP NAMESPACE acme"));
  must(execute(fixture.database, "CREATE (:A)", {}, options));
  BOOST_TEST(must(drop_name_space(fixture.database, "acme")) == 1u);
  BOOST_TEST((drop_name_space(fixture.database, "acme").error().code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(tokens_are_made_and_taken_back) {
  AttachedFixture fixture;
  const std::string secret =
      must(create_token(fixture.database, {.name = "agent", .role = Role::write}));
  BOOST_TEST(must(find_token(fixture.database, secret))->name == "agent");
  BOOST_TEST(!must(find_token(fixture.database, "cairn_none")).has_value());
  BOOST_TEST(must(list_tokens(fixture.database)).size() == 1u);
  BOOST_TEST((create_token(fixture.database, {.name = "agent"}).error().code ==
              ErrorCode::already_exists));
  BOOST_TEST(must(revoke_token(fixture.database, "agent")));
  BOOST_TEST(!must(revoke_token(fixture.database, "agent")));
}

BOOST_AUTO_TEST_CASE(the_model_of_an_index_is_looked_after) {
  Both both;
  const auto embedder = make_hashing_embedder(2);
  Transaction transaction = must(both.attached.database.begin());
  must(use_model(transaction, "vectors", *embedder));
  must(transaction.commit());
  const Snapshot snapshot = must(both.attached.database.snapshot());
  must(check_model(snapshot, "vectors", *embedder));
  BOOST_TEST(must(index_model(snapshot, "vectors")) == embedder->model());
  BOOST_TEST((index_model(snapshot, "none").error().code == ErrorCode::not_found));
  BOOST_TEST(!check_model(snapshot, "vectors", *make_hashing_embedder(3)).has_value());
}

BOOST_AUTO_TEST_CASE(drivers_are_served_by_an_attached_process) {
  AttachedFixture fixture;
  BoltListener listener =
      must(BoltListener::open(fixture.database, must(BoltAddress::parse("127.0.0.1:0"))));
  BOOST_TEST(listener.address().port != 0);
  listener.close();
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
