// Options that several commands have. Mistakes are CLI11's exceptions, which end in the message of
// the option.
#include "tools/options.hpp"

#include "tools/text/json_text.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

namespace cairn::tools {
namespace {

Value value_of(std::string_view json, const std::string& origin, const char* mend = "") {
  auto value = parse_parameter(json);
  if (!value) throw CLI::ValidationError(origin, value.error().message + mend);
  return *std::move(value);
}

/// name=JSON
void add_parameter(Parameters& parameters, const std::string& text, const std::string& option) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw CLI::ValidationError(option, "expected name=JSON, got '" + text + "'");
  parameters[text.substr(0, equals)] =
      value_of(std::string_view(text).substr(equals + 1), option + " " + text,
               "; a text stands in double quotes, and the shell wants single ones around: "
               "'name=\"text\"'");
}

/// Names that are there already are replaced.
void add_parameter_file(Parameters& parameters, const std::string& file,
                        const std::string& option) {
  std::ifstream input(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(input), {}};
  const Value value = value_of(text, option + " " + file);
  if (value.map() == nullptr) throw CLI::ValidationError(option, file + " holds no JSON object");
  for (const auto& [name, parameter] : *value.map()) parameters[name] = parameter;
}

}  // namespace

void define_parameters(CLI::App& app, const std::string& option, Parameters& parameters,
                       const std::string& summary) {
  app.add_option_function<std::vector<std::string>>(
         option,
         [&parameters, option](const std::vector<std::string>& all) {
           for (const std::string& text : all) add_parameter(parameters, text, option);
         },
         summary + " as name=JSON; may be repeated")
      ->allow_extra_args(false);
}

void define_parameter_file(CLI::App& app, const std::string& option, Parameters& parameters,
                           const std::string& summary) {
  app.add_option_function<std::string>(
         option,
         [&parameters, option](const std::string& file) {
           add_parameter_file(parameters, file, option);
         },
         summary)
      ->check(CLI::ExistingFile);
}

// CLI11 would take -1 for a large number and 3.5 for 3.
void require_at_least(CLI::Option* option, std::uint64_t least) {
  option->capture_default_str();
  option->check(CLI::Validator(
      [least](const std::string& text) {
        std::uint64_t number = 0;
        const char* end = text.data() + text.size();
        const auto [stop, problem] = std::from_chars(text.data(), end, number);
        if (problem == std::errc() && stop == end && number >= least) return std::string();
        return "expected a whole number of at least " + std::to_string(least) + ", got " + text;
      },
      ""));
}

}  // namespace cairn::tools
