#pragma once
// ChildProcess: a copy of this process that answers lines, one after the other.

#include <cairn/result.hpp>

#include <sys/types.h>

#include <functional>
#include <string>

namespace cairn::tools {

/// To be made before the process has threads. It ends with its owner, at the latest when the lines end.
class ChildProcess {
 public:
  using Answer = std::function<std::string(const std::string& line)>;

  /// The child answers each line by one line. Errors: resource_limit.
  [[nodiscard]] static Result<ChildProcess> start(const Answer& answer);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Errors: io_error, where the child is gone.
  [[nodiscard]] Status send(const std::string& line);
  [[nodiscard]] Result<std::string> receive();
  [[nodiscard]] Result<std::string> ask(const std::string& line);
  /// By SIGKILL; returns when it is dead.
  void kill();

 private:
  ChildProcess(pid_t process, int socket) : process_(process), socket_(socket) {}

  pid_t process_ = -1;
  int socket_ = -1;
};

}  // namespace cairn::tools
