#pragma once
// Types that are known before a statement runs: of expressions, of declared names, of the results
// of functions.

#include "query/syntax/signature.hpp"

#include <cstdint>
#include <string_view>

namespace cairn::query {

// StaticType: what the binder knows about a value before there is one. It is only used to refuse what
// can never work; whatever it is not sure of is `any`.

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

/// A `kind`, or lists of lists of it, `list_depth` times.
class StaticType {
 public:
  constexpr StaticType(TypeKind kind = TypeKind::any, std::uint8_t list_depth = 0) noexcept
      : kind_(kind), list_depth_(list_depth) {}

  [[nodiscard]] static StaticType list_of(StaticType element) noexcept;

  [[nodiscard]] bool is(TypeKind kind) const noexcept { return list_depth_ == 0 && kind_ == kind; }
  [[nodiscard]] bool is_list() const noexcept { return list_depth_ > 0; }
  /// It may be anything, null included.
  [[nodiscard]] bool is_open() const noexcept { return is(TypeKind::any) || is(TypeKind::null); }
  [[nodiscard]] bool is_numeric() const noexcept {
    return is(TypeKind::integer) || is(TypeKind::floating) || is(TypeKind::number);
  }
  [[nodiscard]] bool is_entity() const noexcept {
    return is(TypeKind::node) || is(TypeKind::relationship);
  }
  /// The type of a list's elements; `any` if this is not a list.
  [[nodiscard]] StaticType element() const noexcept;
  /// "an integer", "a list", ...
  [[nodiscard]] std::string_view text() const noexcept;

  friend bool operator==(const StaticType&, const StaticType&) = default;

 private:
  TypeKind kind_;
  std::uint8_t list_depth_;
};

/// The type of a value that is one of either.
[[nodiscard]] StaticType join(StaticType a, StaticType b) noexcept;

// What the types of signatures are to the binder.

/// `any` for a type that the binder does not know.
[[nodiscard]] StaticType static_type(const DeclaredType& declared);

/// False where no value of `type` fits the declared one.
[[nodiscard]] bool may_fit(const DeclaredType& declared, StaticType type);

// What is known of some functions before they run: arguments that can never be right, and the types
// of their results.

/// What the first argument of `function` (in lower case) must be, where `type` cannot be it;
/// otherwise empty.
[[nodiscard]] std::string_view argument_refusal(std::string_view function, StaticType type);

/// `first` is the type of the first argument, `any` without one.
[[nodiscard]] StaticType function_type(std::string_view function, StaticType first);

}  // namespace cairn::query
