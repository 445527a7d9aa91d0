#pragma once
// The name of the built-in embedder without frequencies, which embed() of the language is too.

#include <string_view>

namespace cairn::engine {

inline constexpr std::string_view built_in_model = "cairn-hashing-1";

}  // namespace cairn::engine
