// RocksDB starts a thread where it first wants it and does not expect that none can be had: the exception would pass
// through its locks, and end the process where one of its own threads meets it. So they are started before a store is
// opened, where nothing is lost.
//
// A job that does nothing shows what a pool lacks: a pool that failed before holds the larger number already.
// Two more are wanted while a store opens, the one that writes RocksDB's protocol and ours for maintenance.
// Whether they can be had is tried out: RocksDB starts its own where nothing can be taken back any more.
#include "engine/store/background_threads.hpp"

#include <rocksdb/env.h>

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <thread>

namespace cairn::engine {

Error no_thread(const char* problem) {
  return Error{ErrorCode::resource_limit,
               "cannot start a thread for background work (" + std::string(problem) +
                   "); end other threads or raise the limit of threads (ulimit -u, pids.max), and "
                   "open the database again",
               {}};
}

// The split that RocksDB uses: a quarter of the jobs flush, the others compact.
Status start_background_threads(rocksdb::Env& env, int jobs) {
  const int flushes = std::max(jobs / 4, 1);
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
