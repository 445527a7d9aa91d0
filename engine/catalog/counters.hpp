#pragma once
// Counters: how many records there are, and how many of them may be hidden from a reader. Exact, and
// kept with every commit, so that "nothing is hidden" costs no read.

#include "codec/keys.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::engine {

using codec::Counter;

inline constexpr std::array<Counter, 5> all_counters = {
    Counter::live, Counter::deleted, Counter::expiring, Counter::name_spaced, Counter::vectors};

[[nodiscard]] constexpr std::string_view to_string(Counter counter) noexcept {
  constexpr std::array<std::string_view, 6> names = {"",         "live",        "deleted",
                                                     "expiring", "name_spaced", "vectors"};
  return names[static_cast<std::size_t>(counter)];
}

/// Counts, or changes of counts, which may be negative.
class Counters {
 public:
  /// One count, or one change of it.
  [[nodiscard]] std::int64_t& of(Counter counter, codec::EntityKind kind) noexcept {
    return values_[slot(counter, kind)];
  }
  [[nodiscard]] std::int64_t of(Counter counter, codec::EntityKind kind) const noexcept {
    return values_[slot(counter, kind)];
  }
  void add(const Counters& change) noexcept;
  /// Put every count that `before` has otherwise.
  void put_changes(const Counters& before, StoreBatch& batch) const;
  friend bool operator==(const Counters&, const Counters&) = default;

 private:
  static constexpr std::size_t kinds = 2;
  static constexpr std::size_t slot(Counter counter, codec::EntityKind kind) noexcept {
    return (static_cast<std::size_t>(counter) - 1) * kinds + static_cast<std::size_t>(kind) - 1;
  }
  std::array<std::int64_t, all_counters.size() * kinds> values_{};
};

/// Errors: corruption.
[[nodiscard]] Result<Counters> load_counters(const RocksStore& store);

}  // namespace cairn::engine
