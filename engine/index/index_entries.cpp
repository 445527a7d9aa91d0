// Computes the names of a value's postings (table in the header). All index lookups depend on this
// rule. It is applied at each write (to the value before and after), when indexes are rebuilt, and
// when they are checked. So it must depend only on the value and the catalog's paths.
//
// Recursion follows the nesting of the value, at most 128 levels. A scalar has two or three names,
// so a list of n strings has some 2 n, including repetitions. All names are built in one buffer,
// because most names are only looked up and not stored.
#include "engine/index/index_entries.hpp"

#include "codec/byte_io.hpp"
#include "codec/instant.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/index/value_postings.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::engine {
namespace {

using codec::EntityKind;
using codec::EntryKind;
using codec::OrderedTag;

/// True if the value has an entry of its own.
bool is_scalar(const Value& value) {
  switch (value.type()) {
    case ValueType::list:
    case ValueType::map:
    case ValueType::vector:
    case ValueType::node:
    case ValueType::relationship:
    case ValueType::path:
      return false;
    default:
      return true;
  }
}

/// Visits one property recursively and reports the names of its postings.
class Walker {
 public:
  Walker(EntityKind kind, PathSource& paths, const VisitPostingName& visit)
      : kind_(kind), paths_(paths), visit_(visit) {}

  /// Requests path ids for containers too, because their presence is indexed. If a path has no id,
  /// its own entries are skipped, but not those of the paths below it, which have ids of their own.
  void visit(const std::string& path, const Value& value) {
    const auto id = paths_.path_id(kind_, path);
    if (id) append_presence(*id, EntryKind::presence, presence_tag(value));
    if (value.map() != nullptr) {
      if (id) append_hash(*id, value);
      visit_entries(path, value.as_map());
    } else if (value.list() != nullptr) {
      visit_list(path, id, value);
    } else if (id && is_scalar(value)) {
      append_scalar(*id, EntryKind::scalar, value);
      append_instant(*id, value);
    }
  }

 private:
  // Visits the values of a map at the paths of their keys.
  void visit_entries(const std::string& path, const Map& map) {
    for (const auto& [key, value] : map) {
      std::string nested = path;
      append_path_key(nested, key);
      visit(nested, value);
    }
  }

  /// Enters the elements and the values of maps among them. A list in a list is entered only by its
  /// presence.
  void visit_list(const std::string& path, std::optional<std::uint32_t> id, const Value& value) {
    // visit() has already entered its presence.
    if (is_unindexed_list(value)) return;
    if (id) append_hash(*id, value);
    for (const Value& element : value.as_list()) {
      if (id) append_presence(*id, EntryKind::element_presence, presence_tag(element));
      if (id && is_scalar(element)) append_scalar(*id, EntryKind::element, element);
      if (const Map* map = element.map()) visit_entries(path, *map);
    }
  }

  void append_presence(std::uint32_t path, EntryKind entry, OrderedTag tag) {
    begin(path, entry);
    name_.push_back(static_cast<char>(tag));  // like presence_posting()
    visit_(name_);
  }

  // Long strings are cut to a prefix with a hash (codec::append_index_value).
  void append_scalar(std::uint32_t path, EntryKind entry, const Value& value) {
    begin(path, entry);
    codec::append_index_value(name_, value);
    visit_(name_);
  }

  // Lists and maps are found by a hash of their whole value.
  void append_hash(std::uint32_t path, const Value& value) {
    begin(path, EntryKind::container);
    name_ += codec::container_hash(value);
    visit_(name_);
  }

  /// Enters only strings that are an instant as a whole: "2026-02-14", with or without a time, but
  /// not a sentence with a date.
  void append_instant(std::uint32_t path, const Value& value) {
    const std::string* text = value.string();
    const auto instant = text == nullptr ? std::nullopt : codec::parse_instant(*text);
    if (!instant) return;
    begin(path, EntryKind::instant);
    codec::append_big(name_, codec::flip_sign(*instant));
    visit_(name_);
  }

