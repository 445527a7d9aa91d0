#pragma once
// NameArena: bytes of many short names that are made one by one and go together.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Cost: an allocation for many names; a transaction of one name takes a kibibyte.
class NameArena {
 public:
  /// A copy that stays where it is while the arena lives.
  std::string_view keep(std::string_view name) {
    if (name.size() > free_) add_block(name.size());
    char* const at = blocks_.back().get() + used_;
    std::memcpy(at, name.data(), name.size());
    used_ += name.size();
    free_ -= name.size();
    return {at, name.size()};
  }

 private:
  static constexpr std::size_t least_block = 1'024;
  static constexpr std::size_t largest_block = 65'536;

  /// Each twice the one before, so that what is asked for follows what is used.
  void add_block(std::size_t bytes) {
    next_block_ = std::min(largest_block, blocks_.empty() ? least_block : 2 * next_block_);
    free_ = std::max(bytes, next_block_);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_));
    used_ = 0;
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t next_block_ = 0;
  std::size_t used_ = 0;  // of the last block
  std::size_t free_ = 0;
};

}  // namespace cairn::engine
