#include "query/memory_calls/results.hpp"

#include <string>
#include <utility>

namespace cairn::query {

Value ids_value(const std::vector<NodeId>& ids) {
  List list;
  for (const NodeId id : ids) list.push_back(count_value(id.value));
  return list;
}

Value record_value(const memory::Record& record) {
  const Value external = record.external_id.empty() ? Value() : Value(record.external_id);
  return Map{{"id", count_value(record.id.value)},
             {"external_id", external},
             {"kind", record.kind},
             {"content", record.content},
             {"metadata", record.metadata},
             {"is_deleted", record.is_deleted}};
}

Value records_value(const std::vector<Node>& nodes) {
  List records;
  for (const Node& node : nodes) records.push_back(record_value(memory::record_of(node)));
  return records;
}

namespace {

Value features_value(const FeatureScores& scores) {
  return Map{{"text", scores.text},   {"propagation", scores.propagation},
             {"group", scores.group}, {"dense", scores.dense},
             {"named", scores.named}, {"rules", scores.rules},
             {"whole", scores.whole}};
}

}  // namespace

// null for a hit without an explanation.
Value breakdown_value(const Hit& hit) {
  if (hit.explanation == nullptr) return {};
  const Explanation& explanation = *hit.explanation;
  List retrievers;
  for (const RetrieverShare& one : explanation.retrievers)
    retrievers.push_back(Map{{"retriever", std::string(to_string(one.retriever))},
                             {"rank", count_value(one.rank)},
                             {"score", one.score},
                             {"share", one.share}});
  const Value features = explanation.features ? features_value(*explanation.features) : Value();
  return Map{{"raw", explanation.raw}, {"retrievers", retrievers}, {"features", features}};
}

std::vector<Value> page_row(memory::Page&& page) {
  List records;
  for (memory::Record& record : page.records) {
    records.push_back(record_value(record));
    record = {};
  }
  return {std::move(records), count_value(page.total), page.has_next_page};
}

}  // namespace cairn::query
