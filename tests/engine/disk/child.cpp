#include "tests/engine/disk/child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace cairn::test {
namespace {

// Finds a child that hangs, not a busy machine: a child takes a tenth of a second on an idle one.
constexpr unsigned most_seconds = 300;

}  // namespace

std::string said_by_child(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    // These signals end the child, so that the parent learns of them, as without Boost's handlers.
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM})
      ::signal(number, SIG_DFL);
    ::alarm(most_seconds);
    const std::string said = work();
    static_cast<void>(::write(ends[1], said.data(), said.size()) < 0);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string said;
  char buffer[1'024];
  for (ssize_t size = 0; (size = ::read(ends[0], buffer, sizeof(buffer))) > 0;)
    said.append(buffer, static_cast<std::size_t>(size));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return std::string("died of signal ").append(::strsignal(WTERMSIG(status)));
  return said;
}

}  // namespace cairn::test
