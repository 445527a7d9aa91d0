// For a build of the engine alone.
#include "tests/engine/crash_language.hpp"

namespace cairn::test {

bool has_language() { return false; }

Result<bool> apply_by_statement(Database& /*database*/, const CrashOperation& /*operation*/) {
  return false;
}

Status import_for_ever(Database& /*database*/, const CrashImport& /*import*/,
                       const std::filesystem::path& /*path*/,
                       const std::function<void(std::uint64_t)>& /*tell*/) {
  return {};
}

}  // namespace cairn::test
