#include "engine/write/operand_counter.hpp"

#include "codec/checksum.hpp"

#include <algorithm>

namespace cairn::engine {

// The coldest of the set makes room for a new key.
bool OperandCounter::add(std::string_view key) {
  if (sets_.empty()) sets_.resize(sets);
  const std::uint64_t hash = codec::checksum(key);
  const auto upper = static_cast<std::uint32_t>(hash >> 32);
  Set& set = sets_[hash % sets];
  auto count = std::find_if(set.begin(), set.end(), [&](const Count& known) {
    return known.changes > 0 && known.key == upper;
  });
  if (count == set.end()) {
    count = std::min_element(set.begin(), set.end(),
                             [](const Count& a, const Count& b) { return a.changes < b.changes; });
    *count = {upper, 0};
  }
  if (++count->changes < max_operands) return false;
  count->changes = 0;
  return true;
}

}  // namespace cairn::engine
