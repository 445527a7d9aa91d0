// The shell as a person at a terminal meets it: the program on a pseudo terminal.
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
#include <string>
#include <string_view>
#include <utility>

namespace {

constexpr int patience_milliseconds = 30'000;

/// The shell on a new database, in an environment whose locale knows ASCII only.
class Terminal {
 public:
  Terminal() : database_((directory_.path() / "db").string()) { start(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() { kill_program(); }

  /// The program is killed, and runs anew on the same database and in the same home.
  void kill_and_start() {
    kill_program();
    shown_.clear();
    start();
  }

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

 public:
  void type(std::string_view text) const {
    BOOST_REQUIRE(write(screen_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

  /// Wait until `piece` is shown, and forget everything up to it.
  void wait_for(std::string_view piece) {
    while (shown_.find(piece) == std::string::npos)
      BOOST_REQUIRE_MESSAGE(read_more(), "waited for " << piece << " but saw " << shown_);
    shown_.erase(0, shown_.find(piece) + piece.size());
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
  [[noreturn]] void run_program() const {
    setenv("LC_ALL", "C", 1);
    setenv("TERM", "xterm", 1);
    setenv("HOME", directory_.path().c_str(), 1);
    execl(CAIRN_PROGRAM, CAIRN_PROGRAM, database_.c_str(), "--format", "jsonl", nullptr);
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

  cairn::test::TemporaryDirectory directory_;
  std::string database_;
  int screen_ = -1;
  pid_t child_ = -1;
  bool is_late_ = false;  ///< the program showed nothing for too long
  std::string shown_;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(terminal, Terminal)

BOOST_AUTO_TEST_CASE(the_prompt_shows_the_namespace) {
  wait_for_prompt("cairn > ");
  type(".namespace acme\n");
  wait_for_prompt("cairn:acme > ");
  type("BEGIN\n");
  wait_for_prompt("cairn:acme* > ");
  type("CREATE (:A);\n");
  wait_for_prompt("cairn:acme* > ");
  type("COMMIT\n");
  wait_for_prompt("cairn:acme > ");
  type(".namespace ''\n");
  wait_for_prompt("cairn > ");
  type(".namespace 'a\\u001bb'\n");
  wait_for_prompt("cairn:a");
  BOOST_TEST(shown().find("\x1b" "b > ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_character_that_is_typed_arrives) {
  wait_for_prompt("cairn > ");
  type("RETURN 'äß 日本 😀' AS a;\n");
  wait_for(R"({"a":"äß 日本 😀"})");
  type("RETURN '\xff' AS b;\n");  // bytes that are no character are shown as such
  wait_for("{\"b\":\"\xef\xbf\xbd\"}");
}

BOOST_AUTO_TEST_CASE(an_interrupt_drops_the_line_and_keeps_the_transaction) {
  wait_for_prompt("cairn > ");
  type("BEGIN;\n");
  wait_for_prompt("cairn* > ");
  type("CREATE (:A);\n");
  wait_for_prompt("cairn* > ");
  type("MATCH (n)\n");
  wait_for_prompt("... ");
  type("RETURN dropped");
  wait_for("dropped");
  type("\x03");
  wait_for_prompt("cairn* > ");
  type("MATCH (n:A) RETURN count(*) AS n;\n");
  wait_for(R"({"n":1})");
  wait_for_prompt("cairn* > ");
  type("\x03");
  wait_for_prompt("cairn* > ");
  type("COMMIT;\n");
  wait_for_prompt("cairn > ");
  type("\x04");
  BOOST_TEST(wait_end() == 0);
  BOOST_TEST(shown().find("rolled back") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(tab_completes_words_of_the_language_and_of_the_database) {
  wait_for_prompt("cairn > ");
  type("CREATE (:Lighthouse {keeper: 'Ada'});\n");
  wait_for_prompt("cairn > ");
  type("MAT\t(l:Ligh\t) RET\tl.kee\t AS k;\n");
  wait_for(R"({"k":"Ada"})");
  wait_for_prompt("cairn > ");
  type(".prop\t\n");
  wait_for("keeper");
  wait_for_prompt("cairn > ");
  type("CALL db.la\t() YIELD label;\n");
  wait_for(R"({"label":"Lighthouse"})");
  wait_for_prompt("cairn > ");
  type("RETURN toLow\t('A') AS t;\n");
  wait_for(R"({"t":"a"})");
  wait_for_prompt("cairn > ");
  type("RETURN date\t\t");  // several fit: they are listed
  wait_for("datetime");
}

BOOST_AUTO_TEST_CASE(the_history_survives_a_kill_and_is_searched_while_typing) {
  wait_for_prompt("cairn > ");
  type("RETURN 'first' AS a;\n");
  wait_for(R"({"a":"first"})");
  wait_for_prompt("cairn > ");
  type("RETURN 'second' AS a;\n");
  wait_for(R"({"a":"second"})");
  wait_for_prompt("cairn > ");
  kill_and_start();
  wait_for_prompt("cairn > ");
  type(
      "\x12"
      "fir");
  wait_for("'first'");
  type("\n");
  wait_for(R"({"a":"first"})");
  wait_for_prompt("cairn > ");
  type("\x1b[A\n");
  wait_for(R"({"a":"first"})");
}

BOOST_AUTO_TEST_CASE(an_interrupt_stops_the_statement_that_runs) {
  wait_for_prompt("cairn > ");
  type(
      "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c "
      "RETURN sum(a * b * c) AS s;\n");
  wait_for("AS s;");
  wait_for("\n");
  type("\x03");
  wait_for("error (cancelled)");
  wait_for_prompt("cairn > ");
  type(".quit\n");
  BOOST_TEST(wait_end() == 0);
}

BOOST_AUTO_TEST_CASE(leaving_tells_that_a_transaction_is_rolled_back) {
  wait_for_prompt("cairn > ");
  type("BEGIN;\n");
  wait_for_prompt("cairn* > ");
  type("\x04");
  wait_for("rolled back");
  BOOST_TEST(wait_end() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
