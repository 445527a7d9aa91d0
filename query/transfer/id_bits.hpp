#pragma once
// IdBits: a set of ids that are close together.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace cairn::query {

/// One bit for each id, in pages of 4,096 bits that are allocated at their first use.
class IdBits {
 public:
  [[nodiscard]] bool contains(std::uint64_t id) const {
    const auto page = pages_.find(id / page_ids);
    return page != pages_.end() && page->second.test(id % page_ids);
  }
  void erase(std::uint64_t id) {
    if (const auto page = pages_.find(id / page_ids); page != pages_.end())
      page->second.reset(id % page_ids);
  }
  void insert(std::uint64_t id) { pages_[id / page_ids].set(id % page_ids); }

 private:
  static constexpr std::size_t page_ids = 4'096;
  std::unordered_map<std::uint64_t, std::bitset<page_ids>> pages_;
};

}  // namespace cairn::query
