#pragma once
// Selection: ids found so far, or all entities but some, with the algebra of both. "All" is what the
// statement may see; it is only looked up at the end, if it is needed at all.

#include "codec/bitmap.hpp"

namespace cairn::query {

struct Selection {
  codec::Bitmap ids;
  bool all_but = false;  ///< every entity except `ids`
  bool exact = true;     ///< false: more than was asked for, never less

  [[nodiscard]] static Selection nothing() { return {}; }
  [[nodiscard]] static Selection everything(bool is_exact) { return {{}, true, is_exact}; }
  [[nodiscard]] bool empty() const noexcept { return !all_but && ids.empty(); }
};

[[nodiscard]] Selection intersect(const Selection& a, const Selection& b);
[[nodiscard]] Selection unite(const Selection& a, const Selection& b);
/// a without b. What is taken away must not be too much, so of an inexact b nothing is.
[[nodiscard]] Selection subtract(const Selection& a, const Selection& b);

}  // namespace cairn::query
