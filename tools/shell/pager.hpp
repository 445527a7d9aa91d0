#pragma once
// Shows output that is taller than the terminal with a pager.

#include <memory>
#include <string>

namespace cairn::tools {

/// True if the program of a command exists, or if the command needs a shell to find out.
[[nodiscard]] bool can_start_pager(const std::string& command);

/// Redirects std::cout and std::cerr while it exists. Output is buffered. If it gets taller than
/// the terminal, it goes to a pager; otherwise it is printed at its end. The destructor waits for
/// the pager. At most one object at a time. Does nothing if standard output is not a terminal, or
/// if the command is empty.
///
/// If the pager cannot be started, reports that and prints the output. If the user leaves the pager
/// early, std::cout fails until this object ends.
class PagedOutput {
 public:
  explicit PagedOutput(const std::string& command);
  PagedOutput(const PagedOutput&) = delete;
  PagedOutput& operator=(const PagedOutput&) = delete;
  ~PagedOutput();

  /// True if the pager ended before it received everything.
  [[nodiscard]] bool was_left() const;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace cairn::tools
