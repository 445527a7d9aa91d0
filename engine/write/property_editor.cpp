// A property consists of up to four things that must change together: the value in the record, or a reference to a
// text or vector under its own key; the postings of the value; counts; and marks for the indexes that are updated
// after a commit.
//
// value                         in the record         under its own key
// text over 512 bytes           size, checksum        nodes/relationships: id 01 property
// vector                        space, dimension      vectors: space kind id
// any other value               the value             -
//
// Postings are not stored with a value. They are computed again from the old value, and only the difference is
// written. This is correct because the analysis depends only on the value and on the catalog, and a path that had a
// number when the value was written still has it.
#include "engine/write/property_editor.hpp"

#include "codec/checksum.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/index/value_postings.hpp"
#include "engine/vector/vector_index.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {
namespace {

using codec::StoredProperties;
using codec::StoredProperty;

/// True if the vector index covers this property of an entity with these labels or this type.
bool covers(const codec::IndexEntry& index, codec::EntityKind kind,
            std::span<const std::uint32_t> groups, std::uint32_t key) {
  if (index.kind != codec::IndexKind::vector || index.entity != kind) return false;
  if (index.properties.empty() || index.properties.front() != key) return false;
  return std::any_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
    return std::find(index.labels_or_types.begin(), index.labels_or_types.end(), group) !=
           index.labels_or_types.end();
  });
}

/// Checks the rules for all vectors, indexed or not.
Status check_components(std::span<const float> components, std::string_view name) {
  const bool finite = std::all_of(components.begin(), components.end(),
                                  [](float component) { return std::isfinite(component); });
  if (finite && !components.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "property \"" + std::string(name) +
                   "\": a vector needs components, and all of them must be finite",
               {}};
}

/// True if the text is stored under its own key, so that other changes of the record do not rewrite it.
bool is_large_text(const Value& value) {
  return value.string() != nullptr && value.string()->size() > codec::large_text_bytes;
}

/// For two equal values: true if they are also stored with equal bits. -0.0 equals 0.0 but is stored differently.
bool have_same_zeros(const Value& a, const Value& b) {
  if (const double* number = a.get_if<double>()) {
    return std::signbit(*number) == std::signbit(b.as_float());
  }
  if (const List* list = a.list()) return std::ranges::equal(*list, b.as_list(), have_same_zeros);
  const auto same_entry = [](const auto& x, const auto& y) {
    return have_same_zeros(x.second, y.second);
  };
  return a.map() == nullptr || std::ranges::equal(*a.map(), b.as_map(), same_entry);
}

/// True if `value` is already stored. Always false for a vector: writing it again is rare and cheap.
bool is_same(const codec::StoredValue& stored, const Value& value) {
  if (const auto* inside = std::get_if<Value>(&stored)) {
    return *inside == value && have_same_zeros(*inside, value);
  }
  const auto* text = std::get_if<codec::TextReference>(&stored);
  return text != nullptr && is_large_text(value) && text->bytes == value.string()->size() &&
         text->hash == codec::checksum(*value.string());
}

/// The position of the key, or where it has to be inserted.
StoredProperties::iterator place_of(StoredProperties& properties, std::uint32_t key) {
  return std::lower_bound(properties.begin(), properties.end(), key,
                          [](const StoredProperty& p, std::uint32_t k) { return p.key < k; });
}

