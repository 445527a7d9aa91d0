// One ordered map for each family. Scans of a transaction merge a map with the keys of the store. The commit writes keys in
// ascending order, which is the fastest for the write buffer. Changes of postings are separate
// (index/posting_write_set.hpp), as they change sets of ids and not values of keys.
//
// A write set is used by one thread at a time. memory_bytes() is an upper bound of the map nodes
// and strings; the sets of touched entities do not count.
#include "engine/transaction/write_set.hpp"

#include "codec/checksum.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

constexpr std::size_t bytes_per_change = 128;  // estimated size of a map node with two strings

/// The size of a value; 0 for an erasure.
std::size_t size_of(const WriteSet::Value& value) { return value ? value->size() : 0; }

}  // namespace

const WriteSet::Value* WriteSet::find(Family family, std::string_view key) const {
  const Changes& changes = changes_[position(family)];
  const auto found = changes.find(key);
  return found == changes.end() ? nullptr : &found->second;
}

void WriteSet::put(Family family, std::string key, std::string value) {
  set(family, std::move(key), std::move(value));
}

void WriteSet::erase(Family family, std::string key) { set(family, std::move(key), std::nullopt); }

void WriteSet::set(Family family, std::string key, Value value) {
  Changes& changes = changes_[position(family)];
  const std::size_t key_bytes = key.size();
  // The hint is the end, where most keys belong: new ids ascend.
  const std::size_t before = changes.size();
  const auto entry = changes.try_emplace(changes.end(), std::move(key));
  if (changes.size() > before) memory_bytes_ += bytes_per_change + key_bytes;
  memory_bytes_ += size_of(value);
  // Clamped at 0: an estimate that wraps around would exceed the limit of the transaction.
  memory_bytes_ -= std::min(memory_bytes_, size_of(entry->second));
  entry->second = std::move(value);
}

bool WriteSet::empty() const noexcept {
  return postings_.empty() &&
         std::all_of(changes_.begin(), changes_.end(), [](const Changes& c) { return c.empty(); });
}

// OperandCounter is a set-associative table, like a processor cache: 2^15 sets of four counters. A set has 32 bytes, so a
// lookup touches one cache line, and the table never grows.
//
// Only frequent keys matter. The counter of a key that many commits change stays in the table,
// while rare keys evict each other. The counter of an evicted key restarts at zero, so the key may
// collect more than 64 operands. That only happens if many other keys are written in between, and
// then the write buffer is flushed, which folds the operands too.

// A new key evicts the counter with the fewest changes of its set.
bool OperandCounter::add(std::string_view key) {
  if (sets_.empty()) sets_.resize(sets);
  const std::uint64_t hash = codec::checksum(key);
  // The lower bits of the hash select the set, and its upper half identifies the key in the set. Two keys that agree in both
  // share a counter.
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
