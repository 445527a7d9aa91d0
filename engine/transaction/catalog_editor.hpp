#pragma once
// CatalogEditor: the catalog as one transaction sees and changes it. The catalog is copied at the first change, so a
// transaction that changes nothing in it costs nothing, and a rollback just drops the copy.

#include "engine/catalog/catalog.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace cairn::engine {

/// Threads: one at a time.
class CatalogEditor final : public PathSource {
 public:
  CatalogEditor(std::shared_ptr<const Catalog> base, std::size_t max_paths)
      : base_(std::move(base)), max_paths_(max_paths) {}

  /// The catalog with the changes of the transaction. The reference is valid until the next change.
  [[nodiscard]] const Catalog& current() const noexcept { return edited_ ? *edited_ : *base_; }
  [[nodiscard]] bool is_changed() const noexcept { return edited_ != nullptr; }

  /// Returns the number of a name, and adds the name if it is new.
  [[nodiscard]] std::uint32_t intern(codec::CatalogKind kind, std::string_view name);
  /// Like intern(); the empty name is the default namespace, number 0.
  [[nodiscard]] std::uint32_t intern_name_space(std::string_view name);
  /// Erases a namespace. No record may be in it.
  void erase_name_space(std::uint32_t id);
  /// Erases a label, type, property, path or space. No record may use it.
  void erase_unused(codec::CatalogKind kind, std::uint32_t id);
  /// Returns the id of a path, and adds the path if it is new. Returns nullopt if `max_paths` are
  /// in use, or if a path was ever refused for this reason.
  std::optional<std::uint32_t> path_id(codec::EntityKind kind, std::string_view text) override;
  /// Adds a path for CREATE INDEX, or marks an existing path as used by an index. May exceed `max_paths`.
  [[nodiscard]] std::uint32_t pin_path(codec::EntityKind kind, std::string_view text);
  /// Removes the mark of pin_path(). The path stays indexed, like any automatically indexed path.
  void unpin_path(std::uint32_t path);
  /// Returns the embedding space of a property and dimension, and adds it if it is new.
  [[nodiscard]] std::uint32_t intern_space(std::string_view property, std::uint32_t dimension);
  /// Adds an index and returns its number.
  std::uint32_t add_index(codec::IndexEntry entry);
  void put_index(std::uint32_t id, codec::IndexEntry entry);
  void erase_index(std::uint32_t id);
  void add_constraint(codec::ConstraintEntry entry);
  void erase_constraint(std::uint32_t id);

  /// A savepoint: the changes so far.
  struct Mark {
    std::optional<Catalog> edited;
    std::set<std::pair<codec::CatalogKind, std::uint32_t>> changed;
    bool newly_refused = false;
  };
  /// Makes a savepoint. Cost: a copy of the catalog if it was changed.
  [[nodiscard]] Mark mark() const;
  /// Undoes all changes since a savepoint. The caller must no longer use numbers that were assigned since then.
  void restore(Mark mark);

  /// Writes all entries that are new or changed, and erases those that no longer exist.
  void put_changes(StoreBatch& batch) const;
  /// Returns the catalog to publish with the commit.
  [[nodiscard]] std::shared_ptr<const Catalog> published() const {
    return edited_ ? std::shared_ptr<const Catalog>(edited_) : base_;
  }

 private:
  /// Returns the copy for a change, and notes that this entry must be written. Id 0 notes nothing.
  Catalog& edit(codec::CatalogKind kind, std::uint32_t id);
  /// Returns the entry in its stored form, or nullopt if it was erased.
  [[nodiscard]] std::optional<std::string> encode(codec::CatalogKind kind, std::uint32_t id) const;

  std::shared_ptr<const Catalog> base_;  // the published catalog; owners: the state and this
  // nullptr if unchanged. Owners: this, and the next state after commit.
  std::shared_ptr<Catalog> edited_;
  std::size_t max_paths_;
  std::set<std::pair<codec::CatalogKind, std::uint32_t>> changed_;  // entries to write
  bool newly_refused_ = false;  // this transaction was the first to refuse a path
};

}  // namespace cairn::engine
