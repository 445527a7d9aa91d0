#pragma once
// Signatures of a program's functions and procedures: parameters and results. include/cairn/functions.hpp documents
// the grammar.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A declared type: a kind, nested in `list_depth` lists.
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

  static constexpr std::uint32_t most_depth = 30;  ///< limit of list_depth

  Kind kind = Kind::any;
  std::uint32_t list_depth = 0;
  std::uint32_t nulls = 0;  ///< bit i: values nested in i lists may be null

  /// Whether a value fits. `changed`: the value fits after a conversion of an integer to a float, or of a vector to a
  /// list.
  enum class Fit : std::uint8_t { none, same, changed };

  [[nodiscard]] bool has_null() const noexcept { return (nulls & 1) != 0; }
  /// Cost: visits each element of a list of a declared type.
  [[nodiscard]] Fit fit_of(const Value& value) const;
  /// Returns the value converted to this type, or nullopt if it does not fit. If nothing is converted, the
  /// result shares the content of `value`.
  [[nodiscard]] std::optional<Value> fit(const Value& value) const;
  /// Returns the type as in a signature: "LIST<INTEGER>".
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] DeclaredType element() const noexcept { return {kind, list_depth - 1, nulls >> 1}; }
  [[nodiscard]] Fit fit_of_list(const Value& value) const;
  /// Converts a value whose fit is `changed`.
  [[nodiscard]] Value changed(const Value& value) const;
};

/// A parameter or a column.
struct DeclaredName {
  std::string name;
  bool is_optional = false;  ///< a parameter that calls may omit
  DeclaredType type;
};

struct Signature {
  std::string text;  ///< as written, without surrounding blanks
  std::string name;
  std::vector<DeclaredName> parameters;
  std::vector<DeclaredName> columns;  ///< only of a procedure
  DeclaredType result;                ///< only of a function
  bool is_function = false;

  /// The number of parameters that are not optional.
  [[nodiscard]] std::size_t least_arguments() const;
};

/// Errors: invalid_argument with the expected text and its place.
[[nodiscard]] Result<Signature> parse_signature(std::string_view text);

}  // namespace cairn::query
