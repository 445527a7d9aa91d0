#pragma once
// LockFile: prevents that two processes write to a database. An advisory lock on a file, which also contains the id
// of the holder.

#include "engine/system/fork_guard.hpp"
#include "engine/system/process.hpp"
#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace cairn::engine {

/// A lock that is held until destruction. The system releases it if the process dies.
/// file := process-id:decimal ' ' database-id? '\n', where the id is missing while the database is opened or closed. A reader
/// takes the first line: for a moment the rest of a longer previous line may follow it.
class LockFile {
 public:
  enum class Sharing : std::uint8_t {
    exclusive,  ///< for the only process that writes
    shared,     ///< for one of many processes that only read; the file is not written
  };

  /// Takes the lock without waiting. Errors: busy, which names the process id of the holder; corruption if the path
  /// is not a regular file; io_error.
  [[nodiscard]] static Result<LockFile> take(const std::filesystem::path& file, Sharing sharing);

  LockFile(LockFile&&) = default;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();

  /// Writes the ids of this process and of the database into the file. `database_id` is empty while the database is
  /// opened or closed.
  [[nodiscard]] Status sign(const std::string& database_id) const;

 private:
  explicit LockFile(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {
    if (descriptor_.is_open()) guard_ = ForkGuard(descriptor_.value());
  }
  Process process_;
  FileDescriptor descriptor_;  // not open if no lock is needed
  ForkGuard guard_;            // destroyed before the descriptor is closed
};

}  // namespace cairn::engine
