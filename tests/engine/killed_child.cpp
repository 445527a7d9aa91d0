#include "tests/engine/killed_child.hpp"

#include "tests/engine/crash_protocol.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <vector>

namespace cairn::test {
namespace {

using Clock = std::chrono::steady_clock;

/// Starts the child with the end of the pipe as its standard output. The child has the environment of this process,
/// such as the settings of a sanitizer, preceded by its kill point.
pid_t start(const ChildRun& run, int output) {
  std::vector<std::string> words{CAIRN_CRASH_CHILD, run.database.string(), std::to_string(run.seed),
                                 run.mode};
  std::vector<std::string> settings;
  if (!run.kill_at.empty()) settings.push_back("CAIRN_KILL_AT=" + run.kill_at);
  for (char** setting = environ; *setting != nullptr; ++setting) settings.push_back(*setting);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  };
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, CAIRN_CRASH_CHILD, &actions, nullptr,
                                  pointers(words).data(), pointers(settings).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " CAIRN_CRASH_CHILD);
  return child;
}

/// False at the end of the pipe.
bool read_message(int pipe, CrashMessage& message) {
  ssize_t size = 0;
  do size = ::read(pipe, &message, sizeof(message));
  while (size < 0 && errno == EINTR);
  return size == sizeof(message);
}

bool is_ready(int pipe, Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  pollfd wanted{pipe, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) > 0;
}

void note(ChildEnd& end, const ChildRun& run, const CrashMessage& message) {
  if (!run.scrubs || message.writer == crash_scrubber) end.was_at_work = true;
  end.acknowledged.at(message.writer) = message.operations;
}

std::string problem_of(int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return "";
  if (WIFSIGNALED(status)) return "it died by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "it ended with " + std::to_string(WEXITSTATUS(status));
  return "";
}

}  // namespace

ChildEnd run_and_kill(const ChildRun& run) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  const auto started = Clock::now();
  const pid_t child = start(run, ends[1]);
  ::close(ends[1]);
  ChildEnd end;
  CrashMessage message;
  auto until = started + run.after_start;
  bool is_alive = true;
  while (is_alive && is_ready(ends[0], until)) {
    const bool was_at_work = end.was_at_work;
    is_alive = read_message(ends[0], message);
    if (is_alive) note(end, run, message);
    if (end.was_at_work && !was_at_work && run.at_work) until = Clock::now() + *run.at_work;
    if (Clock::now() >= until) break;
  }
  end.died_by_itself = !is_alive;
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  while (read_message(ends[0], message)) note(end, run, message);
  ::close(ends[0]);
  end.problem = problem_of(status);
  if (run.at_work && !end.was_at_work && run.kill_at.empty()) end.problem = "it did nothing";
  return end;
}

}  // namespace cairn::test
