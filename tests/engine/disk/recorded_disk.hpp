#pragma once
// RecordedDisk: records the changes to a directory, and generates the states that a power cut at any moment may leave.
//
// The rules are those of POSIX, which are stricter than any single file system:
// - The bytes of a file are on the disk once the file was synced. Before that, each page or sector may be missing, in any
//   order, and the last one may be there in part. The file has its old size, its new size, or a size in between
// - A name that was created, changed or erased is on the disk once its directory was synced. Before that, the names of one
//   directory are those of some moment in between
// - Data that was written and synced is there

#include "tests/engine/disk/disk_calls.hpp"
#include "tests/model/random.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cairn::test {

/// Notes every change below its directory, with the bytes.
class DiskRecorder final : public DiskWatcher {
 public:
  /// One change, or a moment that the test wants to find again.
  struct Step {
    DiskCall call;
    std::string bytes{};
    bool is_mark = false;
    std::uint64_t mark = 0;
  };

  int before(const DiskCall& /*call*/) override { return 0; }
  void after(const DiskCall& call) override;
  /// Records that `mark` applies to all later steps.
  void mark(std::uint64_t mark);
  /// When nobody is watching any more.
  [[nodiscard]] const std::vector<Step>& steps() const noexcept { return steps_; }

 private:
  std::mutex mutex_;  // guards steps_
  std::vector<Step> steps_;
};

/// The disk after some of the steps. It also has the content from before the first step.
class RecordedDisk {
 public:
  explicit RecordedDisk(std::filesystem::path root);

  void apply(const DiskRecorder::Step& step);

  enum class Left : std::uint8_t {
    synced,   ///< nothing else
    written,  ///< everything, as of a killed process
    some,     ///< by draws
  };
  /// Make `to` what a power cut may leave of the root.
  void leave(const std::filesystem::path& to, Left left, Random& random) const;

 private:
  struct File {
    std::string written;
    std::string synced;
    std::set<std::uint64_t> sectors;  ///< that differ
  };
  static constexpr std::size_t directory = static_cast<std::size_t>(-1);
  /// By path; an index of files_, or `directory`.
  using Names = std::map<std::string, std::size_t>;
  /// One change of names: all of it or nothing.
  using NameChange = std::vector<std::pair<std::string, std::optional<std::size_t>>>;

  void write(File& file, std::uint64_t offset, const std::string& bytes);
  void truncate(File& file, std::uint64_t size);
  void change_names(NameChange change);
  static void apply(Names& names, const NameChange& change);
  [[nodiscard]] static std::string draw_content(const File& file, Random& random);

  const std::filesystem::path root_;
  std::vector<File> files_;
  std::map<std::uint64_t, std::size_t> by_inode_;
  Names written_names_;
  Names synced_names_;
  std::map<std::string, std::vector<NameChange>> unsynced_;  // by directory
};

}  // namespace cairn::test
