#pragma once
// The command line of a program: verbs, options and what their values must be.
//
// command_parser.cpp is the only file that includes the command line library, whose headers take
// longer to compile than any file of ours.

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

/// The whole numbers that an option takes.
struct WholeRange {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

/// Takes one word of the command line and returns what is wrong with it, or an empty text.
using TakeWord = std::function<std::string(const std::string&)>;

/// What is demanded of an option. Valid as long as its CommandParser.
class OptionRules {
 public:
  explicit OptionRules(CLI::Option& option) : option_(&option) {}

  OptionRules& required();
  OptionRules& existing_file();
  /// Or "-", which stands for standard input.
  OptionRules& existing_file_or_input();
  OptionRules& existing_directory();
  OptionRules& one_of(const std::vector<std::string>& words);
  /// May be given several times, with one word each.
  OptionRules& repeatable();
  /// The option may stand without a word, and then means this one, which is also its default.
  OptionRules& value_or(const std::string& word);
  /// A word may hold several values.
  OptionRules& separated_by_commas();

 private:
  CLI::Option* option_;
};

/// The options of a program or of one of its verbs.
///
/// Names are those of the help: "--nodes", "-c,--command", or "FILE" for a word without a name. A
/// variable is written when the command line is parsed, and its present value is the default that
/// the help shows. Valid as long as its CommandParser.
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
  /// One or more words.
  OptionRules whole_numbers(const std::string& name, std::vector<std::uint64_t>& values,
                            const std::string& summary);
  /// A number that is finite and not negative.
  OptionRules amount(const std::string& name, double& value, const std::string& summary);
  /// A word that is neither text nor number; `take` must not throw.
  OptionRules word(const std::string& name, TakeWord take, const std::string& summary);
  void flag(const std::string& name, bool& value, const std::string& summary);
  /// Add a verb below this one and return its options. A verb with verbs demands one of them.
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
  /// Add a verb and return its options. A program with verbs demands one of them.
  [[nodiscard]] OptionSet add_verb(const std::string& verb, const std::string& summary);
  /// What the help ends with.
  void set_footer(const std::string& text);

  /// Parse. Nothing if the words fit; otherwise the exit status, after printing help, version or
  /// what is wrong. `on_unexpected` is called before words are reported that fit no option; of those that look like an
  /// option the nearest one is named.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv,
                                         const std::function<void()>& on_unexpected = {});
  /// The verb that was given, with one below it behind a blank, or an empty text.
  [[nodiscard]] std::string verb() const;
  /// Print a message as that of a wrong option; returns the exit status.
  [[nodiscard]] int refuse(const std::string& message) const;

 private:
  std::unique_ptr<CLI::App> app_;
};

// The help of a program as a terminal shows it.

/// Lines of two columns, names and what they mean, broken at blanks so that they fit the width; the second column stays
/// one. As they are where the terminal has no room for that.
[[nodiscard]] std::string fitted_help(std::string_view help, std::size_t width);

/// The text of `--version`: the version of the program, the commit if it is known, the format of databases, the compiler
/// and the libraries, one item per line. Defined in version_text.cpp.
[[nodiscard]] std::string version_text(std::string_view program);

}  // namespace cairn::tools
