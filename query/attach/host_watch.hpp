#pragma once
// HostWatch: a thread that takes the place of a host as soon as it ends (HostPreference::high).

#include "engine/system/process.hpp"
#include "query/attach/connection.hpp"
#include "query/bolt/waker.hpp"

#include <cairn/result.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace cairn::query::attach {

/// What the thread does; each may take as long as opening does.
struct HostCalls {
  /// A connection to the host, to wait for its end. Errors: not_found where it has ended.
  std::function<Result<std::unique_ptr<Connection>>()> connect;
  /// Attach to its successor or become it. False where this process is the host by now.
  std::function<Result<bool>()> change;
};

/// Threads: any. Cost: a sleeping thread, and a connection of the host.
class HostWatch {
 public:
  /// Without a thread or a descriptor it does nothing: the next call finds out.
  explicit HostWatch(HostCalls calls);
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;
  ~HostWatch() { end(); }
  /// Waits for the thread.
  void end() noexcept;

 private:
  void run() noexcept;
  [[nodiscard]] bool wait_for_end();
  void pause() const;

  const engine::Process process_;
  const HostCalls calls_;
  const bolt::Waker waker_;
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace cairn::query::attach
