// Converts the arguments of recall() to a map and back, for an attached or remote process. recall_map() and
// read_recall() must use the same keys, so change them together.
#include "query/recall/forwarded_recall.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace cairn::query {

using engine::CallReader;
using engine::number_value;
using engine::text_list;

namespace {

// The weights of RecallFeatures by name. The other features are converted one by one.
struct Weight {
  const char* name;
  double RecallFeatures::* member;
};
constexpr Weight weights[] = {{"propagation_weight", &RecallFeatures::propagation_weight},
                              {"group_weight", &RecallFeatures::group_weight},
                              {"entity_weight", &RecallFeatures::entity_weight},
                              {"author_weight", &RecallFeatures::author_weight},
                              {"date_weight", &RecallFeatures::date_weight},
                              {"feedback_weight", &RecallFeatures::feedback_weight},
                              {"feedback_length", &RecallFeatures::feedback_length},
                              {"feedback_clarity", &RecallFeatures::feedback_clarity},
                              {"dense_weight", &RecallFeatures::dense_weight},
                              {"expansion_weight", &RecallFeatures::expansion_weight},
                              {"feature_weight", &RecallFeatures::feature_weight},
                              {"diversity", &RecallFeatures::diversity}};

Value features_value(const RecallFeatures& features) {
  Map map{{"corrects_spelling", features.corrects_spelling},
          {"joins_forms", features.joins_forms},
          {"hops", number_value(features.hops)},
          {"relationship_types", text_list(features.relationship_types)},
          {"group_properties", text_list(features.group_properties)},
          {"order_properties", text_list(features.order_properties)},
          {"author_properties", text_list(features.author_properties)}};
  for (const Weight& weight : weights) map.emplace(weight.name, features.*weight.member);
  return map;
}

Result<RecallFeatures> read_features(const Map& map) {
  CallReader reader(map);
  RecallFeatures features;
  for (const Weight& weight : weights) features.*weight.member = reader.real(weight.name);
  features.corrects_spelling = reader.boolean("corrects_spelling");
  if (reader.find("joins_forms") != nullptr) features.joins_forms = reader.boolean("joins_forms");
  features.hops = static_cast<std::size_t>(reader.number("hops"));
  features.relationship_types = reader.texts("relationship_types");
  features.group_properties = reader.texts("group_properties");
  features.order_properties = reader.texts("order_properties");
  features.author_properties = reader.texts("author_properties");
  CAIRN_TRY(reader.check());
  return features;
}

/// Reranks by scores that another process has computed for the first hits.
RecallReranking order_by(std::vector<double> scores) {
  RecallReranking rerank;
  rerank.hits = scores.size();
  rerank.batch = std::max<std::size_t>(scores.size(), 1);
  rerank.score = [scores = std::move(scores)](std::string_view, std::span<const std::string>) {
    return Result<std::vector<double>>(scores);
  };
  return rerank;
}

}  // namespace

Map recall_map(std::string_view question, const RecallOptions& options) {
  List boosts;
  for (const RecallBoost& boost : options.boosts)
    boosts.emplace_back(Map{{"filter", to_value(boost.filter)}, {"weight", boost.weight}});
  List words;
  for (const RecallWord& word : options.expansion)
    words.emplace_back(Map{{"word", word.word}, {"share", word.share}});
  return {{"question", question},
          {"index", options.index},
          {"limit", number_value(options.limit)},
          {"filter", to_value(options.filter)},
          {"features", features_value(options.features)},
          {"vector_index", options.vector_index},
          {"vector", Vector(options.vector)},
          {"vector_model", options.vector_model},
          {"boosts", std::move(boosts)},
          {"expansion", std::move(words)},
          {"with_nodes", options.with_nodes},
          {"context", number_value(options.context)},
          {"expand", static_cast<std::int64_t>(options.expand)},
          {"max_tokens", number_value(options.max_tokens)}};
}

Result<RecallOptions> read_recall(CallReader& reader) {
  RecallOptions options;
  options.index = reader.text("index");
  options.limit = static_cast<std::size_t>(reader.number("limit"));
  options.vector_index = reader.text("vector_index");
  options.vector_model = reader.text("vector_model");
  options.with_nodes = reader.boolean("with_nodes");
  options.context = static_cast<std::size_t>(reader.number("context"));
  if (reader.find("expand") != nullptr)
    options.expand = reader.choice("expand", PassageExtent::session);
  if (reader.find("max_tokens") != nullptr)
    options.max_tokens = static_cast<std::size_t>(reader.number("max_tokens"));
  options.vector = reader.components("vector");
  CAIRN_ASSIGN(options.features, read_features(reader.map("features")));
  if (const Value* filter = reader.find("filter")) {
    CAIRN_ASSIGN(options.filter, filter_from(*filter));
  }
  for (const Value& item : reader.list("boosts")) {
    CallReader boost(item);
    const Value* const filter = boost.find("filter");
    CAIRN_ASSIGN(Filter passes, filter_from(filter == nullptr ? Value() : *filter));
    options.boosts.push_back({std::move(passes), boost.real("weight")});
    reader.note(boost);
  }
  for (const Value& item : reader.list("expansion")) {
    CallReader word(item);
    options.expansion.push_back({word.text("word"), word.real("share")});
    reader.note(word);
  }
  if (reader.find("rerank_scores") != nullptr)
    options.rerank = order_by(reader.reals("rerank_scores"));
  CAIRN_TRY(reader.check());
  return options;
}

// The scorer ends the recall with an error once it has the texts.
Result<Value> recalled_texts(const Snapshot& snapshot, CallReader& arguments,
                             const StatementOptions& statement_options) {
  const std::string question = arguments.text("question");
  const auto hits = static_cast<std::size_t>(arguments.number("rerank_hits"));
  CAIRN_ASSIGN(RecallOptions options, read_recall(arguments));
  List texts;
  options.with_nodes = false;
  options.rerank.hits = hits;
  options.rerank.batch = std::max<std::size_t>(hits, 1);
  options.rerank.score = [&texts](std::string_view, std::span<const std::string> found) {
    texts.assign(found.begin(), found.end());
    return Result<std::vector<double>>(
        Error{ErrorCode::cancelled, "the texts of the hits are known", {}});
  };
  const auto found = recall(snapshot, question, options, statement_options);
  if (!found && texts.empty()) return found.error();
  return Value(std::move(texts));
}

Result<std::vector<std::string>> read_recalled_texts(const Value& texts) {
  const Map only{{"texts", texts}};
  CallReader reader(only);
  auto read = reader.texts("texts");
  CAIRN_TRY(reader.check());
  return read;
}

}  // namespace cairn::query
