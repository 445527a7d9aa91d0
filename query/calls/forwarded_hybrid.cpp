// Encodes hybrid searches and their results as values, for messages between processes. Reader and writer of each part are
// next to each other; keys must not change, because processes of different versions exchange them.
#include "query/calls/forwarded_hybrid.hpp"

#include "query/ranking/forwarded_hits.hpp"
#include "query/recall/forwarded_recall.hpp"

#include <utility>
#include <variant>

namespace cairn::query {

using engine::CallReader;
using engine::number_value;
using engine::text_list;

namespace {

// Retrievers. The entry "kind" is the index in the variant HybridRetriever.

Map map_of_retriever(const VectorRetriever& retriever) {
  return {{"index", retriever.index},
          {"vector", Vector(retriever.vector)},
          {"min_score", retriever.min_score}};
}

Map map_of_retriever(const TextRetriever& retriever) {
  return {{"index", retriever.index}, {"text", retriever.text}};
}

Map map_of_retriever(const RankedRetriever& retriever) {
  RecallOptions options = retriever.options;
  options.filter = {};  // the filter of the search applies
  return recall_map(retriever.text, options);
}

Map map_of_retriever(const GraphRetriever& retriever) {
  return {{"hops", number_value(retriever.hops)},
          {"types", text_list(retriever.relationship_types)},
          {"label", retriever.label}};
}

Map map_of_retriever(const KeywordRetriever& retriever) {
  return {{"property", retriever.property}, {"text", retriever.text}};
}

Map map_of_retriever(const GivenRetriever& retriever) {
  List hits;
  for (const GivenRetriever::Found& found : retriever.hits)
    hits.emplace_back(Map{{"id", number_value(found.node.value)}, {"score", found.score}});
  return {{"retriever", static_cast<std::int64_t>(retriever.kind)}, {"hits", std::move(hits)}};
}

Value retriever_value(const HybridRetriever& retriever) {
  Map map = std::visit([](const auto& one) { return map_of_retriever(one); }, retriever);
  map.emplace("kind", number_value(retriever.index()));
  return map;
}

Result<HybridRetriever> read_ranked(CallReader& reader) {
  RankedRetriever ranked{reader.text("question"), {}};
  CAIRN_ASSIGN(ranked.options, read_recall(reader));
  return HybridRetriever(std::move(ranked));
}

Result<HybridRetriever> read_given(CallReader& reader) {
  GivenRetriever given{reader.choice("retriever", RetrieverKind::ranked), {}};
  for (const Value& item : reader.list("hits")) {
    CallReader hit(item);
    given.hits.push_back({NodeId{hit.number("id")}, hit.real("score")});
    reader.note(hit);
  }
  return HybridRetriever(std::move(given));
}

// The numbers are the indexes in HybridRetriever and part of the protocol.
Result<HybridRetriever> read_by_kind(CallReader& reader) {
  switch (reader.integer("kind")) {
    case 0:
      return HybridRetriever(VectorRetriever{reader.text("index"), reader.components("vector"),
                                             reader.real("min_score")});
    case 1:
      return HybridRetriever(TextRetriever{reader.text("index"), reader.text("text")});
    case 2:
      return read_ranked(reader);
    case 3:
      return HybridRetriever(GraphRetriever{static_cast<std::size_t>(reader.number("hops")),
                                            reader.texts("types"), reader.text("label")});
    case 4:
      return read_given(reader);
    case 5:
      return HybridRetriever(KeywordRetriever{reader.text("property"), reader.text("text")});
    default:
      return Error{ErrorCode::io_error,
                   "the host does not know this kind of retriever; update its program",
                   {}};
  }
}

// The ranking.

Value fusion_value(const Fusion& fusion) {
  List weights;
  for (const auto& [retriever, weight] : fusion.weights)
    weights.emplace_back(
        Map{{"retriever", static_cast<std::int64_t>(retriever)}, {"weight", weight}});
  return Map{{"kind", static_cast<std::int64_t>(fusion.kind)},
             {"k", fusion.k},
             {"weights", std::move(weights)}};
}

// choice() refuses numbers beyond the given last one.
Fusion read_fusion(CallReader& reader) {
  Fusion fusion{reader.choice("kind", Fusion::Kind::min_max), reader.real("k"), {}};
  for (const Value& item : reader.list("weights")) {
    CallReader weight(item);
    fusion.weights[weight.choice("retriever", RetrieverKind::ranked)] = weight.real("weight");
    reader.note(weight);
  }
  return fusion;
}

Value term_value(const Ranking::Term& term) {
  return Map{{"kind", static_cast<std::int64_t>(term.kind)},
             {"weight", term.weight},
             {"field", term.field},
             {"total_field", term.total_field},
             {"scale_days", term.scale_days}};
}

Ranking::Term read_term(CallReader& reader) {
  return {reader.choice("kind", Ranking::Term::Kind::position), reader.real("weight"),
          reader.text("field"), reader.text("total_field"), reader.real("scale_days")};
}

Value boost_value(const Ranking::Boost& boost) {
  Map map{{"field", boost.field}, {"factor", boost.factor}};
  if (boost.equals) map.emplace("equals", *boost.equals);
  return map;
}

Ranking::Boost read_boost(CallReader& reader) {
  const Value* const equals = reader.find("equals");
  return {reader.text("field"), reader.real("factor"),
          equals == nullptr ? std::nullopt : std::optional(*equals)};
}

Value ranking_value(const Ranking& ranking) {
  List terms;
  for (const Ranking::Term& term : ranking.terms) terms.push_back(term_value(term));
  List boosts;
  for (const Ranking::Boost& boost : ranking.boosts) boosts.push_back(boost_value(boost));
  Map map{{"fusion", fusion_value(ranking.fusion)},
          {"terms", std::move(terms)},
          {"boosts", std::move(boosts)},
          {"oversample", number_value(ranking.oversample)}};
  if (ranking.highest_score) map.emplace("highest_score", *ranking.highest_score);
  return map;
}

Ranking read_ranking(CallReader& reader) {
  Ranking ranking;
  CallReader fusion(reader.map("fusion"));
  ranking.fusion = read_fusion(fusion);
  reader.note(fusion);
  for (const Value& item : reader.list("terms")) {
    CallReader term(item);
    ranking.terms.push_back(read_term(term));
    reader.note(term);
  }
  for (const Value& item : reader.list("boosts")) {
    CallReader boost(item);
    ranking.boosts.push_back(read_boost(boost));
    reader.note(boost);
  }
  ranking.oversample = static_cast<std::size_t>(reader.number("oversample"));
  ranking.highest_score = std::nullopt;
  if (reader.find("highest_score") != nullptr) ranking.highest_score = reader.real("highest_score");
  return ranking;
}

}  // namespace

// The caller's side.
Map hybrid_map(const HybridSearch& search) {
  List retrievers;
  for (const HybridRetriever& retriever : search.retrievers)
    retrievers.push_back(retriever_value(retriever));
  Map map{{"retrievers", std::move(retrievers)},
          {"filter", to_value(search.filter)},
          {"ranking", ranking_value(search.ranking)},
          {"limit", number_value(search.limit)},
          {"label", search.label}};
  if (search.relationships) map.emplace("relationships", text_list(search.relationships->types));
  if (search.passages)
    map.emplace("passages", map_of_retriever(RankedRetriever{{}, *search.passages}));
  return map;
}

// The host's side. The errors of nested readers are collected by note() and reported by check().
Result<HybridSearch> read_hybrid(CallReader& reader) {
  HybridSearch search;
  for (const Value& item : reader.list("retrievers")) {
    CallReader retriever(item);
    CAIRN_ASSIGN(HybridRetriever read, read_by_kind(retriever));
    reader.note(retriever);
    search.retrievers.push_back(std::move(read));
  }
  CallReader ranking(reader.map("ranking"));
  search.ranking = read_ranking(ranking);
  reader.note(ranking);
  search.limit = static_cast<std::size_t>(reader.number("limit"));
  search.label = reader.text("label");
  if (reader.find("relationships") != nullptr)
    search.relationships = HitRelationships{reader.texts("relationships")};
  if (reader.find("passages") != nullptr) {
    CallReader passages(reader.map("passages"));
    CAIRN_ASSIGN(search.passages, read_recall(passages));
  }
  if (const Value* filter = reader.find("filter")) {
    CAIRN_ASSIGN(search.filter, filter_from(*filter));
  }
  CAIRN_TRY(reader.check());
  return search;
}

Value hybrid_hits_value(const HybridHits& found) {
  return Map{{"hits", hits_value(found.hits)}, {"warnings", text_list(found.warnings)}};
}

Result<HybridHits> read_hybrid_hits(const Value& value) {
  CallReader reader(value);
  HybridHits found;
  CAIRN_ASSIGN(found.hits, read_hits(Value(reader.list("hits"))));
  found.warnings = reader.texts("warnings");
  CAIRN_TRY(reader.check());
  return found;
}

}  // namespace cairn::query
