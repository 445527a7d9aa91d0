#include "tools/parameter_options.hpp"

#include "tools/arguments/command_parser.hpp"

#include <cairn/json.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace cairn::tools {
namespace {

constexpr auto quoting_hint =
    "; a text is written in double quotes, and the shell wants single ones around: 'name=\"text\"'";

/// Adds a parameter name=JSON; returns what is wrong with it, or an empty text.
std::string add_parameter(Parameters& parameters, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) return "expected name=JSON, got '" + text + "'";
  auto value = parse_exact_json(std::string_view(text).substr(equals + 1));
  if (!value) return text + ": " + value.error().message + quoting_hint;
  parameters[text.substr(0, equals)] = *std::move(value);
  return {};
}

/// Adds the parameters of a file; replaces existing names.
std::string add_parameter_file(Parameters& parameters, const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  std::ostringstream text;
  // Unlike stream iterators, neither of these throws if a read fails.
  if (input.peek() != std::ifstream::traits_type::eof()) text << input.rdbuf();
  if (!input.is_open() || input.bad() || !text) return file + " cannot be read";
  const auto value = parse_exact_json(text.view());
  if (!value) return file + ": " + value.error().message;
  if (value->map() == nullptr) return file + " does not contain a JSON object";
  for (const auto& [name, parameter] : *value->map()) parameters[name] = parameter;
  return {};
}

}  // namespace

void define_parameters(OptionSet options, const std::string& option, Parameters& parameters,
                       const std::string& summary) {
  options
      .word(
          option,
          [&parameters](const std::string& text) { return add_parameter(parameters, text); },
          summary + " as name=JSON; may be repeated")
      .repeatable();
}

void define_parameter_file(OptionSet options, const std::string& option, Parameters& parameters,
                           const std::string& summary) {
  options
      .word(
          option,
          [&parameters](const std::string& file) { return add_parameter_file(parameters, file); },
          summary)
      .existing_file();
}

}  // namespace cairn::tools
