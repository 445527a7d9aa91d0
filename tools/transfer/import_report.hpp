#pragma once
// What an import did, for people.

#include <cairn/transfer.hpp>

#include <string>

namespace cairn::tools {

/// Some lines: how much was loaded and how fast, what was there before, what was left out and why.
[[nodiscard]] std::string to_text(const ImportReport& report);

}  // namespace cairn::tools
