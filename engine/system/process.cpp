#include "engine/system/process.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <string>

namespace cairn::engine {
namespace {

std::atomic<pid_t> noted_id = 0;

void note_id() noexcept { noted_id.store(::getpid(), std::memory_order_relaxed); }

/// Caches the id of this process, and registers a handler that caches the new id in each forked
/// child. Returns false if the registration fails.
bool notes_children() noexcept {
  note_id();
  return ::pthread_atfork(nullptr, nullptr, note_id) == 0;
}

}  // namespace

pid_t process_id() noexcept {
  static const bool is_noted = notes_children();
  return is_noted ? noted_id.load(std::memory_order_relaxed) : ::getpid();
}

Status Process::check() const {
  if (is_this()) return {};
  return Error{
      ErrorCode::unsupported,
      "the database was opened by process " + std::to_string(id_) + ", and process " +
          std::to_string(process_id()) +
          " was forked from it and has none of its threads; close the database before fork() "
          "and open it in the process that uses it, or start the other process by exec",
      {}};
}

}  // namespace cairn::engine
