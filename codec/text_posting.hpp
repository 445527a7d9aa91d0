#pragma once
// Values of the column family `text`: a chunk of the postings of one term, and statistics.
//
// chunk    := empty | count:u8 block | 00 blocks:varint header{blocks} block{blocks}
// header   := last:varint count:varint most:varint shortest:varint bytes:varint
// block    := entry* position-list*                      count is 1 to 64 in the short form
// entry    := step:varint word:varint [frequency:varint]
// operand  := (step:varint 00 | entry position-list)*    a merge operand; 00 removes the document
// position-list := step:varint{frequency}
//
// `step` is the difference to the previous number; the first one counts from 0 (in a later block,
// from the last number of the block before). `word` is the length of the field in words << 1, with
// the lowest bit set if the frequency is not 1. `most` is the largest frequency in the block and
// `shortest` its shortest field. They bound every score in the block, whatever the average length
// in the collection becomes.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {

/// A chunk holds the lower bits of document ids; the upper bits are in its key.
inline constexpr unsigned text_chunk_bits = 14;
inline constexpr std::uint32_t text_chunk_ids = std::uint32_t{1} << text_chunk_bits;
inline constexpr std::size_t text_block_postings = 128;

/// One document of a term. In operands, frequency 0 means that the document is removed.
struct TextEntry {
  std::uint16_t low = 0;
  std::uint32_t length = 0;     ///< of the field, in words
  std::uint32_t frequency = 0;  ///< number of positions
  std::uint32_t first = 0;      ///< index of its first position in TextPostings::positions
  friend bool operator==(const TextEntry&, const TextEntry&) = default;
};

/// Entries ascend by `low`, each once. The positions of an entry ascend strictly; the lists follow
/// in entry order.
struct TextPostings {
  std::vector<TextEntry> entries;
  std::vector<std::uint32_t> positions;
  friend bool operator==(const TextPostings&, const TextPostings&) = default;

  void add(std::uint16_t low, std::uint32_t length, const std::vector<std::uint32_t>& at);
  void remove(std::uint16_t low) { entries.push_back({low, 0, 0, size()}); }
  /// Appends an entry of another list with its positions.
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
/// True if an operand removes documents or cannot be read. Cost: reads its bytes once.
[[nodiscard]] bool removes_documents(std::string_view operand) noexcept;
/// Returns `postings` with `changes` applied. If both are operands, removals must stay in the
/// result, because the value below them is unknown.
[[nodiscard]] TextPostings apply_text_changes(const TextPostings& postings,
                                              const TextPostings& changes, bool keep_removals);

/// Combines operands, the oldest first, into one change with its removals. Errors: corruption.
[[nodiscard]] Result<TextPostings> join_text_operands(std::span<const std::string_view> operands);

/// As above, but returns an operand. Cost: operands that each begin after the end of the one before
/// are just concatenated.
[[nodiscard]] Result<std::string> merge_text_operands(std::span<const std::string_view> operands);

/// One block of a chunk, not yet decoded. It points into the bytes of the chunk.
struct TextBlock {
  std::uint32_t before = 0;  ///< the number that the first step is relative to
  std::uint16_t last = 0;
  std::uint32_t count = 0;
  std::uint32_t most = 0;      ///< largest frequency, see the format above
  std::uint32_t shortest = 0;  ///< shortest field in words
  std::string_view bytes;
};

/// Returns the blocks of a chunk. Errors: corruption. Cost: reads the headers, and decodes a chunk
/// in short form.
[[nodiscard]] Result<std::vector<TextBlock>> read_text_blocks(std::string_view bytes);
/// Reads the entries of a block without positions; `first` counts within the block. Returns false
/// if the entries are damaged or exceed the bounds of the block.
[[nodiscard]] bool read_text_entries(const TextBlock& block, std::vector<TextEntry>& out);
/// Like read_text_entries(), with positions.
[[nodiscard]] bool read_text_positions(const TextBlock& block, TextPostings& out);

/// Statistics of one field of an index: the number of documents with a word in it, and of all their
/// words.
struct TextFieldStatistics {
  std::uint64_t documents = 0;
  std::uint64_t words = 0;
  friend bool operator==(const TextFieldStatistics&, const TextFieldStatistics&) = default;
};
/// statistics := fields:varint (documents:varint words:varint){fields}
using TextStatistics = std::vector<TextFieldStatistics>;
[[nodiscard]] std::string encode_text_statistics(const TextStatistics& statistics);
[[nodiscard]] Result<TextStatistics> decode_text_statistics(std::string_view bytes);

/// Keys of the column family `text`:
///   postings   := index:be32 field:u8 term 00 chunk:be48             field counts from 1
///   statistics := index:be32 00
///   segment    := index:be32 00 number:be32                          number is below ffffffff
///   statistics of a namespace := index:be32 00 ffffffff name_space:be32
/// Keys of namespaces sort after all segments. Namespace 0 stands for all namespaces but the
/// default one.
[[nodiscard]] std::string text_statistics_key(std::uint32_t index);
/// Returns the key of a text segment (text_segment.hpp) by its number.
[[nodiscard]] std::string text_segment_key(std::uint32_t index, std::uint32_t number);
/// Returns the key of the statistics of one namespace.
[[nodiscard]] std::string text_name_space_key(std::uint32_t index, std::uint32_t name_space);
[[nodiscard]] std::string text_index_prefix(std::uint32_t index);
/// Returns the key prefix of all terms that start with `beginning`.
[[nodiscard]] std::string text_terms_prefix(std::uint32_t index, std::uint8_t field,
                                            std::string_view beginning);
/// Returns the key prefix of all chunks of one term. A term contains no zero byte.
[[nodiscard]] std::string text_term_prefix(std::uint32_t index, std::uint8_t field,
                                           std::string_view term);
/// Returns the key of one chunk; `name` is field:u8 term.
[[nodiscard]] std::string text_chunk_key(std::uint32_t index, std::string_view name,
                                         std::uint64_t chunk);
/// The parts of a key of the column family `text`. The views point into the key, which must outlive
/// them.
struct TextKey {
  std::uint32_t index = 0;
  std::uint8_t field = 0;  ///< 0: statistics or a segment
  std::optional<std::uint32_t> segment;
  std::optional<std::uint32_t> name_space;  ///< if these are statistics of a namespace
  std::string_view term;                    ///< points into the key
  std::string_view name;                    ///< the key without its chunk
  std::uint64_t chunk = 0;
};
[[nodiscard]] Result<TextKey> decode_text_key(std::string_view key);

}  // namespace cairn::codec
