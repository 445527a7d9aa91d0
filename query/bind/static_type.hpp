#pragma once
// Types that are known before a statement runs: of expressions, declared names and results of functions.

#include "query/syntax/signature.hpp"

#include <cstdint>
#include <string_view>

namespace cairn::query {

// StaticType: the type of a value as far as the binder knows it. Static types are only used to refuse expressions that
// no run could evaluate. An uncertain type is `any`.

enum class TypeKind : std::uint8_t {
  any,
  null,
  boolean,
  integer,
  floating,
  number,  ///< integer or float
  string,
  map,
  node,
  relationship,
  path,
};

/// A kind, nested in `list_depth` lists.
class StaticType {
 public:
  constexpr StaticType(TypeKind kind = TypeKind::any, std::uint8_t list_depth = 0) noexcept
      : kind_(kind), list_depth_(list_depth) {}

  [[nodiscard]] static StaticType list_of(StaticType element) noexcept;

  [[nodiscard]] bool is(TypeKind kind) const noexcept { return list_depth_ == 0 && kind_ == kind; }
  [[nodiscard]] bool is_list() const noexcept { return list_depth_ > 0; }
  /// True if the value may have any type; a null belongs to every type.
  [[nodiscard]] bool is_open() const noexcept { return is(TypeKind::any) || is(TypeKind::null); }
  [[nodiscard]] bool is_numeric() const noexcept {
    return is(TypeKind::integer) || is(TypeKind::floating) || is(TypeKind::number);
  }
  [[nodiscard]] bool is_entity() const noexcept {
    return is(TypeKind::node) || is(TypeKind::relationship);
  }
  /// Returns the type of a list's elements; `any` if this is not a list.
  [[nodiscard]] StaticType element() const noexcept;
  /// Returns the type in words for messages: "an integer", "a list".
  [[nodiscard]] std::string_view text() const noexcept;

  friend bool operator==(const StaticType&, const StaticType&) = default;

 private:
  TypeKind kind_;
  std::uint8_t list_depth_;
};

/// Returns the most specific type that includes both.
[[nodiscard]] StaticType join(StaticType a, StaticType b) noexcept;

/// Converts a declared type. Returns `any` for types without a StaticType, such as dates and vectors.
[[nodiscard]] StaticType static_type(const DeclaredType& declared);

/// False if no value of `type` fits the declared type.
[[nodiscard]] bool may_fit(const DeclaredType& declared, StaticType type);

// Built-in functions: argument types that are always wrong, and types of results.

/// Returns what the first argument of `function` must be if `type` is wrong; else an empty text. The name is in lower
/// case.
[[nodiscard]] std::string_view argument_refusal(std::string_view function, StaticType type);

/// Returns the type of the result. `first` is the type of the first argument, or `any` without arguments.
[[nodiscard]] StaticType function_type(std::string_view function, StaticType first);

}  // namespace cairn::query
