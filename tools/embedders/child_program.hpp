#pragma once
// ChildProgram: a child process that answers each line with one line, and ends with its owner.

#include <cairn/result.hpp>

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// The program reads lines on its standard input and writes lines to its standard output; its error
/// stream is that of this process. It has a process group of its own, so that an interrupt at the
/// terminal does not end it. When the program ends, the other processes of this group are killed.
/// Threads: one at a time.
class ChildProgram {
 public:
  /// Starts a program, which is searched for in PATH if it has no slash; no shell is involved.
  /// Errors: io_error if it cannot be started. Precondition: `words` has its name.
  [[nodiscard]] static Result<std::unique_ptr<ChildProgram>> start(
      const std::vector<std::string>& words);
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  /// Closes the input of the program, and kills it if it does not end soon. In a forked child, the
  /// destructor leaves the program to the parent.
  ~ChildProgram();

  /// Sends a line, given without its line break, and returns the line that answers it. Errors:
  /// io_error if the program has ended, with its exit status or signal; busy after `timeout`;
  /// resource_limit for more than `most_bytes` or more than one line. After an error the program
  /// cannot be used any more.
  [[nodiscard]] Result<std::string> ask(std::string_view line, std::chrono::milliseconds timeout,
                                        std::size_t most_bytes);

 private:
  ChildProgram(pid_t process, int socket);
  /// Waits for the end of the program, kills it after `grace`, and returns how it ended.
  std::string end(std::chrono::milliseconds grace);

  pid_t process_;
  int socket_;
  pid_t owner_;  // this process, and not a fork of it
};

}  // namespace cairn::tools
