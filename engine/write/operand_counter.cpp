#include "engine/write/operand_counter.hpp"

#include <functional>

namespace cairn::engine {
namespace {

constexpr std::uint8_t warm_count = 8;

}  // namespace

bool OperandCounter::add(std::string_view key) {
  if (counts_.size() >= max_keys) forget_cold();
  std::uint8_t& count = counts_[std::hash<std::string_view>{}(key)];
  if (++count < max_operands) return false;
  count = 0;
  return true;
}

/// So many keys in turn fill a write buffer before any of them collects many changes, and the flush
/// folds them; the warm ones are kept.
void OperandCounter::forget_cold() {
  std::erase_if(counts_, [](const auto& entry) { return entry.second < warm_count; });
  if (counts_.size() >= max_keys / 2) counts_.clear();
}

}  // namespace cairn::engine
