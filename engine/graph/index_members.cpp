// The members of an index: the entities with one of its labels or types, and their texts or vectors. A range index may have
// no labels; it has no members here.
#include "engine/graph/index_members.hpp"

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "codec/keys.hpp"
#include "engine/index/index_entries.hpp"
#include "engine/view/view.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {

Result<codec::Bitmap> index_members(const codec::IndexEntry& index, const View& view) {
  const bool of_nodes = index.entity == codec::EntityKind::node;
  std::vector<codec::Bitmap> groups;
  for (const std::uint32_t group : index.labels_or_types) {
    CAIRN_ASSIGN(auto ids, of_nodes ? view.labelled(group) : view.typed(group));
    groups.push_back(std::move(ids));
  }
  return codec::unite_all(groups);
}

Result<Value> resolve_as_stored(const RecordReader& reader, codec::EntityKind kind,
                                std::uint64_t id, std::uint32_t key,
                                const codec::StoredValue& stored) {
  if (!std::holds_alternative<codec::TextReference>(stored))
    return reader.resolve(kind, id, key, stored);
  CAIRN_ASSIGN(auto text, reader.get(records_of(kind), codec::large_text_key(id, key)));
  return text ? Value(std::move(*text)) : Value();
}

// Texts of members. Strings and lists of strings count as texts; other values are ignored. Large texts are read from their
// own keys. Each commit reads every touched record before and after the change, so a node's record is read in place, and
// only its indexed properties are decoded.

namespace {

/// Returns the string, or the strings in the list. Other elements are ignored.
std::vector<std::string> texts_of(const Value& value) {
  std::vector<std::string> texts;
  if (value.string() != nullptr) texts.push_back(*value.string());
  if (value.list() == nullptr) return texts;
  for (const Value& item : *value.list())
    if (item.string() != nullptr) texts.push_back(*item.string());
  return texts;
}

}  // namespace

bool has_text(const Value& value) { return !texts_of(value).empty(); }

namespace {

/// True if one of `groups` (labels or types) is in `wanted`.
bool is_in(std::span<const std::uint32_t> groups, const std::vector<std::uint32_t>& wanted) {
  return std::any_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
    return std::find(wanted.begin(), wanted.end(), group) != wanted.end();
  });
}

Result<codec::StoredValue> stored_of(const codec::StoredProperties& properties, std::uint32_t key) {
  const codec::StoredProperty* stored = codec::find_stored(properties, key);
  return stored != nullptr ? stored->value : codec::StoredValue();
}

}  // namespace

// For a node, decodes only the properties in the index.
Result<std::optional<MemberTexts>> TextMembers::find(std::uint64_t id) const {
  if (index_->entity == codec::EntityKind::node) {
    CAIRN_ASSIGN(const auto bytes, records_->get(Family::nodes, codec::record_key(id)));
    if (!bytes) return std::optional<MemberTexts>();
    CAIRN_ASSIGN(const auto view, node_view(id, *bytes));
    return read_group(
        id, view.name_space(), view.labels(), [&](std::uint32_t key) -> Result<codec::StoredValue> {
          const auto place = view.find(key);
          if (!place) return codec::StoredValue();
          auto value = view.value(*place);
          if (!value)
            return Error{value.error().code,
                         entity_text(codec::EntityKind::node, id) + ": " + value.error().message,
                         std::nullopt};
          return value;
        });
  }
  CAIRN_ASSIGN(const auto record, records_->relationship(id));
  return record ? read(id, *record) : std::optional<MemberTexts>();
}

Result<std::optional<MemberTexts>> TextMembers::read(std::uint64_t id,
                                                     const codec::NodeRecord& record) const {
  return read_group(id, record.header.name_space, record.labels,
                    [&](std::uint32_t key) { return stored_of(record.properties, key); });
}

Result<std::optional<MemberTexts>> TextMembers::read(
    std::uint64_t id, const codec::RelationshipRecord& record) const {
  return read_group(id, record.header.name_space, {&record.type, 1},
                    [&](std::uint32_t key) { return stored_of(record.properties, key); });
}

