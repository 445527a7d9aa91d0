// What the vectors of records are worth beside their texts.

#include "engine/graph/embedding_model.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace cairn::query {
namespace {

/// From -1 or 0 to 1. Scores of angles and products are laid between 0 and 1: half of that says nothing.
double similarity(codec::Metric metric, double score) {
  return metric == codec::Metric::euclidean ? score : 2 * score - 1;
}

/// A vector that nothing is compared with would seem to take part.
Status check_no_vector(const RecallOptions& options) {
  if (options.vector.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "`vector` has no index to be compared with; name the vector index of nodes in "
               "`vector_index`, or leave out `vector`",
               {}};
}

}  // namespace

// Checked before the search, so that messages name the options of recall and not those of a search.
Result<std::uint32_t> RecallRun::vector_index() const {
  if (!std::all_of(options_.vector.begin(), options_.vector.end(),
                   [](float component) { return std::isfinite(component); }))
    return Error{ErrorCode::invalid_argument, "`vector` has a component that is not finite", {}};
  const auto found = view_.catalog().find_index(options_.vector_index);
  if (found) {
    const codec::IndexEntry& index = view_.catalog().indexes().at(*found);
    const bool is_of_nodes =
        index.kind == codec::IndexKind::vector && index.entity == codec::EntityKind::node;
    if (is_of_nodes && index.dimension != options_.vector.size())
      return Error{ErrorCode::invalid_argument,
                   "`vector` has " + std::to_string(options_.vector.size()) +
                       " components, the index \"" + options_.vector_index + "\" has " +
                       std::to_string(index.dimension),
                   {}};
    if (is_of_nodes && !options_.vector_model.empty())
      CAIRN_TRY(engine::check_model(index, options_.vector_model));
    if (is_of_nodes) return *found;
  }
  return Error{ErrorCode::not_found,
               "there is no vector index of nodes \"" + options_.vector_index +
                   "\"; `vector_index` names it",
               {}};
}

// The nearest of all, and how near the best texts are: a sum needs both parts of each record.
// Two searches: the nearest of all that may be found, and the nearness of every text candidate. The
// best of both counts `dense_weight`; what points away counts nothing.
Status RecallRun::add_meaning() {
  const double weight = options_.features.dense_weight;
  if (options_.vector_index.empty()) return check_no_vector(options_);
  CAIRN_ASSIGN(const std::uint32_t index, vector_index());
  if (weight == 0) return {};
  const codec::Metric metric = view_.catalog().indexes().at(index).metric;
  const codec::Bitmap texts = codec::Bitmap::from_unsorted(by_text_);
  std::map<std::uint64_t, double> near;
  double best = 0;
  for (const codec::Bitmap* const allowed : {&std::as_const(members_), &texts}) {
    engine::VectorQuery query;
    query.query = options_.vector;
    query.k = allowed == &texts ? by_text_.size() : std::max(recall_candidates, options_.limit);
    query.allowed = allowed;
    if (query.k == 0) continue;
    CAIRN_ASSIGN(const auto found, view_.nearest(index, query));
    CAIRN_TRY(context_.budget.step(1 + found.hits.size()));
    for (const engine::Neighbor& hit : found.hits)
      best = std::max(best, near[hit.id] = similarity(metric, hit.score));
  }
  nearest_ = best;
  for (const auto& [id, nearness] : near) {
    if (nearness <= 0) continue;
    RankedRecord& hit = hits_[id];
    hit.id = id;
    hit.dense = weight * nearness / best;
  }
  return {};
}

}  // namespace cairn::query