/// Sorts the names and removes duplicates.
void make_set(PostingNames& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

// A number beyond the range of float becomes infinite, and check_vector() refuses it.
std::optional<std::vector<float>> to_components(const List& list) {
  std::vector<float> components;
  components.reserve(list.size());
  for (const Value& item : list) {
    if (!item.is_number()) return std::nullopt;
    components.push_back(item.type() == ValueType::integer ? static_cast<float>(item.as_integer())
                                                           : static_cast<float>(item.as_float()));
  }
  return components;
}

// The vector must fit all indexes that cover the property. The list is converted only once, because all indexes get
// the same vector.
Result<Value> PropertyEditor::normalized(codec::EntityKind kind,
                                         std::span<const std::uint32_t> groups,
                                         std::string_view name, const Value& value) const {
  const auto* vector = value.get_if<Vector>();
  if (vector != nullptr) CAIRN_TRY(check_components(vector->components(), name));
  // The usual case: the value is not a vector or list, or no index exists.
  const Catalog& catalog = catalog_.current();
  if ((vector == nullptr && value.list() == nullptr) || catalog.indexes().empty()) return value;
  const auto key = catalog.find_property(name);
  if (!key) return value;
  Value result = value;
  for (const auto& [id, index] : catalog.indexes()) {
    if (!covers(index, kind, groups, *key)) continue;
    auto components =
        vector != nullptr
            ? std::vector<float>(vector->components().begin(), vector->components().end())
            : to_components(*value.list()).value_or(std::vector<float>());
    // A list with other elements, or an empty one, is not a vector. A list of another length is an error: if it were
    // ignored, the entity would silently be missing in searches.
    if (components.empty()) continue;
    const std::string what =
        "property \"" + std::string(name) + "\" of vector index \"" + index.name + "\"";
    CAIRN_TRY(check_vector(components, index.dimension, index.metric, what));
    if (vector == nullptr) result = Value(Vector(std::move(components)));
  }
  return result;
}

Status PropertyEditor::set(const PropertyOwner& owner, StoredProperties& properties,
                           std::string_view name, const Value& value) {
  if (value.is_null()) {
    const auto key = catalog_.current().find_property(name);
    return key ? remove(owner, properties, *key) : Status();
  }
  const std::uint32_t key = catalog_.intern(codec::CatalogKind::property, name);
  const auto place = place_of(properties, key);
  const bool is_there = place != properties.end() && place->key == key;
  // Setting the same value again changes no posting and no text. Only the record is written, for its time of change.
  // A damaged large text is an exception: setting it again repairs it.
  if (is_there && is_same(place->value, value) && is_whole(owner, *place)) return {};
  if (is_there) {
    CAIRN_ASSIGN(auto before, postings_of(owner, *place));
    // The key of the old value is erased first, because the new value may use the same key.
    erase_outside(owner, *place);
    PostingNames after;
    append_property_postings(owner.kind, name, value, catalog_, after);
    change_postings(owner.id, std::move(before), std::move(after));
  } else {
    // A repeated name does no harm, because both changes are equal.
    visit_property_postings(owner.kind, name, value, catalog_, [&](std::string_view posting) {
      write_set_.postings().change(posting, {owner.id, true});
    });
  }
  codec::StoredValue stored = store(owner, key, name, value);
  if (is_there)
    place->value = std::move(stored);
  else
    properties.insert(place, StoredProperty{key, std::move(stored)});
  return {};
}

bool PropertyEditor::is_whole(const PropertyOwner& owner, const StoredProperty& property) const {
  return !std::holds_alternative<codec::TextReference>(property.value) ||
         records_.resolve(owner.kind, owner.id, property.key, property.value).has_value();
}

Status PropertyEditor::remove(const PropertyOwner& owner, StoredProperties& properties,
                              std::uint32_t key) {
  const auto place = place_of(properties, key);
  if (place == properties.end() || place->key != key) return {};
  CAIRN_ASSIGN(auto before, postings_of(owner, *place));
  change_postings(owner.id, std::move(before), {});
  erase_outside(owner, *place);
  properties.erase(place);
  return {};
}

// The record itself is erased by the caller, so its properties remain in it.
Status PropertyEditor::forget(const PropertyOwner& owner, const StoredProperties& properties) {
  for (const StoredProperty& property : properties) {
    CAIRN_ASSIGN(auto before, postings_of(owner, property));
    change_postings(owner.id, std::move(before), {});
    erase_outside(owner, property);
  }
  return {};
}

Status PropertyEditor::check_vectors(const PropertyOwner& owner,
                                     const StoredProperties& properties) const {
  for (const StoredProperty& property : properties) {
    auto checked = check_vector_of(owner, property);
    if (checked) continue;
    Error error = checked.error();
    error.message = entity_text(owner.kind, owner.id) + ": " + error.message;
    return error;
  }
  return {};
}

// A vector is stored under its own key, and is read only if an index covers the property.
Status PropertyEditor::check_vector_of(const PropertyOwner& owner,
                                       const StoredProperty& property) const {
  const auto* inside = std::get_if<Value>(&property.value);
  const bool may_enter = inside != nullptr
                             ? inside->list() != nullptr
                             : std::holds_alternative<codec::VectorReference>(property.value);
  if (!may_enter) return {};
  const auto& indexes = catalog_.current().indexes();
  const bool is_covered = std::any_of(indexes.begin(), indexes.end(), [&](const auto& index) {
    return covers(index.second, owner.kind, owner.groups, property.key);
  });
  if (!is_covered) return {};
  CAIRN_ASSIGN(const Value value,
               records_.resolve(owner.kind, owner.id, property.key, property.value));
  const std::string name = catalog_.current().name(codec::CatalogKind::property, property.key);
  CAIRN_TRY(normalized(owner.kind, owner.groups, name, value));
  return {};
}

// set() does not move properties, so the index `i` remains valid.
Result<bool> PropertyEditor::convert_lists(const PropertyOwner& owner,
                                           StoredProperties& properties) {
  bool is_changed = false;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const auto* list = std::get_if<Value>(&properties[i].value);
    if (list == nullptr || list->list() == nullptr) continue;
    const std::string name =
        catalog_.current().name(codec::CatalogKind::property, properties[i].key);
    CAIRN_ASSIGN(const Value value, normalized(owner.kind, owner.groups, name, *list));
    if (value.type() != ValueType::vector) continue;
    CAIRN_TRY(set(owner, properties, name, value));
    is_changed = true;
  }
  return is_changed;
}

