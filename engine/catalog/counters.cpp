// Exact counts beside the records, written with the commit that changes them. They answer "is
// anything hidden?" without a read, which decides whether a statement needs the visible set at all.
// As values and not as merges: the turn makes each commit's counts known before it is written.
#include "engine/catalog/counters.hpp"

#include "codec/byte_io.hpp"

namespace cairn::engine {
namespace {

constexpr codec::EntityKind both_kinds[] = {codec::EntityKind::node,
                                            codec::EntityKind::relationship};

std::string counter_key(Counter counter, codec::EntityKind kind) {
  return codec::stats_key({counter, kind, 0});
}

}  // namespace

void Counters::add(const Counters& change) noexcept {
  // Slot by slot: both sides lay their counts out alike.
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += change.values_[i];
}

// A count that went back to zero is written as zero, not erased: absent and zero read alike.
void Counters::put_changes(const Counters& before, StoreBatch& batch) const {
  for (const Counter counter : all_counters) {
    for (const codec::EntityKind kind : both_kinds) {
      if (of(counter, kind) == before.of(counter, kind)) continue;
      std::string value;
      codec::append_big(value, static_cast<std::uint64_t>(of(counter, kind)));
      batch.put(Family::stats, counter_key(counter, kind), value);
    }
  }
}

Result<Counters> load_counters(const RocksStore& store) {
  Counters counters;
  for (const Counter counter : all_counters) {
    for (const codec::EntityKind kind : both_kinds) {
      CAIRN_ASSIGN(const auto bytes, store.get(Family::stats, counter_key(counter, kind), nullptr));
      if (!bytes) continue;
      // Two's complement in big-endian bytes, without the flip of keys: a value is not sorted.
      codec::ByteCursor cursor(*bytes);
      counters.of(counter, kind) = static_cast<std::int64_t>(cursor.read_big<std::uint64_t>());
      if (!cursor.finished()) return codec::corruption("a counter in family stats is damaged");
    }
  }
  return counters;
}

}  // namespace cairn::engine
