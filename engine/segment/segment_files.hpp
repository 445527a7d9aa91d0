#pragma once
// SegmentFiles: the segments of a database in files, so that the statements after an opening need not build them.
//
// segment/NUMBER.seg    a segment as of a commit, and which ids changed since it was built
// vector_log, list      the files in use. It is in the store, so that it never names a commit that the store lacks
// vector_log, commit    what each later commit changed
//
// A repair, also by another version, empties this family and so the list: no file may have records that the repair lost.
// A file is used if the log has all commits after the commit of the file. A commit that another version, or another
// option, made without the log leaves a gap, and the file is not used any more. Files never change: a new one has a new
// number.

#include "codec/segment_file.hpp"
#include "engine/segment/segment_set.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/telemetry/telemetry.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::engine {

/// Reads and writes the segment files of one database. Threads: all calls from any thread.
class SegmentFiles {
 public:
  /// If segments are off, or the database has a home, nothing is read or written: files would not follow the commits
  /// from the home.
  SegmentFiles(RocksStore& store, std::filesystem::path directory, const Options& options,
               Messages& messages);

  /// Gives a set the files that are up to date at `commit`, the newest one of the store. The files are read later, when that
  /// pays off. Files that do not belong here, and all if the list or the log cannot be read, are ignored with a warning.
  /// Errors: those of writing to the store.
  [[nodiscard]] Status open(SegmentSet& set, const std::string& database_id, std::uint64_t commit,
                            std::vector<std::string>& warnings);
  /// Writes the segments that have no file, notes them in the store, and erases what is not needed any more. Errors: those
  /// of the store and of writing files; what was saved before stays.
  [[nodiscard]] Status save(SegmentSet& set);
  /// Drops all segments, and erases all files and what the store has of them. Errors: as save().
  [[nodiscard]] Status erase_all(SegmentSet& set);

 private:
  [[nodiscard]] std::filesystem::path path_of(std::uint64_t number) const;
  /// Reads the header of a file and compares it with the entry. Errors: not_found; corruption; io_error.
  [[nodiscard]] Status check_header(const codec::SegmentFileEntry& entry) const;
  /// Passes the changes in the log after the oldest of `files` to the set.
  [[nodiscard]] Status catch_up(SegmentSet& set, const std::vector<codec::SegmentFileEntry>& files,
                                std::uint64_t commit) const;
  /// Reads a file. Logs a warning of each error, except if the file is missing.
  [[nodiscard]] Result<LoadedSegment> load(const codec::SegmentFileEntry& entry) const;
  [[nodiscard]] Result<LoadedSegment> read(const codec::SegmentFileEntry& entry) const;
  /// Writes a file, and gives it to the set.
  [[nodiscard]] Status write(SegmentSet& set, const UnsavedSegment& unsaved);
  /// Notes in the store which files are in use, and erases the log before the oldest of them, and all other files.
  [[nodiscard]] Status note(std::vector<codec::SegmentFileEntry> files);
  [[nodiscard]] Status write_list() const;
  /// Reads the list of the files from the store. A list that is damaged, or of a later state of the database, counts as
  /// empty and adds a warning.
  [[nodiscard]] Status read_list(std::uint64_t commit, std::vector<std::string>& warnings);
  [[nodiscard]] Status trim_log() const;
  [[nodiscard]] Status erase_other_files();

  RocksStore& store_;
  const std::filesystem::path directory_;
  const bool is_used_;            // otherwise nothing is read or written
  const bool is_read_only_;       // nothing is written
  const std::size_t most_bytes_;  // the greatest size of a segment in memory
  Messages& messages_;
  std::string database_id_;  // set by open()

  std::mutex mutex_;  // one save or erasure at a time; guards what follows
  codec::SegmentFileList list_;
  bool is_listed_ = true;   // the store has list_
  bool has_others_ = true;  // there may be files that are not in the list
};

}  // namespace cairn::engine
