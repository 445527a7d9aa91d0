// The features of groups, boosts and marked features.
//
// They change the scores of candidates that the steps before have found.

#include "query/recall/recall_features.hpp"

#include "engine/fulltext/text_features.hpp"
#include "query/execute/filter/filter_ids.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Upper bound of a boost. The lower bound is -1, because smaller weights would make scores negative.
constexpr double most_weight = 1'000;

/// The group of a candidate on the level that is added.
struct RecordGroup {
  std::uint64_t id = 0;
  std::string name = {};   ///< values of the properties up to this level; empty: in no group
  bool is_new = false;     ///< true if the last level that added scores had a shorter name
  std::size_t levels = 0;  ///< number of levels that have added scores to the record
};

// Adds the scores of the groups of one level, if there are more groups than the `broader` groups of the previous level.
// Returns the greater number.
//
// The score of a group is that of its best text, relative to the best group. A single group cannot distinguish records
// and is ignored, and so are groups that equal those of the previous level. A record without a name is in no group. A
// record without the properties of this level is not on this level: so a turn with a session counts as often as a part
// with a document.
std::size_t add_level(std::vector<RecordGroup>& records, double weight, std::size_t broader,
                      Candidates& candidates) {
  std::map<std::string, double> worth;
  double best = 0;
  for (const RecordGroup& record : records) {
    if (record.name.empty()) continue;
    double& group = worth[record.name];
    group = std::max(group, candidates.at(record.id).text);
    best = std::max(best, group);
  }
  if (best == 0 || worth.size() <= broader) return broader;
  for (RecordGroup& record : records) {
    if (!std::exchange(record.is_new, false)) continue;
    candidates.at(record.id).group += weight * worth[record.name] / best;
    candidates.levels = std::max(candidates.levels, ++record.levels);
  }
  return worth.size();
}

}  // namespace

// Level n groups by the first n properties, such as conversation, then session.
Status add_groups(ExecutionContext& context, const std::vector<std::string>& properties,
                  double weight, Candidates& candidates) {
  const std::vector<std::uint64_t> ids = candidates.ids().to_vector();
  std::vector<RecordGroup> records;
  for (const std::uint64_t id : ids) records.push_back({id});
  std::size_t groups = 1;
  for (const std::string& property : properties) {
    if (!context.graph.view().catalog().find_property(property)) continue;
    CAIRN_ASSIGN(const auto values,
                 context.graph.properties(codec::EntityKind::node, ids, property));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (values[i].is_null()) continue;
      records[i].name += property + "=" + values[i].to_text() + "\n";
      records[i].is_new = true;
    }
    groups = add_level(records, weight, groups, candidates);
  }
  return {};
}

// The filter of each boost is evaluated once, to a set of ids.
Result<std::vector<BoostedRecords>> boosted_records(ExecutionContext& context,
                                                    const std::vector<RecallBoost>& boosts) {
  std::vector<BoostedRecords> boosted;
  for (const RecallBoost& boost : boosts) {
    if (!(boost.weight >= -1 && boost.weight <= most_weight))
      return Error{
          ErrorCode::invalid_argument, "the weight of a boost must be from -1 to 1000", {}};
    CAIRN_TRY(validate(boost.filter));
    CAIRN_ASSIGN(codec::Bitmap ids, filter_ids(context, boost.filter));
    boosted.push_back({std::move(ids), boost.weight});
  }
  return boosted;
}

// One search of the index for each feature.
Result<std::vector<BoostedRecords>> marked_records(const RecallSearch& search,
                                                   std::string_view question,
                                                   const codec::Bitmap& among, double weight) {
  std::vector<BoostedRecords> marked;
  CAIRN_ASSIGN(const engine::TextFeatures asked, engine::features_asked(question, search.work()));
  for (const std::string_view name : asked.names()) {
    CAIRN_ASSIGN(codec::Bitmap with_feature, search.with_feature(name, among));
    marked.push_back({std::move(with_feature), weight});
  }
  return marked;
}

}  // namespace cairn::query
