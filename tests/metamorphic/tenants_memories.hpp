#pragma once
// Random memory calls of one of two tenants, and searches in the indexes that these calls make. The other tenant makes
// memories too, so that the indexes may be there before the first memory of a tenant.

#include "tests/metamorphic/tenants_statements.hpp"

#include <string>

namespace cairn::test {

/// A memory call that reads, or a search in the indexes of memories by their names or by similar ones.
[[nodiscard]] TenantStatement memory_read_of_tenant(Random& random);

/// A memory call that writes. It may fail. A node of a session has a text as `id`, which is a number in typed graphs: there
/// the records are in no session.
[[nodiscard]] TenantStatement memory_write_of_tenant(Random& random, Flavour flavour);

/// A memory call of the other tenant, with words of its own, or a statement that removes its memories.
[[nodiscard]] std::string memory_write_of_another(Random& random);

}  // namespace cairn::test
