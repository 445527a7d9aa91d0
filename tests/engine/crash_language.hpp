#pragma once
// The parts of a crash test that use the language and the import. A build with only the engine has neither
// (no_language.cpp).

#include "tests/engine/crash_history.hpp"
#include "tests/engine/crash_import.hpp"

#include <cairn/database.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>

namespace cairn::test {

[[nodiscard]] bool has_language();

/// Makes all changes of an operation by one statement. Returns false and does nothing if a change concerns an index,
/// because such a change needs a statement of its own. Errors: those of the statement.
[[nodiscard]] Result<bool> apply_by_statement(Database& database, const CrashOperation& operation);

/// Imports file after file, beginning at the state of the database. `path` is where the files are written. After each
/// operation, calls `tell` with the number of operations so far. Returns only after an error.
[[nodiscard]] Status import_for_ever(Database& database, const CrashImport& import,
                                     const std::filesystem::path& path,
                                     const std::function<void(std::uint64_t)>& tell);

}  // namespace cairn::test
