#pragma once
// NodeNumbers: maps the ids of an algorithm's nodes to dense numbers from 0 on, and back.

#include "engine/algorithm/array.hpp"
#include "engine/system/limits.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cairn::query {

/// A two-level table: ids are grouped into pages of 256, and a page is allocated with its first node.
///
/// Memory: 8 bytes a node, and 1 KiB for each page that contains a node. Threads: one.
class NodeNumbers {
 public:
  explicit NodeNumbers(engine::Limits& limits) noexcept
      : ids_(limits), page_of_(limits), numbers_(limits) {}

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  [[nodiscard]] std::uint64_t id(std::size_t number) const noexcept { return ids_[number]; }
  /// Returns nullopt for a node that was not added. Cost: two array reads.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint64_t id) const noexcept {
    const std::uint64_t place = id / page_ids;
    if (place >= page_of_.size() || page_of_[place] == 0) return std::nullopt;
    const std::uint32_t number = numbers_[slot(id)];
    return number == 0 ? std::nullopt : std::optional(number - 1);
  }
  /// Gives a node the next number. Precondition: the node has no number yet. Errors: resource_limit, cancelled.
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

  /// The index of an id in numbers_. Precondition: the page of the id exists.
  [[nodiscard]] std::size_t slot(std::uint64_t id) const noexcept {
    return (page_of_[id / page_ids] - 1) * page_ids + id % page_ids;
  }

  engine::Array<std::uint64_t> ids_;      // by node number
  engine::Array<std::uint32_t> page_of_;  // by id / page_ids: the page's number plus 1; 0: no page
  engine::Array<std::uint32_t>
      numbers_;  // by page, then by id within it: the node's number plus 1; 0: not added
};

}  // namespace cairn::query
