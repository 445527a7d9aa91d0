#pragma once
// An index as the statement that creates it.

#include <cairn/snapshot.hpp>

#include <string>

namespace cairn::query {

/// "CREATE FULLTEXT INDEX `texts` IF NOT EXISTS FOR (n:`Memory`) ON EACH [n.`text`] OPTIONS {...}"
[[nodiscard]] std::string to_statement(const IndexDescription& index);

}  // namespace cairn::query
