#pragma once
// Random statements of one of two tenants, and random writes of the other.

#include "tests/metamorphic/questions.hpp"

#include <string>
#include <vector>

namespace cairn::test {

/// A statement of the tenant.
struct TenantStatement {
  std::string text;
  bool may_fail = false;     ///< others never fail
  bool lists_paths = false;  ///< lists properties that have an index
};

/// A read, search, call, memory call, write, change of the schema or wrong statement. A write changes the records that a condition passes, and may fail.
[[nodiscard]] TenantStatement statement_of_tenant(Questions& questions);

/// A write that makes or changes records of its tenant, some with words of their own ("globex"), or relationships to the
/// records of another tenant that it reads.
[[nodiscard]] std::string write_of_another(Random& random);

/// Statements that make the indexes and constraints of these statements, besides create_searched_indexes().
[[nodiscard]] std::vector<std::string> create_tenant_indexes();

}  // namespace cairn::test
