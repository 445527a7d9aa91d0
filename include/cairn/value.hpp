#pragma once
// Value: what a property, a parameter or a cell of a result row holds.
//
//     Value name = "Ada";                                     // string
//     Value ages = list_of({1, 2.5, nullptr});                // list of an integer, a float, null
//     Value person = map_of({{"name", name}, {"ages", ages}});
//     if (const std::string* text = name.string()) use(*text);
//
// What may be stored as a property: everything but nodes, relationships and paths, alone or inside of
// lists and maps; but a vector only as the property itself, not inside of a list or map. What may
// be a parameter: every value, entities of the same database too.
//
// Values are immutable: to change a list or map, copy it out, change the copy and make a value of
// it.
//
//     List longer = ages.as_list();
//     longer.push_back(4);
//     ages = Value(std::move(longer));

#include <cairn/graph.hpp>
#include <cairn/temporal.hpp>
#include <cairn/visibility.hpp>

#include <concepts>
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
/// 65,536 items by default and at most. A list of numbers becomes a Vector when a vector index
/// covers the property it is stored in.
using List = std::vector<Value>;
/// Values by name; a name is 1 KiB at most when stored, and a map has as many entries as a list may
/// have.
using Map = std::map<std::string, Value, std::less<>>;  ///< keys in code point order

/// The types of a Value, in the order of Value::Content's alternatives.
///
/// Where values of different types are sorted, the language has an order of its own (LANGUAGE.md); the
/// numbers here mean nothing outside of the program and are never stored.
/// Parameters and properties keep the type they were given: 8 and 8.0 stay an integer and a float,
/// though the language compares them by value.
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
/// "local time", "local datetime" and "datetime" are two words or one as in the language.
/// Precondition: one of the enumerators.
/// Lifetime: the text lives as long as the program.
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(ValueType type) noexcept;

/// One embedding. Its bytes are shared and never change.
///
/// Shape: dimension() floats, 1 to 4,096 of them when stored. They must be finite; a vector index under
/// the cosine metric refuses the zero vector as well. A list of numbers in a property that has a vector
/// index becomes a Vector of its own accord. Cost: a copy is one reference count.
///
///     const Vector tea({0.9F, 0.1F, 0.0F});
///     CAIRN_TRY(transaction.set_property(node, "embedding", tea));
///
/// Storing refuses one without components, one with more than 4,096 and one that is not finite
/// (invalid_argument); a vector index also one of another dimension, and the zero vector under the
/// cosine metric. What is stored is read back bit by bit.
class Vector {
 public:
  Vector() = default;
  /// Takes the components over; nothing is checked before the vector is stored or searched for.
  CAIRN_EXPORT explicit Vector(std::vector<float> components);

  /// The components; valid as long as any copy of this vector lives.
  [[nodiscard]] std::span<const float> components() const noexcept {
    return components_ ? std::span<const float>(*components_) : std::span<const float>();
  }
  /// How many components there are; 0 for a vector made by default.
  [[nodiscard]] std::size_t dimension() const noexcept { return components().size(); }

 private:
  std::shared_ptr<const std::vector<float>> components_;  // owners: the copies of this vector
};

namespace detail {

/// An integer type of the language, but for bool and characters.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

/// Say on the standard error what was asked of what, and end the program (std::abort).
[[noreturn]] CAIRN_EXPORT void fail_type(const char* call, ValueType type) noexcept;
[[noreturn]] CAIRN_EXPORT void fail_range(std::uint64_t integer) noexcept;

template <Integer T>
[[nodiscard]] constexpr std::int64_t to_int64(T value) noexcept {
  if (!std::in_range<std::int64_t>(value)) fail_range(static_cast<std::uint64_t>(value));
  return static_cast<std::int64_t>(value);
}

}  // namespace detail

/// A value of any type. Cheap to copy: lists, maps, paths and entities share their content.
///
/// Null is a value as any other in C++; in the language it means "unknown", and comparing with it gives
/// null (three-valued logic). Integers are 64 bits and signed; floats are IEEE 754 doubles, infinities
/// and NaN included; strings are UTF-8. Other bytes are stored as they are and compare as bytes, but JSON, and so an
/// export, has U+FFFD in their place.
///
/// Threads: different copies may be used from different threads.
///
/// Size: 56 bytes on 64-bit machines, and the content behind a pointer for what does not fit. A
/// string is copied with its value; what else is large is shared, so that a row copies by a few
/// reference counts.
class CAIRN_EXPORT Value {
 public:
  using ListPtr = std::shared_ptr<const List>;  // owners: the copies of the value
  using MapPtr = std::shared_ptr<const Map>;    // owners: the copies of the value
  using PathPtr = std::shared_ptr<const Path>;  // owners: the copies of the value
  // The alternatives in the order of ValueType; std::monostate is null.
  using Content = std::variant<std::monostate, bool, std::int64_t, double, std::string, ListPtr,
                               MapPtr, Node, Relationship, PathPtr, Date, LocalTime, Time,
                               LocalDateTime, DateTime, Duration, Vector>;

