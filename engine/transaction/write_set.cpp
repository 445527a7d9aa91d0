// Ordered maps by family: scans of a transaction merge them with the store's keys, and the commit
// walks them in the order in which write buffers take keys cheapest. Postings are separate
// (index/posting_write_set.hpp), as they are changes of sets and not values of keys.
//
// One transaction, one thread. memory_bytes() is an estimate from above by map nodes and strings;
// sets of touched entities are not counted.
#include "engine/transaction/write_set.hpp"

#include "codec/checksum.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

constexpr std::size_t bytes_per_change = 128;  // a map node with two strings

/// Bytes of a value, none for an erasure.
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
  // Ids ascend, so that most keys belong at the end.
  const std::size_t before = changes.size();
  const auto entry = changes.try_emplace(changes.end(), std::move(key));
  if (changes.size() > before) memory_bytes_ += bytes_per_change + key_bytes;
  memory_bytes_ += size_of(value);
  // Bounded below: an estimate must not wrap around and stop a transaction.
  memory_bytes_ -= std::min(memory_bytes_, size_of(entry->second));
  entry->second = std::move(value);
}

bool WriteSet::empty() const noexcept {
  return postings_.empty() &&
         std::all_of(changes_.begin(), changes_.end(), [](const Changes& c) { return c.empty(); });
}

// A small set-associative table in place of a map: 2^15 sets of four, 32 bytes a set, so a look-up
// touches one line of memory and the table never grows, whatever the number of posting keys. Heavy
// hitters are what is sought: a key that many commits change meets its own counter again; cold ones
// push each other out. A key that was pushed out counts from zero, so more than 64 of its operands
// may gather: only where so many other keys came between that the write buffer was flushed, which
// folds them.

// A new key replaces the least frequent one of its set.
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
