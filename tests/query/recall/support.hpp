#pragma once
// A few texts and what recall makes of them, each hit as one short text.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/recall.hpp>

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::test {

/// Text alone: a case switches on the feature that it is about.
inline RecallFeatures no_features() {
  RecallFeatures features;
  features.propagation_weight = features.group_weight = features.entity_weight =
      features.author_weight = features.date_weight = features.feedback_weight = 0;
  features.feedback_length = features.feedback_clarity = 0;
  return features;
}

struct Recalling {
  Recalling() {
    run_all(*database, {"CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content]"});
    options.features = no_features();
  }

  void add(const std::string& statement) { run_all(*database, {statement}); }
  [[nodiscard]] std::vector<Hit> hits(std::string_view question) {
    return must(recall(must(database->snapshot()), question, options, statement_options));
  }
  [[nodiscard]] Error error(std::string_view question) {
    const auto found = recall(must(database->snapshot()), question, options, statement_options);
    return found ? Error{ErrorCode::corruption, "no error", {}} : found.error();
  }
  [[nodiscard]] std::string name(std::uint64_t id) {
    const std::string quoted = result_of(*database, "MATCH (m) WHERE id(m) = $id RETURN m.name",
                                         {{"id", static_cast<std::int64_t>(id)}});
    return quoted.size() > 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
  }
  /// What the features gave, before it becomes a share of the whole.
  [[nodiscard]] static FeatureScores parts_of(const Hit& hit) {
    return hit.explanation->features.value();
  }

  [[nodiscard]] static double raw(const Hit& hit) {
    const FeatureScores part = parts_of(hit);
    return (part.text + part.dense + part.propagation + part.group) * part.named * part.rules;
  }
  /// "a 1.5; b 1": names and raw scores, best first.
  [[nodiscard]] std::string scores(std::string_view question) {
    std::ostringstream out;
    for (const Hit& hit : hits(question))
      out << (out.tellp() > 0 ? "; " : "") << name(hit.id) << ' ' << raw(hit);
    return out.str();
  }

  TemporaryDatabase database;
  RecallOptions options;
  StatementOptions statement_options;
};

// Two conversations of five records, created in another order than that of their turns.
struct Turns : Recalling {
  Turns() {
    add("UNWIND [3, 1, 5, 2, 4] AS t UNWIND ['x', 'y'] AS c CREATE (:Memory {name: c + t, "
        "conversation: c, turn: t, content: CASE c + t WHEN 'x3' THEN 'green tea' WHEN 'y1' THEN "
        "'black tea' ELSE 'well ' + t END})");
    options.features.propagation_weight = 0.5;
  }
  /// "x3: x2 x3 x4; ...": the passages of the hits.
  std::string passages(std::string_view question) {
    std::string all;
    for (const Hit& hit : hits(question)) {
      all += (all.empty() ? "" : "; ") + name(hit.id) + ":";
      for (const std::uint64_t id : hit.passage) all += " " + name(id);
    }
    return all;
  }
};

}  // namespace cairn::test
