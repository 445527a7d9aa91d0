#pragma once
// ExternalIdHints: which node probably has an external id, so that a get by it reads one record and not a
// key and a record.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

namespace cairn::engine {

/// What it says is a guess, of whatever commit: the node's record, which has its external id, tells
/// whether it is the one. So no commit needs to change anything here. An external id belongs to one
/// node for the life of that node.
///
/// Threads: all calls from any, without waiting but for the first note().
class ExternalIdHints {
 public:
  /// Memory is taken with the first note().
  explicit ExternalIdHints(std::size_t budget_bytes);
  /// 0 where nothing is known.
  [[nodiscard]] std::uint64_t find(std::uint32_t name_space, std::string_view text) const noexcept;
  void note(std::uint32_t name_space, std::string_view text, std::uint64_t node);
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  using Slot = std::atomic<std::uint64_t>;
  std::size_t slots_;  // a power of two
  std::once_flag made_;
  std::unique_ptr<Slot[]> storage_;     // written once, within made_
  std::atomic<Slot*> table_ = nullptr;  // storage_, once it is there
};

}  // namespace cairn::engine
