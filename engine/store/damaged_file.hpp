#pragma once

#include "engine/store/column_family.hpp"

#include <string>

namespace cairn::engine {

/// A table file of the store that cannot be read whole.
struct DamagedFile {
  Family family = Family::meta;
  std::string name;       ///< within the store's directory
  std::string first_key;  ///< of those that the file was written with
  std::string last_key;
  std::string problem;  ///< the first that is wrong with it
};

}  // namespace cairn::engine
