#include "tests/engine/disk/recorded_disk.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace cairn::test {
namespace {

namespace fs = std::filesystem;
using Kind = DiskCall::Kind;

constexpr std::uint64_t sector_bytes = 512;
// Of a torn write, whole sectors are on the disk, and at least this many bytes are missing. Disks write whole sectors.
// A smaller missing rest looks like content that ends in zeros (store/log_reader.cpp), and the open refuses the log.
constexpr std::uint64_t word_bytes = 16;
constexpr std::uint64_t page_sectors = 8;

std::string parent_of(const std::string& path) { return fs::path(path).parent_path().string(); }

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::uint64_t inode_of(const fs::path& file) {
  struct stat about{};
  return ::lstat(file.c_str(), &about) == 0 ? about.st_ino : 0;
}

}  // namespace

void DiskRecorder::after(const DiskCall& call) {
  if (call.kind == Kind::read || call.kind == Kind::open || call.kind == Kind::allocate) return;
  Step step{call, std::string(call.bytes)};
  step.call.bytes = {};
  const std::lock_guard lock(mutex_);
  steps_.push_back(std::move(step));
}

void DiskRecorder::mark(std::uint64_t mark) {
  const std::lock_guard lock(mutex_);
  steps_.push_back({{Kind::open}, {}, true, mark});
}

RecordedDisk::RecordedDisk(fs::path root) : root_(std::move(root)) {
  written_names_[root_.string()] = directory;
  for (const auto& entry : fs::recursive_directory_iterator(root_)) {
    std::size_t& place = written_names_[entry.path().string()];
    place = directory;
    if (entry.is_directory()) continue;
    place = files_.size();
    by_inode_[inode_of(entry.path())] = files_.size();
    const std::string bytes = content_of(entry.path());
    files_.push_back({bytes, bytes, {}});
  }
  synced_names_ = written_names_;
}

void RecordedDisk::write(File& file, std::uint64_t offset, const std::string& bytes) {
  if (bytes.empty()) return;
  if (file.written.size() < offset + bytes.size()) file.written.resize(offset + bytes.size());
  std::ranges::copy(bytes, file.written.begin() + static_cast<std::ptrdiff_t>(offset));
  for (std::uint64_t sector = offset / sector_bytes;
       sector <= (offset + bytes.size() - 1) / sector_bytes; ++sector)
    file.sectors.insert(sector);
}

void RecordedDisk::truncate(File& file, std::uint64_t size) {
  file.written.resize(size);
  file.sectors.erase(file.sectors.lower_bound((size + sector_bytes - 1) / sector_bytes),
                     file.sectors.end());
}

void RecordedDisk::apply(Names& names, const NameChange& change) {
  for (const auto& [path, place] : change) {
    if (place)
      names[path] = *place;
    else
      names.erase(path);
  }
}

void RecordedDisk::change_names(NameChange change) {
  apply(written_names_, change);
  unsynced_[parent_of(change.back().first)].push_back(std::move(change));
}

void RecordedDisk::apply(const DiskRecorder::Step& step) {
  if (step.is_mark) return;
  const DiskCall& call = step.call;
  const auto file = [&]() -> File& { return files_[by_inode_.at(call.file)]; };
  switch (call.kind) {
    case Kind::open:
    case Kind::read:
    case Kind::allocate:
      break;
    case Kind::make:
      by_inode_[call.file] = files_.size();
      files_.emplace_back();
      change_names({{call.path, files_.size() - 1}});
      break;
    case Kind::write:
      write(file(), call.offset, step.bytes);
      break;
    case Kind::truncate:
      truncate(file(), call.offset);
      break;
    case Kind::sync:
      file().synced = file().written;
      file().sectors.clear();
      break;
    case Kind::sync_directory: {
      // The root may be opened by another path: `directory/..`.
      const auto path = fs::path(call.path).lexically_normal().string();
      for (const NameChange& change : unsynced_[path.ends_with('/') ? parent_of(path) : path])
        apply(synced_names_, change);
      unsynced_.erase(path.ends_with('/') ? parent_of(path) : path);
      break;
    }
    case Kind::rename:
      change_names({{call.path, std::nullopt}, {call.other, written_names_.at(call.path)}});
      break;
    case Kind::link:
      change_names({{call.other, written_names_.at(call.path)}});
      break;
    case Kind::unlink:
      change_names({{call.path, std::nullopt}});
      break;
    case Kind::make_directory:
      change_names({{call.path, directory}});
      break;
  }
}

std::string RecordedDisk::draw_content(const File& file, Random& random) {
  const std::uint64_t old_size = file.synced.size();
  const std::uint64_t new_size = file.written.size();
  const std::uint64_t least = std::min(old_size, new_size);
  const std::uint64_t most = std::max(old_size, new_size);
  std::uint64_t size = random.one_in(2) ? new_size : old_size;
  if (new_size > old_size && random.one_in(3)) size = least + random.below(most - least + 1);
  std::string bytes = file.synced;
  bytes.resize(size);
  const std::size_t kept = random.below(4);  // of three
  const std::uint64_t unit = random.one_in(2) ? page_sectors : 1;
  std::uint64_t drawn_for = ~std::uint64_t{0};
  bool is_there = false;
  for (const std::uint64_t sector : file.sectors) {
    if (sector / unit != drawn_for) {
      drawn_for = sector / unit;
      is_there = random.below(3) < kept;
    }
    const std::uint64_t begin = sector * sector_bytes;
    if (!is_there || begin >= size || begin >= new_size) continue;
    std::uint64_t end = std::min({begin + sector_bytes, size, new_size});
    if (random.one_in(16))
      end =
          begin + random.below(std::max<std::uint64_t>((end - begin) / word_bytes, 1)) * word_bytes;
    std::copy(file.written.begin() + static_cast<std::ptrdiff_t>(begin),
              file.written.begin() + static_cast<std::ptrdiff_t>(end),
              bytes.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  return bytes;
}

void RecordedDisk::leave(const fs::path& to, Left left, Random& random) const {
  Names names = left == Left::written ? written_names_ : synced_names_;
  if (left == Left::some) {
    for (const auto& [folder, changes] : unsynced_) {
      const std::size_t count = random.below(changes.size() + 1);
      for (std::size_t i = 0; i < count; ++i) apply(names, changes[i]);
    }
  }
  std::map<std::size_t, std::string> drawn;  // a file of two names has one content
  fs::create_directories(to);
  for (const auto& [path, place] : names) {
    if (path == root_.string()) continue;
    const fs::path target = to / fs::path(path).lexically_relative(root_);
    if (place == directory) {
      if (fs::exists(target.parent_path())) fs::create_directory(target);
      continue;
    }
    if (!fs::exists(target.parent_path())) continue;  // its directory's own name is not there
    const File& file = files_[place];
    if (left == Left::some && !drawn.contains(place)) drawn[place] = draw_content(file, random);
    const std::string& bytes = left == Left::synced    ? file.synced
                               : left == Left::written ? file.written
                                                       : drawn[place];
    std::ofstream(target, std::ios::binary) << bytes;
  }
}

}  // namespace cairn::test