// Returns nullopt for a record without a label or type of the index. `find` returns the stored value of a property.
template <class Find>
Result<std::optional<MemberTexts>> TextMembers::read_group(std::uint64_t id,
                                                           std::uint32_t name_space,
                                                           std::span<const std::uint32_t> groups,
                                                           const Find& find) const {
  if (!is_in(groups, index_->labels_or_types)) return std::optional<MemberTexts>();
  MemberTexts found{FieldTexts(index_->properties.size()), name_space};
  FieldTexts& texts = found.fields;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::uint32_t key = index_->properties[i];
    CAIRN_ASSIGN(const codec::StoredValue stored, find(key));
    if (const auto* value = std::get_if<Value>(&stored)) {
      texts[i] = texts_of(*value);
    } else if (std::holds_alternative<codec::TextReference>(stored)) {
      CAIRN_ASSIGN(const Value large,
                   resolve_as_stored(*records_, index_->entity, id, key, stored));
      texts[i] = texts_of(large);
    }
  }
  return std::optional(std::move(found));
}

Result<TextChanges> find_text_changes(const codec::IndexEntry& index,
                                      std::span<const TouchedText> touched,
                                      const RecordReader* before, const RecordReader& after,
                                      TermDictionary* book) {
  const Analyzer analyzer(analyzer_options(index.text));
  TextChanges changes(index.properties.size(), book);
  for (const auto& [id, is_new] : touched) {
    std::optional<MemberTexts> old;
    if (!is_new) {
      CAIRN_ASSIGN(old, TextMembers(index, *before).find(id));
    }
    CAIRN_ASSIGN(const auto now, TextMembers(index, after).find(id));
    if (old == now) continue;
    if (!old) {
      changes.add(id, analyzer, now->fields, now->name_space);
      continue;
    }
    const TextDocument was = make_document(analyzer, old->fields);
    const TextDocument is = now ? make_document(analyzer, now->fields) : TextDocument();
    changes.change(id, &was, now ? &is : nullptr, old->name_space);
  }
  return changes;
}

// VectorMembers decides in one place which entities belong to a vector index. Used by the committer (changes),
// VectorIndexManager (rebuild, catch up), searches of a transaction, and the integrity check.

Result<VectorMembers> VectorMembers::of(const codec::IndexEntry& index, const RecordReader& records,
                                        const PostingReader& postings) {
  // Postings of labels and types are exact, so the records need not be read.
  const codec::SystemPath path =
      index.entity == codec::EntityKind::node ? codec::SystemPath::label : codec::SystemPath::type;
  std::vector<codec::Bitmap> groups;
  for (const std::uint32_t group : index.labels_or_types) {
    CAIRN_ASSIGN(auto ids, postings.posting(system_posting(index.entity, path, group)));
    groups.push_back(std::move(ids));
  }
  return VectorMembers(index, records, codec::unite_all(groups));
}

VectorMembers VectorMembers::by_record(const codec::IndexEntry& index,
                                       const RecordReader& records) {
  return VectorMembers(index, records, std::nullopt);
}

Result<bool> VectorMembers::is_grouped(std::uint64_t id) const {
  if (grouped_) return grouped_->contains(id);
  const auto has = [&](std::uint32_t group) { return std::ranges::count(groups_, group) > 0; };
  if (kind_ == codec::EntityKind::relationship) {
    CAIRN_ASSIGN(const auto record, records_->relationship(id));
    return record && has(record->type);
  }
  CAIRN_ASSIGN(const auto bytes, records_->get(Family::nodes, codec::record_key(id)));
  if (!bytes) return false;
  CAIRN_ASSIGN(const codec::NodeView record, node_view(id, *bytes));
  return std::ranges::any_of(record.labels(), has);
}

bool VectorMembers::takes(std::span<const float> components) const {
  return check_vector(components, dimension_, metric_, {}).has_value();
}

Result<std::optional<std::vector<float>>> VectorMembers::find(std::uint64_t id) const {
  // Checked before the vector is read: most entities in the log of a space may have other labels.
  CAIRN_ASSIGN(const bool is_in, is_grouped(id));
  if (!is_in) return std::optional<std::vector<float>>();
  CAIRN_ASSIGN(const auto bytes,
               records_->get(Family::vectors, codec::vector_key(space_, kind_, id)));
  if (!bytes) return std::optional<std::vector<float>>();
  auto components = codec::decode_vector(*bytes);
  if (components && !takes(*components)) return std::optional<std::vector<float>>();
  if (components) return std::optional(std::move(*components));
  Error error = components.error();
  error.message = "vector of " + entity_text(kind_, id) + ": " + error.message;
  return error;
}

VectorIndexOptions vector_options(const codec::IndexEntry& index,
                                  std::uint32_t background_threads) {
  VectorIndexOptions options;
  options.dimension = index.dimension;
  options.metric = index.metric;
  options.m = index.m;
  options.ef_construction = index.ef_construction;
  options.background_threads = background_threads;
  options.storage = index.storage;
  return options;
}

}  // namespace cairn::engine
