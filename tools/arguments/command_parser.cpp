// Wraps CLI11. Options take words, which are converted to values here: each use of CLI11's
// templates for that would take longer to compile than the rest of a file.
#include "tools/arguments/command_parser.hpp"

#include "tools/text/near_name.hpp"
#include "tools/text/wrapped_text.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iostream>
#include <sstream>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

/// Converts the whole text to a number; nullopt if it is not one.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::string to_text(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

std::string expected_text(WholeRange range) {
  const std::string least = std::to_string(range.least);
  if (range.most == WholeRange{}.most) return "a whole number of at least " + least;
  return "a whole number from " + least + " to " + std::to_string(range.most);
}

/// CLI11 would read -1 as a large number and 3.5 as 3.
CLI::Validator whole_number_check(WholeRange range) {
  return {[range](const std::string& text) {
            const auto number = number_of<std::uint64_t>(text);
            if (number && *number >= range.least && *number <= range.most) return std::string();
            return "expected " + expected_text(range) + ", got " + text;
          },
          ""};
}

CLI::Validator amount_check() {
  return {[](const std::string& text) {
            const auto number = number_of<double>(text);
            if (number && std::isfinite(*number) && *number >= 0) return std::string();
            return "expected a number of at least 0, got " + text;
          },
          ""};
}

using TakeWords = std::function<void(const std::vector<std::string>&)>;

/// Adds every option, by the only function of CLI11 that is not a template.
CLI::Option& add(CLI::App& app, const std::string& name, const char* type, TakeWords take,
                 const std::string& summary) {
  CLI::Option* option = app.add_option(
      name,
      [take = std::move(take)](const CLI::results_t& words) {
        take(words);
        return true;
      },
      summary);
  option->type_name(type);
  return *option;
}

CLI::Option& take_many(CLI::Option& option) {
  option.expected(CLI::detail::expected_max_vector_size);
  return option;
}

/// Returns the option names of the program and of the given verbs.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const CLI::App* verb : app.get_subcommands()) {
    const auto more = option_names(*verb);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

/// Suggests the nearest option for each unknown one: `-readonly` of sqlite3 is near --read-only.
void suggest_options(const CLI::App& app) {
  const std::vector<std::string> names = option_names(app);
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with('-') || word.size() < 3) continue;
    const std::string typed = word.starts_with("--") ? word : "-" + word;
    if (const std::string_view nearest = nearest_name(typed, names, 2); !nearest.empty())
      std::cerr << "There is no option " << word << ": did you mean " << nearest << "?\n";
  }
}

/// Shows which words the given verb takes, as one of them is missing.
void show_usage(const CLI::App& program) {
  const CLI::App* app = &program;
  std::string usage = app->get_name();
  for (auto given = app->get_subcommands(); !given.empty(); given = app->get_subcommands()) {
    app = given.front();
    usage += " " + app->get_name();
  }
  for (const CLI::Option* option : app->get_options())
    if (option->get_positional()) usage += " " + option->get_single_name();
  std::cerr << "Usage: " << usage << "\n";
}

}  // namespace

OptionRules& OptionRules::required() {
  option_->required()->default_str("");
  return *this;
}

OptionRules& OptionRules::existing_file() {
  option_->check(CLI::ExistingFile);
  return *this;
}

OptionRules& OptionRules::existing_file_or_input() {
  option_->check(CLI::Validator(
      [](std::string& word) { return word == "-" ? std::string() : CLI::ExistingFile(word); },
      "FILE"));
  return *this;
}

OptionRules& OptionRules::existing_directory() {
  option_->check(CLI::ExistingDirectory);
  return *this;
}

OptionRules& OptionRules::one_of(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
  all = "{" + all + "}";
  option_->check(CLI::Validator(
      [words, all](const std::string& text) {
        for (const std::string& word : words)
          if (word == text) return std::string();
        return text + " not in " + all;
      },
      all));
  return *this;
}

OptionRules& OptionRules::repeatable() {
  take_many(*option_).allow_extra_args(false);
  return *this;
}

OptionRules& OptionRules::value_or(const std::string& word) {
  option_->expected(0, 1)->default_str(word);
  return *this;
}

OptionRules& OptionRules::needs(const OptionRules& other) {
  option_->needs(other.option_);
  return *this;
}

OptionRules& OptionRules::separated_by_commas() {
  option_->delimiter(',');
  return *this;
}

OptionRules OptionSet::text(const std::string& name, std::string& value,
                            const std::string& summary) {
  const auto take = [&value](const std::vector<std::string>& words) { value = words.front(); };
  CLI::Option& option = add(*app_, name, "TEXT", take, summary);
  option.default_str(value);
  return OptionRules(option);
}

OptionRules OptionSet::texts(const std::string& name, std::vector<std::string>& values,
                             const std::string& summary) {
  const auto take = [&values](const std::vector<std::string>& words) { values = words; };
  return OptionRules(take_many(add(*app_, name, "TEXT", take, summary)));
}

OptionRules OptionSet::whole_number(const std::string& name, std::uint64_t& value,
                                    const std::string& summary, WholeRange range) {
  const auto take = [&value](const std::vector<std::string>& words) {
    value = number_of<std::uint64_t>(words.front()).value();
  };
  CLI::Option& option = add(*app_, name, "UINT", take, summary);
  option.check(whole_number_check(range))->default_str(std::to_string(value));
  return OptionRules(option);
}