  // Implicit on purpose: whatever has an obvious value type may stand where a value is wanted. Text of
  // any kind is copied, and never taken for a boolean.
  // Every integer type is accepted. A character is not, and does not compile.
  // The bodies are in one file: if they were inline, each file that knows Value would compile all of std::variant.
  Value() noexcept {}  ///< null
  Value(std::nullptr_t) noexcept {}
  Value(bool value) noexcept : content_(std::in_place_type<bool>, value) {}
  /// One above the range of std::int64_t ends the program with a message: store such a number as text.
  template <detail::Integer T>
  Value(T value) noexcept : content_(std::in_place_type<std::int64_t>, detail::to_int64(value)) {}
  Value(double value) noexcept : content_(std::in_place_type<double>, value) {}
  Value(const char* value);
  Value(std::string value) noexcept;
  Value(std::string_view value);
  Value(List value);
  Value(Map value);
  Value(Node value) noexcept;
  Value(Relationship value) noexcept;
  Value(Path value);
  Value(Date value) noexcept;
  Value(LocalTime value) noexcept;
  Value(Time value) noexcept;
  Value(LocalDateTime value) noexcept;
  Value(DateTime value) noexcept;
  Value(Duration value) noexcept;
  Value(Vector value) noexcept;
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  /// Which of the types it has. Cost: none.
  [[nodiscard]] ValueType type() const noexcept { return static_cast<ValueType>(content_.index()); }
  /// Whether it is null; a property that is absent reads as null too.
  [[nodiscard]] bool is_null() const noexcept { return type() == ValueType::null; }
  /// Integer or float.
  [[nodiscard]] bool is_number() const noexcept {
    return type() == ValueType::integer || type() == ValueType::floating;
  }

  /// The content if it has exactly this type, otherwise null. Valid while this value lives.
  /// Nothing is converted: get_if<double>() of an integer is null.
  ///
  ///     if (const auto* year = row[0].get_if<std::int64_t>()) use(*year);
  ///     if (const auto* day = row[1].get_if<Date>()) use(day->days);
  ///
  /// T is one of the alternatives of Content; for lists, maps and paths see the calls below.
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return std::get_if<T>(&content_);
  }
  /// The same for the types that are held by pointer.
  ///
  /// Null for another type.
  /// Cost: none. Valid while any copy of this value lives.
  [[nodiscard]] const List* list() const noexcept;
  [[nodiscard]] const Map* map() const noexcept;
  [[nodiscard]] const Path* path() const noexcept;
  [[nodiscard]] const std::string* string() const noexcept { return get_if<std::string>(); }

  /// The content, of which the type is known. A wrong type ends the program: it says which call met which
  /// type on the standard error and calls std::abort(). Ask type() or use get_if() for what comes from
  /// outside.
  [[nodiscard]] bool as_bool() const { return content_of<bool>("as_bool"); }
  [[nodiscard]] std::int64_t as_integer() const { return content_of<std::int64_t>("as_integer"); }
  [[nodiscard]] double as_float() const { return content_of<double>("as_float"); }
  [[nodiscard]] const std::string& as_string() const {
    return content_of<std::string>("as_string");
  }
  [[nodiscard]] const List& as_list() const { return *content_of<ListPtr>("as_list"); }
  [[nodiscard]] const Map& as_map() const { return *content_of<MapPtr>("as_map"); }
  [[nodiscard]] const Node& as_node() const { return content_of<Node>("as_node"); }
  [[nodiscard]] const Relationship& as_relationship() const {
    return content_of<Relationship>("as_relationship");
  }

  /// Everything, for std::visit. Valid while this value lives.
  ///
  ///     std::visit([](const auto& content) { use(content); }, value.content());
  ///
  [[nodiscard]] const Content& content() const noexcept { return content_; }

  /// Same type and same content; 1 and 1.0 differ, NaN equals itself, entities by id.
  /// The language's own equality and order are `query` matters, with numbers compared by value.
  /// Lists and maps compare element by element, -0.0 equals 0.0, null equals null.
  /// Cost: the smaller content.
  friend CAIRN_EXPORT bool operator==(const Value& a, const Value& b) noexcept;

  /// The value as a literal of the language, which parse_literal() reads back to an equal value ("{name: 'Ada', ages: [1, 2.0]}"), for messages.
  ///
  /// Nodes are written "(:Label {name: 'Ada'})", relationships "[:KNOWS]" and paths as a pattern;
  /// these and what holds them are for people only, as parse_literal() reads no entity. Infinity,
  /// -Infinity and NaN are words. Strings are in single quotes with escapes, temporal values as
  /// the call that makes them.
  /// Cost: the text's length; a vector of 1,024 components is about ten kilobytes, see
  /// shortened_text().
  [[nodiscard]] std::string to_text() const;

 private:
  template <class T>
  [[nodiscard]] const T& content_of(const char* call) const {
    const T* content = get_if<T>();
    if (content == nullptr) detail::fail_type(call, type());
    return *content;
  }

  Content content_;
};

/// Named values of a statement's `$parameters`, names without the dollar sign.
///
/// This is the way for anything that a user typed: a parameter is data whatever it holds, quotes and
/// NUL bytes included, and a statement parsed once may run with many.
///
///     CAIRN_ASSIGN(Rows rows, statement.run(database, {{"name", "Ada"}, {"least", 7}}));
///
/// One that the statement names and that was not given is an error; one that it does not name is
/// not looked at.
using Parameters = Map;

/// Make a list or a map value in place.
///
/// list_of({1, "two", nullptr}); list_of({}) is the empty list.
[[nodiscard]] CAIRN_EXPORT Value list_of(std::initializer_list<Value> items);
[[nodiscard]] CAIRN_EXPORT Value map_of(std::initializer_list<Map::value_type> items);

}  // namespace cairn
