// Reads PDF by running pdftotext in a process of its own, because its licence prevents linking, and
// a damaged file may crash it. The process gets the file, a pipe for its output, and limits of time
// and memory. A process that exceeds a limit ends or is killed.
#include "tools/documents/document_text.hpp"
#include "tools/documents/page_writer.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

namespace cairn::tools {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int not_started = 127;

/// Finds a program as a shell does; empty if absent.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = folder + "/" + name;
    if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return program;
  }
  return {};
}

/// A running program. The destructor kills the program and its child processes, and reaps the
/// program.
class Child {
 public:
  Child(pid_t process, int output) : process_(process), output_(output) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Kills the program and whatever it has started, and waits for it, so that no zombie remains.
  ~Child() {
    ::close(output_);
    if (process_ <= 0) return;
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);  // if it is not yet a group leader
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }

  [[nodiscard]] int output() const noexcept { return output_; }
  /// Returns the wait status of the program if it ends before `end`.
  std::optional<int> wait_until(Clock::time_point end) {
    constexpr auto between_looks = std::chrono::milliseconds(2);
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      if (Clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(between_looks);
    }
    process_ = -1;
    return status;
  }

 private:
  pid_t process_;
  int output_;
};

void limit(int resource, std::uint64_t most) {
  const rlimit both{most, most};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

/// Runs in the child. Only async-signal-safe calls are allowed there, because other threads may
/// have held locks at the fork.
[[noreturn]] void become(const char* program, char* const* arguments, int output, int nowhere,
                         const DocumentLimits& limits) {
  ::setpgid(0, 0);
  ::dup2(nowhere, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.time.count()));
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_FSIZE, 0);  // it only writes to the pipe
  limit(RLIMIT_CORE, 0);
  ::execv(program, arguments);
  ::_exit(not_started);
}

/// Descriptors that the parent closes in any case.
struct Ends {
  int read = -1, write = -1, nowhere = -1;
  ~Ends() {
    for (const int end : {read, write, nowhere})
      if (end >= 0) ::close(end);
  }
};

Result<std::unique_ptr<Child>> start(const std::string& program, const std::string& file,
                                     const DocumentLimits& limits) {
  std::array<std::string, 7> words{program, "-q", "-enc", "UTF-8", "-eol", "unix", file};
  std::array<char*, 9> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  std::string out = "-";
  arguments[7] = out.data();
  Ends ends;
  std::array<int, 2> pipe{-1, -1};
  ends.nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (ends.nowhere < 0 || ::pipe2(pipe.data(), O_CLOEXEC) != 0)
    return cannot_read("there are too many open files to start " + program);
  ends.read = pipe[0];
  ends.write = pipe[1];
  const pid_t process = ::fork();
  if (process < 0) return cannot_read(program + " cannot be started: too many processes");
  if (process == 0) become(program.c_str(), arguments.data(), ends.write, ends.nowhere, limits);
  return std::make_unique<Child>(process, std::exchange(ends.read, -1));
}

Error took_too_long(const DocumentLimits& limits) {
  return cannot_read("pdftotext took more than " + std::to_string(limits.time.count()) + " s");
}

/// Reads the output until the pipe is closed. Errors: unsupported beyond a limit.
Result<std::string> read_all(const Child& child, Clock::time_point end,
                             const DocumentLimits& limits) {
  std::string text;
  std::array<char, 64 * 1024> piece{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    pollfd waiting{child.output(), POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready == 0) return took_too_long(limits);
    const ssize_t count = ready < 0 ? -1 : ::read(child.output(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return cannot_read("reading from pdftotext failed");
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (text.size() > limits.text_bytes)
      return cannot_read("its text exceeds the size limit of text files");
  }
}

Status check_end(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_started)
    return cannot_read("pdftotext cannot be started");
  if (WIFSIGNALED(status))
    return cannot_read("pdftotext was ended by signal " + std::to_string(WTERMSIG(status)));
  return cannot_read("pdftotext cannot read it: damaged, or locked by a password");
}

}  // namespace

// Each page ends with a form feed.
Result<DocumentText> read_pdf(const std::filesystem::path& file, const DocumentLimits& limits) {
  const std::string program = find_program(limits.pdf_program);
  if (program.empty())
    return cannot_read("PDF needs the program " + limits.pdf_program +
                       ", of the package poppler-utils");
  std::error_code problem;
  const std::filesystem::path path = std::filesystem::absolute(file, problem);
  CAIRN_ASSIGN(const auto child, start(program, path.string(), limits));
  const Clock::time_point end = Clock::now() + limits.time;
  CAIRN_ASSIGN(const std::string text, read_all(*child, end, limits));
  const std::optional<int> status =
      child->wait_until(end);  // it may continue after closing the pipe
  if (!status) return took_too_long(limits);
  CAIRN_TRY(check_end(*status));
  PageWriter out(limits);
  std::string_view rest = text;
  for (std::size_t at = rest.find('\f'); at != std::string_view::npos; at = rest.find('\f')) {
    out.put(rest.substr(0, at));
    out.page();
    rest.remove_prefix(at + 1);
  }
  out.put(rest);
  return out.finish(true);
}

}  // namespace cairn::tools
