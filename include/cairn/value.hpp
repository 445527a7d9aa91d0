#pragma once
// Value: what a property, a parameter or a cell of a result row holds.
//
//     Value name = "Ada";                                     // string
//     Value ages = list_of({1, 2.5, nullptr});                // list of an integer, a float, null
//     Value person = map_of({{"name", name}, {"ages", ages}});
//     if (const std::string* text = name.string()) use(*text);
//
// What may be stored as a property: everything but nodes, relationships and paths, alone or inside of
// lists and maps. What may be a parameter: everything that may be stored.

#include <cairn/export.hpp>
#include <cairn/graph.hpp>
#include <cairn/temporal.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cairn {

class Value;
/// Values in order, of any types, nulls among them. Limit: Options::max_list_items when stored.
using List = std::vector<Value>;
using Map = std::map<std::string, Value, std::less<>>;  ///< keys in code point order

/// The types of a Value, in the order of Value::Content's alternatives.
///
/// Where values of different types are sorted, the language has an order of its own (LANGUAGE.md); the
/// numbers here mean nothing outside of the program and are never stored.
enum class ValueType : std::uint8_t {
  null,
  boolean,
  integer,
  floating,
  string,
  list,
  map,
  node,
  relationship,
  path,
  date,
  local_time,
  time,
  local_date_time,
  date_time,
  duration,
  vector,
};

/// The type's name as error messages write it: "null", "boolean", "integer", "float", ...
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(ValueType type) noexcept;

/// One embedding. Its bytes are shared and never change.
///
/// Shape: dimension() floats, 1 to 4,096 of them when stored. They must be finite; a vector index under
/// the cosine metric refuses the zero vector as well. A list of numbers in a property that has a vector
/// index becomes a Vector of its own accord. Cost: a copy is one reference count.
class Vector {
 public:
  Vector() = default;
  explicit Vector(std::vector<float> components)
      : components_(std::make_shared<const std::vector<float>>(std::move(components))) {}

  /// The components; valid as long as any copy of this vector lives.
  [[nodiscard]] std::span<const float> components() const noexcept {
    return components_ ? std::span<const float>(*components_) : std::span<const float>();
  }
  /// How many components there are; 0 for a vector made by default.
  [[nodiscard]] std::size_t dimension() const noexcept { return components().size(); }

 private:
  std::shared_ptr<const std::vector<float>> components_;  // owners: the copies of this vector
};

/// A value of any type. Cheap to copy: lists, maps, paths and entities share their content.
///
/// Null is a value as any other in C++; in the language it means "unknown", and comparing with it gives
/// null (three-valued logic). Integers are 64 bits and signed; floats are IEEE 754 doubles, infinities
/// and NaN included; strings are UTF-8, and a property refuses one that is not.
///
/// Threads: different copies may be used from different threads.
class CAIRN_EXPORT Value {
 public:
  using ListPtr = std::shared_ptr<const List>;  // owners: the copies of the value
  using MapPtr = std::shared_ptr<const Map>;    // owners: the copies of the value
  using PathPtr = std::shared_ptr<const Path>;  // owners: the copies of the value
  using Content = std::variant<std::monostate, bool, std::int64_t, double, std::string, ListPtr,
                               MapPtr, Node, Relationship, PathPtr, Date, LocalTime, Time,
                               LocalDateTime, DateTime, Duration, Vector>;

  // Implicit on purpose: whatever has an obvious value type may stand where a value is wanted. Text of
  // any kind is copied, and never taken for a boolean.
  Value() = default;  ///< null
  Value(std::nullptr_t) {}
  Value(bool value) : content_(value) {}
  Value(int value) : content_(std::int64_t{value}) {}
  Value(std::int64_t value) : content_(value) {}
  Value(double value) : content_(value) {}
  Value(const char* value) : content_(std::string(value)) {}
  Value(std::string value) : content_(std::move(value)) {}
  Value(std::string_view value) : content_(std::string(value)) {}
  Value(List value) : content_(std::make_shared<const List>(std::move(value))) {}
  Value(Map value) : content_(std::make_shared<const Map>(std::move(value))) {}
  Value(Node value) : content_(std::move(value)) {}
  Value(Relationship value) : content_(std::move(value)) {}
  Value(Path value);
  Value(Date value) : content_(value) {}
  Value(LocalTime value) : content_(value) {}
  Value(Time value) : content_(value) {}
  Value(LocalDateTime value) : content_(value) {}
  Value(DateTime value) : content_(std::move(value)) {}
  Value(Duration value) : content_(value) {}
  Value(Vector value) : content_(std::move(value)) {}

  /// Which of the types it has. Cost: none.
  [[nodiscard]] ValueType type() const noexcept { return static_cast<ValueType>(content_.index()); }
  [[nodiscard]] bool is_null() const noexcept { return type() == ValueType::null; }
  /// Integer or float.
  [[nodiscard]] bool is_number() const noexcept {
    return type() == ValueType::integer || type() == ValueType::floating;
  }

  /// The content if it has exactly this type, otherwise null. Valid while this value lives.
  /// Nothing is converted: get_if<double>() of an integer is null.
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return std::get_if<T>(&content_);
  }
  /// The same for the types that are held by pointer.
  [[nodiscard]] const List* list() const noexcept;
  [[nodiscard]] const Map* map() const noexcept;
  [[nodiscard]] const Path* path() const noexcept;
  [[nodiscard]] const std::string* string() const noexcept { return get_if<std::string>(); }

  /// The content, of which the type is known. A wrong type is a broken precondition.
  [[nodiscard]] bool as_bool() const { return std::get<bool>(content_); }
  [[nodiscard]] std::int64_t as_integer() const { return std::get<std::int64_t>(content_); }
  [[nodiscard]] double as_float() const { return std::get<double>(content_); }
  [[nodiscard]] const std::string& as_string() const { return std::get<std::string>(content_); }
  [[nodiscard]] const List& as_list() const { return *std::get<ListPtr>(content_); }
  [[nodiscard]] const Map& as_map() const { return *std::get<MapPtr>(content_); }
  [[nodiscard]] const Node& as_node() const { return std::get<Node>(content_); }
  [[nodiscard]] const Relationship& as_relationship() const {
    return std::get<Relationship>(content_);
  }

  /// Everything, for std::visit. Valid while this value lives.
  [[nodiscard]] const Content& content() const noexcept { return content_; }

  /// Same type and same content; 1 and 1.0 differ, NaN equals itself, entities by id.
  /// The language's own equality and order are `query` matters, with numbers compared by value.
  friend CAIRN_EXPORT bool operator==(const Value& a, const Value& b) noexcept;

  /// The value as a literal of the language, which parse_literal() reads back to an equal value ("{name: 'Ada', ages: [1, 2.0]}"), for messages.
  [[nodiscard]] std::string to_text() const;

 private:
  Content content_;
};

/// Named values of a statement's `$parameters`, names without the dollar sign.
///
/// This is the way for anything that a user typed: a parameter is data whatever it holds, quotes and
/// NUL bytes included, and a statement parsed once may run with many.
using Parameters = Map;

/// Make a list or a map value in place.
[[nodiscard]] inline Value list_of(std::initializer_list<Value> items) { return List(items); }
[[nodiscard]] inline Value map_of(std::initializer_list<Map::value_type> items) {
  return Map(items);
}

}  // namespace cairn
