#include "tools/transfer/import_report.hpp"

#include "tools/text/error_text.hpp"
#include "tools/text/quantity.hpp"

#include <chrono>
#include <cstdint>

namespace cairn::tools {

namespace {

/// Of what took no time a rate says nothing.
std::string rate_text(const ImportReport& report) {
  constexpr double telling = 0.1;
  const std::string time =
      time_text(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(report.seconds)));
  if (report.seconds < telling) return " in " + time + "\n";
  const double rate = static_cast<double>(report.nodes + report.relationships) / report.seconds;
  return " in " + time + " (" + grouped(static_cast<std::uint64_t>(rate)) + " a second)\n";
}

}  // namespace

std::string to_text(const ImportReport& report) {
  std::string text = counted(report.nodes, "node", "nodes") + " and " +
                     counted(report.relationships, "relationship", "relationships") + " loaded" +
                     rate_text(report);
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
