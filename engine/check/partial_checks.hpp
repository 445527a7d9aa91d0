#pragma once
// The parts of an integrity check, each of one kind of index.

#include "codec/container.hpp"
#include "engine/graph/graph_view.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// The property index read whole, and compared entry by entry where sums differ.

using Report = std::function<void(std::string place, std::string problem)>;
/// A posting by its name, one chunk of its ids.
using PostingVisit =
    std::function<void(std::string_view name, std::uint64_t chunk, const codec::Container& ids)>;

/// Keys and values that are damaged are reported and passed over. Errors: those of reading.
[[nodiscard]] Status for_each_posting(const RocksStore& store, const StoreSnapshot& snapshot,
                                      const Report& report, const PostingVisit& visit);

/// Report what each of the entities lacks in the index and has too much. Cost: reads the index.
[[nodiscard]] Status compare_postings(const GraphView& view, const RocksStore& store,
                                      codec::EntityKind kind, const std::vector<std::uint64_t>& ids,
                                      const Report& report);

// The check of one full-text index against its records, both ways.

/// Report every entity whose postings are not those of its texts, damaged chunks, chunks of no index,
/// and statistics that are wrong. Cost: analyses every text.
[[nodiscard]] Status check_texts(
    const GraphView& view, const RocksStore& store, std::size_t limit,
    const std::function<void(std::string place, std::string problem)>& report);

// The check of the vector indexes that snapshots get against the vectors in the store.

/// Report every index that is not loaded, lacks a member, or has more than its members.
[[nodiscard]] Status check_vectors(
    const GraphView& view,
    const std::function<void(std::string place, std::string problem)>& report);

}  // namespace cairn::engine
