#pragma once
// Feature files of the openCypher conformance kit: Gherkin, as far as the kit uses it.

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::tck {

using Table = std::vector<std::vector<std::string>>;

/// One step with what hangs on it.
struct Step {
  std::string text;      ///< without Given, When, Then, And, But
  std::string document;  ///< the text between """, without its indentation
  Table table;
};

/// One scenario, an outline already filled in from one row of its examples.
struct Scenario {
  std::string name;  ///< "clauses/match/Match1 [3] Matching nodes using multiple labels #2"
  std::vector<Step> steps;
};

/// All scenarios of a file, background steps in front of each. `prefix` begins their names.
[[nodiscard]] std::vector<Scenario> read_feature(const std::filesystem::path& file,
                                                 const std::string& prefix);

}  // namespace cairn::tck
