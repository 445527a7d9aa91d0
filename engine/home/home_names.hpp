#pragma once
// The names of a home's objects. Numbers have 16 hexadecimal digits, so that a list gives them in their order.

#include "codec/home_head.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::engine::home_name {

/// What the names of a home begin with in its store: two digits of the tenant's hash, over which requests spread, and all
/// of it. Errors: io_error, where there is no SHA-256.
[[nodiscard]] Result<std::string> root(std::string_view tenant);
/// The only object that is ever replaced.
inline constexpr const char* head = "head";
/// One commit, or the fence that ends the epoch.
[[nodiscard]] std::string slot(std::uint64_t epoch, std::uint64_t slot);
/// A file of checkpoints, of that epoch and number.
[[nodiscard]] std::string part(const codec::HomePlace& object);
[[nodiscard]] std::string checkpoint(const codec::HomePlace& place);

}  // namespace cairn::engine::home_name
