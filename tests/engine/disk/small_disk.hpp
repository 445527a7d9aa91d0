#pragma once
// SmallDisk: a disk with so much room and no more.

#include "tests/engine/disk/disk_calls.hpp"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace cairn::test {

/// Files take whole pages, and one more page for their names. The pages are freed when the last name is erased. A write
/// that does not fit completely writes the bytes that fit, and the next write fails. An allocation of room succeeds
/// completely or not at all. A log gets only a little room at a time, because a log with much room would not notice
/// that the disk is full.
class SmallDisk final : public DiskWatcher {
 public:
  static constexpr std::uint64_t page_bytes = 4'096;

  /// What is below `root` is on it. `problem`: the errno of a want of room; a quota has EDQUOT.
  explicit SmallDisk(const std::filesystem::path& root, int problem = ENOSPC);

  /// So many pages are free from now on.
  void leave(std::uint64_t pages);
  void leave_enough();
  /// Returns how many new pages were written. With this many free pages, no write is ever refused.
  [[nodiscard]] std::uint64_t written() const;

  int before(const DiskCall& call) override;
  std::size_t most_bytes(const DiskCall& write) override;
  void after(const DiskCall& call) override;

 private:
  using Pages = std::set<std::uint64_t>;
  static constexpr std::uint64_t most_allocated = 8;

  [[nodiscard]] std::uint64_t free() const { return limit_ > used_ ? limit_ - used_ : 0; }
  /// Returns how many pages of this range are not allocated yet.
  [[nodiscard]] std::uint64_t missing(std::uint64_t file, std::uint64_t begin,
                                      std::uint64_t end) const;
  void take(std::uint64_t file, std::uint64_t begin, std::uint64_t end);
  void cut(std::uint64_t file, std::uint64_t size);
  void erase(std::uint64_t file);

  const int problem_;
  mutable std::mutex mutex_;  // guards what follows
  std::uint64_t limit_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t used_ = 0;
  std::uint64_t written_ = 0;
  std::map<std::uint64_t, Pages> files_;          // by inode: pages that are taken
  std::map<std::uint64_t, Pages> written_files_;  // and those that were written
  std::uint64_t going_ = 0;                       // the file whose last name the call takes away
};

}  // namespace cairn::test
