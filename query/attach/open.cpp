// Database::open(): the only place that knows both kinds of handle, the local and the attached one.

#include "engine/database/access.hpp"
#include "query/attach/attached_database.hpp"

namespace cairn {

// The path is made absolute now, because the working directory may have changed when the host changes.
Result<Database> Database::open(const std::filesystem::path& path, const Options& options) {
  if (!query::attach::shares(options)) return query::attach::open_alone(path, options);
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::absolute(path, error);
  CAIRN_ASSIGN(auto opened, query::attach::open_or_attach(error ? path : directory, options));
  if (opened.local) return *std::move(opened.local);
  return Access::handle(
      std::make_shared<query::attach::AttachedDatabase>(std::move(opened.link), options));
}

}  // namespace cairn
