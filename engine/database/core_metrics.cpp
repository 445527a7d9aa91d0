// Core::metrics(): the counters of telemetry, and gauges of the current size of the database.
#include "engine/database/core.hpp"

#include <cairn/metrics.hpp>

namespace cairn::engine {

Metrics Core::metrics() {
  using codec::EntityKind;
  const StatePtr now = state();
  Metrics metrics = telemetry_->metrics();
  const auto counter = [&](const char* name, const char* help, std::uint64_t count) {
    metrics.values.push_back({name, help, static_cast<double>(count), false});
  };
  const auto gauge = [&](const char* name, const char* help, double value) {
    metrics.values.push_back({name, help, value, true});
  };
  const auto count = [&](Counter kept, EntityKind kind) {
    return static_cast<double>(now->counters.of(kept, kind));
  };
  counter("cairn_posting_cache_hits_total", "Bitmaps that were found in the posting cache.",
          cache_.hits());
  counter("cairn_posting_cache_misses_total", "Bitmaps that were read from the store.",
          cache_.misses());
  gauge("cairn_commit_number", "The number of the newest commit.",
        static_cast<double>(now->commit));
  gauge("cairn_nodes", "Nodes, including hidden ones.", count(Counter::live, EntityKind::node));
  gauge("cairn_relationships", "Relationships, including hidden ones.",
        count(Counter::live, EntityKind::relationship));
  gauge("cairn_vectors", "Properties that are vectors.",
        count(Counter::vectors, EntityKind::node) +
            count(Counter::vectors, EntityKind::relationship));
  gauge("cairn_memory_bytes", "Caches, write buffers and vector indexes.",
        static_cast<double>(memory_bytes(*now)));
  gauge("cairn_writers_waiting", "Writing transactions that wait for the writer lock now.",
        static_cast<double>(turn_.waiting()));
  return metrics;
}

}  // namespace cairn::engine
