#include "tests/engine/disk/small_disk.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace cairn::test {
namespace {

using Kind = DiskCall::Kind;

constexpr std::uint64_t name_page = std::numeric_limits<std::uint64_t>::max();

std::uint64_t end_page(std::uint64_t bytes) {
  return (bytes + SmallDisk::page_bytes - 1) / SmallDisk::page_bytes;
}

/// Returns the inode of the file if `path` is its last name; else 0.
std::uint64_t last_named(const std::string& path) {
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0 && about.st_nlink == 1 ? about.st_ino : 0;
}

}  // namespace

SmallDisk::SmallDisk(const std::filesystem::path& root, int problem) : problem_(problem) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    struct stat about{};
    if (!entry.is_regular_file() || ::lstat(entry.path().c_str(), &about) != 0) continue;
    take(about.st_ino, 0, static_cast<std::uint64_t>(about.st_size));
  }
}

void SmallDisk::leave(std::uint64_t pages) {
  const std::lock_guard lock(mutex_);
  limit_ = used_ + pages;
}

void SmallDisk::leave_enough() {
  const std::lock_guard lock(mutex_);
  limit_ = std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t SmallDisk::written() const {
  const std::lock_guard lock(mutex_);
  return written_;
}

std::uint64_t SmallDisk::missing(std::uint64_t file, std::uint64_t begin, std::uint64_t end) const {
  const auto found = files_.find(file);
  std::uint64_t count = 0;
  for (std::uint64_t page = begin / page_bytes; page < end_page(end); ++page)
    if (found == files_.end() || !found->second.contains(page)) ++count;
  return count;
}

void SmallDisk::take(std::uint64_t file, std::uint64_t begin, std::uint64_t end) {
  Pages& pages = files_[file];
  if (pages.insert(name_page).second) ++used_;
  for (std::uint64_t page = begin / page_bytes; page < end_page(end); ++page)
    if (pages.insert(page).second) ++used_;
}

void SmallDisk::cut(std::uint64_t file, std::uint64_t size) {
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  Pages& pages = found->second;
  for (auto page = pages.lower_bound(end_page(size)); page != pages.end() && *page != name_page;) {
    page = pages.erase(page);
    --used_;
  }
}

void SmallDisk::erase(std::uint64_t file) {
  const auto found = files_.find(file);
  if (found == files_.end()) return;
  used_ -= found->second.size();
  files_.erase(found);
  written_files_.erase(file);
}

int SmallDisk::before(const DiskCall& call) {
  const std::lock_guard lock(mutex_);
  going_ = 0;
  if (call.kind == Kind::unlink) going_ = last_named(call.path);
  if (call.kind == Kind::rename) going_ = last_named(call.other);
  if (call.kind == Kind::make) return free() > 0 ? 0 : problem_;
  if (call.kind == Kind::allocate) {
    const bool is_small = limit_ != std::numeric_limits<std::uint64_t>::max();
    const bool is_log = call.path.ends_with(".log");
    if (is_log && call.size > (is_small ? most_allocated : 8 * most_allocated) * page_bytes)
      return problem_;
    return missing(call.file, call.offset, call.offset + call.size) <= free() ? 0 : problem_;
  }
  const bool writes = call.kind == Kind::write && !call.bytes.empty();
  return writes && missing(call.file, call.offset, call.offset + 1) > free() ? problem_ : 0;
}

std::size_t SmallDisk::most_bytes(const DiskCall& write) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t end = write.offset + write.bytes.size();
  if (missing(write.file, write.offset, end) <= free()) return write.bytes.size();
  std::uint64_t at = write.offset;
  while (at < end && missing(write.file, write.offset, at + 1) <= free())
    at = (at / page_bytes + 1) * page_bytes;
  return static_cast<std::size_t>(std::min(at, end) - write.offset);
}

void SmallDisk::after(const DiskCall& call) {
  const std::lock_guard lock(mutex_);
  if (call.kind == Kind::make) {
    take(call.file, 0, 0);
    ++written_;
  }
  if (call.kind == Kind::write) {
    const std::uint64_t end = call.offset + call.bytes.size();
    take(call.file, call.offset, end);
    for (std::uint64_t page = call.offset / page_bytes; page < end_page(end); ++page)
      if (written_files_[call.file].insert(page).second) ++written_;
  }
  if (call.kind == Kind::allocate) take(call.file, call.offset, call.offset + call.size);
  if (call.kind == Kind::truncate) cut(call.file, call.offset);
  if (going_ != 0) erase(going_);
  going_ = 0;
}

}  // namespace cairn::test
