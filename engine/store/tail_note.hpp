#pragma once
// TailNote: the metadata file TAIL of the store that is open. Private to this folder.

#include "codec/commit_note.hpp"
#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <filesystem>
#include <mutex>

namespace cairn::engine {

/// Notes acknowledged commits. A note that cannot be written is left out: the one before it is a lower bound too.
/// Threads: all calls from any, but for begin().
class TailNote {
 public:
  /// Write the file again, durably: a note of an earlier writer must not come back by a power cut.
  [[nodiscard]] Status begin(const std::filesystem::path& file, codec::TailFile first);
  [[nodiscard]] bool has_begun() const noexcept { return file_.is_open(); }
  /// `commit` is acknowledged from now on. Nothing before begin(). Cost: a microsecond.
  void note(std::uint64_t commit);
  /// What was noted so far.
  [[nodiscard]] std::uint64_t commit() const;
  /// Everything up to `commit` needs no log any longer. Nothing where later ones were noted meanwhile.
  void note_in_files(std::uint64_t commit);

 private:
  void write() const;

  FileDescriptor file_;
  mutable std::mutex mutex_;  // guards what follows
  codec::TailFile tail_;
};

}  // namespace cairn::engine
