#pragma once
// HostProcess: another process that opens a database and serves this process.

#include <cairn/options.hpp>

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::test {

class HostProcess {
 public:
  /// Starts the process and waits until it has opened the database. `more` are further arguments of
  /// attach_host.cpp. Throws if the process cannot open the database.
  explicit HostProcess(const std::filesystem::path& database, const Options& options = {},
                       const std::vector<std::string>& more = {});
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;
  ~HostProcess() { end(); }

  /// The first word of the process: "host" or "attached".
  [[nodiscard]] const std::string& role() const noexcept { return role_; }
  [[nodiscard]] pid_t id() const noexcept { return id_; }
  /// Lets the process close the database, waits for its end, and returns its exit code.
  int end();
  /// Kills the process with SIGKILL and waits for its end.
  void kill();
  void signal(int number) const;

 private:
  int wait();

  pid_t id_ = 0;  // 0 once it has ended
  int input_ = -1;
  std::string role_;
};

}  // namespace cairn::test