// If the large text is lost, returns only the posting for the presence of the property; the others are not known.
Result<PostingNames> PropertyEditor::postings_of(const PropertyOwner& owner,
                                                 const StoredProperty& property) {
  PostingNames names;
  const std::string& name = catalog_.current().name(codec::CatalogKind::property, property.key);
  Value value = Vector();  // a placeholder: the postings do not depend on the components
  if (!std::holds_alternative<codec::VectorReference>(property.value)) {
    CAIRN_ASSIGN(value,
                 resolve_as_stored(records_, owner.kind, owner.id, property.key, property.value));
    if (value.is_null()) {  // the large text is lost
      append_text_presence(owner.kind, name, catalog_, names);
      return names;
    }
  }
  append_property_postings(owner.kind, name, value, catalog_, names);
  return names;
}

// The name and the dimension determine the space. So a vector of another dimension gets another key; the old key was
// erased before.
codec::StoredValue PropertyEditor::store(const PropertyOwner& owner, std::uint32_t key,
                                         std::string_view name, const Value& value) {
  if (is_large_text(value)) {
    const std::string& text = *value.string();
    write_set_.put(records_of(owner.kind), codec::large_text_key(owner.id, key), text);
    return codec::TextReference{text.size(), codec::checksum(text)};
  }
  const auto* vector = value.get_if<Vector>();
  if (vector == nullptr) return value;
  const auto dimension = static_cast<std::uint32_t>(vector->dimension());
  const std::uint32_t space = catalog_.intern_space(name, dimension);
  write_set_.put(Family::vectors, codec::vector_key(space, owner.kind, owner.id),
                 codec::encode_vector(vector->components()));
  write_set_.counters().of(Counter::vectors, owner.kind) += 1;
  write_set_.touch_vector(owner.kind, owner.id);
  return codec::VectorReference{space, dimension};
}

// Values inside the record need no erasure.
void PropertyEditor::erase_outside(const PropertyOwner& owner, const StoredProperty& property) {
  if (std::holds_alternative<codec::TextReference>(property.value)) {
    write_set_.erase(records_of(owner.kind), codec::large_text_key(owner.id, property.key));
  } else if (const auto* vector = std::get_if<codec::VectorReference>(&property.value)) {
    write_set_.erase(Family::vectors, codec::vector_key(vector->space, owner.kind, owner.id));
    write_set_.counters().of(Counter::vectors, owner.kind) -= 1;
    write_set_.touch_vector(owner.kind, owner.id);
  }
}

// Cost: sorts both sets. A list of thousands of items has as many names.
void PropertyEditor::change_postings(std::uint64_t id, PostingNames before, PostingNames after) {
  make_set(before);
  make_set(after);
  for (const std::string& name : before) {
    const bool stays = std::binary_search(after.begin(), after.end(), name);
    if (!stays) write_set_.postings().change(name, {id, false});
  }
  for (const std::string& name : after) {
    const bool was_there = std::binary_search(before.begin(), before.end(), name);
    if (!was_there) write_set_.postings().change(name, {id, true});
  }
}

// ChunkChanges. Converts the changes of one posting, in the order in which the transaction made them, to operands of
// its chunks. A stable sort by id puts the last change of each id at the end of its run; the others of the run are
// skipped. So the ids of a chunk ascend, and no id is both added and removed, as the operand demands.

namespace {

bool by_id(const PostingWriteSet::Change& a, const PostingWriteSet::Change& b) {
  return a.id < b.id;
}

}  // namespace

// Returns an empty element. Reuses the memory of earlier calls.
ChunkChange& ChunkChanges::next(std::uint64_t chunk) {
  if (used_ == chunks_.size()) chunks_.emplace_back();
  ChunkChange& change = chunks_[used_++];
  change.chunk = chunk;
  change.delta.added.clear();
  change.delta.removed.clear();
  return change;
}

// Most transactions make changes in ascending order of id. Such changes are read without a copy.
std::span<const ChunkChange> ChunkChanges::of(std::span<const PostingWriteSet::Change> changes) {
  if (!std::is_sorted(changes.begin(), changes.end(), by_id)) {
    sorted_.assign(changes.begin(), changes.end());
    std::stable_sort(sorted_.begin(), sorted_.end(), by_id);
    changes = sorted_;
  }
  used_ = 0;
  ChunkChange* last = nullptr;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const PostingWriteSet::Change& change = changes[i];
    if (i + 1 < changes.size() && changes[i + 1].id == change.id) continue;
    const std::uint64_t chunk = change.id >> 16;
    if (last == nullptr || last->chunk != chunk) last = &next(chunk);
    auto& ids = change.added ? last->delta.added : last->delta.removed;
    ids.push_back(static_cast<std::uint16_t>(change.id));
  }
  return std::span(chunks_).first(used_);
}

}  // namespace cairn::engine
