#pragma once
// LookupResult: the result of View::lookup(). Declared apart from View, so that most users of View need not include bitmaps.

#include "codec/bitmap.hpp"

namespace cairn::engine {

/// The ids that an index returns, and whether each must still be compared with its record.
struct LookupResult {
  codec::Bitmap ids;
  bool exact = true;  ///< false: `ids` may have entities that do not match
};

}  // namespace cairn::engine
