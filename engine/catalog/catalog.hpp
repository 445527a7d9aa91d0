#pragma once
// Catalog: names <-> small ids, property paths, indexes, constraints and embedding spaces, as of one commit.
// A value: a published catalog never changes; a transaction edits its own copy. Counters: how many records
// there are.

#include "codec/catalog_entry.hpp"
#include "codec/keys.hpp"

#include <cairn/result.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cairn::engine {

class RocksStore;
class StoreBatch;

/// Labels, relationship types, property keys and namespaces are numbered from 1, paths from
/// codec::first_user_path; numbers are never reused. Namespace 0 is the default one, "".
class Catalog {
 public:
  using Id = std::uint32_t;

  /// Nothing where the name was never used in a commit, or in the transaction that owns the copy.
  [[nodiscard]] std::optional<Id> find(codec::CatalogKind kind, std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_label(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_type(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_property(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_name_space(std::string_view name) const;
  /// `text` as join_path makes it.
  [[nodiscard]] std::optional<Id> find_path(codec::EntityKind kind, std::string_view text) const;
  [[nodiscard]] const std::string& name(codec::CatalogKind kind, Id id) const;  ///< "" if unknown
  /// Null if unknown; valid until the catalog changes.
  [[nodiscard]] const codec::PathEntry* path(Id id) const;
  [[nodiscard]] std::vector<std::pair<Id, std::string>> names(codec::CatalogKind kind) const;
  [[nodiscard]] const std::map<Id, codec::PathEntry>& paths() const noexcept { return paths_; }
  [[nodiscard]] const std::map<Id, codec::IndexEntry>& indexes() const noexcept { return indexes_; }
  [[nodiscard]] const std::map<Id, codec::ConstraintEntry>& constraints() const noexcept {
    return constraints_;
  }
  [[nodiscard]] const std::map<Id, codec::SpaceEntry>& spaces() const noexcept { return spaces_; }
  [[nodiscard]] std::optional<Id> find_index(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_constraint(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_space(std::string_view name) const;

  /// The id of a name, given out if it is new.
  Id intern(codec::CatalogKind kind, std::string_view name);
  /// The id of a path, given out if it is new; nullopt once `max_paths` are in use.
  std::optional<Id> intern_path(codec::EntityKind kind, std::string_view text,
                                std::size_t max_paths);
  void put(Id id, codec::PathEntry entry);
  void put(Id id, codec::IndexEntry entry);
  void put(Id id, codec::ConstraintEntry entry);
  void put(Id id, codec::SpaceEntry entry);
  void erase_index(Id id);
  void erase_constraint(Id id);
  /// No record may be in a namespace, or have a path, a name or a vector of a space.
  void erase_name_space(Id id) { erase_name(codec::CatalogKind::name_space, id); }
  void erase_name(codec::CatalogKind kind, Id id);
  void erase_path(Id id);
  void erase_space(Id id);
  /// Load one stored entry. Errors: corruption.
  [[nodiscard]] Status load(const codec::CatalogKey& key, std::string_view bytes);
  /// The next free id of a kind.
  [[nodiscard]] Id next_id(codec::CatalogKind kind) const;

  /// False where a path was refused for `max_paths`: then a path that is not found may still be in
  /// use, and only records tell. Otherwise nothing has the path.
  [[nodiscard]] bool has_all_paths() const noexcept { return !paths_refused_; }
  void note_refused_path() noexcept { paths_refused_ = true; }

 private:
  /// Finds by string_view without making a string.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using IdsByText = std::unordered_map<std::string, Id, TextHash, std::equal_to<>>;
  /// One kind of name, both ways.
  struct NameTable {
    IdsByText ids;
    std::map<Id, std::string> names;
    Id next = 1;

    void put(Id id, std::string name);
  };
  /// Null for the kinds that are not plain names.
  [[nodiscard]] const NameTable* table(codec::CatalogKind kind) const;
  [[nodiscard]] NameTable* table(codec::CatalogKind kind);
  [[nodiscard]] const IdsByText& path_ids(codec::EntityKind kind) const;
  [[nodiscard]] Status load_name(const codec::CatalogKey& key, std::string_view bytes);

  NameTable labels_, types_, properties_, name_spaces_;
  std::map<Id, codec::PathEntry> paths_;
  IdsByText node_path_ids_, relationship_path_ids_;
  Id next_path_ = codec::first_user_path;
  std::map<Id, codec::IndexEntry> indexes_;
  Id next_index_ = 1;
  std::map<Id, codec::ConstraintEntry> constraints_;
  Id next_constraint_ = 1;
  std::map<Id, codec::SpaceEntry> spaces_;
  Id next_space_ = 1;
  bool paths_refused_ = false;
};

/// Join and split the keys of a nested path: '.' between keys, '.' and '\' in a key escaped by '\'.
[[nodiscard]] std::string join_path(const std::vector<std::string>& keys);
[[nodiscard]] std::vector<std::string> split_path(std::string_view text);
/// Append one key to a path; the first key stands without a '.' before it.
void append_path_key(std::string& path, std::string_view key);
/// True for a path of more than one key.
[[nodiscard]] bool is_nested_path(std::string_view text) noexcept;

// Counters: how many records there are, and how many of them may be hidden from a reader. Exact, and
// counted with every commit, so that "nothing is hidden" costs no read.

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
