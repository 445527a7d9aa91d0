// RocksDB starts a thread when it first needs it, and does not expect a failure. If the system refuses a thread, an
// exception passes through code that holds locks; in one of RocksDB's own threads it ends the process. So the threads
// are started before a store is opened.
//
// Each pool also gets a job that does nothing. If a pool failed to start its threads before, it remembers the larger
// number, and only a job makes it try again. An opening needs two more threads: RocksDB's thread for its message log,
// and our thread for maintenance. As a test, two threads are started and ended here, because RocksDB starts its own
// thread at a point where an opening cannot be undone.
#include "engine/store/background_threads.hpp"

#include <rocksdb/env.h>
#include <rocksdb/listener.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <thread>

namespace cairn::engine {
namespace {

/// The increase of the nice value of a thread that compacts. RocksDB's own setting permits only the nice value 19. On a
/// busy machine a thread with nice value 19 waits for a fifth of a second each time it is preempted, and may hold a
/// lock meanwhile.
constexpr int nicer = 5;

class CompactionPriority final : public rocksdb::EventListener {
 public:
  void OnCompactionBegin(rocksdb::DB* /*database*/,
                         const rocksdb::CompactionJobInfo& /*job*/) override {
    thread_local bool is_lowered = false;
    if (is_lowered) return;
    is_lowered = true;
    // On Linux, 0 is the calling thread.
    static_cast<void>(::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + nicer));
  }
};

}  // namespace

std::shared_ptr<rocksdb::EventListener> compaction_priority() {
  return std::make_shared<CompactionPriority>();
}

Error no_thread(const char* problem) {
  return Error{ErrorCode::resource_limit,
               "cannot start a thread for background work (" + std::string(problem) +
                   "); end other threads or raise the limit of threads (ulimit -u, pids.max), and "
                   "open the database again",
               {}};
}

// One thread flushes, see database_options().
Status start_background_threads(rocksdb::Env& env, int jobs) {
  constexpr int flushes = 1;
  const int compactions = std::max(jobs - flushes, 1);
  const auto nothing = [](void*) {};
  try {
    env.IncBackgroundThreadsIfNeeded(flushes, rocksdb::Env::HIGH);
    env.Schedule(nothing, nullptr, rocksdb::Env::HIGH);
    env.IncBackgroundThreadsIfNeeded(compactions, rocksdb::Env::LOW);
    env.Schedule(nothing, nullptr, rocksdb::Env::LOW);
    std::array<std::jthread, 2> tried;
    for (std::jthread& thread : tried) thread = std::jthread([] {});
  } catch (const std::system_error& problem) {
    return no_thread(problem.what());
  }
  return {};
}

}  // namespace cairn::engine
