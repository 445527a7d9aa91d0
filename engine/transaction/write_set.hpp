#pragma once
// WriteSet: the uncommitted changes of a transaction, as the keys and values that its commit will
// write. Reads of the transaction search the write set first, and the commit only copies it.

#include "engine/catalog/catalog.hpp"
#include "engine/index/posting_write_set.hpp"
#include "engine/store/column_family.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Keys of each family are sorted, so that a cursor merges them with those of the store. Threads:
/// one at a time.
class WriteSet {
 public:
  using Value = std::optional<std::string>;  ///< nullopt: erased
  using Changes = std::map<std::string, Value, std::less<>>;

  /// Returns nullptr if the transaction did not change the key.
  [[nodiscard]] const Value* find(Family family, std::string_view key) const;
  /// Sets a key.
  void put(Family family, std::string key, std::string value);
  /// Erases a key, which need not exist.
  void erase(Family family, std::string key);
  /// The changes of a family, sorted by key.
  [[nodiscard]] const Changes& changes(Family family) const { return changes_[position(family)]; }

  /// Entities whose entry in a vector index may have changed: their vector, labels or existence.
  using Entity = std::pair<codec::EntityKind, std::uint64_t>;
  void touch_vector(codec::EntityKind kind, std::uint64_t id) {
    vector_entities_.emplace(kind, id);
  }
  [[nodiscard]] const std::set<Entity>& vector_entities() const noexcept {
    return vector_entities_;
  }

  /// Entities whose texts in a full-text index may have changed.
  void touch_text(codec::EntityKind kind, std::uint64_t id) {
    text_entities_.emplace_hint(text_entities_.end(), kind, id);  // ids mostly ascend
  }
  [[nodiscard]] const std::set<Entity>& text_entities() const noexcept { return text_entities_; }

  /// Entities that changed since constraints were last checked, and may violate one.
  void touch_constrained(codec::EntityKind kind, std::uint64_t id) {
    constrained_entities_.emplace_hint(constrained_entities_.end(), kind, id);
  }
  [[nodiscard]] const std::set<Entity>& constrained_entities() const noexcept {
    return constrained_entities_;
  }
  void clear_constrained() noexcept { constrained_entities_.clear(); }

  [[nodiscard]] PostingWriteSet& postings() noexcept { return postings_; }
  [[nodiscard]] const PostingWriteSet& postings() const noexcept { return postings_; }
  [[nodiscard]] Counters& counters() noexcept { return counters_; }
  [[nodiscard]] const Counters& counters() const noexcept { return counters_; }

  [[nodiscard]] bool empty() const noexcept;
  /// An estimate, which is limited by Options::transaction_bytes.
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return memory_bytes_ + postings_.memory_bytes();
  }

 private:
  void set(Family family, std::string key, Value value);

  std::array<Changes, family_count> changes_;
  std::set<Entity> vector_entities_;
  std::set<Entity> text_entities_;
  std::set<Entity> constrained_entities_;
  PostingWriteSet postings_;
  Counters counters_;  // changes of the counts
  std::size_t memory_bytes_ = 0;
};

// OperandCounter: counts the merge operands of each posting chunk that are not folded yet. After 64 operands the committer
// writes the whole chunk, so that a chunk that every commit changes stays fast to read.

/// Counts since the database was opened. Operands that a flush or compaction folded still count; that only causes an early
/// fold. Rarely changed keys may be evicted (see write_set.cpp). Cost: one cache line for each call.
class OperandCounter {
 public:
  static constexpr std::uint8_t max_operands = 64;

  /// Counts one more operand of an index key. Returns true, and restarts at zero, if the key should be folded now.
  bool add(std::string_view key);

 private:
  // A key is identified by a part of its hash. Keys with equal parts share a counter, and are folded a little more often.
  struct Count {
    std::uint32_t key = 0;
    std::uint32_t changes = 0;  // 0: the counter is free
  };
  using Set = std::array<Count, 4>;
  static constexpr std::size_t sets = std::size_t{1} << 15;

  std::vector<Set> sets_;  // empty before the first change; a key belongs to one set
};

}  // namespace cairn::engine
