#pragma once
// OperandCounter: how many changes of a posting chunk lie unfolded in the store, so that a value
// which every commit changes stays cheap to read. After 64 the committer writes the whole chunk.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Counts since the database was opened; what a flush or compaction folded meanwhile counts on, which
/// costs an early fold and nothing else. So many keys in turn fill a write buffer before any of them
/// collects many changes, and the flush folds them: cold ones make room. Cost: one cache line a call.
class OperandCounter {
 public:
  static constexpr std::uint8_t max_operands = 64;

  /// One more change of this index key. True where the key shall be folded now; counts from zero then.
  bool add(std::string_view key);

 private:
  // Keys by hash: two keys that share one are folded a little more often.
  struct Count {
    std::uint32_t key = 0;
    std::uint32_t changes = 0;  // 0: nobody's
  };
  using Set = std::array<Count, 4>;
  static constexpr std::size_t sets = std::size_t{1} << 15;

  std::vector<Set> sets_;  // none before the first change; a key has its place in one of them
};

}  // namespace cairn::engine
