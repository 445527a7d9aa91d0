#pragma once
// Catalog: the schema as of one commit. It maps names to small ids and back, and lists property paths, indexes, constraints
// and embedding spaces. It has value semantics: a published catalog never changes, and a transaction edits its own copy.
//
// Counters: how many records there are.

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

/// Labels, relationship types, property keys and namespaces are numbered from 1, and paths from codec::first_user_path.
/// Numbers of committed names are not reused while the database is open. Namespace 0 is the default namespace, whose name
/// is "".
class Catalog {
 public:
  using Id = std::uint32_t;

  /// Returns the id of a name, or nullopt if the name is unknown as of this commit (or to the transaction that owns this
  /// copy).
  [[nodiscard]] std::optional<Id> find(codec::CatalogKind kind, std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_label(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_type(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_property(std::string_view name) const;
  [[nodiscard]] std::optional<Id> find_name_space(std::string_view name) const;
  /// `text` is a path as join_path() returns it.
  [[nodiscard]] std::optional<Id> find_path(codec::EntityKind kind, std::string_view text) const;
  [[nodiscard]] const std::string& name(codec::CatalogKind kind, Id id) const;  ///< "" if unknown
  /// Returns nullptr if the id is unknown. The pointer is valid until the catalog changes.
  [[nodiscard]] const codec::PathEntry* path(Id id) const;
  /// Returns all names of a kind by ascending id; nothing for kinds that are not plain names.
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

  /// Returns the id of a name, and adds the name if it is new.
  Id intern(codec::CatalogKind kind, std::string_view name);
  /// Returns the id of a path, and adds the path if it is new. Returns nullopt if it is new and there are `max_paths`
  /// already.
  std::optional<Id> intern_path(codec::EntityKind kind, std::string_view text,
                                std::size_t max_paths);

  // Set or replace an entry.

  void put(Id id, codec::PathEntry entry);
  void put(Id id, codec::IndexEntry entry);
  void put(Id id, codec::ConstraintEntry entry);
  void put(Id id, codec::SpaceEntry entry);

  void erase_index(Id id);
  void erase_constraint(Id id);

  // Erase an entry. The caller guarantees that no record uses it: none is in the namespace, has the name or the path, or has
  // a vector in the space.

  void erase_name_space(Id id) { erase_name(codec::CatalogKind::name_space, id); }
  void erase_name(codec::CatalogKind kind, Id id);
  void erase_path(Id id);
  void erase_space(Id id);

  /// Adds one entry as it is stored. Errors: corruption.
  [[nodiscard]] Status load(const codec::CatalogKey& key, std::string_view bytes);
  /// The id that the next new entry of a kind gets.
  [[nodiscard]] Id next_id(codec::CatalogKind kind) const;

  /// False if a path was ever refused because of `max_paths`. Then records may have values at a path that is not in the
  /// catalog. If true, a path that is not in the catalog has no values.
  [[nodiscard]] bool has_all_paths() const noexcept { return !paths_refused_; }
  void note_refused_path() noexcept { paths_refused_ = true; }

 private:
  /// Lets a map with string keys be searched by string_view, without allocating a string.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using IdsByText = std::unordered_map<std::string, Id, TextHash, std::equal_to<>>;
  /// The names of one kind, mapped in both directions.
  struct NameTable {
    IdsByText ids;
    std::map<Id, std::string> names;
    Id next = 1;  // id of the next new name

    void put(Id id, std::string name);
  };
  /// The table of a kind; nullptr for kinds that are not plain names.
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

/// Join the keys of a nested path to a text, and split it again. Keys are separated by '.'. A '.' or '\' in a key is escaped
/// by '\'.
[[nodiscard]] std::string join_path(const std::vector<std::string>& keys);
[[nodiscard]] std::vector<std::string> split_path(std::string_view text);
/// Appends one key to a path, after a '.' unless the path is empty.
void append_path_key(std::string& path, std::string_view key);
/// True if a path has more than one key.
[[nodiscard]] bool is_nested_path(std::string_view text) noexcept;

// Counters: how many records there are, and how many of them may be hidden from a reader. Every commit updates them exactly,
// so checking whether anything is hidden needs no read of an index.

using codec::Counter;

inline constexpr std::array<Counter, 5> all_counters = {
    Counter::live, Counter::deleted, Counter::expiring, Counter::name_spaced, Counter::vectors};

[[nodiscard]] constexpr std::string_view to_string(Counter counter) noexcept {
  constexpr std::array<std::string_view, 6> names = {"",         "live",        "deleted",
                                                     "expiring", "name_spaced", "vectors"};
  return names[static_cast<std::size_t>(counter)];
}

/// A set of counts, or of changes to counts, which may be negative.
class Counters {
 public:
  [[nodiscard]] std::int64_t& of(Counter counter, codec::EntityKind kind) noexcept {
    return values_[slot(counter, kind)];
  }
  [[nodiscard]] std::int64_t of(Counter counter, codec::EntityKind kind) const noexcept {
    return values_[slot(counter, kind)];
  }
  void add(const Counters& change) noexcept;
  /// Writes every count that differs from `before`.
  void put_changes(const Counters& before, StoreBatch& batch) const;
  friend bool operator==(const Counters&, const Counters&) = default;

 private:
  static constexpr std::size_t kinds = 2;
  static constexpr std::size_t slot(Counter counter, codec::EntityKind kind) noexcept {
    return (static_cast<std::size_t>(counter) - 1) * kinds + static_cast<std::size_t>(kind) - 1;
  }
  std::array<std::int64_t, all_counters.size() * kinds> values_{};
};

/// Reads the counts of the newest commit. Errors: corruption.
[[nodiscard]] Result<Counters> load_counters(const RocksStore& store);

}  // namespace cairn::engine
