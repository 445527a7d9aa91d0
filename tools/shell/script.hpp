#pragma once
// What a text of statements and dot commands is made of.

#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {

/// Whether a statement is `verb` or `verb TRANSACTION`, in any case, whatever comments are around.
/// `verb` in lower case: begin, commit or rollback.
[[nodiscard]] bool is_control(std::string_view statement, std::string_view verb);

/// Whether a line begins as no statement does: with a dot, or as the commands of other shells, "\\d" and ":help".
[[nodiscard]] bool is_command_line(std::string_view line);

/// The first such line where no statement is open, as the bytes from and to; the end
/// of the text twice without one.
[[nodiscard]] std::pair<std::size_t, std::size_t> find_dot_line(std::string_view text);

/// What a script does first, BEGIN and commands that only choose something aside.
enum class ScriptKind { nothing, reads, writes };

/// What its first statement or command does. A last statement that goes on behind `text` counts only with `is_all`.
[[nodiscard]] ScriptKind first_kind(std::string_view text, bool is_all);
/// Whether any statement or command of it writes. One that cannot be parsed does not.
[[nodiscard]] bool writes(std::string_view text);

/// As much of a script as must be read to know what it does first.
[[nodiscard]] std::string read_begin(std::istream& input);

/// A text, and then what is left of an input. `input` must outlive it.
class BegunInput : public std::streambuf {
 public:
  BegunInput(std::string begin, std::istream& input) : held_(std::move(begin)), input_(input) {
    setg(held_.data(), held_.data(), held_.data() + held_.size());
  }

 protected:
  int_type underflow() override;
  std::streamsize showmanyc() override { return input_.rdbuf()->in_avail(); }

 private:
  std::string held_;
  std::istream& input_;
};

}  // namespace cairn::tools
