#pragma once
// GrowingList: a list under construction, whose size is held against the memory limit as it grows.

#include "query/execute/budget.hpp"
#include "query/execute/value_size.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <utility>

namespace cairn::query {

class GrowingList {
 public:
  explicit GrowingList(Budget& budget) : budget_(budget) {}

  [[nodiscard]] Status add(Value value) {
    bytes_ += memory_bytes(value);
    list_.push_back(std::move(value));
    if (bytes_ < checked_bytes_ + bytes_between_checks) return budget_.step();
    checked_bytes_ = bytes_;
    return budget_.check_room(bytes_);
  }
  [[nodiscard]] Value take() { return std::move(list_); }

 private:
  static constexpr std::size_t bytes_between_checks = 65'536;

  Budget& budget_;
  List list_;
  std::size_t bytes_ = 0;
  std::size_t checked_bytes_ = 0;
};

}  // namespace cairn::query
