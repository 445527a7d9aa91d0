#pragma once
// The property index read whole, and compared entry by entry where sums differ.

#include "codec/container.hpp"
#include "engine/graph/graph_view.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

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

}  // namespace cairn::engine
