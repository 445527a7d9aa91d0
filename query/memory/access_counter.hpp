#pragma once
// Counts how often records are given back, behind the answers: a read notes ids and goes on, a thread writes
// what has gathered.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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

  explicit AccessCounter(Write write);
  AccessCounter(const AccessCounter&) = delete;
  AccessCounter& operator=(const AccessCounter&) = delete;
  /// Writes what is left; what cannot be written then is lost.
  ~AccessCounter();

  /// Cost: an insertion into a map. The first one starts the thread; where none can be had, counts wait for flush().
  void note(NodeId id);
  /// Write what was noted before this call. Errors: those of the write; the counts are kept for the next one.
  [[nodiscard]] Status flush() { return write(true); }

 private:
  /// What gathers until it is written.
  struct Noted {
    std::mutex mutex;  // guards what follows
    std::condition_variable_any changed;
    Counts counts;
  };

  [[nodiscard]] Status write(bool waits);
  void start();
  void run(const std::stop_token& stop);

  const Write write_;
  const int process_;         ///< that began it
  std::mutex one_at_a_time_;  // of writes: a record's count is read and written
  std::unique_ptr<Noted> noted_ = std::make_unique<Noted>();
  bool is_started_ = false;  // guarded by the mutex of noted_
  std::jthread thread_;      // last: it uses all of the above
};

}  // namespace cairn::query
