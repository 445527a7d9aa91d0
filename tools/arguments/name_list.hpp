#pragma once
// Several names of namespaces in one word: "a,b".

#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Splits at commas. An empty name means the default namespace, and so does '', the form that the
/// shell prints.
[[nodiscard]] inline std::vector<std::string> read_name_list(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    names.emplace_back(name == "''" ? std::string_view() : name);
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace cairn::tools