OptionRules OptionSet::whole_number(const std::string& name, std::uint32_t& value,
                                    const std::string& summary, WholeRange range) {
  range.most = std::min<std::uint64_t>(range.most, std::numeric_limits<std::uint32_t>::max());
  const auto take = [&value](const std::vector<std::string>& words) {
    value = number_of<std::uint32_t>(words.front()).value();
  };
  CLI::Option& option = add(*app_, name, "UINT", take, summary);
  option.check(whole_number_check(range))->default_str(std::to_string(value));
  return OptionRules(option);
}

OptionRules OptionSet::days(const std::string& name, std::optional<std::chrono::seconds>& value,
                            const std::string& summary) {
  constexpr std::uint64_t most_days = 36'525;  // 100 years
  const auto take = [&value](const std::vector<std::string>& words) {
    value = std::chrono::days(number_of<std::uint32_t>(words.front()).value());
  };
  CLI::Option& option = add(*app_, name, "UINT", take, summary);
  option.check(whole_number_check({0, most_days}));
  return OptionRules(option);
}

OptionRules OptionSet::whole_numbers(const std::string& name, std::vector<std::uint64_t>& values,
                                     const std::string& summary) {
  const auto take = [&values](const std::vector<std::string>& words) {
    values.clear();
    for (const std::string& word : words) values.push_back(number_of<std::uint64_t>(word).value());
  };
  CLI::Option& option = take_many(add(*app_, name, "UINT", take, summary));
  option.check(whole_number_check({}));
  return OptionRules(option);
}

OptionRules OptionSet::amount(const std::string& name, double& value, const std::string& summary) {
  const auto take = [&value](const std::vector<std::string>& words) {
    value = number_of<double>(words.front()).value();
  };
  CLI::Option& option = add(*app_, name, "FLOAT", take, summary);
  option.check(amount_check())->default_str(to_text(value));
  return OptionRules(option);
}

OptionRules OptionSet::word(const std::string& name, TakeWord take, const std::string& summary) {
  const auto take_each = [name, take = std::move(take)](const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (const std::string problem = take(word); !problem.empty())
        throw CLI::ValidationError(name, problem);
  };
  return OptionRules(add(*app_, name, "TEXT", take_each, summary));
}

void OptionSet::flag(const std::string& name, bool& value, const std::string& summary) {
  app_->add_flag_callback(name, [&value] { value = true; }, summary);
}

OptionSet OptionSet::add_verb(const std::string& verb, const std::string& summary) {
  app_->require_subcommand(1);
  return OptionSet(*app_->add_subcommand(verb, summary));
}

CommandParser::CommandParser(const std::string& program, const std::string& description)
    : app_(std::make_unique<CLI::App>(description, program)) {
  app_->set_version_flag("--version", version_text(program));
}

CommandParser::~CommandParser() = default;

OptionSet CommandParser::options() { return OptionSet(*app_); }

OptionSet CommandParser::add_verb(const std::string& verb, const std::string& summary) {
  return options().add_verb(verb, summary);
}

void CommandParser::set_footer(const std::string& text) { app_->footer(text); }

// CLI11 also reports help and version by exceptions.
std::optional<int> CommandParser::parse(int argc, char** argv,
                                        const std::function<void()>& on_unexpected) {
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    const auto unexpected = static_cast<int>(CLI::ExitCodes::ExtrasError);
    const bool is_unexpected = error.get_exit_code() == unexpected;
    if (on_unexpected && is_unexpected) on_unexpected();
    if (is_unexpected) suggest_options(*app_);
    const auto missing = static_cast<int>(CLI::ExitCodes::RequiredError);
    if (error.get_exit_code() == missing) show_usage(*app_);
    std::ostringstream help;
    const int status = app_->exit(error, help, std::cerr);
    const bool is_terminal = isatty(STDOUT_FILENO) == 1;
    std::cout << (is_terminal ? fitted_help(help.view(), terminal_width()) : help.str());
    return status == 0 ? 0 : 1;
  }
}

std::string CommandParser::verb() const {
  std::string verbs;
  const CLI::App* app = app_.get();
  for (auto given = app->get_subcommands(); !given.empty(); given = app->get_subcommands()) {
    app = given.front();
    verbs += (verbs.empty() ? "" : " ") + app->get_name();
  }
  return verbs;
}

int CommandParser::refuse(const std::string& message) const {
  app_->exit(CLI::ValidationError(message));
  return 1;
}

namespace {

/// The column where CLI11 begins the second column.
constexpr std::size_t second_column = 30;
constexpr std::size_t least_width = 50;

std::string fitted_line(std::string_view line, std::size_t width) {
  if (line.size() <= width) return std::string(line);
  if (!line.starts_with(' ')) return wrapped(line, 0, width);
  return std::string(line.substr(0, second_column)) +
         wrapped(line.substr(second_column), second_column, width);
}

}  // namespace

std::string fitted_help(std::string_view help, std::size_t width) {
  if (width < least_width) return std::string(help);
  std::string fitted;
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size());
    fitted += fitted_line(help.substr(0, end), width) + "\n";
    help.remove_prefix(std::min(end + 1, help.size()));
  }
  return fitted;
}

}  // namespace cairn::tools
