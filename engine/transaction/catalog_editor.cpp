// Copy-on-write of the catalog. Most transactions use only existing names and share the published catalog. The first new
// name copies all names and paths, once for each transaction; such transactions become rare as a database fills.
//
// `changed_` lists the entries to write, and `edited_` has their content, so a commit writes each entry once, in its last
// form. Others see the changes only after the commit publishes the copy. A rollback drops the copy. The numbers that it
// assigned to names are then free again, unlike ids of nodes and relationships. The editor is used only while the
// writer lock is held.
#include "engine/transaction/catalog_editor.hpp"

#include "engine/store/meta.hpp"
#include "engine/store/store_batch.hpp"

namespace cairn::engine {
namespace {

using codec::CatalogKind;

/// Returns the encoded entry of this id, or nullopt if it does not exist.
template <class Entries>
std::optional<std::string> encode_entry(const Entries& entries, std::uint32_t id) {
  const auto found = entries.find(id);
  if (found == entries.end()) return std::nullopt;
  return codec::encode(found->second);
}

/// Returns the encoded name, or nullopt if the name was erased: an erased name is empty, a valid name never is.
std::optional<std::string> encode_name(const std::string& name) {
  return name.empty() ? std::nullopt : std::optional(codec::encode(codec::NameEntry{name}));
}

}  // namespace

// Only this function copies the catalog. It copies once and later edits the copy in place, so references into the copy
// stay valid.
Catalog& CatalogEditor::edit(CatalogKind kind, std::uint32_t id) {
  if (edited_ == nullptr) edited_ = std::make_shared<Catalog>(*base_);
  if (id != 0) changed_.emplace(kind, id);
  return *edited_;
}

std::uint32_t CatalogEditor::intern(CatalogKind kind, std::string_view name) {
  if (const auto known = current().find(kind, name)) return *known;
  return edit(kind, current().next_id(kind)).intern(kind, name);
}

std::uint32_t CatalogEditor::intern_name_space(std::string_view name) {
  return name.empty() ? 0 : intern(CatalogKind::name_space, name);
}

void CatalogEditor::erase_name_space(std::uint32_t id) {
  edit(CatalogKind::name_space, id).erase_name_space(id);
}

void CatalogEditor::erase_unused(CatalogKind kind, std::uint32_t id) {
  Catalog& catalog = edit(kind, id);
  if (kind == CatalogKind::path)
    catalog.erase_path(id);
  else if (kind == CatalogKind::embedding_space)
    catalog.erase_space(id);
  else
    catalog.erase_name(kind, id);
}

std::optional<std::uint32_t> CatalogEditor::path_id(codec::EntityKind kind, std::string_view text) {
  if (const auto known = current().find_path(kind, text)) return known;
  // Once a path was refused, records may have values at any unknown path that no index has.
  if (!current().has_all_paths()) return std::nullopt;
  // From now on new paths are always refused, even after the database is reopened. A path that was refused for some
  // records and then accepted would have an incomplete index, but an index must return all matches. The commit that first
  // refuses a path stores a mark.
  if (current().paths().size() >= max_paths_) {
    newly_refused_ = true;
    edit(CatalogKind::path, 0).note_refused_path();
    return std::nullopt;
  }
  const std::uint32_t id = current().next_id(CatalogKind::path);
  return edit(CatalogKind::path, id).intern_path(kind, text, max_paths_);
}

std::uint32_t CatalogEditor::pin_path(codec::EntityKind kind, std::string_view text) {
  const auto known = current().find_path(kind, text);
  const std::uint32_t id = known.value_or(current().next_id(CatalogKind::path));
  codec::PathEntry entry{kind, std::string(text), codec::IndexState::online, true};
  edit(CatalogKind::path, id).put(id, std::move(entry));
  return id;
}

void CatalogEditor::unpin_path(std::uint32_t path) {
  const codec::PathEntry* known = current().path(path);
  if (known == nullptr) return;
  codec::PathEntry entry = *known;
  entry.pinned = false;
  edit(CatalogKind::path, path).put(path, std::move(entry));
}

// The name of a space has the dimension, so that vectors of different lengths are in different spaces.
std::uint32_t CatalogEditor::intern_space(std::string_view property, std::uint32_t dimension) {
  const std::string name = std::string(property) + ":" + std::to_string(dimension);
  if (const auto known = current().find_space(name)) return *known;
  const std::uint32_t id = current().next_id(CatalogKind::embedding_space);
  codec::SpaceEntry entry;
  entry.name = name;
  entry.dimension = dimension;
  edit(CatalogKind::embedding_space, id).put(id, std::move(entry));
  return id;
}

std::uint32_t CatalogEditor::add_index(codec::IndexEntry entry) {
  const std::uint32_t id = current().next_id(CatalogKind::index);
  edit(CatalogKind::index, id).put(id, std::move(entry));
  return id;
}

void CatalogEditor::put_index(std::uint32_t id, codec::IndexEntry entry) {
  edit(CatalogKind::index, id).put(id, std::move(entry));
}

void CatalogEditor::erase_index(std::uint32_t id) { edit(CatalogKind::index, id).erase_index(id); }

void CatalogEditor::add_constraint(codec::ConstraintEntry entry) {
  const std::uint32_t id = current().next_id(CatalogKind::constraint);
  edit(CatalogKind::constraint, id).put(id, std::move(entry));
}

void CatalogEditor::erase_constraint(std::uint32_t id) {
  edit(CatalogKind::constraint, id).erase_constraint(id);
}

CatalogEditor::Mark CatalogEditor::mark() const {
  return {edited_ ? std::optional(*edited_) : std::nullopt, changed_, newly_refused_};
}

// Restores the copy in place, as views hold references to it.
void CatalogEditor::restore(Mark mark) {
  if (edited_ != nullptr) *edited_ = mark.edited ? *std::move(mark.edited) : *base_;
  changed_ = std::move(mark.changed);
  newly_refused_ = mark.newly_refused;
}

std::optional<std::string> CatalogEditor::encode(CatalogKind kind, std::uint32_t id) const {
  switch (kind) {
    case CatalogKind::path:
      return encode_entry(edited_->paths(), id);
    case CatalogKind::index:
      return encode_entry(edited_->indexes(), id);
    case CatalogKind::constraint:
      return encode_entry(edited_->constraints(), id);
    case CatalogKind::embedding_space:
      return encode_entry(edited_->spaces(), id);
    default:
      return encode_name(edited_->name(kind, id));
  }
}

// A changed entry that no longer exists is erased from the store: an index, constraint or namespace that was dropped, or an
// unused name that a scrub removes (write/unused_names.hpp).
void CatalogEditor::put_changes(StoreBatch& batch) const {
  for (const auto& [kind, id] : changed_) {
    const std::string key = codec::catalog_key(kind, id);
    if (const auto bytes = encode(kind, id))
      batch.put(Family::catalog, key, *bytes);
    else
      batch.erase(Family::catalog, key);
  }
  if (newly_refused_) MetaWriter(batch).put_paths_refused();
}

}  // namespace cairn::engine
