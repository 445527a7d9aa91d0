// A set of ids or its complement, and whether it is exact. Complements are never written out: NOT
// of a label with ten records is "all but ten" until it meets a set. Cost: that of one set
// operation.
#include "query/execute/id_selection.hpp"

namespace cairn::query {

// The four cases of each function are De Morgan's: "all but a" and "all but b" is "all but a or b".
Selection intersect(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::unite(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(b.ids, a.ids), false, exact};
  if (b.all_but) return {codec::subtract(a.ids, b.ids), false, exact};
  return {codec::intersect(a.ids, b.ids), false, exact};
}

// De Morgan on "all but" sets:
//    ~A | ~B = ~(A & B)      ~A | B = ~(A - B)      A | B as it is
// One inexact side makes the whole inexact: its surplus may be in no other.
Selection unite(const Selection& a, const Selection& b) {
  const bool exact = a.exact && b.exact;
  if (a.all_but && b.all_but) return {codec::intersect(a.ids, b.ids), true, exact};
  if (a.all_but) return {codec::subtract(a.ids, b.ids), true, exact};
  if (b.all_but) return {codec::subtract(b.ids, a.ids), true, exact};
  return {codec::unite(a.ids, b.ids), false, exact};
}

// Taking away too much would lose records, so of an inexact set nothing is taken; the result is
// then too large and says so.
Selection subtract(const Selection& a, const Selection& b) {
  if (!b.exact) return {a.ids, a.all_but, false};
  return intersect(a, {b.ids, !b.all_but, true});
}

}  // namespace cairn::query
