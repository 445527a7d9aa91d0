#pragma once
// Values under construction that ask for memory before they take it, and copies that do.
// A statement's limits may be absent: then nothing is refused.

#include "codec/value_extent.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {

/// Smaller than this is never asked for.
inline constexpr std::size_t least_asked_bytes = 4'096;

[[nodiscard]] inline Status check_room(const engine::Limits* limits, std::size_t bytes) {
  if (limits == nullptr || bytes < least_asked_bytes) return {};
  return limits->check_room(bytes);
}

/// A copy, for which there must be room: a text is copied with its value.
[[nodiscard]] inline Result<Value> copy_of(const engine::Limits* limits, const Value& value) {
  if (const std::string* text = value.string()) CAIRN_TRY(check_room(limits, text->size()));
  return value;
}

/// A list that is held against the memory limit as it grows; what its items share counts each time.
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

/// A text that asks for each growth: while it grows, the old bytes and the new ones are there.
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

}  // namespace cairn::query
