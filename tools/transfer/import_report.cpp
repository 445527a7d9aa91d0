#include "tools/transfer/import_report.hpp"

#include "tools/text/counted.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace cairn::tools {

std::string to_text(const ImportReport& report) {
  std::array<char, 64> rate{};
  const auto records = static_cast<double>(report.nodes + report.relationships);
  std::snprintf(rate.data(), rate.size(), " in %.1f s (%.0f a second)\n", report.seconds,
                records / std::max(report.seconds, 1e-3));
  std::string text = counted(report.nodes, "node", "nodes") + " and " +
                     counted(report.relationships, "relationship", "relationships") + " loaded" +
                     rate.data();
  if (report.earlier != 0)
    text += counted(report.earlier, "record was there already, and stays as it is\n",
                    "records were there already, and stay as they are\n");
  if (report.skipped != 0) text += counted(report.skipped, "line", "lines") + " left out:\n";
  for (const ImportProblem& problem : report.problems)
    text += "  line " + std::to_string(problem.line) + ": " + problem.reason + "\n";
  if (report.skipped > report.problems.size())
    text += "  ... and " + std::to_string(report.skipped - report.problems.size()) + " more\n";
  return text;
}

}  // namespace cairn::tools
