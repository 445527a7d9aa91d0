#pragma once
// HeldFiles: the files of a store as of one moment, protected from deletion while they are copied.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::engine {

struct HeldFile {
  std::string name;         ///< in the store's directory
  std::uint64_t bytes = 0;  ///< the first ones; what is behind them came later
  bool is_table = false;    ///< never changed: may be linked
  /// What it has to hold, where the file on the disk changes.
  std::optional<std::string> content{};
};

/// They hold everything that was written before, and of later writes nothing. They can be opened as a store, which
/// needs no log. It must not outlive the store; while it lives, space of deleted files is not given back.
class HeldFiles {
 public:
  HeldFiles(std::shared_ptr<void> hold, std::vector<HeldFile> files)
      : hold_(std::move(hold)), files_(std::move(files)) {}
  [[nodiscard]] const std::vector<HeldFile>& files() const noexcept { return files_; }

 private:
  std::shared_ptr<void> hold_;  // owners: this alone; its end lets files be deleted
  std::vector<HeldFile> files_;
};

}  // namespace cairn::engine
