#pragma once
// What is taller than the terminal goes through a pager.

#include <memory>
#include <string>

namespace cairn::tools {

/// Whether the program that a command begins with is there; true where only a shell could tell.
[[nodiscard]] bool can_start_pager(const std::string& command);

/// While it lives, std::cout and std::cerr are held; then printed, or given to a pager as soon as they are taller
/// than the terminal. Ends when the pager does. One at a time, and for a terminal only: nothing is done where
/// standard output is not one or the command is empty.
///
/// A pager that cannot be started is reported, and the output is printed as it is. One that is left early takes no
/// more: std::cout fails until the end of this object.
class PagedOutput {
 public:
  explicit PagedOutput(const std::string& command);
  PagedOutput(const PagedOutput&) = delete;
  PagedOutput& operator=(const PagedOutput&) = delete;
  ~PagedOutput();

  /// Whether the pager ended before it had everything.
  [[nodiscard]] bool was_left() const;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace cairn::tools
