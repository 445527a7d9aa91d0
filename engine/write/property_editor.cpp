// A property is up to four things that must change together: the value in the record, or a
// reference to a text or vector under a key of its own; the postings that the value belongs to;
// counts; marks for the indexes that follow commits.
//
// value                         in the record         beside it
// up to 512 bytes               itself                -
// longer text                   bytes, checksum       nodes/relationships: id 01 property
// vector                        space, dimension      vectors: space kind id
//
// Postings are recomputed from the old value and not stored with it: analysis is pure, so the same
// value gives the same names, and only the difference is written. That rests on the catalog: a path
// that had a number when the value came has it still.
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

/// Whether a vector index takes this property of an entity with these labels or this type.
bool covers(const codec::IndexEntry& index, codec::EntityKind kind,
            std::span<const std::uint32_t> groups, std::uint32_t key) {
  if (index.kind != codec::IndexKind::vector || index.entity != kind) return false;
  if (index.properties.empty() || index.properties.front() != key) return false;
  return std::any_of(groups.begin(), groups.end(), [&](std::uint32_t group) {
    return std::find(index.labels_or_types.begin(), index.labels_or_types.end(), group) !=
           index.labels_or_types.end();
  });
}

/// What every vector must fulfil, indexed or not.
Status check_components(std::span<const float> components, std::string_view name) {
  const bool finite = std::all_of(components.begin(), components.end(),
                                  [](float component) { return std::isfinite(component); });
  if (finite && !components.empty()) return {};
  return Error{ErrorCode::invalid_argument,
               "property \"" + std::string(name) + "\": a vector must have components, all finite",
               {}};
}

/// Lies outside of the record, so that changing something else does not write it again.
bool is_large_text(const Value& value) {
  return value.string() != nullptr && value.string()->size() > codec::large_text_bytes;
}

/// Whether two equal values are equal to the bit: -0.0 equals 0.0, and is another value to store.
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

/// Vectors are compared by nobody: writing one again is rare and cheap.
bool is_same(const codec::StoredValue& stored, const Value& value) {
  if (const auto* inside = std::get_if<Value>(&stored)) {
    return *inside == value && have_same_zeros(*inside, value);
  }
  const auto* text = std::get_if<codec::TextReference>(&stored);
  return text != nullptr && is_large_text(value) && text->bytes == value.string()->size() &&
         text->hash == codec::checksum(*value.string());
}

/// Where the key is, or would be.
StoredProperties::iterator place_of(StoredProperties& properties, std::uint32_t key) {
  return std::lower_bound(properties.begin(), properties.end(), key,
                          [](const StoredProperty& p, std::uint32_t k) { return p.key < k; });
}

/// Ascending, each once.
void make_set(PostingNames& names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace

// A number beyond a float's range becomes infinite, which check_vector() refuses.
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

// The vector that several indexes would take must suit each; the first conversion serves for all,
// as it is the same list.
Result<Value> PropertyEditor::normalized(codec::EntityKind kind,
                                         std::span<const std::uint32_t> groups,
                                         std::string_view name, const Value& value) const {
  const auto* vector = value.get_if<Vector>();
  if (vector != nullptr) CAIRN_TRY(check_components(vector->components(), name));
  // Most values are neither, and most databases have no index that asks.
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
    // A list of other things or of nothing is not a vector. One of another length is a mistake: left out
    // of the index without a word it would only be missed in searches.
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
  // Setting what is there touches no posting and no text: the record alone is written again, for
  // its time of change.
  // But for a large text that was damaged: setting it again repairs it.
  if (is_there && is_same(place->value, value) && is_whole(owner, *place)) return {};
  if (is_there) {
    CAIRN_ASSIGN(auto before, postings_of(owner, *place));
    // What the old value lies under goes first: the new one may take the same key.
    erase_outside(owner, *place);
    PostingNames after;
    append_property_postings(owner.kind, name, value, catalog_, after);
    change_postings(owner.id, std::move(before), std::move(after));
  } else {
    // Of a name that repeats the last change counts, which is the same.
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

// A vector lies under a key of its own and is read only where an index asks for it.
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

// Through set(), which leaves properties in their places: an index into them stays good.
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

Result<PostingNames> PropertyEditor::postings_of(const PropertyOwner& owner,
                                                 const StoredProperty& property) {
  PostingNames names;
  const std::string& name = catalog_.current().name(codec::CatalogKind::property, property.key);
  Value value = Vector();  // in place of any vector, which need not be read
  if (!std::holds_alternative<codec::VectorReference>(property.value)) {
    CAIRN_ASSIGN(value,
                 resolve_as_stored(records_, owner.kind, owner.id, property.key, property.value));
    if (value.is_null()) {  // a large text that was lost
      append_text_presence(owner.kind, name, catalog_, names);
      return names;
    }
  }
  append_property_postings(owner.kind, name, value, catalog_, names);
  return names;
}

// The space goes by name and dimension, so a vector of another length goes to another key and the
// old one was erased before.
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

void PropertyEditor::erase_outside(const PropertyOwner& owner, const StoredProperty& property) {
  if (std::holds_alternative<codec::TextReference>(property.value)) {
    write_set_.erase(records_of(owner.kind), codec::large_text_key(owner.id, property.key));
  } else if (const auto* vector = std::get_if<codec::VectorReference>(&property.value)) {
    write_set_.erase(Family::vectors, codec::vector_key(vector->space, owner.kind, owner.id));
    write_set_.counters().of(Counter::vectors, owner.kind) -= 1;
    write_set_.touch_vector(owner.kind, owner.id);
  }
}

// Cost: sorting both; lists of thousands of items have as many names.
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

// The changes of one posting by a transaction, in the order in which they were made, become
// operands of its chunks. Sorting is stable, so of one id the last change stands last in its run,
// and the run's others are skipped. Ids of a chunk come out ascending, added and removed without
// one in common: what the codec's operand demands.

namespace {

bool by_id(const PostingWriteSet::Change& a, const PostingWriteSet::Change& b) {
  return a.id < b.id;
}

}  // namespace

ChunkChange& ChunkChanges::next(std::uint64_t chunk) {
  if (used_ == chunks_.size()) chunks_.emplace_back();
  ChunkChange& change = chunks_[used_++];
  change.chunk = chunk;
  change.delta.added.clear();
  change.delta.removed.clear();
  return change;
}

// Ids ascend in most transactions, whose changes are read where they lie.
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
