#pragma once
// ChildProcess: a copy of this process, or another program, that answers lines one after the other.

#include <cairn/result.hpp>

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace cairn::tools {

/// A child process that answers lines. Must be made before this process starts threads. The child
/// ends with its owner, or when its socket closes.
class ChildProcess {
 public:
  using Answer = std::function<std::string(const std::string& line)>;

  /// Forks the child, which calls `answer` for each line and sends the result back. Errors:
  /// resource_limit.
  [[nodiscard]] static Result<ChildProcess> start(const Answer& answer);
  /// Runs a program that reads and writes lines. The program shares the error stream of this
  /// process. Errors: resource_limit. If the program does not exist, the first receive() is an
  /// error.
  [[nodiscard]] static Result<ChildProcess> run(const std::string& program,
                                                const std::vector<std::string>& arguments);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// send() sends a line, receive() receives a line, and ask() does both. Errors: io_error if the
  /// child has ended.
  [[nodiscard]] Status send(const std::string& line);
  [[nodiscard]] Result<std::string> receive();
  [[nodiscard]] Result<std::string> ask(const std::string& line);
  /// Sends SIGKILL and returns once the child has ended.
  void kill();
  [[nodiscard]] pid_t process() const noexcept { return process_; }

 private:
  ChildProcess(pid_t process, int socket) : process_(process), socket_(socket) {}
  /// In the child, `child` has the other end and does not return, or the child ends.
  [[nodiscard]] static Result<ChildProcess> fork_with(const std::function<void(int socket)>& child);
  [[nodiscard]] Error ended() const;

  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace cairn::tools
