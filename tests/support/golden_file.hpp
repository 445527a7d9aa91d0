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

  /// The text of a section, empty where there is none.
  [[nodiscard]] const std::string& section(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const;
  void set(std::string_view name, std::string text);
};

/// Throws where the file cannot be read or is no golden file.
[[nodiscard]] std::vector<GoldenCase> read_golden_file(const std::filesystem::path& path);
[[nodiscard]] std::string print(const std::vector<GoldenCase>& cases);

/// What a case gives: the name of its expected section and the text that it has now.
struct GoldenOutcome {
  std::string section;
  std::string text;
};
/// Run every case of a file and check it, or rewrite the file. Nothing is expected of a case whose
/// outcome has no section.
void check_golden_file(const std::filesystem::path& path,
                       const std::function<GoldenOutcome(const GoldenCase&)>& run);

}  // namespace cairn::test
