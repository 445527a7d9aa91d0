#pragma once
// The description of a damaged table file.

#include "engine/store/column_family.hpp"

#include <string>

namespace cairn::engine {

/// A table file of the store that cannot be read completely.
struct DamagedFile {
  Family family = Family::meta;
  std::string name;       ///< relative to the store's directory
  std::string first_key;  ///< the first key that was written to the file
  std::string last_key;   ///< the last key that was written to the file
  std::string problem;    ///< the first problem that was found
};

}  // namespace cairn::engine
