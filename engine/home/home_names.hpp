#pragma once
// The names of a home's objects. Numbers have 16 hexadecimal digits, so that a list gives them in their order.

#include "codec/home_head.hpp"

#include <cstdint>
#include <string>

namespace cairn::engine::home_name {

/// The only object that is ever replaced.
inline constexpr const char* head = "head";
/// One commit, or the fence that ends the epoch.
[[nodiscard]] std::string slot(std::uint64_t epoch, std::uint64_t slot);
/// A file of checkpoints, of that epoch and number.
[[nodiscard]] std::string part(const codec::HomePlace& object);
[[nodiscard]] std::string checkpoint(const codec::HomePlace& place);

}  // namespace cairn::engine::home_name
