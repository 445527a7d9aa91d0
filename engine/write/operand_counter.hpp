#pragma once
// OperandCounter: how many changes of a posting chunk lie unfolded in the store, so that a value
// which every commit changes stays cheap to read. After 64 the committer writes the whole chunk.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace cairn::engine {

/// Counts since the database was opened; what a flush or compaction folded meanwhile counts on, which
/// costs an early fold and nothing else.
class OperandCounter {
 public:
  static constexpr std::uint8_t max_operands = 64;

  /// One more change of this index key. True where the key shall be folded now; counts from zero then.
  bool add(std::string_view key);
  [[nodiscard]] std::size_t size() const noexcept { return counts_.size(); }

 private:
  // Keys by hash: two keys that share one are folded a little more often.
  static constexpr std::size_t max_keys = std::size_t{1} << 18;
  /// Make room.
  void forget_cold();

  std::unordered_map<std::size_t, std::uint8_t> counts_;
};

}  // namespace cairn::engine
