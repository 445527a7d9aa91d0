#pragma once
// ExternalIdHints: a cache that guesses which node has an external id. A correct guess saves reading the key of the external
// id; only the record of the node is read.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

namespace cairn::engine {

/// A guess may be outdated or wrong. The caller checks it by the node's record, which has the external id. So commits need
/// not update the cache. A node has the same external id during its whole life.
///
/// Threads: any. No call waits, except for the first note().
class ExternalIdHints {
 public:
  /// Memory is allocated by the first note().
  explicit ExternalIdHints(std::size_t budget_bytes);
  /// Returns the id of the node that probably has the external id `text`, or 0 if unknown.
  [[nodiscard]] std::uint64_t find(std::uint32_t name_space, std::string_view text) const noexcept;
  /// Notes which node has an external id.
  void note(std::uint32_t name_space, std::string_view text, std::uint64_t node);
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  using Slot = std::atomic<std::uint64_t>;
  std::size_t slots_;  // a power of two
  std::once_flag made_;
  std::unique_ptr<Slot[]> storage_;     // allocated once, guarded by made_
  std::atomic<Slot*> table_ = nullptr;  // points to storage_ once that is allocated
};

}  // namespace cairn::engine
