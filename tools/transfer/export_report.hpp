#pragma once
// What an export left out, for people.

#include <cairn/transfer.hpp>

#include <string>

namespace cairn::tools {

/// What could not be read, in sentences; ids as ranges.
[[nodiscard]] std::string lost_text(const ExportReport& report);
/// What was left out as asked, by number: a line for each reason that there was.
[[nodiscard]] std::string left_out_text(const ExportReport& report);

}  // namespace cairn::tools
