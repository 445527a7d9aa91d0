// The public call: which index is meant, and the clock.

#include "engine/database/access.hpp"
#include "engine/view/view.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/row_loader.hpp"
#include "query/recall/recall_run.hpp"
#include "query/recall/recall_within.hpp"

#include <cairn/recall.hpp>

#include <chrono>
#include <utility>

namespace cairn {
namespace {

bool is_candidate(const codec::IndexEntry& index) {
  return index.kind == codec::IndexKind::full_text && index.entity == codec::EntityKind::node;
}

/// The one that is named, or the only one.
Result<std::uint32_t> find_index(const engine::Catalog& catalog, const std::string& name) {
  std::optional<std::uint32_t> found;
  for (const auto& [id, index] : catalog.indexes()) {
    if (!is_candidate(index) || (!name.empty() && index.name != name)) continue;
    if (found)
      return Error{ErrorCode::invalid_argument,
                   "there are several full-text indexes of nodes; name one in `index`",
                   {}};
    found = id;
  }
  if (found) return *found;
  return Error{ErrorCode::not_found,
               name.empty()
                   ? "there is no full-text index of nodes; make one with CREATE FULLTEXT INDEX"
                   : "there is no full-text index of nodes \"" + name + "\"",
               {}};
}

/// The records of the hits, in one read. What they take counts as the statement's memory.
Status add_records(query::ExecutionContext& context, std::vector<RecallHit>& hits) {
  std::vector<std::uint64_t> ids;
  for (const RecallHit& hit : hits) ids.push_back(hit.id);
  CAIRN_ASSIGN(auto nodes, context.graph.view().load_nodes(ids));
  for (std::size_t i = 0; i < hits.size(); ++i) {
    hits[i].record = std::move(nodes[i]);
    if (hits[i].record)
      CAIRN_TRY(context.budget.charge(query::entity_bytes(Value(*hits[i].record))));
  }
  return {};
}

}  // namespace

// The filter to ids first; all steps of the run are over these.
Result<std::vector<RecallHit>> query::recall_within(ExecutionContext& context,
                                                    std::string_view question,
                                                    const RecallOptions& options) {
  CAIRN_ASSIGN(const std::uint32_t index, find_index(context.graph.catalog(), options.index));
  CAIRN_TRY(validate(options.filter));
  CAIRN_ASSIGN(codec::Bitmap allowed, filter_ids(context, options.filter));
  return RecallRun(context, index, options, std::move(allowed)).run(question);
}

// In a context of its own: limits and clock are those of the statement options.
Result<std::vector<RecallHit>> recall(const Snapshot& snapshot, std::string_view question,
                                      const RecallOptions& options,
                                      const StatementOptions& statement_options) {
  using std::chrono::microseconds;
  const auto view = Access::view(snapshot);
  const auto clock = std::chrono::system_clock::now().time_since_epoch();
  const auto now = std::chrono::duration_cast<microseconds>(clock).count();
  const Parameters parameters;
  query::ExecutionContext context(*view, nullptr, parameters, statement_options,
                                  statement_options.now.value_or(now));
  CAIRN_ASSIGN(auto hits, query::recall_within(context, question, options));
  if (options.with_records) CAIRN_TRY(add_records(context, hits));
  return hits;
}

}  // namespace cairn
