#pragma once
// The program on a pseudo terminal, as a person meets it.

#include "tests/support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::test {

/// How the program is called.
struct Call {
  std::vector<std::string> arguments = {"--format", "jsonl", "--create"};
  std::vector<std::pair<std::string, std::string>> environment = {{"NO_COLOR", "1"}};
  /// Another program, with the arguments alone.
  std::string program = {};
};

/// The shell on a path without a database.
class Terminal {
 public:
  explicit Terminal(Call call = {})
      : call_(std::move(call)), database_((directory_.path() / "db").string()) {
    start();
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { kill_program(); }

  /// The program is killed where it still runs, and runs again on the same database and in the same home.
  void kill_and_start() {
    kill_program();
    shown_.clear();
    start();
  }

  [[nodiscard]] const std::filesystem::path& home() const { return directory_.path(); }

  void type(std::string_view text) const {
    BOOST_REQUIRE(write(screen_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

  void send(int signal) const { BOOST_REQUIRE(kill(child_, signal) == 0); }

  /// Lines are edited by the terminal itself again, as a shell leaves it that has stopped its child.
  void leave_raw_mode() const {
    termios modes{};
    BOOST_REQUIRE(tcgetattr(screen_, &modes) == 0);
    modes.c_lflag |= ICANON | ECHO;
    modes.c_iflag |= ICRNL;
    BOOST_REQUIRE(tcsetattr(screen_, TCSANOW, &modes) == 0);
  }

  /// Wait until the program is stopped by a signal.
  void wait_for_stop() const {
    int status = 0;
    BOOST_REQUIRE(waitpid(child_, &status, WUNTRACED) == child_);
    BOOST_REQUIRE(WIFSTOPPED(status));
  }

  /// Another size; the program is told by a signal.
  void resize(unsigned short rows, unsigned short columns) const {
    const winsize size{rows, columns, 0, 0};
    BOOST_REQUIRE(ioctl(screen_, TIOCSWINSZ, &size) == 0);
  }

  /// Wait until `piece` is shown, and forget everything up to it; what stood before it.
  std::string wait_for(std::string_view piece) {
    while (shown_.find(piece) == std::string::npos)
      BOOST_REQUIRE_MESSAGE(read_more(), "waited for " << piece << " but saw " << shown_);
    std::string before = shown_.substr(0, shown_.find(piece));
    shown_.erase(0, before.size() + piece.size());
    return before;
  }

  /// Wait for a prompt that takes every key: the editor shows it a moment before it does.
  void wait_for_prompt(std::string_view prompt) {
    wait_for(prompt);
    termios modes{};
    for (int left = patience_milliseconds; left > 0; --left) {
      if (tcgetattr(screen_, &modes) == 0 && (modes.c_lflag & ICANON) == 0) return;
      usleep(1'000);
    }
    BOOST_FAIL("the prompt never read keys");
  }

  /// The exit status after everything was shown; -1 where a signal ended the program.
  int wait_end() {
    while (read_more()) {
    }
    if (is_late_) kill(child_, SIGKILL);
    int status = 0;
    waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] const std::string& shown() const { return shown_; }

 private:
  void start() {
    const winsize size{40, 200, 0, 0};
    child_ = forkpty(&screen_, nullptr, nullptr, &size);
    if (child_ == 0) run_program();
  }

  void kill_program() {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    close(screen_);
  }

  /// In an environment whose locale knows ASCII only, and in its own home.
  [[noreturn]] void run_program() {
    setenv("LC_ALL", "C", 1);
    setenv("TERM", "xterm", 1);
    setenv("HOME", directory_.path().c_str(), 1);
    unsetenv("NO_COLOR");
    unsetenv("PAGER");
    for (const auto& [name, value] : call_.environment) setenv(name.c_str(), value.c_str(), 1);
    std::string program = call_.program.empty() ? CAIRN_PROGRAM : call_.program;
    std::vector<char*> words{program.data()};
    if (call_.program.empty()) words.push_back(database_.data());
    for (std::string& argument : call_.arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    if (chdir(directory_.path().c_str()) == 0) execv(program.c_str(), words.data());
    _exit(127);
  }

  bool read_more() {
    pollfd input{screen_, POLLIN, 0};
    is_late_ = poll(&input, 1, patience_milliseconds) != 1;
    if (is_late_) return false;
    char bytes[4'096];
    const ssize_t count = read(screen_, bytes, sizeof bytes);
    if (count > 0) shown_.append(bytes, static_cast<std::size_t>(count));
    return count > 0;
  }

  static constexpr int patience_milliseconds = 30'000;

  Call call_;
  TemporaryDirectory directory_;
  std::string database_;
  int screen_ = -1;
  pid_t child_ = -1;
  bool is_late_ = false;  ///< the program showed nothing for too long
  std::string shown_;
};

}  // namespace cairn::test
