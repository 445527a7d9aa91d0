#pragma once
// Values of the column family `text`: one chunk of the postings of one term, and statistics.
//
// chunk    := empty | count:u8 block | 00 blocks:varint header{blocks} block{blocks}
// header   := last:varint count:varint most:varint shortest:varint bytes:varint
// block    := entry* position-list*                      count is 1 to 64 in the short form
// entry    := step:varint word:varint [frequency:varint]
// operand  := (step:varint 00 | entry position-list)*    a merge operand; 00 removes
// position-list := step:varint{frequency}
//
// `step` leads from one number to the next, the first from 0 (in a later block: from the last of the
// block before). `word` is the length of the field in words << 1, with the lowest bit set where the
// frequency is not 1. `most` is the largest frequency in the block and `shortest` its shortest field,
// which bound every score in it however the average length of the collection drifts.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// An id's lower bits are in the chunk, the others in its key.
inline constexpr unsigned text_chunk_bits = 14;
inline constexpr std::uint32_t text_chunk_ids = std::uint32_t{1} << text_chunk_bits;
inline constexpr std::size_t text_block_postings = 128;

/// One document of a term. A frequency of 0 stands for its removal, in operands only.
struct TextEntry {
  std::uint16_t low = 0;
  std::uint32_t length = 0;     ///< of the field, in words
  std::uint32_t frequency = 0;  ///< how many positions
  std::uint32_t first = 0;      ///< where its positions begin in TextPostings::positions
  friend bool operator==(const TextEntry&, const TextEntry&) = default;
};

/// Entries by ascending `low`, each once; their positions ascend strictly and lie in that order.
struct TextPostings {
  std::vector<TextEntry> entries;
  std::vector<std::uint32_t> positions;
  friend bool operator==(const TextPostings&, const TextPostings&) = default;

  void add(std::uint16_t low, std::uint32_t length, const std::vector<std::uint32_t>& at);
  void remove(std::uint16_t low) { entries.push_back({low, 0, 0, size()}); }
  /// Entry and positions of another list.
  void copy(const TextPostings& from, const TextEntry& entry);

 private:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(positions.size()); }
};

[[nodiscard]] std::string encode_text_chunk(const TextPostings& postings);
/// Errors: corruption.
[[nodiscard]] Result<TextPostings> decode_text_chunk(std::string_view bytes);
void append_text_operand(std::string& out, const TextPostings& changes);
[[nodiscard]] std::string encode_text_operand(const TextPostings& changes);
[[nodiscard]] Result<TextPostings> decode_text_operand(std::string_view bytes);
/// Whether an operand removes documents, or cannot be read. Cost: a pass over its bytes.
[[nodiscard]] bool removes_documents(std::string_view operand) noexcept;
/// `postings` with `changes` laid over it. Between two operands removals stay, as the value below
/// them is not known.
[[nodiscard]] TextPostings apply_text_changes(const TextPostings& postings,
                                              const TextPostings& changes, bool keep_removals);

/// Several operands, the oldest first, as one change, removals included. Errors: corruption.
[[nodiscard]] Result<TextPostings> join_text_operands(std::span<const std::string_view> operands);

/// The same as one operand. Cost: where each begins behind the one before they are joined as they stand.
[[nodiscard]] Result<std::string> merge_text_operands(std::span<const std::string_view> operands);

/// One block of a chunk, not yet decoded; it points into the chunk's bytes.
struct TextBlock {
  std::uint32_t before = 0;  ///< the number that the first step leads from
  std::uint16_t last = 0;
  std::uint32_t count = 0;
  std::uint32_t most = 0;
  std::uint32_t shortest = 0;
  std::string_view bytes;
};

/// The blocks of a chunk. Errors: corruption. Cost: of the headers; the short form is decoded.
[[nodiscard]] Result<std::vector<TextBlock>> read_text_blocks(std::string_view bytes);
/// The entries of a block, their positions left unread (`first` counts within the block); false where
/// they are damaged or outside of the block's bounds.
[[nodiscard]] bool read_text_entries(const TextBlock& block, std::vector<TextEntry>& out);
/// As read_text_entries, with positions.
[[nodiscard]] bool read_text_positions(const TextBlock& block, TextPostings& out);

/// Of one field of an index: documents that have a word in it, and all their words.
struct TextFieldStatistics {
  std::uint64_t documents = 0;
  std::uint64_t words = 0;
  friend bool operator==(const TextFieldStatistics&, const TextFieldStatistics&) = default;
};
/// statistics := fields:varint (documents:varint words:varint){fields}
using TextStatistics = std::vector<TextFieldStatistics>;
[[nodiscard]] std::string encode_text_statistics(const TextStatistics& statistics);
[[nodiscard]] Result<TextStatistics> decode_text_statistics(std::string_view bytes);

/// Keys: postings := index:be32 field:u8 term 00 chunk:be48, field from 1; statistics := index:be32 00
/// segment := index:be32 00 number:be32, number below ffffffff
/// of a namespace := index:be32 00 ffffffff name_space:be32, behind all segments; 0: of all but the default one
[[nodiscard]] std::string text_statistics_key(std::uint32_t index);
/// Of segments as text_segment.hpp has them, by number.
[[nodiscard]] std::string text_segment_key(std::uint32_t index, std::uint32_t number);
/// Of the statistics of one namespace.
[[nodiscard]] std::string text_name_space_key(std::uint32_t index, std::uint32_t name_space);
[[nodiscard]] std::string text_index_prefix(std::uint32_t index);
/// The key prefix of all terms that start with `beginning`.
[[nodiscard]] std::string text_terms_prefix(std::uint32_t index, std::uint8_t field,
                                            std::string_view beginning);
/// The key prefix of all chunks of one term, which has no zero byte: the posting's name.
[[nodiscard]] std::string text_term_prefix(std::uint32_t index, std::uint8_t field,
                                           std::string_view term);
/// The key of one chunk; `name` is field:u8 term.
[[nodiscard]] std::string text_chunk_key(std::uint32_t index, std::string_view name,
                                         std::uint64_t chunk);
struct TextKey {
  std::uint32_t index = 0;
  std::uint8_t field = 0;  ///< 0: statistics, or a segment
  std::optional<std::uint32_t> segment;
  std::optional<std::uint32_t> name_space;  ///< of statistics
  std::string_view term;                    ///< within the key's bytes
  std::string_view name;                    ///< the key without its chunk
  std::uint64_t chunk = 0;
};
[[nodiscard]] Result<TextKey> decode_text_key(std::string_view key);

}  // namespace cairn::codec
