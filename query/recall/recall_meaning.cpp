// The similarity of vectors.

#include "engine/graph/embedding_model.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/recall/recall_features.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

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

// Checks the arguments before the search, so that error messages name the options of recall().
Result<std::uint32_t> vector_index(ExecutionContext& context, const RecallOptions& options) {
  if (!std::all_of(options.vector.begin(), options.vector.end(),
                   [](float component) { return std::isfinite(component); }))
    return Error{ErrorCode::invalid_argument, "`vector` has a component that is not finite", {}};
  CAIRN_ASSIGN(const auto found, find_known_index(context, options.vector_index));
  if (found) {
    const codec::IndexEntry& index = context.graph.view().catalog().indexes().at(*found);
    const bool is_of_nodes =
        index.kind == codec::IndexKind::vector && index.entity == codec::EntityKind::node;
    if (is_of_nodes && index.dimension != options.vector.size())
      return Error{ErrorCode::invalid_argument,
                   "`vector` has " + std::to_string(options.vector.size()) +
                       " components, the index \"" + options.vector_index + "\" has " +
                       std::to_string(index.dimension),
                   {}};
    if (is_of_nodes && !options.vector_model.empty())
      CAIRN_TRY(check_known_model(context, index, options.vector_model));
    if (is_of_nodes) return *found;
  }
  return Error{ErrorCode::not_found,
               "`vector_index` must name a vector index of nodes, and \"" + options.vector_index +
                   "\" is not one; SHOW VECTOR INDEXES lists them",
               {}};
}

}  // namespace

// Two searches: the nearest vectors of all members, and the vectors of all texts. The second search is needed because sums
// are comparable only if every candidate has both parts.
Result<NearRecords> near_records(ExecutionContext& context, const RecallOptions& options,
                                 const codec::Bitmap& members,
                                 const std::vector<std::uint64_t>& texts) {
  NearRecords near;
  if (options.vector_index.empty()) {
    CAIRN_TRY(check_no_vector(options));
    return near;
  }
  CAIRN_ASSIGN(const std::uint32_t index, vector_index(context, options));
  if (options.features.dense_weight == 0) return near;
  const engine::View& view = context.graph.view();
  const codec::Metric metric = view.catalog().indexes().at(index).metric;
  const codec::Bitmap with_text = codec::Bitmap::from_unsorted(texts);
  for (const codec::Bitmap* const allowed : {&members, &with_text}) {
    engine::VectorQuery query;
    query.query = options.vector;
    query.k = allowed == &with_text ? texts.size() : std::max(recall_candidates, options.limit);
    query.allowed = allowed;
    if (query.k == 0) continue;
    CAIRN_ASSIGN(const auto found, view.nearest(index, query));
    CAIRN_TRY(context.budget.step(1 + found.hits.size()));
    for (const engine::Neighbor& hit : found.hits)
      near.best = std::max(near.best, near.similarities[hit.id] = similarity(metric, hit.score));
  }
  return near;
}

}  // namespace cairn::query
