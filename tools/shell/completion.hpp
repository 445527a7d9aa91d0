#pragma once
// What Tab may put in place of the word before the cursor.

#include "tools/shell/session.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

struct Completions {
  std::size_t from = 0;            ///< where in the text the words begin
  std::vector<std::string> words;  ///< by name, each once; empty where nothing fits
};

/// Words that begin as the last one of `text` does, in any case: dot commands at the beginning; else keywords,
/// functions, procedures, labels, relationship types, properties and indexes of the database. Behind a variable and
/// a dot properties alone. What the database cannot tell now is left out. Cost: its names are read.
[[nodiscard]] Completions complete(Session& session, std::string_view text);

}  // namespace cairn::tools
