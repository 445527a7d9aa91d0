// Checks against the limits of Options, which a program may set lower than the limits of the file format
// (codec/limits.hpp). The limits of the format are checked first: they bound the nesting of values, and so the
// recursion in this file. Each refusal leaves the transaction intact. Its message names the option that would permit
// the value, or says that the format forbids it.
#include "engine/write/limits.hpp"

#include "codec/limits.hpp"
#include "codec/utf8.hpp"
#include "engine/catalog/catalog.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace cairn::engine {
namespace {

/// The error for an exceeded limit. The message ends with the limit and the name of its option.
Error over(std::string what, std::size_t size, std::size_t limit, std::string_view option) {
  return Error{ErrorCode::invalid_argument,
               std::move(what) + std::to_string(size) + "; the limit is " + std::to_string(limit) +
                   " (" + std::string(option) + ")",
               {}};
}

/// The beginning of the message about a property.
std::string subject(std::string_view name, std::string_view what) {
  return "property \"" + std::string(name) + "\": " + std::string(what) + ": ";
}

Status check_nested(std::string_view name, const Value& value, const Options& options,
                    std::uint32_t level);

/// Checks the size and the nesting level of a list or map.
Status check_container(std::string_view name, std::size_t size, std::uint32_t level,
                       const Options& options) {
  if (size > options.max_list_items) {
    return over(subject(name, "items of a list or map"), size, options.max_list_items,
                "max_list_items");
  }
  if (level > options.max_nesting_levels) {
    return over(subject(name, "levels of lists and maps"), level, options.max_nesting_levels,
                "max_nesting_levels");
  }
  return {};
}

/// The recursion is bounded: the format's limit of 128 levels was checked before.
Status check_nested(std::string_view name, const Value& value, const Options& options,
                    std::uint32_t level) {
  if (const List* list = value.list()) {
    CAIRN_TRY(check_container(name, list->size(), level + 1, options));
    for (const Value& item : *list) CAIRN_TRY(check_nested(name, item, options, level + 1));
  }
  if (const Map* map = value.map()) {
    CAIRN_TRY(check_container(name, map->size(), level + 1, options));
    for (const auto& entry : *map) CAIRN_TRY(check_nested(name, entry.second, options, level + 1));
  }
  return {};
}

/// The bytes that a value takes in its record. A large text is stored outside of the record.
std::size_t bytes_inside(const Value& value) {
  const std::string* text = value.string();
  return text != nullptr && text->size() > codec::large_text_bytes ? 0
                                                                   : codec::counted_bytes(value);
}

// Limits the part of a record that is read as a whole, because each filter on one property reads this whole part.
Status check_totals(std::size_t properties, std::size_t bytes) {
  constexpr std::string_view fixed = "fixed by the format";
  if (properties > codec::max_properties) {
    return over("properties of one record: ", properties, codec::max_properties, fixed);
  }
  if (bytes <= codec::max_record_bytes) return {};
  return over("bytes of one record: ", bytes, codec::max_record_bytes, fixed);
}

}  // namespace

Status check_limits(const Options& options) {
  struct Limit {
    std::string_view name;
    std::size_t wanted;
    std::size_t most;
  };
  const Limit limits[] = {
      {"max_key_bytes", options.max_key_bytes, codec::max_name_bytes},
      {"max_value_bytes", options.max_value_bytes, codec::max_value_bytes},
      {"max_list_items", options.max_list_items, codec::max_container_items},
      {"max_nesting_levels", options.max_nesting_levels, codec::max_nesting_levels},
  };
  for (const Limit& limit : limits) {
    if (limit.wanted <= limit.most) continue;
    return Error{ErrorCode::invalid_argument,
                 "Options::" + std::string(limit.name) + " is " + std::to_string(limit.wanted) +
                     ", but the format holds at most " + std::to_string(limit.most),
                 {}};
  }
  return {};
}

Status check_name(std::string_view what, std::string_view name, const Options& options) {
  // Empty names are always refused: paths, keys and statements could not distinguish them from a missing name.
  const std::size_t limit = options.max_key_bytes;
  if (name.empty()) {
    return Error{ErrorCode::invalid_argument, "a " + std::string(what) + " is empty", {}};
  }
  if (name.size() <= limit) return {};
  const std::string_view shown = name.substr(0, codec::utf8_prefix(name.substr(0, 32)));
  return over("bytes of the " + std::string(what) + " \"" + std::string(shown) + "...\": ",
              name.size(), limit, "max_key_bytes");
}

Status check_property(std::string_view name, const Value& value, const Options& options) {
  CAIRN_TRY(check_name("property name", name, options));
  if (auto storable = codec::check_storable(value); !storable) {
    Error error = storable.error();
    error.message = "property \"" + std::string(name) + "\": " + error.message;
    // The error resource_limit means "try again with less at once", but this value can never be stored.
    if (error.code == ErrorCode::resource_limit) {
      error.code = ErrorCode::invalid_argument;
      error.message += " (fixed by the format)";
    }
    return error;
  }
  const std::size_t bytes = codec::counted_bytes(value);
  if (bytes > options.max_value_bytes) {
    return over(subject(name, "bytes"), bytes, options.max_value_bytes, "max_value_bytes");
  }
  return check_nested(name, value, options, 0);
}

/// Checks each property alone, and then the whole record.
Status check_properties(const Properties& properties, const Options& options) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : properties) {
    CAIRN_TRY(check_property(name, value, options));
    bytes += bytes_inside(value);
  }
  return check_totals(properties.size(), bytes);
}

Status check_room(const codec::StoredProperties& properties, std::optional<std::uint32_t> key,
                  const Value& value) {
  if (value.is_null()) return {};
  std::size_t count = 1;
  std::size_t bytes = bytes_inside(value);
  for (const codec::StoredProperty& property : properties) {
    // If `key` is nullopt, it equals no stored key.
    if (property.key == key) continue;
    ++count;
    const auto* inside = std::get_if<Value>(&property.value);
    if (inside != nullptr) bytes += codec::counted_bytes(*inside);
  }
  return check_totals(count, bytes);
}

Status check_room(const codec::StoredProperties& properties, const Properties& values,
                  const Catalog& catalog) {
  std::size_t count = 0;
  std::size_t bytes = 0;
  const auto add = [&](std::size_t size) {
    ++count;
    bytes += size;
  };
  std::set<std::uint32_t> given;
  for (const auto& [name, value] : values) {
    if (const auto key = catalog.find_property(name)) given.insert(*key);
    if (!value.is_null()) add(bytes_inside(value));
  }
  for (const codec::StoredProperty& property : properties) {
    if (given.contains(property.key)) continue;
    const auto* inside = std::get_if<Value>(&property.value);
    add(inside != nullptr ? codec::counted_bytes(*inside) : 0);
  }
  return check_totals(count, bytes);
}

Status check_label_count(std::size_t count) {
  if (count <= codec::max_labels) return {};
  return over("labels of one node: ", count, codec::max_labels, "fixed by the format");
}

}  // namespace cairn::engine
