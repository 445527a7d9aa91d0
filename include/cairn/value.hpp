#pragma once
// Value: the value of a property, a parameter or a column of a row.
//
//     Value name = "Ada";                                     // string
//     Value ages = list_of({1, 2.5, nullptr});                // list of an integer, a float, null
//     Value person = map_of({{"name", name}, {"ages", ages}});
//     if (const std::string* text = name.string()) use(*text);
//
// All values can be properties except nodes, relationships and paths, which cannot be properties
// alone or within lists and maps. A vector can be a property, but not an item of a list or map. All
// values can be parameters, including entities of the same database.
//
// Values are immutable. To change a list or map, copy it, change the copy, and make a new value of
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
/// An ordered list of values of any types, nulls included. When stored: at most
/// Options::max_list_items, by default and at most 65,536. A list of numbers is stored as a Vector
/// if a vector index covers the property.
using List = std::vector<Value>;
/// Values by name. When stored, a name has at most 1 KiB, and a map as many entries as a list may
/// have.
using Map = std::map<std::string, Value, std::less<>>;  ///< keys in code point order

/// The types of a Value, in the order of the alternatives of Value::Content.
///
/// The language sorts values of different types in another order (LANGUAGE.md). These numbers are
/// never stored. Parameters and properties keep their type: 8 and 8.0 remain an integer and a
/// float, although the language compares them by value.
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

/// Returns the type's name in error messages: "null", "boolean", "integer", "float", ... "local
/// time", "local datetime", "datetime" as in the language. Precondition: one of the enumerators.
/// Lifetime: as long as the program.
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(ValueType type) noexcept;

/// An embedding. Copies share the components, which never change.
///
/// When stored, a vector has 1 to 4,096 finite components. A list of numbers in a property with a
/// vector index is converted automatically. Cost: a copy is one reference count.
///
///     const Vector tea({0.9F, 0.1F, 0.0F});
///     CAIRN_TRY(transaction.set_property(node, "embedding", tea));
///
/// Storing a vector without components, with more than 4,096, or with one that is not finite, is
/// invalid_argument. So is a vector of another dimension than a vector index that covers it, and
/// the zero vector under the cosine metric. Components are read back bit by bit as they were
/// stored.
class Vector {
 public:
  Vector() = default;
  /// Takes the components. They are only checked when the vector is stored or searched for.
  CAIRN_EXPORT explicit Vector(std::vector<float> components);

  /// The components; valid as long as any copy of this vector.
  [[nodiscard]] std::span<const float> components() const noexcept {
    return components_ ? std::span<const float>(*components_) : std::span<const float>();
  }
  /// The number of components; 0 for a default-constructed vector.
  [[nodiscard]] std::size_t dimension() const noexcept { return components().size(); }

 private:
  std::shared_ptr<const std::vector<float>> components_;  // owners: the copies of this vector
};

namespace detail {

/// The integer types that a Value accepts: all except bool and character types.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

/// Writes to standard error which call was misused, and ends the program (std::abort).
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
/// In C++ null is a value like any other. In the language it means "unknown", and comparing with it
/// gives null (three-valued logic). Integers are signed with 64 bits; floats are IEEE 754 doubles,
/// infinities and NaN included; strings are UTF-8. Other bytes are stored unchanged and compared as
/// bytes, but in JSON, and so in an export, they become U+FFFD.
///
/// Threads: different copies may be used on different threads.
///
/// Size: 56 bytes on 64-bit machines, and a pointer to larger content. A string is copied with its
/// value; other large content is shared, so copying a row costs a few reference counts.
class CAIRN_EXPORT Value {
 public:
  using ListPtr = std::shared_ptr<const List>;  // owners: the copies of the value
  using MapPtr = std::shared_ptr<const Map>;    // owners: the copies of the value
  using PathPtr = std::shared_ptr<const Path>;  // owners: the copies of the value
  // The alternatives in the order of ValueType; std::monostate is null.
  using Content = std::variant<std::monostate, bool, std::int64_t, double, std::string, ListPtr,
                               MapPtr, Node, Relationship, PathPtr, Date, LocalTime, Time,
                               LocalDateTime, DateTime, Duration, Vector>;

