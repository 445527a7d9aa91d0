#include "tools/text/remark_text.hpp"

#include "tools/text/counted.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace cairn::tools {

std::string change_text(const Changes& changes) {
  struct Count {
    std::uint64_t count;
    std::string_view one, many, what;
  };
  const std::array<Count, 11> counts{{
      {changes.nodes_created, "node", "nodes", "created"},
      {changes.nodes_deleted, "node", "nodes", "deleted"},
      {changes.relationships_created, "relationship", "relationships", "created"},
      {changes.relationships_deleted, "relationship", "relationships", "deleted"},
      {changes.properties_set, "property", "properties", "set"},
      {changes.labels_added, "label", "labels", "added"},
      {changes.labels_removed, "label", "labels", "removed"},
      {changes.indexes_added, "index", "indexes", "added"},
      {changes.indexes_removed, "index", "indexes", "removed"},
      {changes.constraints_added, "constraint", "constraints", "added"},
      {changes.constraints_removed, "constraint", "constraints", "removed"},
  }};
  std::string text;
  for (const auto& [count, one, many, what] : counts) {
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + grouped(count) + " ";
    text.append(count == 1 ? one : many).append(" ").append(what);
  }
  return text.empty() ? "no changes" : text;
}

std::string time_text(std::chrono::steady_clock::duration elapsed) {
  std::array<char, 48> text{};
  const double ms = std::chrono::duration<double, std::milli>(elapsed).count();
  if (ms < 1'000)
    std::snprintf(text.data(), text.size(), ms < 10 ? "%.2f ms" : "%.1f ms", ms);
  else
    std::snprintf(text.data(), text.size(), "%.2f s", ms / 1'000);
  return text.data();
}

}  // namespace cairn::tools
