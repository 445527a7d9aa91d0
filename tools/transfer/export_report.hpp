#pragma once
// What an export wrote, and what it left out.

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::tools {

/// Records left out as the options ask for it, each counted once.
struct LeftOut {
  std::uint64_t other_name_spaces = 0;
  std::uint64_t hidden = 0;  ///< softly deleted or expired
  std::uint64_t cut = 0;     ///< relationships with an end that is left out
  friend bool operator==(const LeftOut&, const LeftOut&) = default;
};

struct ExportReport {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
  LeftOut nodes_left_out;
  LeftOut relationships_left_out;
  // Ids, ascending; of an export of what is readable alone.
  std::vector<std::uint64_t> lost_nodes;
  std::vector<std::uint64_t> lost_relationships;
  std::vector<std::uint64_t> cut_relationships;  ///< whole, but one end is lost

  /// Nothing of what was asked for is lost.
  [[nodiscard]] bool is_whole() const {
    return lost_nodes.empty() && lost_relationships.empty() && cut_relationships.empty();
  }
};

/// What could not be read, in sentences; ids as ranges.
[[nodiscard]] std::string lost_text(const ExportReport& report);
/// What was left out as asked, by number: a line for each reason that there was.
[[nodiscard]] std::string left_out_text(const ExportReport& report);

}  // namespace cairn::tools
