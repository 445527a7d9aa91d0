#include "query/cluster/left_replicas.hpp"

#include "engine/store/lock_file.hpp"

#include <string>
#include <system_error>

namespace cairn::query::cluster {
namespace {

namespace fs = std::filesystem;

void erase_copies(const fs::path& replica) {
  const auto lock =
      engine::LockFile::take(replica / lock_of_follower, engine::LockFile::Sharing::exclusive);
  std::error_code ignored;
  if (lock) fs::remove_all(replica / copies_of_follower, ignored);
}

/// Calls `visit` with the path of each directory in `directory`.
template <class Visit>
void for_each_directory(const fs::path& directory, const Visit& visit) {
  std::error_code problem;
  for (fs::directory_iterator entry(directory, problem), end; !problem && entry != end;
       entry.increment(problem))
    if (entry->is_directory(problem)) visit(entry->path());
}

}  // namespace

void erase_left_replicas(const fs::path& homes) noexcept {
  for_each_directory(homes, [](const fs::path& group) {
    for_each_directory(group, [](const fs::path& home) {
      if (home.filename().string().ends_with(replica_suffix)) erase_copies(home);
    });
  });
}

}  // namespace cairn::query::cluster
