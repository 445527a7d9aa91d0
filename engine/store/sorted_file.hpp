#pragma once
// SortedFile: merge operands of one family in a table file, which the store ingests unchanged. So they need neither
// the log nor the write buffer.

#include "engine/store/column_family.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <string_view>

namespace cairn::engine {

class RocksStore;

/// A table file that is being written. The destructor erases it, unless RocksStore::take_in() has ingested it. The
/// store must outlive the object. Threads: one at a time, while others use the store.
class SortedFile {
 public:
  /// Creates a file. `name` distinguishes it from other files that are being written; a running number distinguishes
  /// it from earlier ones.
  [[nodiscard]] static Result<SortedFile> create(const RocksStore& store, Family family,
                                                 std::string_view name);
  SortedFile(SortedFile&&) noexcept;
  SortedFile& operator=(SortedFile&&) noexcept;
  ~SortedFile();

  /// Delays compactions of a family while many files are ingested one after the other. Up to twelve files are
  /// collected before they are compacted, because each compaction rewrites the existing data. `gathers` = false ends
  /// the delay; a background compaction then merges the collected files.
  static void let_gather(const RocksStore& store, Family family, bool gathers);

  /// Appends an operand. Keys must ascend strictly. The operand has the format of StoreBatch::merge().
  [[nodiscard]] Status merge(std::string_view key, std::string_view operand);
  /// Completes the file and syncs it. Precondition: merge() was called.
  [[nodiscard]] Status finish();

 private:
  friend class RocksStore;
  struct Impl;
  explicit SortedFile(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::engine
