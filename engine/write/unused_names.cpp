// Finds unused names in the indexes: each record is in the postings of its labels, its type and its paths. Names in
// the definition of an index or a constraint remain, because a user asked for them.
#include "engine/write/unused_names.hpp"

#include "codec/byte_io.hpp"
#include "codec/keys.hpp"
#include "codec/posting.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/transaction/catalog_editor.hpp"

#include <set>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

using codec::CatalogKind;
using codec::EntityKind;

/// One search through the catalog.
class UnusedNameSearch {
 public:
  UnusedNameSearch(const RocksStore& store, const GraphView& view, CatalogEditor& catalog)
      : store_(store), view_(view), editor_(catalog), catalog_(view.state().catalog) {}

  /// Paths come first, because the remaining paths show which properties are in use.
  [[nodiscard]] Result<UnusedNames> run() {
    note_definitions();
    CAIRN_TRY(erase_paths());
    erase_properties();
    CAIRN_TRY(erase_labels_and_types());
    CAIRN_TRY(erase_spaces());
    return found_;
  }

 private:
  /// Collects the names that definitions of indexes and constraints use.
  void note_definitions() {
    for (const auto& [id, index] : catalog_->indexes()) {
      properties_.insert(index.properties.begin(), index.properties.end());
      auto& names = index.entity == EntityKind::node ? labels_ : types_;
      names.insert(index.labels_or_types.begin(), index.labels_or_types.end());
      spaces_.insert(index.space);
    }
    for (const auto& [id, constraint] : catalog_->constraints()) {
      properties_.insert(constraint.properties.begin(), constraint.properties.end());
      (constraint.entity == EntityKind::node ? labels_ : types_).insert(constraint.label_or_type);
    }
    for (const std::uint32_t id : properties_)
      keys_.insert(catalog_->name(CatalogKind::property, id));
  }

  /// Erases a name, and counts it.
  void erase(CatalogKind kind, std::uint32_t id) {
    editor_.erase_unused(kind, id);
    ++found_.erased;
  }

  /// True if a posting of the path contains an id. Empty postings may remain until a compaction.
  [[nodiscard]] Result<bool> has_records(EntityKind kind, std::uint32_t path) const {
    std::string prefix;
    codec::append_big(prefix, static_cast<std::uint8_t>(kind));
    codec::append_big(prefix, path);
    Cursor cursor = store_.scan(Family::index, range_of_prefix(prefix), &*view_.state().store);
    for (; cursor.valid(); cursor.next()) {
      CAIRN_ASSIGN(const auto posting, codec::decode_posting_of(cursor.key(), cursor.value()));
      if (posting.cardinality() > 0) return true;
    }
    CAIRN_TRY(cursor.status());
    return false;
  }

  /// A path that CREATE INDEX made remains. If some path was refused because of the limit, no path is erased, because
  /// it could not be indexed again.
  [[nodiscard]] Status erase_paths() {
    for (const auto& [id, path] : catalog_->paths()) {
      CAIRN_ASSIGN(const bool has, has_records(path.kind, id));
      const bool stays = has || path.pinned;
      if (stays || !catalog_->has_all_paths())
        keys_.insert(split_path(path.text).front());
      else
        erase(CatalogKind::path, id);
      if (!stays && !catalog_->has_all_paths()) ++found_.unknown;
    }
    return {};
  }

  /// Erases properties that are not the first key of a remaining path. If paths were refused, such a property may
  /// still be in use.
  void erase_properties() {
    for (const auto& [id, name] : catalog_->names(CatalogKind::property)) {
      if (keys_.contains(name)) continue;
      if (catalog_->has_all_paths())
        erase(CatalogKind::property, id);
      else
        ++found_.unknown;
    }
  }

  /// Erases labels and types with empty postings.
  [[nodiscard]] Status erase_labels_and_types() {
    for (const auto& [id, name] : catalog_->names(CatalogKind::label)) {
      CAIRN_ASSIGN(const codec::Bitmap nodes, view_.labelled(id));
      if (nodes.empty() && !labels_.contains(id)) erase(CatalogKind::label, id);
    }
    for (const auto& [id, name] : catalog_->names(CatalogKind::relationship_type)) {
      CAIRN_ASSIGN(const codec::Bitmap relationships, view_.typed(id));
      if (relationships.empty() && !types_.contains(id)) erase(CatalogKind::relationship_type, id);
    }
    return {};
  }

  /// Erases spaces without vectors. The name of a space is made from the name of its property.
  [[nodiscard]] Status erase_spaces() {
    for (const auto& [id, space] : catalog_->spaces()) {
      if (spaces_.contains(id)) continue;
      std::string prefix;
      codec::append_big(prefix, id);
      const Cursor cursor =
          store_.scan(Family::vectors, range_of_prefix(prefix), &*view_.state().store);
      CAIRN_TRY(cursor.status());
      if (!cursor.valid()) erase(CatalogKind::embedding_space, id);
    }
    return {};
  }

  const RocksStore& store_;
  const GraphView& view_;
  CatalogEditor& editor_;
  const std::shared_ptr<const Catalog> catalog_;  // owners: the published state and this
  // The numbers of names that definitions use.
  std::set<std::uint32_t> properties_, labels_, types_, spaces_;
  std::set<std::string> keys_;  // names of properties that definitions or remaining paths use
  UnusedNames found_;
};

}  // namespace

Result<UnusedNames> erase_unused_names(const RocksStore& store, const GraphView& view,
                                       CatalogEditor& catalog) {
  return UnusedNameSearch(store, view, catalog).run();
}

}  // namespace cairn::engine
