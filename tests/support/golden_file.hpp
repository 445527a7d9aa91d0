#pragma once
// Golden files: many small cases in one readable file, the expected part rewritten on request.
//
// file    := (comment | case)*
// case    := "# " title newline section+
// section := name ":" blanks first-line newline (9 blanks further-line newline)*
//
// A case without the expected section, as a graph that all later cases use, is given to the
// callback like any other. With CAIRN_UPDATE_GOLDEN=1 in the environment the expected sections are
// rewritten from what the callback gives, and the file's differences are reviewed like code.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::test {

struct GoldenCase {
  std::string title;
  std::vector<std::pair<std::string, std::string>> sections;  ///< in order; lines joined by '\n'

  /// The text of a section. Empty if the case has no such section.
  [[nodiscard]] const std::string& section(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const;
  void set(std::string_view name, std::string text);
};

/// Throws if the file cannot be read or is not a golden file.
[[nodiscard]] std::vector<GoldenCase> read_golden_file(const std::filesystem::path& path);
[[nodiscard]] std::string print(const std::vector<GoldenCase>& cases);

/// The result of a case: the name of its expected section, and the section's current text.
struct GoldenOutcome {
  std::string section;
  std::string text;
};
/// Runs and checks every case of a file, or rewrites the file. A case whose outcome has no section
/// name is not checked.
void check_golden_file(const std::filesystem::path& path,
                       const std::function<GoldenOutcome(const GoldenCase&)>& run);

}  // namespace cairn::test
