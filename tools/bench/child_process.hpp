#pragma once
// ChildProcess: a forked copy of this process that answers lines, one after the other.

#include <cairn/result.hpp>

#include <sys/types.h>

#include <functional>
#include <string>

namespace cairn::tools {

/// Must be made before this process starts threads. The child ends with its owner, or when its
/// socket closes.
class ChildProcess {
 public:
  using Answer = std::function<std::string(const std::string& line)>;

  /// Forks the child, which calls `answer` for each line and sends the result back. Errors:
  /// resource_limit.
  [[nodiscard]] static Result<ChildProcess> start(const Answer& answer);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Errors: io_error if the child has ended.
  [[nodiscard]] Status send(const std::string& line);
  [[nodiscard]] Result<std::string> receive();
  [[nodiscard]] Result<std::string> ask(const std::string& line);
  /// Sends SIGKILL and returns once the child has ended.
  void kill();

 private:
  ChildProcess(pid_t process, int socket) : process_(process), socket_(socket) {}

  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace cairn::tools
