#pragma once
// JSON in the tools is the library's.

#include <cairn/json.hpp>

namespace cairn::tools {

using cairn::parse_exact_json;
using cairn::parse_json;
using cairn::to_json;

}  // namespace cairn::tools
