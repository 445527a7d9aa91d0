#pragma once
// NodeNumbers: the nodes of an algorithm as numbers from 0 on, and back.

#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cairn::query {

/// Memory: 8 bytes a node, and 1 KiB for each 256 ids that one of them lies in. Threads: one.
class NodeNumbers {
 public:
  explicit NodeNumbers(engine::Limits& limits) noexcept
      : ids_(limits), page_of_(limits), numbers_(limits) {}

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  [[nodiscard]] std::uint64_t id(std::size_t number) const noexcept { return ids_[number]; }
  /// Nothing for a node that was not added. Cost: two reads.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t id) const noexcept {
    const std::uint64_t place = id / page_ids;
    if (place >= page_of_.size() || page_of_[place] == 0) return std::nullopt;
    const std::uint32_t number = numbers_[slot(id)];
    return number == 0 ? std::nullopt : std::optional(number - 1);
  }
  /// Give a node that has no number the next one. Errors: resource_limit, cancelled.
  [[nodiscard]] Status add(std::uint64_t id) {
    CAIRN_TRY(page_of_.grow(id / page_ids + 1));
    std::uint32_t& page = page_of_[id / page_ids];
    if (page == 0) {
      page = static_cast<std::uint32_t>(numbers_.size() / page_ids) + 1;
      CAIRN_TRY(numbers_.grow(numbers_.size() + page_ids));
    }
    CAIRN_TRY(ids_.push_back(id));
    numbers_[slot(id)] = static_cast<std::uint32_t>(ids_.size());
    return {};
  }

 private:
  static constexpr std::uint64_t page_ids = 256;

  [[nodiscard]] std::size_t slot(std::uint64_t id) const noexcept {
    return (page_of_[id / page_ids] - 1) * page_ids + id % page_ids;
  }

  engine::Array<std::uint64_t> ids_;      // by number
  engine::Array<std::uint32_t> page_of_;  // by id / page_ids: one more than the page; 0 is none
  engine::Array<std::uint32_t>
      numbers_;  // by page, then by id: one more than the number; 0 is none
};

}  // namespace cairn::query
