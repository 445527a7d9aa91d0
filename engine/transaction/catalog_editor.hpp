#pragma once
// CatalogEditor: the catalog as one transaction sees it. A copy is made at the first new name, so
// that a transaction without one costs nothing and a rolled-back one leaves nothing.

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

class CatalogEditor final : public PathSource {
 public:
  CatalogEditor(std::shared_ptr<const Catalog> base, std::size_t max_paths)
      : base_(std::move(base)), max_paths_(max_paths) {}

  /// The transaction's view of it. Valid until the next change.
  [[nodiscard]] const Catalog& current() const noexcept { return edited_ ? *edited_ : *base_; }
  [[nodiscard]] bool is_changed() const noexcept { return edited_ != nullptr; }

  /// The number of a name, given out if it is new.
  [[nodiscard]] std::uint32_t intern(codec::CatalogKind kind, std::string_view name);
  /// Like intern(); the empty name is the default namespace, number 0.
  [[nodiscard]] std::uint32_t intern_name_space(std::string_view name);
  /// Forget a namespace; no record may be in it.
  void erase_name_space(std::uint32_t id);
  /// Forget a label, type, property, path or space that nothing uses.
  void erase_unused(codec::CatalogKind kind, std::uint32_t id);
  /// New paths get ids until max_paths are in use.
  std::optional<std::uint32_t> path_id(codec::EntityKind kind, std::string_view text) override;
  /// A path made or preserved by CREATE INDEX, beyond max_paths if need be.
  [[nodiscard]] std::uint32_t pin_path(codec::EntityKind kind, std::string_view text);
  /// The path stays indexed, as it would be without CREATE INDEX.
  void unpin_path(std::uint32_t path);
  /// The embedding space of a property and dimension.
  [[nodiscard]] std::uint32_t intern_space(std::string_view property, std::uint32_t dimension);
  /// The new index's number.
  std::uint32_t add_index(codec::IndexEntry entry);
  void put_index(std::uint32_t id, codec::IndexEntry entry);
  void erase_index(std::uint32_t id);
  void add_constraint(codec::ConstraintEntry entry);
  void erase_constraint(std::uint32_t id);

  /// What was changed so far, to come back to. Cost: a copy of the catalog, where it was changed.
  struct Mark {
    std::optional<Catalog> edited;
    std::set<std::pair<codec::CatalogKind, std::uint32_t>> changed;
    bool newly_refused = false;
  };
  [[nodiscard]] Mark mark() const;
  /// Numbers given out since must be in use nowhere.
  void restore(Mark mark);

  /// Put everything that is new or changed.
  void put_changes(StoreBatch& batch) const;
  /// The catalog to publish.
  [[nodiscard]] std::shared_ptr<const Catalog> published() const {
    return edited_ ? std::shared_ptr<const Catalog>(edited_) : base_;
  }

 private:
  /// The copy to change, noting that this entry must be written; id 0 notes none.
  Catalog& edit(codec::CatalogKind kind, std::uint32_t id);
  /// The entry as it will be stored; nullopt where it was erased.
  [[nodiscard]] std::optional<std::string> encode(codec::CatalogKind kind, std::uint32_t id) const;

  std::shared_ptr<const Catalog> base_;  // owners: the state and this
  std::shared_ptr<Catalog> edited_;      // owners: this, and the next state once committed
  std::size_t max_paths_;
  std::set<std::pair<codec::CatalogKind, std::uint32_t>> changed_;
  bool newly_refused_ = false;
};

}  // namespace cairn::engine
