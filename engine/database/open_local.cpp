// Database::open() of the engine alone, which has nothing to attach with (CAIRN_ENGINE_ONLY). query/attach has the other.

#include "engine/database/access.hpp"

namespace cairn {

Result<Database> Database::open(const std::filesystem::path& path, const Options& options) {
  return Access::open_local(path, options);
}

}  // namespace cairn
