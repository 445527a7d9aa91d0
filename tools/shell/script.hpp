#pragma once
// Analyses texts of statements and dot commands.

#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {

/// True if a statement is `verb` or `verb TRANSACTION`, in any case and with any comments. `verb`
/// is begin, commit or rollback in lower case.
[[nodiscard]] bool is_control(std::string_view statement, std::string_view verb);

/// Returns a statement without the prefix ":auto", by which Neo4j's tools run a statement outside of a transaction. Here
/// every statement runs so, unless BEGIN comes before it.
[[nodiscard]] std::string_view without_auto(std::string_view statement);

/// True if a line is a dot command, or has the form of a command of another shell ("\\d", ":help").
/// A line with the prefix ":auto" is a part of a statement.
[[nodiscard]] bool is_command_line(std::string_view line);

/// Returns begin and end of the first command line outside of statements. If there is none, both
/// are the end of the text.
[[nodiscard]] std::pair<std::size_t, std::size_t> find_dot_line(std::string_view text);

/// The first effect of a script, ignoring BEGIN and commands that only change settings.
enum class ScriptKind { nothing, reads, writes };

/// Returns what the first statement or command does. An unfinished last statement counts only with
/// `is_all`.
[[nodiscard]] ScriptKind first_kind(std::string_view text, bool is_all);
/// True if any statement or command writes. A statement that cannot be parsed does not count.
[[nodiscard]] bool writes(std::string_view text);

/// Reads as much of a script as is needed to know its first effect.
[[nodiscard]] std::string read_begin(std::istream& input);

/// A stream buffer of a text followed by the rest of an input. `input` must outlive it.
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
