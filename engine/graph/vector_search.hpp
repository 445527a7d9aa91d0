#pragma once
// Nearest neighbours as a view sees them: a published state, and over it what a transaction changed.

#include "engine/graph/vector_members.hpp"
#include "engine/transaction/write_set.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <span>
#include <vector>

namespace cairn::engine {

struct VectorQuery;

/// What a search needs; `write_set` may be null.
struct VectorSources {
  const codec::IndexEntry& index;
  const VectorState& state;
  const RecordReader& records;
  const PostingReader& postings;
  const WriteSet* write_set = nullptr;
};

/// All of `queries` have the same `allowed`.
[[nodiscard]] Result<std::vector<Neighbors>> search_vectors(const VectorSources& sources,
                                                            std::span<const VectorQuery> queries);

/// The members of the published state that the transaction did not touch. Cost: a pass over their ids.
[[nodiscard]] codec::Bitmap untouched_members(const VectorSources& sources);

}  // namespace cairn::engine
