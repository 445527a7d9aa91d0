#pragma once
// SortedFile: merges of one family as a file that the store takes in as it is, past the log and the
// write buffer.

#include "engine/store/column_family.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <string_view>

namespace cairn::engine {

class RocksStore;

/// Not the store's until RocksStore::take_in(); erased when it goes before. It must not outlive the store.
/// Threads: one at a time, while others use the store.
class SortedFile {
 public:
  /// `name` tells it from others that are being written, and a number from those before it.
  [[nodiscard]] static Result<SortedFile> create(const RocksStore& store, Family family,
                                                 std::string_view name);
  SortedFile(SortedFile&&) noexcept;
  SortedFile& operator=(SortedFile&&) noexcept;
  ~SortedFile();

  /// While files of a family come one after the other they gather before they are joined, up to twelve, as
  /// each joining rewrites what is there already. False again joins what has gathered, in the background.
  static void let_gather(const RocksStore& store, Family family, bool gathers);

  /// Keys ascend strictly. The operand is as StoreBatch::merge() says.
  [[nodiscard]] Status merge(std::string_view key, std::string_view operand);
  /// Brings it to disk. There was a merge.
  [[nodiscard]] Status finish();

 private:
  friend class RocksStore;
  struct Impl;
  explicit SortedFile(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::engine
