// The catalog maps names to small numbers, so that keys and records store four bytes instead of a name. The whole catalog is
// in memory: it is loaded at open, and copied by each transaction that adds a name. Names are found by hashing. Indexes,
// constraints and spaces are searched linearly, as a database has tens of them.
//
// The numbers of committed entries are never reused while a database is open: a leftover key of a dropped index or path must
// not get a new meaning.
#include "engine/catalog/catalog.hpp"

#include "codec/byte_io.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/store/store_batch.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

using codec::CatalogKind;
using codec::EntityKind;

/// Returns the id of the entry with this name. Searches linearly, as there are few entries.
template <class Entries>
std::optional<Catalog::Id> find_named(const Entries& entries, std::string_view name) {
  for (const auto& [id, entry] : entries) {
    if (entry.name == name) return id;
  }
  return std::nullopt;
}

}  // namespace

void Catalog::NameTable::put(Id id, std::string name) {
  ids.insert_or_assign(name, id);
  names.insert_or_assign(id, std::move(name));
  // Entries are loaded in ascending order of their ids, but this code does not rely on it.
  next = std::max(next, id + 1);
}

const Catalog::NameTable* Catalog::table(CatalogKind kind) const {
  switch (kind) {
    case CatalogKind::label:
      return &labels_;
    case CatalogKind::relationship_type:
      return &types_;
    case CatalogKind::property:
      return &properties_;
    case CatalogKind::name_space:
      return &name_spaces_;
    default:
      return nullptr;
  }
}

// Shares the switch of the const overload. The cast is safe, as this object is not const.
Catalog::NameTable* Catalog::table(CatalogKind kind) {
  return const_cast<NameTable*>(std::as_const(*this).table(kind));
}

const Catalog::IdsByText& Catalog::path_ids(EntityKind kind) const {
  return kind == EntityKind::node ? node_path_ids_ : relationship_path_ids_;
}

std::optional<Catalog::Id> Catalog::find(CatalogKind kind, std::string_view name) const {
  if (kind == CatalogKind::index) return find_index(name);
  if (kind == CatalogKind::constraint) return find_constraint(name);
  if (kind == CatalogKind::embedding_space) return find_space(name);
  const NameTable* names = table(kind);
  if (names == nullptr) return std::nullopt;
  const auto found = names->ids.find(name);
  return found == names->ids.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Catalog::Id> Catalog::find_label(std::string_view name) const {
  return find(CatalogKind::label, name);
}
std::optional<Catalog::Id> Catalog::find_type(std::string_view name) const {
  return find(CatalogKind::relationship_type, name);
}
std::optional<Catalog::Id> Catalog::find_property(std::string_view name) const {
  return find(CatalogKind::property, name);
}
// The default namespace has no entry: its number is 0 in every database.
std::optional<Catalog::Id> Catalog::find_name_space(std::string_view name) const {
  return name.empty() ? std::optional<Id>(0) : find(CatalogKind::name_space, name);
}
std::optional<Catalog::Id> Catalog::find_index(std::string_view name) const {
  return find_named(indexes_, name);
}
std::optional<Catalog::Id> Catalog::find_constraint(std::string_view name) const {
  return find_named(constraints_, name);
}
std::optional<Catalog::Id> Catalog::find_space(std::string_view name) const {
  return find_named(spaces_, name);
}

std::optional<Catalog::Id> Catalog::find_path(EntityKind kind, std::string_view text) const {
  const IdsByText& ids = path_ids(kind);
  const auto found = ids.find(text);
  return found == ids.end() ? std::nullopt : std::optional(found->second);
}

// Only a damaged record has an unknown id. "" is returned for it, as a name is never empty.
const std::string& Catalog::name(CatalogKind kind, Id id) const {
  static const std::string none;
  const NameTable* names = table(kind);
  if (names == nullptr) return none;
  const auto found = names->names.find(id);
  return found == names->names.end() ? none : found->second;
}

const codec::PathEntry* Catalog::path(Id id) const {
  const auto found = paths_.find(id);
  return found == paths_.end() ? nullptr : &found->second;
}

std::vector<std::pair<Catalog::Id, std::string>> Catalog::names(CatalogKind kind) const {
  const NameTable* names = table(kind);
  if (names == nullptr) return {};
  return {names->names.begin(), names->names.end()};
}

// Only for kinds with a NameTable. The other kinds store an entry, see put().
Catalog::Id Catalog::intern(CatalogKind kind, std::string_view name) {
  if (const auto known = find(kind, name)) return *known;
  NameTable& names = *table(kind);
  const Id id = names.next;
  names.put(id, std::string(name));
  return id;
}

std::optional<Catalog::Id> Catalog::intern_path(EntityKind kind, std::string_view text,
                                                std::size_t max_paths) {
  if (const auto known = find_path(kind, text)) return known;
  // The limit counts the paths of nodes and relationships together.
  if (paths_.size() >= max_paths) return std::nullopt;
  const Id id = next_path_;
  put(id, codec::PathEntry{kind, std::string(text), codec::IndexState::online, false});
  return id;
}

// The next id is larger than every id that was ever put, even if its entry was erased since.
void Catalog::put(Id id, codec::PathEntry entry) {
  IdsByText& ids = entry.kind == EntityKind::node ? node_path_ids_ : relationship_path_ids_;
  ids.insert_or_assign(entry.text, id);
  paths_.insert_or_assign(id, std::move(entry));
  next_path_ = std::max(next_path_, id + 1);
}

void Catalog::put(Id id, codec::IndexEntry entry) {
  indexes_.insert_or_assign(id, std::move(entry));
  next_index_ = std::max(next_index_, id + 1);
}

void Catalog::put(Id id, codec::ConstraintEntry entry) {
  constraints_.insert_or_assign(id, std::move(entry));
  next_constraint_ = std::max(next_constraint_, id + 1);
}

void Catalog::put(Id id, codec::SpaceEntry entry) {
  spaces_.insert_or_assign(id, std::move(entry));
  next_space_ = std::max(next_space_, id + 1);
}

void Catalog::erase_index(Id id) { indexes_.erase(id); }

void Catalog::erase_constraint(Id id) { constraints_.erase(id); }

// The largest number may be assigned again after the database is reopened. That is safe, as no record or key uses it any
// more.
void Catalog::erase_name(CatalogKind kind, Id id) {
  NameTable& names = *table(kind);
  const auto found = names.names.find(id);
  if (found == names.names.end()) return;
  names.ids.erase(found->second);
  names.names.erase(found);
}

void Catalog::erase_path(Id id) {
  const auto found = paths_.find(id);
  if (found == paths_.end()) return;
  IdsByText& ids = found->second.kind == EntityKind::node ? node_path_ids_ : relationship_path_ids_;
  ids.erase(found->second.text);
  paths_.erase(found);
}

void Catalog::erase_space(Id id) { spaces_.erase(id); }

// The caller has checked that the kind has a NameTable.
Status Catalog::load_name(const codec::CatalogKey& key, std::string_view bytes) {
  CAIRN_ASSIGN(auto entry, codec::decode_name_entry(bytes));
  table(key.kind)->put(key.id, std::move(entry.name));
  return {};
}

Status Catalog::load(const codec::CatalogKey& key, std::string_view bytes) {
  if (table(key.kind) != nullptr) return load_name(key, bytes);
  if (key.kind == CatalogKind::path) {
    CAIRN_ASSIGN(auto entry, codec::decode_path_entry(bytes));
    put(key.id, std::move(entry));
  } else if (key.kind == CatalogKind::index) {
    CAIRN_ASSIGN(auto entry, codec::decode_index_entry(bytes));
    put(key.id, std::move(entry));
  } else if (key.kind == CatalogKind::constraint) {
    CAIRN_ASSIGN(auto entry, codec::decode_constraint_entry(bytes));
    put(key.id, std::move(entry));
  } else {
    CAIRN_ASSIGN(auto entry, codec::decode_space_entry(bytes));
    put(key.id, std::move(entry));
  }
  return {};
}

Catalog::Id Catalog::next_id(CatalogKind kind) const {
  switch (kind) {
    case CatalogKind::path:
      return next_path_;
    case CatalogKind::index:
      return next_index_;
    case CatalogKind::constraint:
      return next_constraint_;
    case CatalogKind::embedding_space:
      return next_space_;
    default:
      return table(kind)->next;
  }
}

// The keys "a" and "b.c" become the path a.b\.c. An empty `path` has no keys yet, so no '.' is added: the first key is the
// name of a property, which is never empty.
void append_path_key(std::string& path, std::string_view key) {
  if (!path.empty()) path += '.';
  for (const char byte : key) {
    if (byte == '.' || byte == '\\') path += '\\';
    path += byte;
  }
}

std::string join_path(const std::vector<std::string>& keys) {
  std::string path;
  for (const std::string& key : keys) append_path_key(path, key);
  return path;
}

std::vector<std::string> split_path(std::string_view text) {
  std::vector<std::string> keys(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      // A '\' at the very end is taken literally; join_path() never writes such a path.
      keys.back() += text[++i];
    else if (text[i] == '.')
      keys.emplace_back();
    else
      keys.back() += text[i];
  }
  return keys;
}

bool is_nested_path(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '.')
      return true;
  }
  return false;
}

