#include "tools/transfer/export_report.hpp"

#include "tools/text/quantity.hpp"

#include <cstddef>
#include <string_view>

namespace cairn::tools {
namespace {

/// "nodes 3 to 7, 9"
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

/// "  hidden (softly deleted or expired): 1 node, 2 relationships"
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

}  // namespace cairn::tools
