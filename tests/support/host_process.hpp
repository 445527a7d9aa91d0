#pragma once
// HostProcess: another process that has a database open and serves this one.

#include <cairn/options.hpp>

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::test {

class HostProcess {
 public:
  /// Start it, and wait until it has the database open. `more` are words of attach_host.cpp. Throws where it cannot open it.
  explicit HostProcess(const std::filesystem::path& database, const Options& options = {},
                       const std::vector<std::string>& more = {});
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;
  ~HostProcess() { end(); }

  /// What it said first: "host" or "attached".
  [[nodiscard]] const std::string& role() const noexcept { return role_; }
  [[nodiscard]] pid_t id() const noexcept { return id_; }
  /// Let it close the database, and wait for its end. Its exit code.
  int end();
  /// SIGKILL, and wait for its end.
  void kill();
  void signal(int number) const;

 private:
  int wait();

  pid_t id_ = 0;  // 0 once it has ended
  int input_ = -1;
  std::string role_;
};

}  // namespace cairn::test
