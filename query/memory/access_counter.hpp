#pragma once
// Counts how often records are given back, behind the answers: a read notes ids and goes on, a thread writes
// what has gathered.

#include "engine/system/process.hpp"

#include <cairn/graph.hpp>
#include <cairn/result.hpp>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace cairn::query {

class AccessCounter {
 public:
  /// How often each node was given back.
  using Counts = std::map<std::uint64_t, std::uint64_t>;
  /// Adds counts to the records, in one commit. False where it was not to wait for the writer's turn and would have to.
  using Write = std::function<Result<bool>(const Counts& counts, bool waits)>;

  explicit AccessCounter(Write write) : write_(std::move(write)) {}
  AccessCounter(const AccessCounter&) = delete;
  AccessCounter& operator=(const AccessCounter&) = delete;
  /// Writes what is left; what cannot be written then is lost.
  ~AccessCounter();

  /// Cost: an insertion into a map. The first one starts the thread; where none can be had, counts wait for flush().
  void note(NodeId id);
  /// Write what was noted before this call. Errors: those of the write; the counts are kept for the next one.
  [[nodiscard]] Status flush() { return write(true); }

 private:
  [[nodiscard]] Status write(bool waits);
  void start();
  void run(const std::stop_token& stop);

  const Write write_;
  const engine::Process process_;
  std::mutex one_at_a_time_;  // of writes: a record's count is read and written
  std::mutex mutex_;          // guards what follows
  std::condition_variable_any changed_;
  Counts counts_;
  bool is_started_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace cairn::query
