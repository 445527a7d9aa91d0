// Refuses a database of a newer format before anything is written.
#include "codec/format_version.hpp"
#include "engine/database/opening.hpp"
#include "engine/store/metadata_file.hpp"

#include <system_error>

namespace cairn::engine {

// A shared lock on a file that exists writes nothing.
Status check_not_newer(const std::filesystem::path& directory) {
  const auto bytes = read_file(directory / metadata_file::format);
  if (!bytes || !*bytes) return {};
  const auto format = codec::decode_format_record(**bytes);
  const Status supported = format ? codec::check_supported(*format) : Status();
  const std::filesystem::path lock = directory / metadata_file::lock;
  std::error_code problem;
  if (supported || !std::filesystem::exists(lock, problem)) return supported;
  const auto taken = LockFile::take(lock, LockFile::Sharing::shared);
  if (!taken && taken.error().code == ErrorCode::busy) return taken.error();
  return supported;
}

}  // namespace cairn::engine
