#pragma once
// Signatures of a program's functions and procedures: what a call takes and gives. functions.hpp has the
// grammar.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A type as a signature says it: `kind`, or lists of lists of it, `list_depth` times.
struct DeclaredType {
  enum class Kind : std::uint8_t {
    any,
    boolean,
    integer,
    floating,
    number,
    string,
    list,
    map,
    node,
    relationship,
    path,
    vector,
    date,
    local_time,
    time,
    local_date_time,
    date_time,
    duration,
  };

  static constexpr std::uint32_t most_depth = 30;

  Kind kind = Kind::any;
  std::uint32_t list_depth = 0;
  std::uint32_t nulls = 0;  ///< bit i: what lies in i lists may be null

  /// How a value fits. Changed: an integer becomes a float where floats are declared, a vector a list.
  enum class Fit : std::uint8_t { none, same, changed };

  [[nodiscard]] bool has_null() const noexcept { return (nulls & 1) != 0; }
  /// Cost: looks at each element of lists of a declared type.
  [[nodiscard]] Fit fit_of(const Value& value) const;
  /// The value as one of this type, which shares its content where nothing changes. Nothing where it does not fit.
  [[nodiscard]] std::optional<Value> fit(const Value& value) const;
  /// "LIST<INTEGER>".
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] DeclaredType element() const noexcept { return {kind, list_depth - 1, nulls >> 1}; }
  [[nodiscard]] Fit fit_of_list(const Value& value) const;
  /// Of a value that fits changed.
  [[nodiscard]] Value changed(const Value& value) const;
};

struct DeclaredName {
  std::string name;
  bool is_optional = false;  ///< a parameter that may be left out
  DeclaredType type;
};

struct Signature {
  std::string text;  ///< as it was written, without blanks around it
  std::string name;
  std::vector<DeclaredName> parameters;
  std::vector<DeclaredName> columns;  ///< of a procedure
  DeclaredType result;                ///< of a function
  bool is_function = false;

  [[nodiscard]] std::size_t least_arguments() const;
};

/// Errors: invalid_argument with what was expected where.
[[nodiscard]] Result<Signature> parse_signature(std::string_view text);

}  // namespace cairn::query
