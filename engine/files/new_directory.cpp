#include "engine/files/new_directory.hpp"

#include <string>

namespace cairn::engine {
namespace {

// Nesting depth of directories: the new directory, and the directories in it.
constexpr int new_levels = 2;

Error is_used(const FilePlace& place) {
  return Error{ErrorCode::invalid_argument,
               place.path().string() +
                   " exists and is not empty; name a new directory for the restored database",
               {}};
}

/// Errors: invalid_argument, if the place has something else than an empty directory.
Status check_unused(const FilePlace& place) {
  if (!place.directory.has(place.name)) return {};
  const auto directory = place.directory.open_directory(place.name);
  if (!directory) return is_used(place);
  CAIRN_ASSIGN(const auto names, directory->names());
  return names.empty() ? Status() : is_used(place);
}

}  // namespace

Status make_new_directory(const FilePlace& place,
                          const std::function<Status(const Directory&)>& fill) {
  CAIRN_TRY(check_unused(place));
  const std::string unfinished = place.name + ".restoring";
  CAIRN_TRY(place.directory.erase_all(unfinished, new_levels));
  Status filled;
  {
    CAIRN_ASSIGN(const Directory directory, place.directory.enter(unfinished));
    filled = fill(directory);
  }
  if (filled) filled = place.directory.rename(unfinished, place.name);
  if (filled) return place.directory.sync();
  // The remains are useless; a failure to erase them is not the error to report.
  static_cast<void>(place.directory.erase_all(unfinished, new_levels));
  return filled;
}

}  // namespace cairn::engine
