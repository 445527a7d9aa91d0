// Database::open() for a build with the engine only (CAIRN_ENGINE_ONLY), which cannot attach to other processes.
// query/attach has the full version.

#include "engine/database/access.hpp"

namespace cairn {

Result<Database> Database::open(const std::filesystem::path& path, const Options& options) {
  return Access::open_local(path, options);
}

}  // namespace cairn
