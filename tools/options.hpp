#pragma once
// Options that several commands share; part of the home of the command line library.

#include <cairn/value.hpp>

#include <cstdint>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cairn::tools {

/// `option` as name=JSON into `parameters`; may be repeated.
void define_parameters(CLI::App& app, const std::string& option, Parameters& parameters,
                       const std::string& summary);
/// `option` as the name of a file with a JSON object, into `parameters`.
void define_parameter_file(CLI::App& app, const std::string& option, Parameters& parameters,
                           const std::string& summary);
/// Refuse everything but whole numbers from `least` on, and show the default in the help.
void require_at_least(CLI::Option* option, std::uint64_t least);

}  // namespace cairn::tools
