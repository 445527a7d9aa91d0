#pragma once
// LockFile: who has the database open. An advisory lock on a file of ours, which also says who.

#include "engine/system/fork_guard.hpp"
#include "engine/system/process.hpp"
#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace cairn::engine {

/// Held until destruction; the system releases it when the process dies.
///
/// file := process-id:decimal ' ' database-id '\n'
class LockFile {
 public:
  enum class Sharing : std::uint8_t {
    exclusive,  ///< the one process that writes
    shared,     ///< one of those that only read; nothing is written to the file
  };

  /// Errors: busy, naming the process id of the holder; corruption, where it is not a regular file; io_error.
  [[nodiscard]] static Result<LockFile> take(const std::filesystem::path& file, Sharing sharing);

  LockFile(LockFile&&) = default;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile();

  /// Write this process's id and the database's into the file.
  [[nodiscard]] Status sign(const std::string& database_id) const;

 private:
  explicit LockFile(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {
    if (descriptor_.is_open()) guard_ = ForkGuard(descriptor_.value());
  }
  Process process_;
  FileDescriptor descriptor_;  // closed where no lock is needed
  ForkGuard guard_;            // before the descriptor is closed
};

}  // namespace cairn::engine
