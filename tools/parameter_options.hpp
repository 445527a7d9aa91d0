#pragma once
// Options that give the parameters of a statement.

#include <cairn/value.hpp>

#include <string>

namespace cairn::tools {

class OptionSet;

/// Defines `option` as name=JSON into `parameters`; it may be repeated.
void define_parameters(OptionSet options, const std::string& option, Parameters& parameters,
                       const std::string& summary);
/// Defines `option` as the name of a file with a JSON object, into `parameters`.
void define_parameter_file(OptionSet options, const std::string& option, Parameters& parameters,
                           const std::string& summary);

}  // namespace cairn::tools
