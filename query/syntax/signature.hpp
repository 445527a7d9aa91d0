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

  Kind kind = Kind::any;
  std::uint16_t list_depth = 0;
  bool has_null = false;           ///< it may be null itself
  bool has_null_elements = false;  ///< where it is a list, what lies innermost may be null

  /// The value as one of this type: an integer becomes a float where floats are declared. Nothing where it
  /// does not fit. Null fits where it was declared.
  [[nodiscard]] std::optional<Value> fit(const Value& value) const;
  /// "LIST<INTEGER>".
  [[nodiscard]] std::string text() const;
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
