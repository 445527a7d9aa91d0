// Converts hits to values and back, for an attached or remote process. Both ends use the names of this file as keys
// of maps, so both change together.
#include "query/ranking/forwarded_hits.hpp"

#include <memory>
#include <utility>

namespace cairn::query {

using engine::CallReader;
using engine::number_value;

namespace {

// The parts of a score by name. The assertion fails if FeatureScores gets a member that the table lacks.
struct Score {
  const char* name;
  double FeatureScores::* member;
};
constexpr Score score_fields[] = {
    {"text", &FeatureScores::text},   {"group", &FeatureScores::group},
    {"dense", &FeatureScores::dense}, {"propagation", &FeatureScores::propagation},
    {"named", &FeatureScores::named}, {"rules", &FeatureScores::rules},
    {"whole", &FeatureScores::whole}};
static_assert(sizeof(FeatureScores) == std::size(score_fields) * sizeof(double),
              "a score is missing");

Value features_value(const FeatureScores& features) {
  Map map;
  for (const Score& score : score_fields) map.emplace(score.name, features.*score.member);
  return map;
}

// `hit` is the reader of the surrounding hit: it collects the errors of the inner readers, and the caller checks it.
FeatureScores read_features(CallReader& reader, CallReader& hit) {
  FeatureScores features;
  for (const Score& score : score_fields) features.*score.member = reader.real(score.name);
  hit.note(reader);
  return features;
}

Value shares_value(const std::vector<RetrieverShare>& shares) {
  List list;
  for (const RetrieverShare& share : shares)
    list.emplace_back(Map{{"retriever", static_cast<std::int64_t>(share.retriever)},
                          {"rank", number_value(share.rank)},
                          {"score", share.score},
                          {"share", share.share}});
  return list;
}

RetrieverShare read_share(CallReader& reader) {
  return {reader.choice("retriever", RetrieverKind::graph),
          static_cast<std::size_t>(reader.number("rank")), reader.real("score"),
          reader.real("share")};
}

Value explanation_value(const Explanation& explanation) {
  Map map{{"retrievers", shares_value(explanation.retrievers)},
          {"fused", explanation.fused},
          {"terms", List(explanation.terms.begin(), explanation.terms.end())},
          {"factors", List(explanation.factors.begin(), explanation.factors.end())},
          {"raw", explanation.raw}};
  if (explanation.features) map.emplace("features", features_value(*explanation.features));
  return map;
}

// The features are missing if the search was not a recall.
std::shared_ptr<const Explanation> read_explanation(CallReader& reader, CallReader& hit) {
  auto explanation = std::make_shared<Explanation>();
  for (const Value& item : reader.list("retrievers")) {
    CallReader share(item);
    explanation->retrievers.push_back(read_share(share));
    hit.note(share);
  }
  explanation->fused = reader.real("fused");
  explanation->terms = reader.reals("terms");
  explanation->factors = reader.reals("factors");
  explanation->raw = reader.real("raw");
  if (reader.find("features") != nullptr) {
    CallReader features(reader.map("features"));
    explanation->features = read_features(features, hit);
  }
  hit.note(reader);
  return explanation;
}

Value passage_value(const std::vector<std::uint64_t>& passage) {
  List ids;
  for (const std::uint64_t id : passage) ids.push_back(number_value(id));
  return ids;
}

Value hit_value(const Hit& hit) {
  Map map{{"id", number_value(hit.id)}, {"score", hit.score}};
  if (hit.node) map.emplace("node", *hit.node);
  if (hit.explanation) map.emplace("explanation", explanation_value(*hit.explanation));
  if (!hit.relationships.empty())
    map.emplace("relationships", List(hit.relationships.begin(), hit.relationships.end()));
  if (!hit.passage.empty()) map.emplace("passage", passage_value(hit.passage));
  if (!hit.passage_nodes.empty())
    map.emplace("passage_nodes", List(hit.passage_nodes.begin(), hit.passage_nodes.end()));
  if (hit.left_out > 0) map.emplace("left_out", number_value(hit.left_out));
  return map;
}

// All but id and score are optional.
Hit read_hit(CallReader& reader) {
  Hit hit{reader.number("id"), reader.real("score")};
  const Value* const node = reader.find("node");
  if (node != nullptr && node->get_if<Node>() != nullptr) hit.node = node->as_node();
  if (reader.find("explanation") != nullptr) {
    CallReader explanation(reader.map("explanation"));
    hit.explanation = read_explanation(explanation, reader);
  }
  if (reader.find("relationships") != nullptr)
    for (const Value& item : reader.list("relationships"))
      if (const auto* relationship = item.get_if<Relationship>())
        hit.relationships.push_back(*relationship);
  if (reader.find("passage") != nullptr)
    for (const Value& item : reader.list("passage"))
      if (const auto* id = item.get_if<std::int64_t>())
        hit.passage.push_back(static_cast<std::uint64_t>(*id));
  if (reader.find("passage_nodes") != nullptr)
    for (const Value& item : reader.list("passage_nodes"))
      if (const auto* one = item.get_if<Node>()) hit.passage_nodes.push_back(*one);
  if (reader.find("left_out") != nullptr)
    hit.left_out = static_cast<std::size_t>(reader.number("left_out"));
  return hit;
}

}  // namespace

Value hits_value(const std::vector<Hit>& hits) {
  List list;
  for (const Hit& hit : hits) list.push_back(hit_value(hit));
  return list;
}

Result<std::vector<Hit>> read_hits(const Value& value) {
  return engine::read_items<Hit>(value, read_hit);
}

}  // namespace cairn::query