  /// Begins a name: everything before the value.
  void begin(std::uint32_t path, EntryKind entry) {
    name_ = codec::index_prefix(kind_, path, entry, "");
  }

  EntityKind kind_;
  PathSource& paths_;
  const VisitPostingName& visit_;
  std::string name_;  // the current name
};

}  // namespace

void visit_property_postings(EntityKind kind, std::string_view property, const Value& value,
                             PathSource& paths, const VisitPostingName& visit) {
  std::string path;
  append_path_key(path, property);
  Walker(kind, paths, visit).visit(path, value);
}

void append_property_postings(EntityKind kind, std::string_view property, const Value& value,
                              PathSource& paths, PostingNames& out) {
  visit_property_postings(kind, property, value, paths,
                          [&](std::string_view name) { out.emplace_back(name); });
}

void append_text_presence(EntityKind kind, std::string_view property, PathSource& paths,
                          PostingNames& out) {
  std::string path;
  append_path_key(path, property);
  if (const auto id = paths.path_id(kind, path))
    out.push_back(presence_posting(kind, *id, EntryKind::presence, OrderedTag::string));
}

std::string system_posting(EntityKind kind, codec::SystemPath path) {
  const bool all = path == codec::SystemPath::all;
  return codec::index_prefix(kind, static_cast<std::uint32_t>(path),
                             all ? EntryKind::presence : EntryKind::scalar, "");
}

std::string system_posting(EntityKind kind, codec::SystemPath path, std::uint32_t id) {
  std::string value;
  codec::append_big(value, id);
  return codec::index_prefix(kind, static_cast<std::uint32_t>(path), EntryKind::scalar, value);
}

// Flipping the sign bit makes negative times sort before positive ones.
std::string expiry_posting(EntityKind kind, std::int64_t expires_at) {
  std::string value;
  codec::append_big(value, codec::flip_sign(expires_at));
  return codec::index_prefix(kind, static_cast<std::uint32_t>(codec::SystemPath::expires_at),
                             EntryKind::scalar, value);
}

std::string presence_posting(EntityKind kind, std::uint32_t path, EntryKind entry, OrderedTag tag) {
  // One byte of a fixed length: no other name begins with this one.
  const char value = static_cast<char>(tag);
  return codec::index_prefix(kind, path, entry, std::string_view(&value, 1));
}

// NaN has a tag of its own, because it is not equal to itself.
OrderedTag presence_tag(const Value& value) noexcept {
  switch (value.type()) {
    case ValueType::null:
      return OrderedTag::null;
    case ValueType::boolean:
      return OrderedTag::boolean;
    case ValueType::integer:
      return OrderedTag::number;
    case ValueType::floating:
      return std::isnan(value.as_float()) ? OrderedTag::not_a_number : OrderedTag::number;
    case ValueType::string:
      return OrderedTag::string;
    case ValueType::list:
      return is_unindexed_list(value) ? unindexed_list_tag : OrderedTag::list;
    case ValueType::map:
      return OrderedTag::map;
    case ValueType::node:
      return OrderedTag::node;
    case ValueType::relationship:
      return OrderedTag::relationship;
    case ValueType::path:
      return OrderedTag::path;
    case ValueType::date:
      return OrderedTag::date;
    case ValueType::local_time:
      return OrderedTag::local_time;
    case ValueType::time:
      return OrderedTag::time;
    case ValueType::local_date_time:
      return OrderedTag::local_date_time;
    case ValueType::date_time:
      return OrderedTag::date_time;
    case ValueType::duration:
      return OrderedTag::duration;
    case ValueType::vector:
      return vector_tag;
  }
  return OrderedTag::null;
}

// The numbers of such a list are rarely searched for, and would need many entries.
bool is_unindexed_list(const Value& value) noexcept {
  const List* list = value.list();
  return list != nullptr && list->size() > max_indexed_numbers &&
         std::all_of(list->begin(), list->end(), [](const Value& v) { return v.is_number(); });
}

}  // namespace cairn::engine
