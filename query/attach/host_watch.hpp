#pragma once
// HostWatch: a thread that waits for the end of the host, so that this process can take its place at once
// (HostPreference::high).

#include "engine/system/process.hpp"
#include "query/attach/connection.hpp"
#include "query/bolt/waker.hpp"

#include <cairn/result.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace cairn::query::attach {

/// The actions of the thread. Each may take as long as opening a database.
struct HostCalls {
  /// Connects to the host, to wait for its end. Errors: not_found if the host has ended.
  std::function<Result<std::unique_ptr<Connection>>()> connect;
  /// Attaches to the successor of the host, or becomes the host. Returns false if this process is the host now.
  std::function<Result<bool>()> change;
};

/// Threads: any. Cost: a sleeping thread, and a connection to the host.
class HostWatch {
 public:
  /// If the system refuses a thread or a descriptor, the object does nothing: then the next call of the database notices
  /// that the host has ended.
  explicit HostWatch(HostCalls calls);
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;
  ~HostWatch() { end(); }
  /// Ends the thread and waits for it.
  void end() noexcept;

 private:
  /// The thread: waits for the end of each host until this process is the host.
  void run() noexcept;
  /// Returns true if the host has ended; false to try again.
  [[nodiscard]] bool wait_for_end();
  void pause() const;

  const engine::Process process_;
  const HostCalls calls_;
  const bolt::Waker waker_;
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace cairn::query::attach
