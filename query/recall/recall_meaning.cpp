// The similarity of vectors.

#include "engine/graph/embedding_model.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

/// Maps a score to a similarity of at most 1, where 0 means "unrelated". Cosine and dot-product scores are stored
/// from 0 to 1, with 0.5 for unrelated vectors.
double similarity(codec::Metric metric, double score) {
  return metric == codec::Metric::euclidean ? score : 2 * score - 1;
}

/// Refuses a vector without an index, which would otherwise be ignored silently.
Status check_no_vector(const RecallOptions& options) {
  if (options.vector.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "`vector` is given without an index; name a vector index of nodes in "
               "`vector_index`, or leave out `vector`",
               {}};
}

}  // namespace

// Checks the arguments before the search, so that error messages name the options of recall().
Result<std::uint32_t> RecallRun::vector_index() const {
  if (!std::all_of(options_.vector.begin(), options_.vector.end(),
                   [](float component) { return std::isfinite(component); }))
    return Error{ErrorCode::invalid_argument, "`vector` has a component that is not finite", {}};
  CAIRN_ASSIGN(const auto found, find_known_index(context_, options_.vector_index));
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
      CAIRN_TRY(check_known_model(context_, index, options_.vector_model));
    if (is_of_nodes) return *found;
  }
  return Error{ErrorCode::not_found,
               "`vector_index` must name a vector index of nodes, and \"" + options_.vector_index +
                   "\" is not one; SHOW VECTOR INDEXES lists them",
               {}};
}

// Adds the dense scores by two searches: the nearest vectors of all allowed records, and the vectors of all text
// candidates. The second search is needed because sums are comparable only if every candidate has both parts. The best
// similarity of both searches gets the score `dense_weight`. Similarities of 0 or less add nothing.
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