// Counters are exact counts that each commit updates together with the records. They answer "is anything hidden?" without
// reading an index; if not, a statement need not intersect with the visible set. They are stored as plain values, not by
// merge operands: there is one writer at a time, so the new counts are known before the commit is written.

namespace {

constexpr codec::EntityKind both_kinds[] = {codec::EntityKind::node,
                                            codec::EntityKind::relationship};

std::string counter_key(Counter counter, codec::EntityKind kind) {
  return codec::stats_key({counter, kind, 0});
}

}  // namespace

void Counters::add(const Counters& change) noexcept {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += change.values_[i];
}

// A count that falls to zero is stored as zero, not erased. A reader treats a missing count as zero too.
void Counters::put_changes(const Counters& before, StoreBatch& batch) const {
  for (const Counter counter : all_counters) {
    for (const codec::EntityKind kind : both_kinds) {
      if (of(counter, kind) == before.of(counter, kind)) continue;
      std::string value;
      codec::append_big(value, static_cast<std::uint64_t>(of(counter, kind)));
      batch.put(Family::stats, counter_key(counter, kind), value);
    }
  }
}

Result<Counters> load_counters(const RocksStore& store) {
  Counters counters;
  for (const Counter counter : all_counters) {
    for (const codec::EntityKind kind : both_kinds) {
      CAIRN_ASSIGN(const auto bytes, store.get(Family::stats, counter_key(counter, kind), nullptr));
      if (!bytes) continue;
      // Two's complement in big-endian order. Unlike in keys the sign bit is not flipped, as values are not sorted.
      codec::ByteCursor cursor(*bytes);
      counters.of(counter, kind) = static_cast<std::int64_t>(cursor.read_big<std::uint64_t>());
      if (!cursor.finished())
        return codec::corruption("the counter " + std::string(to_string(counter)) + " of " +
                                 (kind == codec::EntityKind::node ? "nodes" : "relationships") +
                                 " in column family \"stats\" is damaged");
    }
  }
  return counters;
}

}  // namespace cairn::engine
