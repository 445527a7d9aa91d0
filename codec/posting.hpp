#pragma once
// Values of the `index` column family: one chunk of one posting list, as changes or folded.
//
// operand := 0x01 removed:varint added:varint (low:u16le){removed} (low:u16le){added}   (merge operand)
// small   := 0x02 (low:u16le)*            up to 32 ids, strictly ascending
// folded  := 0x03 flatbuffer PostingBlock  anything larger
//
// A stored value is small or folded; a merge operand is an operand. Both id lists of an operand are
// strictly ascending and disjoint. Operands apply in order: remove, then add.

#include "codec/bitmap.hpp"
#include "codec/container.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// The change that one commit makes to one chunk of a posting list.
struct PostingDelta {
  std::vector<std::uint16_t> added;    ///< strictly ascending
  std::vector<std::uint16_t> removed;  ///< strictly ascending, disjoint from `added`
  friend bool operator==(const PostingDelta&, const PostingDelta&) = default;
};

[[nodiscard]] std::string encode_posting_delta(const PostingDelta& delta);
[[nodiscard]] Result<PostingDelta> decode_posting_delta(std::string_view bytes);
/// Whether an operand removes ids. Cost: its counts are read, not its ids. False for any other bytes.
[[nodiscard]] bool removes_ids(std::string_view operand) noexcept;
/// `first` followed by `second`, as one change.
[[nodiscard]] PostingDelta combine(const PostingDelta& first, const PostingDelta& second);

[[nodiscard]] std::string encode_posting(const Container& container);
/// Errors: corruption, unless form, order and counts are those of something encoded. What is allocated
/// is at most twice the size of `bytes` and 8 KiB.
[[nodiscard]] Result<Container> decode_posting(std::string_view bytes);
/// Decode the chunk `key` of a posting list into a union; small values need no container for it.
[[nodiscard]] Status add_posting(std::string_view bytes, std::uint64_t key, BitmapBuilder& ids);

/// True for an operand, false for a small or folded value (or anything else).
[[nodiscard]] bool is_posting_delta(std::string_view bytes) noexcept;

}  // namespace cairn::codec
