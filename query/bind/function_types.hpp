#pragma once
// What is known of some functions before they run: arguments that can never be right, and the types
// of their results.

#include "query/bind/static_type.hpp"

#include <string_view>

namespace cairn::query {

/// What the first argument of `function` (in lower case) must be, where `type` cannot be it;
/// otherwise empty.
[[nodiscard]] std::string_view argument_refusal(std::string_view function, StaticType type);

/// `first` is the type of the first argument, `any` without one.
[[nodiscard]] StaticType function_type(std::string_view function, StaticType first);

}  // namespace cairn::query
