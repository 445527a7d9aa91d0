#pragma once
// The process that has the lock of a database, as the lock file names it. Used for error messages, and to end waits
// that cannot succeed.

#include <cstdint>
#include <filesystem>

namespace cairn::query::attach {

/// What the lock file says. This is only a hint: a new holder writes its line shortly after it takes the lock, and a dead
/// one leaves its line behind.
struct LockHolder {
  std::int64_t process = 0;  ///< 0 if the file names none, or must not be read
  bool is_changing = false;  ///< opens or closes the database
};

[[nodiscard]] LockHolder lock_holder(const std::filesystem::path& directory);

}  // namespace cairn::query::attach
