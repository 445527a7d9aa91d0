#pragma once
// LookupResult: what View::lookup gives. Apart from the view, which most see without its sets.

#include "codec/bitmap.hpp"

namespace cairn::engine {

/// What an index says: the ids, and whether each must still be compared with its record.
struct LookupResult {
  codec::Bitmap ids;
  bool exact = true;  ///< false: a superset of the answer
};

}  // namespace cairn::engine
