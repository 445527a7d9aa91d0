#pragma once
// Dot commands that show what is in the database, in the namespace and transaction of the session.

#include "tools/shell/dot_command.hpp"
#include "tools/shell/session.hpp"

#include <cairn/snapshot.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::tools {

/// Kinds of names of records.
enum class NameKind { label, relationship_type, property };

/// Returns the names used by records of the session's namespace, in order. Errors: those of a
/// statement.
[[nodiscard]] Result<std::vector<std::string>> names_in_use(Session& session, NameKind kind);

/// `.labels`: labels and relationship types with counts
[[nodiscard]] Status labels(Session& session, const Arguments& arguments);
/// `.properties`
[[nodiscard]] Status properties(Session& session, const Arguments& arguments);
/// `.indexes`
[[nodiscard]] Status indexes(Session& session, const Arguments& arguments);
/// `.namespaces`
[[nodiscard]] Status namespaces(Session& session, const Arguments& arguments);
/// `.schema [NAME]`: properties and indexes of one label or relationship type, or of all
[[nodiscard]] Status schema(Session& session, const Arguments& arguments);

/// Returns a name for a statement: in backticks if it is not a plain word.
[[nodiscard]] std::string quoted_name(std::string_view name);

}  // namespace cairn::tools
