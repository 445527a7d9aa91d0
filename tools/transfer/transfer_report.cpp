// Formats the reports of exports and imports as text. Ids of lost records are shown as ranges,
// because damage usually affects neighbouring ids.
#include "tools/transfer/transfer_report.hpp"

#include "tools/text/error_text.hpp"
#include "tools/text/progress.hpp"
#include "tools/text/quantity.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::tools {
namespace {

/// Appends ranges such as "nodes 3 to 7, 9".
void append_ranges(std::string& text, std::string_view what,
                   const std::vector<std::uint64_t>& ids) {
  if (ids.empty()) return;
  text += std::to_string(ids.size()) + " " + std::string(what) + ": ";
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
    text += (i == 0 ? "" : ", ") + std::to_string(ids[i]);
    if (last != i) text += " to " + std::to_string(ids[last]);
    i = last + 1;
  }
  text += "\n";
}

/// Appends a line such as "  hidden (softly deleted or expired): 1 node, 2 relationships".
void append_reason(std::string& text, std::string_view reason, std::uint64_t nodes,
                   std::uint64_t relationships) {
  if (nodes == 0 && relationships == 0) return;
  text += "  " + std::string(reason) + ": " + counted(nodes, "node", "nodes") + ", " +
          counted(relationships, "relationship", "relationships") + "\n";
}

}  // namespace

std::string lost_text(const ExportReport& report) {
  std::string text;
  append_ranges(text, "nodes that cannot be read", report.lost_nodes);
  append_ranges(text, "relationships that cannot be read", report.lost_relationships);
  append_ranges(text, "relationships of nodes that cannot be read", report.cut_relationships);
  return text;
}

std::string left_out_text(const ExportReport& report) {
  const LeftOut& nodes = report.nodes_left_out;
  const LeftOut& relationships = report.relationships_left_out;
  std::string text;
  append_reason(text, "of other namespaces", nodes.other_name_spaces,
                relationships.other_name_spaces);
  append_reason(text, "hidden (softly deleted or expired)", nodes.hidden, relationships.hidden);
  append_reason(text, "with an end that is left out", nodes.cut, relationships.cut);
  return text.empty() ? "nothing was left out\n" : "left out, as asked for:\n" + text;
}

namespace {

/// Omits the rate if the time is too short for it to be meaningful.
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

namespace {

/// Shows progress from the first record, when the total is known, until the end of the transfer.
class Shown {
 public:
  template <class Options>
  void watch(Options& options) {
    options.progress = [this](const TransferProgress& progress) {
      if (!line_) line_.emplace("records", progress.total, true);
      line_->update(progress.records, progress.part);
    };
  }

 private:
  std::optional<Progress> line_;
};

}  // namespace

Result<ExportReport> export_shown(Database& database, std::ostream& out, ExportOptions options,
                                  bool is_shown) {
  Shown shown;
  if (is_shown) shown.watch(options);
  return export_jsonl(database, out, options);
}

Result<ImportReport> import_shown(Database& database, const std::filesystem::path& file,
                                  ImportOptions options, bool is_shown) {
  Shown shown;
  if (is_shown) shown.watch(options);
  return import_jsonl(database, file, options);
}

}  // namespace cairn::tools
