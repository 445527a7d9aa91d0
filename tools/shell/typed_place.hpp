#pragma once
// Where in a statement the cursor stands, as far as completion must know it.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// What may stand at a place.
enum class Expected {
  nothing,   ///< in a string or a comment
  word,      ///< a keyword or a function
  label,     ///< of a node
  type,      ///< of a relationship
  name,      ///< either of them
  property,  ///< behind a dot, or as a key in braces
  index,
  constraint,
  procedure,
  shown,  ///< behind SHOW
};

struct TypedPlace {
  Expected expected = Expected::word;
  std::size_t from = 0;    ///< where the word begins, behind a backtick
  bool is_quoted = false;  ///< a backtick stands before it
};

/// Of the end of `text`: the statements before the cursor.
[[nodiscard]] TypedPlace find_typed_place(std::string_view text);

}  // namespace cairn::tools
