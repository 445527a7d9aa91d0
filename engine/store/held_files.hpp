#pragma once
// HeldFiles: the files of a store as of one moment, protected from deletion while they are copied.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::engine {

/// A file of the store to copy.
struct HeldFile {
  std::string name;         ///< relative to the store's directory
  std::uint64_t bytes = 0;  ///< how many bytes to copy; later bytes were written afterwards
  bool is_table = false;    ///< a table never changes, so it may be linked instead of copied
  /// The content of the copy, if it differs from the file on disk.
  std::optional<std::string> content{};
};

/// The files contain everything that was written before, and nothing that was written later. A copy of them can be
/// opened as a store without a log. The object must not outlive the store. While it lives, the disk space of deleted
/// files is not released.
class HeldFiles {
 public:
  HeldFiles(std::shared_ptr<void> hold, std::vector<HeldFile> files)
      : hold_(std::move(hold)), files_(std::move(files)) {}
  [[nodiscard]] const std::vector<HeldFile>& files() const noexcept { return files_; }

 private:
  std::shared_ptr<void> hold_;  // owner: only this; its destruction permits deletions again
  std::vector<HeldFile> files_;
};

}  // namespace cairn::engine
