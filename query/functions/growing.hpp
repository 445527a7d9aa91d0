#pragma once
// Values under construction and a selection algorithm that respect the limits of a statement: they check memory
// before they allocate, and time while they run. Without limits nothing is refused.

#include "codec/value_extent.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {

/// Smaller allocations are not checked.
inline constexpr std::size_t least_asked_bytes = 4'096;

/// Checks that the memory limit allows an allocation. Errors: resource_limit.
[[nodiscard]] inline Status check_room(const engine::Limits* limits, std::size_t bytes) {
  if (limits == nullptr || bytes < least_asked_bytes) return {};
  return limits->check_room(bytes);
}

/// Copies a value after a check of the memory limit. Only texts need the check, because other content is shared.
[[nodiscard]] inline Result<Value> copy_of(const engine::Limits* limits, const Value& value) {
  if (const std::string* text = value.string()) CAIRN_TRY(check_room(limits, text->size()));
  return value;
}

/// A list that is charged to the memory limit while it grows. Content that items share is counted for each item. The
/// charge ends with this object; the owner of the finished list charges it again.
class GrowingList {
 public:
  explicit GrowingList(engine::Limits* limits) noexcept : limits_(limits) {}
  ~GrowingList() {
    if (charged_ > 0) limits_->release(charged_);
  }
  GrowingList(const GrowingList&) = delete;
  GrowingList& operator=(const GrowingList&) = delete;

  [[nodiscard]] Status reserve(std::size_t items) {
    CAIRN_TRY(check_room(limits_, items * sizeof(Value)));
    list_.reserve(items);
    return {};
  }
  [[nodiscard]] Status add(Value value) {
    if (list_.size() == list_.capacity())
      CAIRN_TRY(reserve(list_.size() + list_.size() / 2 + least_items));
    bytes_ += codec::extent_of(value).bytes;
    list_.push_back(std::move(value));
    return bytes_ < charged_ + bytes_between_charges ? Status() : charge();
  }
  [[nodiscard]] Value take() { return std::move(list_); }

 private:
  static constexpr std::size_t least_items = 4;
  static constexpr std::size_t bytes_between_charges = 65'536;

  [[nodiscard]] Status charge() {
    if (limits_ == nullptr) return {};
    CAIRN_TRY(limits_->step((bytes_ - charged_) / 1'024));
    CAIRN_TRY(limits_->charge(bytes_ - charged_));
    charged_ = bytes_;
    return {};
  }

  engine::Limits* limits_;
  List list_;
  std::size_t bytes_ = 0;
  std::size_t charged_ = 0;
};

/// A text that checks the memory limit before each growth, during which the old and the new buffer exist.
class GrowingText {
 public:
  explicit GrowingText(engine::Limits* limits) noexcept : limits_(limits) {}

  [[nodiscard]] Status reserve(std::size_t bytes) {
    CAIRN_TRY(check_room(limits_, bytes + text_.size()));
    text_.reserve(bytes);
    return {};
  }
  [[nodiscard]] Status append(std::string_view part) {
    if (part.size() > text_.capacity() - text_.size())
      CAIRN_TRY(reserve(text_.size() + text_.size() / 2 + part.size()));
    text_.append(part);
    return {};
  }
  [[nodiscard]] Value take() { return std::move(text_); }

 private:
  engine::Limits* limits_;
  std::string text_;
};

// Selection: the item at an index of the sorted order, without sorting.

namespace detail {

/// Returns an approximate median: that of 63 evenly spaced items. There must be at least 63 items.
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

/// Moves the item to `place` that a sort would put there; items after it are not smaller (quickselect).
/// Cost: usually linear. In the worst case it is quadratic, and the limits end it. Errors: the errors of the limits.
template <class Iterator, class ComesFirst>
[[nodiscard]] Status paced_select(engine::Limits* limits, Iterator begin, Iterator place,
                                  Iterator end, const ComesFirst& comes_first) {
  constexpr std::ptrdiff_t few = 4'096;
  constexpr std::size_t bytes_of_step = 64;  // cost of comparing and moving one item, in bytes
  engine::Pace pace(limits);
  while (end - begin > few) {
    const auto middle = detail::middle_of(begin, end, comes_first);
    // Three-way partition: less | equal | not yet compared | greater
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

/// Returns the first of the smallest items. The range must not be empty. Errors: the errors of the limits.
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
