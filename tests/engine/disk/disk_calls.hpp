#pragma once
// DiskCalls: intercepts every call of the C library by which this program reads or changes files below one directory.
//
// The functions wrap those of the C library, for RocksDB too. So the calls for files of the store, metadata files
// and vector segments are all intercepted, and the product needs no hook.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace cairn::test {

/// One call. Paths are absolute; a file is named as it was when it was opened.
struct DiskCall {
  enum class Kind : std::uint8_t {
    make,            ///< path: a file that was not there
    open,            ///< path: one that was
    read,            ///< path
    write,           ///< path, file, offset, bytes
    allocate,        ///< path, file, offset, size: room beyond the end, which stays where it is
    truncate,        ///< path, file, offset: the new size
    sync,            ///< path, file
    sync_directory,  ///< path
    rename,          ///< path to other
    link,            ///< path as other
    unlink,          ///< path
    make_directory,  ///< path
  };
  Kind kind;
  std::string path{};
  std::string other{};
  std::uint64_t file = 0;  ///< the inode
  std::uint64_t offset = 0;
  std::string_view bytes{};
  std::uint64_t size = 0;
};

/// Threads: calls come from any, one at a time.
class DiskWatcher {
 public:
  virtual ~DiskWatcher() = default;
  /// Before a call. Not 0: the call fails with this errno, and is not made.
  virtual int before(const DiskCall& call) = 0;
  /// How many of its bytes a write writes; fewer make it a short one.
  virtual std::size_t most_bytes(const DiskCall& write) { return write.bytes.size(); }
  /// Called after a call that succeeded. For `make`, `file` is known only here.
  virtual void after(const DiskCall& call) = 0;
};

/// Watch files below `root` from now on; files that are open already are not seen. Null: nobody watches.
void watch_disk(const std::filesystem::path& root, DiskWatcher* watcher);

}  // namespace cairn::test
