#pragma once
// TextFlush: older segments of a full-text index on their way into the chunks of their terms, as a sorted
// file that is written beside the commits which go on meanwhile.

#include "engine/fulltext/text_memory_segment.hpp"
#include "engine/store/sorted_file.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <future>
#include <map>
#include <vector>

namespace cairn::engine {

/// Works on a thread of its own from the beginning on. It must not outlive the store.
class TextFlush {
 public:
  /// Of index `id`: its first segments, all of which are committed.
  TextFlush(const RocksStore& store, std::uint32_t id, std::vector<TextSegmentPtr> segments);

  /// How many.
  [[nodiscard]] std::size_t segments() const noexcept { return segments_; }
  /// Waits for it, once. Errors: those of the disk.
  [[nodiscard]] Result<SortedFile> take() { return file_.get(); }

 private:
  std::size_t segments_;
  std::future<Result<SortedFile>> file_;  // waits when it goes
};

/// By catalog id.
using TextFlushes = std::map<std::uint32_t, TextFlush>;

}  // namespace cairn::engine
