#pragma once
// Room that callers share so that none of them takes all of it.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

/// A bounded amount of bytes, calls or places, of which several callers hold parts.
///
/// No caller takes more than it leaves free: one alone gets half of the room, and of two that want all of it each gets a
/// third. So a caller that floods the server is refused while others still find room.
///
/// Threads: one.
class SharedRoom {
 public:
  /// A size of 0 counts as 1.
  explicit SharedRoom(std::size_t size);

  /// Returns true if the caller may take `amount` more. A caller that holds nothing may take any amount as long as something
  /// is free, so the room holds at most its size and one more message.
  [[nodiscard]] bool fits(std::string_view caller, std::size_t amount) const;
  /// Takes the amount even if it does not fit(), because an accepted message must be finished.
  void take(std::string_view caller, std::size_t amount);
  void give_back(std::string_view caller, std::size_t amount);

  /// The sum over all callers.
  [[nodiscard]] std::size_t taken() const noexcept { return taken_; }

 private:
  const std::size_t size_;
  std::size_t taken_ = 0;
  std::map<std::string, std::size_t, std::less<>>
      held_;  ///< by caller; only callers that hold something
};

}  // namespace cairn::tools::mcp
