#pragma once
// Defines and parses the command line of a program: verbs, options, and checks of their values.
//
// command_parser.cpp is the only file that includes CLI11, whose headers take longer to compile
// than any file of ours.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cairn::tools {

/// A range of whole numbers.
struct WholeRange {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Processes one word of the command line. Returns a message if the word is invalid, otherwise an
/// empty text.
using TakeWord = std::function<std::string(const std::string&)>;

/// Rules for an option. Valid as long as its CommandParser.
class OptionRules {
 public:
  explicit OptionRules(CLI::Option& option) : option_(&option) {}

  OptionRules& required();
  OptionRules& existing_file();
  /// Accepts a file, or "-" for standard input.
  OptionRules& existing_file_or_input();
  OptionRules& existing_directory();
  OptionRules& one_of(const std::vector<std::string>& words);
  /// The option may be given several times, with one word each.
  OptionRules& repeatable();
  /// Allows the option without a word: its value is then `word`, which is also its default.
  OptionRules& value_or(const std::string& word);
  /// A word may contain several values, separated by commas.
  OptionRules& separated_by_commas();
  /// The option may only be given together with the other one.
  OptionRules& needs(const OptionRules& other);

 private:
  CLI::Option* option_;
};

/// The options of a program or of one of its verbs.
///
/// Names are written as in the help: "--nodes", "-c,--command", or "FILE" for a word without a
/// name. A variable is set when the command line is parsed; its current value is the default in the
/// help. Valid as long as its CommandParser.
class OptionSet {
 public:
  explicit OptionSet(CLI::App& app) : app_(&app) {}

  OptionRules text(const std::string& name, std::string& value, const std::string& summary);
  /// One or more words.
  OptionRules texts(const std::string& name, std::vector<std::string>& values,
                    const std::string& summary);
  OptionRules whole_number(const std::string& name, std::uint64_t& value,
                           const std::string& summary, WholeRange range = {});
  OptionRules whole_number(const std::string& name, std::uint32_t& value,
                           const std::string& summary, WholeRange range = {});
  /// A whole number of days, at most 100 years.
  OptionRules days(const std::string& name, std::optional<std::chrono::seconds>& value,
                   const std::string& summary);
  /// One or more words.
  OptionRules whole_numbers(const std::string& name, std::vector<std::uint64_t>& values,
                            const std::string& summary);
  /// A number that is finite and not negative.
  OptionRules amount(const std::string& name, double& value, const std::string& summary);
  /// A word of another kind; `take` must not throw.
  OptionRules word(const std::string& name, TakeWord take, const std::string& summary);
  void flag(const std::string& name, bool& value, const std::string& summary);
  /// Adds a verb below this one; returns its options. If a verb has verbs, one of them is required.
  [[nodiscard]] OptionSet add_verb(const std::string& verb, const std::string& summary);

 private:
  CLI::App* app_;
};

/// Reads the command line of one program.
class CommandParser {
 public:
  CommandParser(const std::string& program, const std::string& description);
  CommandParser(const CommandParser&) = delete;
  CommandParser& operator=(const CommandParser&) = delete;
  ~CommandParser();

  /// The options of the program itself.
  [[nodiscard]] OptionSet options();
  /// Adds a verb; returns its options. If a program has verbs, one of them is required.
  [[nodiscard]] OptionSet add_verb(const std::string& verb, const std::string& summary);
  /// Sets the end of the help text.
  void set_footer(const std::string& text);

  /// Parses the words. Returns nullopt if they are valid. Otherwise prints help, the version or an
  /// error, and returns the exit status. `on_unexpected` is called before unknown words are
  /// reported. For an unknown option the nearest one is suggested.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv,
                                         const std::function<void()>& on_unexpected = {});
  /// Returns the given verb, followed by a blank and the verb below it if there is one; empty
  /// without a verb.
  [[nodiscard]] std::string verb() const;
  /// Prints a message like that for an invalid option; returns the exit status.
  [[nodiscard]] int refuse(const std::string& message) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

// Formatting of the help for a terminal.

/// Wraps help text in two columns, names and descriptions, to the width; the descriptions stay in
/// their column. Returns the text unchanged if the width is too small.
[[nodiscard]] std::string fitted_help(std::string_view help, std::size_t width);

/// The text of `--version`: the version of the program, the commit if it is known, the format of
/// databases, the compiler and the libraries, one item per line. Defined in version_text.cpp.
[[nodiscard]] std::string version_text(std::string_view program);

}  // namespace cairn::tools
