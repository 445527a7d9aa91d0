#pragma once
// Values of the `index` column family: one chunk of a posting list, either a change (merge operand)
// or a stored value.
//
// operand := 0x01 removed:varint added:varint (low:u16le){removed} (low:u16le){added}   (merge operand)
// small   := 0x02 (low:u16le)*            up to 32 ids, strictly ascending
// folded  := 0x03 flatbuffer PostingBlock  anything larger
//
// A stored value is small or folded. Both id lists of an operand are strictly ascending, and they
// are disjoint. Operands apply in order; each removes first, then adds.

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
/// True if an operand removes ids; false for any other bytes. Cost: reads the counts, not the ids.
[[nodiscard]] bool removes_ids(std::string_view operand) noexcept;
/// Returns `first` followed by `second`, as one change.
[[nodiscard]] PostingDelta combine(const PostingDelta& first, const PostingDelta& second);

[[nodiscard]] std::string encode_posting(const Container& container);
/// Errors: corruption, if form, order or counts differ from those of encoded bytes. Allocates at
/// most twice the size of `bytes` and 8 KiB.
[[nodiscard]] Result<Container> decode_posting(std::string_view bytes);
/// decode_posting() for the value of an index key. An error contains the key.
[[nodiscard]] Result<Container> decode_posting_of(std::string_view index_key,
                                                  std::string_view bytes);
/// Adds the chunk `key` of a posting list to a union. Small values are added without making a
/// container.
[[nodiscard]] Status add_posting(std::string_view bytes, std::uint64_t key, BitmapBuilder& ids);

/// True for an operand; false for a small or folded value and any other bytes.
[[nodiscard]] bool is_posting_delta(std::string_view bytes) noexcept;

}  // namespace cairn::codec
