#pragma once
// A text segment: what a commit, or half of it, changes in the postings of one full-text index, as one value of the
// column family `text`, until the changes of several commits are folded into the chunks of their terms.
//
// segment := documents:varint entry*
// entry   := name:text chunk:varint operand:text      name := field:u8 term
//
// Entries ascend strictly by name and chunk. An operand is one of text_posting.hpp and never empty.

#include "codec/text_posting.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// One chunk of one term; points into the segment.
struct TextSegmentEntry {
  std::string_view name;  ///< field:u8 term
  std::uint64_t chunk = 0;
  std::string_view operand;
};

/// Never changes. Cost: the bytes, and eight for each entry.
class TextSegment {
 public:
  /// Errors: corruption. Operands are not looked into.
  [[nodiscard]] static Result<TextSegment> decode(std::string bytes);

  [[nodiscard]] std::uint64_t documents() const noexcept { return documents_; }
  [[nodiscard]] std::size_t size() const noexcept { return starts_.size(); }
  [[nodiscard]] TextSegmentEntry operator[](std::size_t i) const;
  /// The first entry whose name is not less.
  [[nodiscard]] std::size_t lower_bound(std::string_view name) const;
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return sizeof(TextSegment) + bytes_.capacity() + starts_.capacity() * sizeof(std::size_t);
  }

 private:
  friend class TextSegmentWriter;
  TextSegment() = default;

  std::string bytes_;
  std::vector<std::size_t> starts_;  // of the entries
  std::uint64_t documents_ = 0;
};

/// Makes one; entries must come in their order.
class TextSegmentWriter {
 public:
  explicit TextSegmentWriter(std::uint64_t documents);
  void add(std::string_view name, std::uint64_t chunk, const TextPostings& changes);
  [[nodiscard]] TextSegment finish();

 private:
  TextSegment made_;
  std::string operand_;  // reused for its memory
};

}  // namespace cairn::codec
