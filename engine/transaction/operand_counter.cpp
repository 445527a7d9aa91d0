// A small set-associative table in place of a map: 2^15 sets of four, 32 bytes a set, so a look-up
// touches one line of memory and the table never grows, whatever the number of posting keys. Heavy
// hitters are what is sought: a key that many commits change meets its own counter again; cold ones
// push each other out. A key that was pushed out counts from zero, so more than 64 of its operands
// may gather: only where so many other keys came between that the write buffer was flushed, which
// folds them.
#include "engine/transaction/operand_counter.hpp"

#include "codec/checksum.hpp"

#include <algorithm>

namespace cairn::engine {

// The coldest of the set makes room for a new key.
bool OperandCounter::add(std::string_view key) {
  if (sets_.empty()) sets_.resize(sets);
  const std::uint64_t hash = codec::checksum(key);
  // The set takes the lower bits of the hash, the tag its upper half: two keys that share both
  // share a count.
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
