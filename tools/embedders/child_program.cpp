// Starts a program with posix_spawn, which is safe in a process with threads. Uses a socket instead
// of pipes, because with MSG_NOSIGNAL a write to a closed socket raises no signal.
#include "tools/embedders/child_program.hpp"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

namespace cairn::tools {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds usual_grace{500};

Error failed(const std::string& message) { return {ErrorCode::io_error, message, {}}; }

/// The settings for posix_spawn: the streams, a process group, and no signal blocked or ignored.
class SpawnSettings {
 public:
  // The program gets the socket as its input and output, default handling of signals, and a process
  // group of its own, so that Ctrl-C in the terminal does not reach it.
  explicit SpawnSettings(int socket) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDOUT_FILENO);
    sigset_t none;
    sigset_t usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// Returns 0, or the number of the error.
  int spawn(pid_t& process, std::vector<char*>& words) const {
    return ::posix_spawnp(&process, words.front(), &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Waits until the socket is ready for `events`; false after the deadline.
bool wait_until_ready(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd place{socket, events, 0};
    const auto most = std::min<milliseconds::rep>(left.count(), 60'000);
    if (::poll(&place, 1, static_cast<int>(most)) > 0) return true;
  }
}

bool is_temporary(int problem) {
  return problem == EINTR || problem == EAGAIN || problem == EWOULDBLOCK;
}

}  // namespace

ChildProgram::ChildProgram(pid_t process, int socket)
    : process_(process), socket_(socket), owner_(::getpid()) {}

Result<std::unique_ptr<ChildProgram>> ChildProgram::start(const std::vector<std::string>& words) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return failed("cannot be started: " + std::generic_category().message(errno));
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = -1;
  const int problem = SpawnSettings(ends[1]).spawn(process, arguments);
  ::close(ends[1]);
  if (problem == 0) return std::unique_ptr<ChildProgram>(new ChildProgram(process, ends[0]));
  ::close(ends[0]);
  return failed("cannot be started: " + std::generic_category().message(problem));
}

// shutdown() ends the input of the program. Closing the socket does not suffice, because a forked
// child may have the socket open too.
ChildProgram::~ChildProgram() {
  if (::getpid() == owner_) end(usual_grace);
  ::close(socket_);
}

Result<std::string> ChildProgram::ask(std::string_view line, milliseconds timeout,
                                      std::size_t most_bytes) {
  const auto deadline = Clock::now() + timeout;
  const auto late = [&] {
    end(milliseconds(0));
    return Error{ErrorCode::busy,
                 "did not answer within " + std::to_string(timeout.count()) + " ms, and was ended",
                 {}};
  };
  const auto ended = [&] { return failed("ended " + end(usual_grace)); };
  if (process_ < 0) return failed("ended before");
  const std::string sent = std::string(line) + "\n";
  for (std::size_t done = 0; done < sent.size();) {
    if (!wait_until_ready(socket_, POLLOUT, deadline)) return late();
    const ssize_t count =
        ::send(socket_, sent.data() + done, sent.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && is_temporary(errno)) continue;
    if (count <= 0) return ended();
    done += static_cast<std::size_t>(count);
  }
  std::string answer;
  std::array<char, 65'536> piece;
  while (answer.find('\n', answer.size() - std::min(answer.size(), piece.size())) ==
         std::string::npos) {
    if (!wait_until_ready(socket_, POLLIN, deadline)) return late();
    const ssize_t count = ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (count < 0 && is_temporary(errno)) continue;
    if (count <= 0) return ended();
    answer.append(piece.data(), static_cast<std::size_t>(count));
    if (answer.size() > most_bytes) {
      end(milliseconds(0));
      return Error{ErrorCode::resource_limit,
                   "sent a line of more than " + std::to_string(most_bytes) + " bytes",
                   {}};
    }
  }
  if (answer.find('\n') + 1 != answer.size()) {
    end(milliseconds(0));
    return Error{ErrorCode::resource_limit, "sent more than one line for a request", {}};
  }
  answer.pop_back();
  return answer;
}

// Kills the process group before it reaps the process: until the process is reaped, no other
// process can get its number.
std::string ChildProgram::end(milliseconds grace) {
  if (process_ < 0) return "before";
  ::shutdown(socket_, SHUT_RDWR);
  const auto deadline = Clock::now() + grace;
  siginfo_t state{};
  while (::waitid(P_PID, static_cast<id_t>(process_), &state, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == 0 && Clock::now() < deadline)
    std::this_thread::sleep_for(milliseconds(2));
  ::kill(-process_, SIGKILL);
  int status = 0;
  pid_t waited = 0;
  do waited = ::waitpid(process_, &status, 0);
  while (waited < 0 && errno == EINTR);
  process_ = -1;
  if (waited < 0) return "in a way that is not known";
  if (WIFSIGNALED(status)) return "by signal " + std::to_string(WTERMSIG(status));
  return "with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace cairn::tools
