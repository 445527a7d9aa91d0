#include "query/execute/filter/id_selection.hpp"

namespace cairn::query {

// The four cases of each function are De Morgan's: "all but a" and "all but b" is "all but a or b".
Selection intersect(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::unite(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(b.ids, a.ids), false, exact};
  if (b.all_but) return {codec::subtract(a.ids, b.ids), false, exact};
  return {codec::intersect(a.ids, b.ids), false, exact};
}

Selection unite(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::intersect(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(a.ids, b.ids), true, exact};
  if (b.all_but) return {codec::subtract(b.ids, a.ids), true, exact};
  return {codec::unite(a.ids, b.ids), false, exact};
}

Selection subtract(const Selection& a, const Selection& b) {
  if (!b.exact) return {a.ids, a.all_but, false};
  return intersect(a, {b.ids, !b.all_but, true});
}

}  // namespace cairn::query