  // Implicit on purpose, so that a plain C++ value can be used as a Value. Text of any kind is
  // copied, and never becomes a boolean. Every integer type is accepted; a character does not
  // compile. The bodies are in one .cpp file: if they were inline, each file that uses Value would
  // compile all of std::variant.
  Value() noexcept {}  ///< null
  Value(std::nullptr_t) noexcept {}
  Value(bool value) noexcept : content_(std::in_place_type<bool>, value) {}
  /// An integer above the range of std::int64_t ends the program with a message; store such a
  /// number as text.
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

  /// Returns the type. Cost: none.
  [[nodiscard]] ValueType type() const noexcept { return static_cast<ValueType>(content_.index()); }
  /// True if it is null. An absent property reads as null too.
  [[nodiscard]] bool is_null() const noexcept { return type() == ValueType::null; }
  /// True for an integer or a float.
  [[nodiscard]] bool is_number() const noexcept {
    return type() == ValueType::integer || type() == ValueType::floating;
  }

  /// Returns the content if it has exactly this type, otherwise nullptr. Valid as long as this
  /// value. Does not convert: get_if<double>() of an integer is nullptr.
  ///
  ///     if (const auto* year = row[0].get_if<std::int64_t>()) use(*year);
  ///     if (const auto* day = row[1].get_if<Date>()) use(day->days);
  ///
  /// T is one of the alternatives of Content; for lists, maps and paths see the functions below.
  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return std::get_if<T>(&content_);
  }
  /// Returns the content of a type that is held by pointer; nullptr for another type. Cost: none.
  /// Valid as long as any copy of this value.
  [[nodiscard]] const List* list() const noexcept;
  [[nodiscard]] const Map* map() const noexcept;
  [[nodiscard]] const Path* path() const noexcept;
  [[nodiscard]] const std::string* string() const noexcept { return get_if<std::string>(); }

  /// Returns the content if the type is known. A wrong type ends the program: it writes the call
  /// and the type to standard error and calls std::abort(). For data from outside, check type() or
  /// use get_if().
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

  /// Returns the content for std::visit. Valid as long as this value.
  ///
  ///     std::visit([](const auto& content) { use(content); }, value.content());
  ///
  [[nodiscard]] const Content& content() const noexcept { return content_; }

  /// True if type and content are equal: 1 and 1.0 differ, NaN equals itself, entities are compared
  /// by id. Lists and maps are compared element by element, -0.0 equals 0.0, null equals null. The
  /// language has its own equality and order, which compare numbers by value. Cost: the smaller
  /// content.
  friend CAIRN_EXPORT bool operator==(const Value& a, const Value& b) noexcept;

  /// Returns the value as a literal of the language ("{name: 'Ada', ages: [1, 2.0]}"), which
  /// parse_literal() reads back to an equal value.
  ///
  /// Nodes are written as "(:Label {name: 'Ada'})", relationships as "[:KNOWS]" and paths as a
  /// pattern. These cannot be read back. Infinity, -Infinity and NaN are words. Strings are in
  /// single quotes with escapes, temporal values are calls of their functions. Cost: linear in the
  /// text; a vector of 1,024 components is about ten kilobytes, see shortened_text().
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

/// Values for the `$parameters` of a statement; names are without the dollar sign.
///
/// Use parameters for everything that a user typed: a parameter is data whatever it contains,
/// quotes and NUL bytes included. A statement that is parsed once can run with many parameters.
///
///     CAIRN_ASSIGN(Rows rows, statement.run(database, {{"name", "Ada"}, {"least", 7}}));
///
/// A missing parameter is an error; a parameter that the statement does not use is ignored.
using Parameters = Map;

/// Makes a list or map value in place: list_of({1, "two", nullptr}). list_of({}) is the empty list.
[[nodiscard]] CAIRN_EXPORT Value list_of(std::initializer_list<Value> items);
[[nodiscard]] CAIRN_EXPORT Value map_of(std::initializer_list<Map::value_type> items);

}  // namespace cairn
