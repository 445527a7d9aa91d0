// Forks a child that answers lines over a pair of Unix sockets. Each message is one line that ends
// in a line break.
#include "tools/bench/child_process.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>
#include <utility>

namespace cairn::tools {
namespace {

// With MSG_NOSIGNAL, sending to a child that has died returns an error. Otherwise a signal would
// end the benchmark.
bool send_all(int socket, const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

/// Returns the next line without its line break, or nullopt at the end of the stream. At
/// most one line is under way, so recv() cannot read past its end.
std::optional<std::string> receive_line(int socket) {
  std::string line;
  char piece[4'096];
  while (line.empty() || line.back() != '\n') {
    const ssize_t count = ::recv(socket, piece, sizeof piece, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    line.append(piece, static_cast<std::size_t>(count));
  }
  line.pop_back();
  return line;
}

[[noreturn]] void serve(int socket, const ChildProcess::Answer& answer) {
  while (const auto line = receive_line(socket))
    if (!send_all(socket, answer(*line) + "\n")) break;
  ::_exit(0);
}

}  // namespace

Result<ChildProcess> ChildProcess::fork_with(const std::function<void(int socket)>& child) {
  const auto failed = [] {
    return Error{ErrorCode::resource_limit,
                 "cannot start a process: " + std::generic_category().message(errno), std::nullopt};
  };
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return failed();
  const pid_t process = ::fork();
  if (process < 0) return failed();
  if (process == 0) {
    ::close(ends[0]);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    child(ends[1]);
    ::_exit(1);
  }
  ::close(ends[1]);
  return ChildProcess(process, ends[0]);
}

Result<ChildProcess> ChildProcess::start(const Answer& answer) {
  return fork_with([&answer](int socket) { serve(socket, answer); });
}

Result<ChildProcess> ChildProcess::run(const std::string& program,
                                       const std::vector<std::string>& arguments) {
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& one : arguments) words.push_back(const_cast<char*>(one.c_str()));
  words.push_back(nullptr);
  return fork_with([&](int socket) {
    ::dup2(socket, STDIN_FILENO);
    ::dup2(socket, STDOUT_FILENO);
    ::execv(program.c_str(), words.data());
  });
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)), socket_(std::exchange(other.socket_, -1)) {}

ChildProcess::~ChildProcess() {
  if (socket_ >= 0) ::close(socket_);
  // Kills the child, because closing the socket does not suffice: children made later have a copy
  // of this end, so that the stream would not end for the child.
  if (process_ > 0) kill();
}

Error ChildProcess::ended() const {
  return {ErrorCode::io_error,
          "process " + std::to_string(process_) +
              " of the benchmark ended without an answer; see its standard error",
          std::nullopt};
}

Status ChildProcess::send(const std::string& line) {
  if (send_all(socket_, line + "\n")) return {};
  return ended();
}

Result<std::string> ChildProcess::receive() {
  auto line = receive_line(socket_);
  if (line) return *std::move(line);
  return ended();
}

Result<std::string> ChildProcess::ask(const std::string& line) {
  CAIRN_TRY(send(line));
  return receive();
}

void ChildProcess::kill() {
  ::kill(process_, SIGKILL);
  ::waitpid(std::exchange(process_, -1), nullptr, 0);
}

}  // namespace cairn::tools
