// Encodes vector searches and their results as values, for messages between processes.
#include "query/calls/forwarded_search.hpp"

#include <utility>

namespace cairn::query {

using engine::CallReader;
using engine::number_value;

Map search_map(std::string_view index, const std::vector<VectorQuestion>& questions,
               const VectorSearchOptions& options) {
  List asked;
  for (const VectorQuestion& question : questions)
    asked.emplace_back(
        Map{{"vector", Vector(question.vector)}, {"ef_search", number_value(question.ef_search)}});
  Map map{{"index", index},
          {"questions", std::move(asked)},
          {"k", number_value(options.k)},
          {"ef_search", number_value(options.ef_search)},
          {"filter", to_value(options.filter)},
          {"model", options.model}};
  if (options.accuracy) map.emplace("accuracy", static_cast<std::int64_t>(*options.accuracy));
  if (options.within) map.emplace("within", *options.within);
  if (options.min_score) map.emplace("min_score", *options.min_score);
  if (options.allowed_ids) {
    List ids;
    for (const std::uint64_t id : *options.allowed_ids) ids.push_back(number_value(id));
    map.emplace("allowed_ids", std::move(ids));
  }
  return map;
}

// The host's side. Optional members are absent if they are not set.
Result<ForwardedSearch> read_search(CallReader& reader) {
  ForwardedSearch search{reader.text("index"), {}, {}, reader.text("model")};
  for (const Value& item : reader.list("questions")) {
    CallReader question(item);
    search.questions.push_back(
        {question.components("vector"), static_cast<std::size_t>(question.number("ef_search"))});
    CAIRN_TRY(question.check());
  }
  VectorSearchOptions& options = search.options;
  options.k = static_cast<std::size_t>(reader.number("k"));
  options.ef_search = static_cast<std::size_t>(reader.number("ef_search"));
  if (reader.find("accuracy") != nullptr)
    options.accuracy = reader.choice("accuracy", VectorAccuracy::exact);
  if (reader.find("within") != nullptr) options.within = reader.real("within");
  if (reader.find("min_score") != nullptr) options.min_score = reader.real("min_score");
  if (reader.find("allowed_ids") != nullptr) {
    options.allowed_ids.emplace();
    for (const Value& id : reader.list("allowed_ids"))
      if (const auto* number = id.get_if<std::int64_t>())
        options.allowed_ids->push_back(static_cast<std::uint64_t>(*number));
  }
  if (const Value* filter = reader.find("filter")) {
    CAIRN_ASSIGN(options.filter, filter_from(*filter));
  }
  CAIRN_TRY(reader.check());
  return search;
}

// Ids and scores are two parallel lists.
Value vector_hits_value(const std::vector<VectorHits>& found) {
  List list;
  for (const VectorHits& hits : found) {
    List ids;
    List scores;
    for (const Hit& hit : hits.hits) {
      ids.push_back(number_value(hit.id));
      scores.emplace_back(hit.score);
    }
    list.emplace_back(Map{{"ids", std::move(ids)},
                          {"scores", std::move(scores)},
                          {"executor", std::string(to_string(hits.executor))}});
  }
  return list;
}

Result<std::vector<VectorHits>> read_vector_hits(const Value& value) {
  return engine::read_items<VectorHits>(value, [](CallReader& reader) {
    VectorHits hits;
    hits.executor = reader.named("executor", VectorExecutor::graph_by_hnswlib);
    const List& ids = reader.list("ids");
    const List& scores = reader.list("scores");
    for (std::size_t i = 0; i < ids.size() && i < scores.size(); ++i) {
      const auto* id = ids[i].get_if<std::int64_t>();
      const auto* score = scores[i].get_if<double>();
      if (id != nullptr && score != nullptr)
        hits.hits.push_back(Hit{static_cast<std::uint64_t>(*id), *score});
    }
    return hits;
  });
}

}  // namespace cairn::query
