#pragma once
// LockFile: who has the database open. An advisory lock on a file of ours, which also says who.

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

  /// Errors: busy, naming the process id of the holder; io_error.
  [[nodiscard]] static Result<LockFile> take(const std::filesystem::path& file, Sharing sharing);

  LockFile(LockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  LockFile& operator=(LockFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~LockFile();

  /// Write this process's id and the database's into the file.
  [[nodiscard]] Status sign(const std::string& database_id) const;

 private:
  /// Takes over an open descriptor, or -1.
  explicit LockFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace cairn::engine
