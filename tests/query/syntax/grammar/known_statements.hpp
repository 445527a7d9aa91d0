#pragma once
// Statements that are written down somewhere in the tree, or in the conformance kit.

#include <string>
#include <vector>

namespace cairn::test {

/// A statement that the parser takes, and where it stands.
struct KnownStatement {
  std::string text;
  std::string place;
};

/// Statements of tests/golden and query/LANGUAGE.md.
[[nodiscard]] std::vector<KnownStatement> golden_statements();
/// Statements of the openCypher conformance kit; none where it is absent.
[[nodiscard]] std::vector<KnownStatement> kit_statements();

/// Whether the parser takes it, whatever the binder says.
[[nodiscard]] bool parses(const std::string& text);

}  // namespace cairn::test
