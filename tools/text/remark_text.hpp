#pragma once
// What a session says beside rows.

#include <cairn/statement.hpp>

#include <chrono>
#include <string>

namespace cairn::tools {

/// "1 node created, 2 properties set": only what was changed is named; "no changes" for nothing.
[[nodiscard]] std::string change_text(const Changes& changes);

/// "0.45 ms", "12.3 ms", "2.03 s"; never with an exponent.
[[nodiscard]] std::string time_text(std::chrono::steady_clock::duration elapsed);

}  // namespace cairn::tools
