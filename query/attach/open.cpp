// Database::open(): the only place that knows both kinds of handle, the local and the attached one.

#include "engine/database/access.hpp"
#include "query/attach/attached_database.hpp"

namespace cairn {

// The path is made absolute now, because the program may change its working directory later.
Result<Database> Database::open(const std::filesystem::path& path, const Options& options) {
  std::error_code error;
  std::filesystem::path directory = std::filesystem::absolute(path, error);
  if (error) directory = path;
  if (!query::attach::shares(options)) return query::attach::open_alone(directory, options);
  CAIRN_ASSIGN(auto opened, query::attach::open_or_attach(directory, options));
  if (opened.local) return *std::move(opened.local);
  return Access::handle(
      std::make_shared<query::attach::AttachedDatabase>(std::move(opened.link), options));
}

}  // namespace cairn
