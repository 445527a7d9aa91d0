#pragma once
// SortedFile: merge operands of one family in a file that the store ingests unchanged, without the log and the
// write buffer.

#include "engine/store/column_family.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <string_view>

namespace cairn::engine {

class RocksStore;

/// Belongs to the store only after RocksStore::take_in(); the destructor erases it otherwise. The store must outlive it.
/// Threads: one at a time, while others use the store.
class SortedFile {
 public:
  /// `name` distinguishes it from others being written, and a number from earlier ones.
  [[nodiscard]] static Result<SortedFile> create(const RocksStore& store, Family family,
                                                 std::string_view name);
  SortedFile(SortedFile&&) noexcept;
  SortedFile& operator=(SortedFile&&) noexcept;
  ~SortedFile();

  /// While files of a family come one after the other they gather before they are joined, up to twelve, as
  /// each joining rewrites what is there already. False again joins what has gathered, in the background.
  static void let_gather(const RocksStore& store, Family family, bool gathers);

  /// Keys ascend strictly. The operand has the form of StoreBatch::merge().
  [[nodiscard]] Status merge(std::string_view key, std::string_view operand);
  /// Syncs the file to disk. Precondition: merge() was called.
  [[nodiscard]] Status finish();

 private:
  friend class RocksStore;
  struct Impl;
  explicit SortedFile(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::engine
