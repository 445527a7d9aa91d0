// A transaction's nearest neighbours are those of the published state without the entities that it
// touched, and those of the touched ones as they are now, searched exactly:
//
// published state, allowed less touched   --k best-->
//                                                       merged, k best
// touched, a small index of their own     --k best-->
//
// Right whatever the transaction did: an entity is in one of the two and never in both. Cost beside
// the search: a vector read for each touched entity, at every search.
#include "engine/graph/vector_search.hpp"

#include "engine/view/view.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

VectorSearch to_search(const VectorQuery& query) {
  return {query.query,     query.k,       query.exact,
          query.ef_search, query.allowed, query.recall.value_or(Accuracy::standard),
          query.min_score, query.within};
}

std::vector<VectorSearch> to_searches(std::span<const VectorQuery> queries,
                                      const codec::Bitmap* allowed) {
  std::vector<VectorSearch> searches;
  for (const VectorQuery& query : queries) {
    searches.push_back(to_search(query));
    searches.back().allowed = allowed;
  }
  return searches;
}

/// Entities whose place in the index the transaction may have changed.
codec::Bitmap touched_ids(const VectorSources& sources) {
  std::vector<std::uint64_t> ids;
  for (const auto& [kind, id] : sources.write_set->vector_entities()) {
    if (kind == sources.index.entity) ids.push_back(id);
  }
  return codec::Bitmap::from_sorted(ids);
}

/// An index of the touched entities alone, searched exactly.
Result<std::vector<Neighbors>> search_touched(const VectorSources& sources,
                                              const VectorMembers& members,
                                              const codec::Bitmap& touched,
                                              std::span<const VectorQuery> queries) {
  const codec::Bitmap* allowed = queries.front().allowed;
  std::vector<VectorChange> changes;
  for (const std::uint64_t id : touched.to_vector()) {
    if (allowed != nullptr && !allowed->contains(id)) continue;
    CAIRN_ASSIGN(auto vector, members.find(id));
    if (vector) changes.push_back({id, std::move(vector)});
  }
  CAIRN_ASSIGN(const auto own, VectorIndex::make(vector_options(sources.index, 1)));
  own->apply(changes, 1);
  std::vector<VectorSearch> searches = to_searches(queries, nullptr);
  for (VectorSearch& search : searches) search.exact = true;
  return own->state()->search_all(searches);
}

/// Both lists are best first; ties go to the smaller id, as in a search of one state.
void merge(Neighbors& into, const Neighbors& from, std::size_t k) {
  into.hits.insert(into.hits.end(), from.hits.begin(), from.hits.end());
  std::sort(into.hits.begin(), into.hits.end(), [](const Neighbor& a, const Neighbor& b) {
    // Scores of both halves are in double precision and by the same formula, so they compare.
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  if (into.hits.size() > k) into.hits.resize(k);
}

}  // namespace

Result<std::vector<Neighbors>> search_vectors(const VectorSources& sources,
                                              std::span<const VectorQuery> queries) {
  if (queries.empty()) return std::vector<Neighbors>();
  const codec::Bitmap* allowed = queries.front().allowed;
  const codec::Bitmap touched =
      sources.write_set == nullptr ? codec::Bitmap() : touched_ids(sources);
  if (touched.empty()) return sources.state.search_all(to_searches(queries, allowed));
  CAIRN_ASSIGN(const VectorMembers members,
               VectorMembers::of(sources.index, sources.records, sources.postings));
  // Without a filter, "all" is what the transaction's labels say: members that it removed from the
  // label are touched, and those it added too.
  // The published state answers for all others; of the touched ones it knows the old vectors.
  const codec::Bitmap untouched =
      codec::subtract(allowed != nullptr ? *allowed : members.grouped(), touched);
  CAIRN_ASSIGN(auto found, sources.state.search_all(to_searches(queries, &untouched)));
  CAIRN_ASSIGN(const auto own, search_touched(sources, members, touched, queries));
  for (std::size_t i = 0; i < found.size(); ++i) merge(found[i], own[i], queries[i].k);
  return found;
}

codec::Bitmap untouched_members(const VectorSources& sources) {
  codec::Bitmap members = sources.state.entities();
  return sources.write_set == nullptr ? members : codec::subtract(members, touched_ids(sources));
}

}  // namespace cairn::engine
