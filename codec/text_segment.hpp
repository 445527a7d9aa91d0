#pragma once
// A text segment: the changes of one commit, or of half a commit, to the postings of one full-text
// index. It is one value of the column family `text`, until the changes of several commits are
// merged into the chunks of their terms.
//
// segment := documents:varint entry*
// entry   := name:text chunk:varint operand:text      name := field:u8 term
//
// Entries ascend strictly by name and chunk. An operand has the form of text_posting.hpp and is
// never empty.

#include "codec/text_posting.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// The changes to one chunk of one term. The views point into the segment.
struct TextSegmentEntry {
  std::string_view name;  ///< field:u8 term
  std::uint64_t chunk = 0;
  std::string_view operand;
};

/// An immutable, decoded segment. Memory: its bytes, and eight bytes for each entry.
class TextSegment {
 public:
  /// Errors: corruption. Does not decode the operands.
  [[nodiscard]] static Result<TextSegment> decode(std::string bytes);

  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::size_t size() const noexcept { return starts_.size(); }
  [[nodiscard]] TextSegmentEntry operator[](std::size_t i) const;
  /// Returns the index of the first entry whose name is not less than `name`.
  [[nodiscard]] std::size_t lower_bound(std::string_view name) const;
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return sizeof(TextSegment) + bytes_.capacity() + starts_.capacity() * sizeof(std::size_t);
  }

 private:
  friend class TextSegmentWriter;
  TextSegment() = default;

  std::string bytes_;
  std::vector<std::size_t> starts_;  // offset of each entry in bytes_
  std::uint64_t documents_ = 0;
};

/// Builds a segment. Entries must be added in ascending order.
class TextSegmentWriter {
 public:
  explicit TextSegmentWriter(std::uint64_t documents);
  void add(std::string_view name, std::uint64_t chunk, const TextPostings& changes);
  [[nodiscard]] TextSegment finish();

 private:
  TextSegment made_;
  std::string operand_;  // a buffer, reused to avoid allocations
};

}  // namespace cairn::codec
