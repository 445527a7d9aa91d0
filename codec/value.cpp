// Implements <cairn/value.hpp> and <cairn/graph.hpp>, except printing (see value_text.cpp).
//
// Equality here is that of C++ programs: a value equals itself, NaN too, and 1 differs from 1.0.
// Tests, caches and map keys use it. The equality of the language is compare_ordered(), with
// three-valued logic in query/functions.

#include "codec/value_extent.hpp"

#include <cairn/value.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace cairn {
namespace {

// References to this object may outlive every node, so it is never destroyed before the program
// ends.
const Value& null_value() noexcept {
  static const Value null;
  return null;
}

const Value& find_or_null(const Properties& properties, std::string_view name) noexcept {
  const auto found = properties.find(name);
  return found == properties.end() ? null_value() : found->second;
}

/// Compares contents of equal type. Compares bits besides ==, because NaN equals itself here.
struct SameContent {
  template <class T>
  bool operator()(const T& a, const T& b) const noexcept {
    return a == b;
  }
  bool operator()(double a, double b) const noexcept {
    return a == b || (std::isnan(a) && std::isnan(b));
  }
  template <class T>
  bool operator()(const std::shared_ptr<T>& a, const std::shared_ptr<T>& b) const noexcept {
    return a == b || (a && b && *a == *b);
  }
  bool operator()(const Vector& a, const Vector& b) const noexcept {
    return std::ranges::equal(a.components(), b.components(),
                              [this](double x, double y) { return (*this)(x, y); });
  }
};

}  // namespace

std::string_view to_string(ValueType type) noexcept {
  constexpr std::array<std::string_view, 17> names = {
      "null", "boolean",        "integer",      "float",    "string", "list",
      "map",  "node",           "relationship", "path",     "date",   "local time",
      "time", "local datetime", "datetime",     "duration", "vector"};
  static_assert(names.size() == std::variant_size_v<Value::Content>);
  return names[static_cast<std::size_t>(type)];
}

Vector::Vector(std::vector<float> components)
    : components_(std::make_shared<const std::vector<float>>(std::move(components))) {}

Value::Value(const char* value) : content_(std::in_place_type<std::string>, value) {}
Value::Value(std::string value) noexcept
    : content_(std::in_place_type<std::string>, std::move(value)) {}
Value::Value(std::string_view value) : content_(std::in_place_type<std::string>, value) {}
Value::Value(List value)
    : content_(ListPtr(std::make_shared<const codec::MeasuredList>(std::move(value)))) {}
Value::Value(Map value)
    : content_(MapPtr(std::make_shared<const codec::MeasuredMap>(std::move(value)))) {}
Value::Value(Node value) noexcept : content_(std::move(value)) {}
Value::Value(Relationship value) noexcept : content_(std::move(value)) {}
Value::Value(Path value) : content_(std::make_shared<const Path>(std::move(value))) {}
Value::Value(Date value) noexcept : content_(value) {}
Value::Value(LocalTime value) noexcept : content_(value) {}
Value::Value(Time value) noexcept : content_(value) {}
Value::Value(LocalDateTime value) noexcept : content_(value) {}
Value::Value(DateTime value) noexcept : content_(std::move(value)) {}
Value::Value(Duration value) noexcept : content_(value) {}
Value::Value(Vector value) noexcept : content_(std::move(value)) {}
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Value list_of(std::initializer_list<Value> items) { return List(items); }
Value map_of(std::initializer_list<Map::value_type> items) { return Map(items); }

const List* Value::list() const noexcept {
  const ListPtr* pointer = get_if<ListPtr>();
  return pointer ? pointer->get() : nullptr;
}

const Map* Value::map() const noexcept {
  const MapPtr* pointer = get_if<MapPtr>();
  return pointer ? pointer->get() : nullptr;
}

const Path* Value::path() const noexcept {
  const PathPtr* pointer = get_if<PathPtr>();
  return pointer ? pointer->get() : nullptr;
}

// Compares types first: std::visit over both would instantiate 289 pairs, and only 17 can be equal.
bool operator==(const Value& a, const Value& b) noexcept {
  if (a.type() != b.type()) return false;
  return std::visit(
      [&](const auto& content) {
        using Content = std::decay_t<decltype(content)>;
        return SameContent{}(content, *std::get_if<Content>(&b.content_));
      },
      a.content_);
}

// Binary search: labels are sorted when the content is made.
bool Node::has_label(std::string_view label) const noexcept {
  return std::ranges::binary_search(labels(), label, std::ranges::less{},
                                    [](const auto& name) { return std::string_view(name); });
}

const Value& Node::property(std::string_view name) const noexcept {
  return find_or_null(properties(), name);
}

// A node that was not loaded has no labels and no properties.
const Node::Content& Node::content() const noexcept {
  static const Content empty;
  return content_ ? *content_ : empty;
}

const Value& Relationship::property(std::string_view name) const noexcept {
  return find_or_null(properties(), name);
}

const Relationship::Content& Relationship::content() const noexcept {
  static const Content empty;
  return content_ ? *content_ : empty;
}

}  // namespace cairn
