#pragma once
// The item at a place of the order, of any number of items, with a look at a statement's limits on the way.

#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace cairn::query {

namespace detail {

/// About the one in the middle: that of some, evenly spaced. There are that many.
template <class Iterator, class ComesFirst>
[[nodiscard]] auto middle_of(Iterator begin, Iterator end, const ComesFirst& comes_first) {
  std::array<typename std::iterator_traits<Iterator>::value_type, 63> some;
  const auto apart = (end - begin) / static_cast<std::ptrdiff_t>(some.size());
  for (auto& one : some) {
    one = *begin;
    begin += apart;
  }
  std::nth_element(some.begin(), some.begin() + some.size() / 2, some.end(), comes_first);
  return some[some.size() / 2];
}

}  // namespace detail

/// Brings the item to `place` that a sort would bring there, and behind it what does not come before it.
/// Cost: linear mostly; where the order of the items is made to hurt it ends by the limits. Errors: theirs.
template <class Iterator, class ComesFirst>
[[nodiscard]] Status paced_select(engine::Limits* limits, Iterator begin, Iterator place,
                                  Iterator end, const ComesFirst& comes_first) {
  constexpr std::ptrdiff_t few = 4'096;
  constexpr std::size_t bytes_of_step = 64;  // what comparing and moving one item costs
  engine::Pace pace(limits);
  while (end - begin > few) {
    const auto middle = detail::middle_of(begin, end, comes_first);
    // before it | equal to it | not seen yet | behind it
    Iterator equal = begin;
    Iterator behind = end;
    for (Iterator at = begin; at != behind;) {
      if (comes_first(*at, middle))
        std::iter_swap(equal++, at++);
      else if (comes_first(middle, *at))
        std::iter_swap(at, --behind);
      else
        ++at;
      if (pace.is_due(bytes_of_step)) CAIRN_TRY(pace.look());
    }
    if (place >= equal && place < behind) return {};
    if (place < equal)
      end = equal;
    else
      begin = behind;
  }
  std::nth_element(begin, place, end, comes_first);
  return {};
}

/// The first of the least ones. There is one. Errors: those of the limits.
template <class Iterator, class ComesFirst>
[[nodiscard]] Result<Iterator> paced_least(engine::Limits* limits, Iterator begin, Iterator end,
                                           const ComesFirst& comes_first) {
  constexpr std::size_t bytes_of_step = 32;
  engine::Pace pace(limits);
  Iterator least = begin;
  for (Iterator at = begin; at != end; ++at) {
    if (comes_first(*at, *least)) least = at;
    if (pace.is_due(bytes_of_step)) CAIRN_TRY(pace.look());
  }
  return least;
}

}  // namespace cairn::query
