#pragma once
// FaultFileSystem: the real file system, except that a sync may fail. It records what a power cut would leave of each
// file.

#include "tests/support/copy_tree.hpp"

#include <rocksdb/file_system.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace cairn::test {

class FaultFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  FaultFileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "cairn.FaultFileSystem"; }

  /// The n-th sync from now on fails, and all after it.
  void fail_syncs_after(int count) {
    const std::lock_guard lock(mutex_);
    syncs_left_ = count;
  }

  /// Files whose names end so cannot be made from now on, as on a full disk.
  void refuse_new(std::string suffix) {
    const std::lock_guard lock(mutex_);
    refused_suffix_ = std::move(suffix);
  }

  /// As on a file system without hard links.
  void refuse_links() {
    const std::lock_guard lock(mutex_);
    has_links_ = false;
  }

  /// Called before each sync, by the thread that syncs.
  void at_sync(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    at_sync_ = std::move(call);
  }

  /// What a power cut leaves of a file, by how many of its bytes were synced and how many written.
  using Leaving = std::function<void(const std::filesystem::path&, std::uint64_t synced,
                                     std::uint64_t written)>;

  /// Copy a directory as a power cut would leave it: files end where they were last synced.
  void copy_after_power_cut(const std::filesystem::path& from, const std::filesystem::path& to) {
    copy_after_power_cut(from, to, [](const auto& copy, std::uint64_t synced, std::uint64_t) {
      std::filesystem::resize_file(copy, synced);
    });
  }
  /// Likewise, of each of RocksDB's files what `leave` does to the copy of it.
  void copy_after_power_cut(const std::filesystem::path& from, const std::filesystem::path& to,
                            const Leaving& leave) {
    // Of one moment: threads in the background may write while it is copied.
    auto files = known_files();
    for (copy_at_rest(from, to); files != known_files(); copy_at_rest(from, to)) {
      std::filesystem::remove_all(to);
      files = known_files();
    }
    for (const auto& [name, sizes] : files) {
      const auto copy = to / std::filesystem::path(name).lexically_relative(from);
      std::error_code gone;
      const std::uint64_t size = std::filesystem::file_size(copy, gone);
      if (!gone) leave(copy, std::min(sizes.synced, size), std::min(sizes.written, size));
    }
  }

  static std::error_code try_copy(const std::filesystem::path& from,
                                  const std::filesystem::path& to) {
    try {
      copy_tree(from, to);
    } catch (const std::filesystem::filesystem_error& error) {
      return error.code();
    }
    return {};
  }

  /// Copies a directory. The store creates and deletes files in the background, but a power cut sees a single moment.
  /// So the copy is repeated if a file appeared, grew or disappeared meanwhile.
  static void copy_at_rest(const std::filesystem::path& from, const std::filesystem::path& to) {
    constexpr int most_tries = 50;
    std::error_code problem;
    for (int i = 0; i < most_tries; ++i) {
      std::filesystem::remove_all(to);
      const auto before = sizes_in(from);
      problem = try_copy(from, to);
      if (!problem && sizes_in(from) == before) return;
    }
    throw std::filesystem::filesystem_error("no copy of a moment at rest", from, problem);
  }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    if (is_refused(name)) return rocksdb::IOStatus::NoSpace("injected");
    const auto status = target()->NewWritableFile(name, options, file, debug);
    if (!status.ok()) return status;
    note(name, [](Sizes& sizes) { sizes = {}; });
    *file = std::make_unique<File>(*this, name, std::move(*file));
    return status;
  }

  rocksdb::IOStatus ReopenWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* debug) override {
    const auto status = target()->ReopenWritableFile(name, options, file, debug);
    if (status.ok()) *file = std::make_unique<File>(*this, name, std::move(*file));
    return status;
  }

  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override {
    const std::lock_guard lock(mutex_);
    if (!has_links_) return rocksdb::IOStatus::IOError("Operation not permitted");
    const auto status = target()->LinkFile(from, to, options, debug);
    if (const auto found = files_.find(from); status.ok() && found != files_.end())
      files_[to] = found->second;
    return status;
  }

  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    const auto status = target()->RenameFile(from, to, options, debug);
    const std::lock_guard lock(mutex_);
    if (auto moved = files_.extract(from); status.ok() && !moved.empty()) {
      files_[to] = moved.mapped();
    }
    return status;
  }

 private:
  /// By name; what goes meanwhile has none.
  static std::map<std::filesystem::path, std::uintmax_t> sizes_in(
      const std::filesystem::path& directory) {
    std::map<std::filesystem::path, std::uintmax_t> sizes;
    std::error_code problem;
    auto at = std::filesystem::recursive_directory_iterator(directory, problem);
    for (; !problem && at != std::filesystem::recursive_directory_iterator(); at.increment(problem))
      if (std::error_code gone; at->is_regular_file(gone)) sizes[at->path()] = at->file_size(gone);
    return sizes;
  }

  struct Sizes {
    std::uint64_t written = 0;
    std::uint64_t synced = 0;
    friend bool operator==(const Sizes&, const Sizes&) = default;
  };

  std::map<std::string, Sizes> known_files() {
    const std::lock_guard lock(mutex_);
    return files_;
  }

  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(FaultFileSystem& owner, std::string name, std::unique_ptr<rocksdb::FSWritableFile> file)
        : FSWritableFileOwnerWrapper(std::move(file)), owner_(owner), name_(std::move(name)) {}

    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override {
      return appended(FSWritableFileOwnerWrapper::Append(data, options, debug), data.size());
    }
    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             const rocksdb::DataVerificationInfo& info,
                             rocksdb::IODebugContext* debug) override {
      return appended(FSWritableFileOwnerWrapper::Append(data, options, info, debug), data.size());
    }
    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
      return owner_.may_sync() ? synced(FSWritableFileOwnerWrapper::Sync(options, debug))
                               : rocksdb::IOStatus::IOError("injected");
    }
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                            rocksdb::IODebugContext* debug) override {
      return owner_.may_sync() ? synced(FSWritableFileOwnerWrapper::Fsync(options, debug))
                               : rocksdb::IOStatus::IOError("injected");
    }

   private:
    rocksdb::IOStatus appended(rocksdb::IOStatus status, std::size_t size) {
      if (status.ok()) owner_.note(name_, [&](Sizes& sizes) { sizes.written += size; });
      return status;
    }
    rocksdb::IOStatus synced(rocksdb::IOStatus status) {
      if (status.ok()) owner_.note(name_, [](Sizes& sizes) { sizes.synced = sizes.written; });
      return status;
    }
    FaultFileSystem& owner_;
    std::string name_;
  };

  template <class Change>
  void note(const std::string& name, Change&& change) {
    const std::lock_guard lock(mutex_);
    change(files_[name]);
  }

  bool is_refused(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return !refused_suffix_.empty() && name.ends_with(refused_suffix_);
  }

  bool may_sync() {
    std::function<void()> call;
    {
      const std::lock_guard lock(mutex_);
      call = at_sync_;
    }
    if (call) call();
    const std::lock_guard lock(mutex_);
    if (syncs_left_ < 0) return true;
    if (syncs_left_ == 0) return false;
    --syncs_left_;
    return true;
  }

  std::mutex mutex_;  // guards everything below
  std::map<std::string, Sizes> files_;
  int syncs_left_ = -1;  // negative: no end
  std::function<void()> at_sync_;
  std::string refused_suffix_;
  bool has_links_ = true;
};

}  // namespace cairn::test
