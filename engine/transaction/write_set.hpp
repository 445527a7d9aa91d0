#pragma once
// WriteSet: the changes of one transaction, laid over the state it began with. Key by key what the
// commit will write, so that a read asks here first and a commit only copies.

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

class WriteSet {
 public:
  using Value = std::optional<std::string>;  ///< nullopt: erased
  using Changes = std::map<std::string, Value, std::less<>>;

  /// Null where the transaction did not touch the key.
  [[nodiscard]] const Value* find(Family family, std::string_view key) const;
  /// What the commit will set.
  void put(Family family, std::string key, std::string value);
  /// What the commit will remove; harmless where nothing is.
  void erase(Family family, std::string key);
  /// In the order of keys, for scans and for the commit.
  [[nodiscard]] const Changes& changes(Family family) const { return changes_[position(family)]; }

  /// Entities whose place in a vector index may have changed: vector, labels or existence.
  using Entity = std::pair<codec::EntityKind, std::uint64_t>;
  void touch_vector(codec::EntityKind kind, std::uint64_t id) {
    vector_entities_.emplace(kind, id);
  }
  [[nodiscard]] const std::set<Entity>& vector_entities() const noexcept {
    return vector_entities_;
  }

  /// Entities whose texts in a full-text index may have changed.
  void touch_text(codec::EntityKind kind, std::uint64_t id) {
    text_entities_.emplace_hint(text_entities_.end(), kind, id);  // ids ascend mostly
  }
  [[nodiscard]] const std::set<Entity>& text_entities() const noexcept { return text_entities_; }

  /// Entities that a constraint may be broken by since they were last looked at.
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
  /// An estimate, held against Options::transaction_bytes.
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
  Counters counters_;  // changes of counts
  std::size_t memory_bytes_ = 0;
};

// OperandCounter: how many changes of a posting chunk lie unfolded in the store, so that a value
// which every commit changes stays cheap to read. After 64 the committer writes the whole chunk.

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
