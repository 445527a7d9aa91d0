// Encodes postings of full-text indexes: which documents have a term, how often, how long the field
// is, and the positions. A chunk holds ids that share all but 14 bits. The layout serves three
// kinds of readers:
//
//   scores             read entries, skip position lists
//   block-max search   reads headers, skips blocks whose bound is too low
//                      (Ding and Suel, "Faster Top-k Document Retrieval Using Block-Max
//                      Indexes", SIGIR 2011)
//   phrases            read all
//
// count 3:     03 | e e e | p.. p.. p..              one block, no header: up to 64 documents
// count 200:   00 02 | header header | block of 128 | block of 72
//
// The bound in a header is (largest frequency, shortest field) instead of a score. BM25 grows with
// frequency and falls with length, so this bounds the best score of the block, whatever the current
// average length is.
//
// Numbers are varints of differences. Length and frequency share a word, because a term mostly
// occurs once in a field; such an entry takes two or three bytes. Bytes come from disk, so a count
// is only trusted as far as its bytes follow.
#include "codec/text_posting.hpp"

#include "codec/byte_io.hpp"
#include "codec/keys.hpp"

#include <algorithm>
#include <limits>

namespace cairn::codec {
namespace {

// The short form begins with its count, a byte above zero; the other form begins with 00. Most
// terms are rare and have the short form.
constexpr std::size_t short_form = 64;
constexpr std::size_t chunk_bytes = 6;
/// Keys of statistics have this number where keys of segments have the number of the segment.
constexpr std::uint32_t no_segment = std::numeric_limits<std::uint32_t>::max();

Error damaged() { return corruption("a chunk of text postings is damaged"); }

std::uint32_t read_u32(NumberReader& cursor) {
  const std::uint64_t value = cursor.read_varint();
  if (value > std::numeric_limits<std::uint32_t>::max()) cursor.fail();
  return static_cast<std::uint32_t>(value);
}

void append_entry(std::string& out, std::uint32_t step, const TextEntry& entry) {
  append_varint(out, step);
  append_varint(out, std::uint64_t{entry.length} << 1 | (entry.frequency == 1 ? 0U : 1U));
  if (entry.frequency != 1) append_varint(out, entry.frequency);
}

// The first step is the position itself, which may be 0; later steps are above 0.
void append_positions(std::string& out, const TextPostings& postings, const TextEntry& entry) {
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < entry.frequency; ++i) {
    const std::uint32_t position = postings.positions[entry.first + i];
    append_varint(out, position - before);
    before = position;
  }
}

/// Reads an entry after its step; returns false if it is damaged.
bool read_word(NumberReader& cursor, std::uint64_t word, TextEntry& entry) {
  const std::uint64_t length = word >> 1;
  entry.length = static_cast<std::uint32_t>(length);
  entry.frequency = (word & 1) == 0 ? 1 : read_u32(cursor);
  const bool is_longer = (word & 1) != 0;
  return length > 0 && length <= std::numeric_limits<std::uint32_t>::max() &&
         (!is_longer || entry.frequency > 1) && !cursor.failed();
}

/// Reads the next `low`; returns false unless it ascends strictly and is in the chunk. `step` is
/// limited before the addition, so the sum cannot wrap.
bool read_low(NumberReader& cursor, std::uint32_t before, bool is_first, TextEntry& entry) {
  const std::uint64_t step = cursor.read_varint();
  const std::uint64_t low = before + step;
  entry.low = static_cast<std::uint16_t>(low);
  return !cursor.failed() && step < text_chunk_ids && low < text_chunk_ids &&
         (is_first || step > 0);
}

bool read_positions(NumberReader& cursor, std::uint32_t frequency,
                    std::vector<std::uint32_t>& out) {
  if (frequency > cursor.rest().size())
    return false;  // each takes a byte, so this limits allocations
  std::uint64_t position = 0;
  for (std::uint32_t i = 0; i < frequency; ++i) {
    const std::uint64_t step = read_u32(cursor);
    position += step;
    if (cursor.failed() || (i > 0 && step == 0) ||
        position > std::numeric_limits<std::uint32_t>::max())
      return false;
    out.push_back(static_cast<std::uint32_t>(position));
  }
  return true;
}

/// Reads `count` entries; the cursor is then at their positions.
bool read_entries(NumberReader& cursor, const TextBlock& block, bool is_first,
                  std::vector<TextEntry>& out) {
  out.clear();
  out.reserve(std::min<std::size_t>(block.count, block.bytes.size()));
  std::uint32_t before = block.before;
  // Sum of the frequencies so far: the index of an entry's first position. Each position takes at
  // least one byte, so the sum is limited by the bytes of the block.
  std::uint64_t first = 0;
  for (std::uint32_t i = 0; i < block.count; ++i) {
    TextEntry entry;
    entry.first = static_cast<std::uint32_t>(first);
    if (!read_low(cursor, before, is_first && i == 0, entry)) return false;
    if (!read_word(cursor, cursor.read_varint(), entry)) return false;
    before = entry.low;
    first += entry.frequency;
    if (first > block.bytes.size()) return false;
    out.push_back(entry);
  }
  return first <= cursor.rest().size();
}

/// The first and last id of an operand, and the bytes after its first number. Operands are joined
/// without decoding: the first number is rewritten as a step from the last id of the operand
/// before, and all other numbers stay.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::string_view rest;
};

/// Skips a change after its step.
void skip_change(NumberReader& cursor) {
  const std::uint64_t word = cursor.read_varint();
  const std::uint64_t frequency = (word & 1) != 0 ? cursor.read_varint() : word == 0 ? 0 : 1;
  for (std::uint64_t i = 0; i < frequency && !cursor.failed(); ++i)
    static_cast<void>(cursor.read_varint());
}

/// Returns nullopt if a number is missing or an id is beyond a chunk. Does not check what is
/// between the numbers.
std::optional<Range> range_of(std::string_view operand) {
  NumberReader cursor(operand);
  const std::uint64_t first = cursor.read_varint();
  std::uint64_t last = first;
  const std::string_view rest = cursor.rest();
  skip_change(cursor);
  while (!cursor.failed() && !cursor.finished()) {
    if (last >= text_chunk_ids) return std::nullopt;  // before the sum, which could wrap around
    last += std::min<std::uint64_t>(cursor.read_varint(), text_chunk_ids);
    skip_change(cursor);
  }
  if (cursor.failed() || first >= text_chunk_ids || last >= text_chunk_ids) return std::nullopt;
  return Range{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), rest};
}

bool is_within(const TextBlock& block, const std::vector<TextEntry>& entries) {
  return !entries.empty() && entries.back().low == block.last &&
         std::all_of(entries.begin(), entries.end(), [&](const TextEntry& entry) {
           return entry.frequency <= block.most && entry.length >= block.shortest;
         });
}

std::string encode_block(const TextPostings& postings, std::size_t begin, std::size_t end) {
  std::string bytes;
  std::uint32_t before = begin == 0 ? 0 : postings.entries[begin - 1].low;
  for (std::size_t i = begin; i < end; ++i) {
    append_entry(bytes, postings.entries[i].low - before, postings.entries[i]);
    before = postings.entries[i].low;
  }
  for (std::size_t i = begin; i < end; ++i) append_positions(bytes, postings, postings.entries[i]);
  return bytes;
}

// Computed from the entries, so a bound always matches its block.
void append_header(std::string& out, const TextPostings& postings, std::size_t begin,
                   std::size_t end, std::size_t bytes) {
  std::uint32_t most = 0;
  std::uint32_t shortest = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = begin; i < end; ++i) {
    most = std::max(most, postings.entries[i].frequency);
    shortest = std::min(shortest, postings.entries[i].length);
  }
  append_varint(out, postings.entries[end - 1].low);
  append_varint(out, end - begin);
  append_varint(out, most);
  append_varint(out, shortest);
  append_varint(out, bytes);
}

/// Reads the only block of the short form; its bounds are computed from its entries.
Result<std::vector<TextBlock>> read_short(std::string_view bytes) {
  TextBlock block;
  block.count = static_cast<unsigned char>(bytes.front());
  block.bytes = bytes.substr(1);
  block.shortest = std::numeric_limits<std::uint32_t>::max();
  NumberReader cursor(block.bytes);
  std::vector<TextEntry> entries;
  if (block.count > short_form || !read_entries(cursor, block, true, entries)) return damaged();
  for (const TextEntry& entry : entries) {
    block.most = std::max(block.most, entry.frequency);
    block.shortest = std::min(block.shortest, entry.length);
  }
  // Not empty, because the count is above zero.
  block.last = entries.back().low;
  return std::vector<TextBlock>{block};
}

bool read_header(NumberReader& cursor, std::uint32_t before, bool is_first, TextBlock& block,
                 std::uint64_t& bytes) {
  block.before = before;
  const std::uint32_t last = read_u32(cursor);
  block.last = static_cast<std::uint16_t>(last);
  block.count = read_u32(cursor);
  block.most = read_u32(cursor);
  block.shortest = read_u32(cursor);
  bytes = cursor.read_varint();
  return !cursor.failed() && last < text_chunk_ids && (is_first || last > before) &&
         block.count > 0 && block.count <= text_block_postings && block.most > 0 &&
         block.shortest > 0;
}

}  // namespace

void TextPostings::add(std::uint16_t low, std::uint32_t length,
                       const std::vector<std::uint32_t>& at) {
  entries.push_back({low, length, static_cast<std::uint32_t>(at.size()), size()});
  positions.insert(positions.end(), at.begin(), at.end());
}

void TextPostings::copy(const TextPostings& from, const TextEntry& entry) {
  const auto first = from.positions.begin() + entry.first;
  entries.push_back({entry.low, entry.length, entry.frequency, size()});
  positions.insert(positions.end(), first, first + entry.frequency);
}

std::string encode_text_chunk(const TextPostings& postings) {
  const std::size_t count = postings.entries.size();
  if (count == 0) return {};
  if (count <= short_form)
    return std::string(1, static_cast<char>(count)) + encode_block(postings, 0, count);
  std::string headers(1, '\0');
  std::string blocks;
  append_varint(headers, (count + text_block_postings - 1) / text_block_postings);
  for (std::size_t begin = 0; begin < count; begin += text_block_postings) {
    const std::size_t end = std::min(begin + text_block_postings, count);
    const std::string block = encode_block(postings, begin, end);
    append_header(headers, postings, begin, end, block.size());
    blocks += block;
  }
  return headers + blocks;
}

Result<std::vector<TextBlock>> read_text_blocks(std::string_view bytes) {
  if (bytes.empty()) return std::vector<TextBlock>();
  if (bytes.front() != '\0') return read_short(bytes);
  NumberReader cursor(bytes.substr(1));
  const std::uint64_t count = cursor.read_varint();
  // A chunk has at most 128 blocks of 128 ids; more is damage. This also limits allocations.
  if (count == 0 || count > text_chunk_ids / text_block_postings) return damaged();
  std::vector<TextBlock> blocks(count);
  std::vector<std::uint64_t> sizes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t before = i == 0 ? 0 : blocks[i - 1].last;
    if (!read_header(cursor, before, i == 0, blocks[i], sizes[i])) return damaged();
    // Only the last block may be shorter, so a list has exactly one encoding.
    if (i + 1 < count && blocks[i].count != text_block_postings) return damaged();
  }
  for (std::size_t i = 0; i < count; ++i) blocks[i].bytes = cursor.read_bytes(sizes[i]);
  if (!cursor.finished()) return damaged();
  return blocks;
}

// If the last id before the block is 0, the block is the first one, or it follows a block that
// holds only id 0. In the second case the first step must not be 0, which reading the block's
// header has checked.
bool read_text_entries(const TextBlock& block, std::vector<TextEntry>& out) {
  NumberReader cursor(block.bytes);
  return read_entries(cursor, block, block.before == 0, out) && is_within(block, out);
}

bool read_text_positions(const TextBlock& block, TextPostings& out) {
  NumberReader cursor(block.bytes);
  std::vector<TextEntry> entries;
  if (!read_entries(cursor, block, block.before == 0, entries) || !is_within(block, entries))
    return false;
  for (TextEntry entry : entries) {
    entry.first = static_cast<std::uint32_t>(out.positions.size());
    if (!read_positions(cursor, entry.frequency, out.positions)) return false;
    out.entries.push_back(entry);
  }
  return cursor.finished();
}

Result<TextPostings> decode_text_chunk(std::string_view bytes) {
  CAIRN_ASSIGN(const std::vector<TextBlock> blocks, read_text_blocks(bytes));
  TextPostings postings;
  for (const TextBlock& block : blocks) {
    if (!read_text_positions(block, postings)) return damaged();
  }
  return postings;
}

// A removal is a word of zero. No entry has that word, because no field has 0 words.
void append_text_operand(std::string& bytes, const TextPostings& changes) {
  std::uint32_t before = 0;
  for (const TextEntry& entry : changes.entries) {
    if (entry.frequency == 0) {
      append_varint(bytes, entry.low - before);
      bytes.push_back('\0');
    } else {
      append_entry(bytes, entry.low - before, entry);
      append_positions(bytes, changes, entry);
    }
    before = entry.low;
  }
}

std::string encode_text_operand(const TextPostings& changes) {
  std::string bytes;
  append_text_operand(bytes, changes);
  return bytes;
}

Result<TextPostings> decode_text_operand(std::string_view bytes) {
  NumberReader cursor(bytes);
  TextPostings changes;
  std::uint32_t before = 0;
  while (!cursor.finished()) {
    TextEntry entry;
    entry.first = static_cast<std::uint32_t>(changes.positions.size());
    if (!read_low(cursor, before, changes.entries.empty(), entry)) return damaged();
    const std::uint64_t word = cursor.read_varint();
    const bool is_removal = word == 0 && !cursor.failed();
    if (!is_removal && (!read_word(cursor, word, entry) ||
                        !read_positions(cursor, entry.frequency, changes.positions)))
      return damaged();
    before = entry.low;
    changes.entries.push_back(entry);
  }
  return changes;
}

bool removes_documents(std::string_view operand) noexcept {
  NumberReader cursor(operand);
  while (!cursor.failed() && !cursor.finished()) {
    static_cast<void>(cursor.read_varint());
    const std::uint64_t word = cursor.read_varint();
    const std::uint64_t frequency = word == 0 ? 0 : (word & 1) == 0 ? 1 : cursor.read_varint();
    if (frequency == 0) return true;
    for (std::uint64_t i = 0; i < frequency && !cursor.failed(); ++i)
      static_cast<void>(cursor.read_varint());
  }
  return cursor.failed();
}

// Merges two ascending lists. A change replaces the whole entry with its positions. Frequency 0
// removes the entry, or leaves a removal mark.
TextPostings apply_text_changes(const TextPostings& postings, const TextPostings& changes,
                                bool keep_removals) {
  TextPostings result;
  result.entries.reserve(postings.entries.size() + changes.entries.size());
  auto old = postings.entries.begin();
  for (const TextEntry& change : changes.entries) {
    for (; old != postings.entries.end() && old->low < change.low; ++old)
      result.copy(postings, *old);
    if (old != postings.entries.end() && old->low == change.low) ++old;
    if (change.frequency > 0 || keep_removals) result.copy(changes, change);
  }
  for (; old != postings.entries.end(); ++old) result.copy(postings, *old);
  return result;
}

// Joins halves recursively, because each join copies its operands. Cost: the sum of their sizes
// times the logarithm of their number. Later operands win, so the order is preserved.
Result<TextPostings> join_text_operands(std::span<const std::string_view> operands) {
  if (operands.empty()) return TextPostings();
  if (operands.size() == 1) return decode_text_operand(operands.front());
  const std::size_t middle = operands.size() / 2;
  CAIRN_ASSIGN(const TextPostings first, join_text_operands(operands.first(middle)));
  CAIRN_ASSIGN(const TextPostings second, join_text_operands(operands.subspan(middle)));
  return apply_text_changes(first, second, true);
}

// Operands of a bulk load have ascending ids, each operand after the one before. Then bytes are
// appended without decoding. At the first operand that overlaps, all operands are decoded and
// joined.
Result<std::string> merge_text_operands(std::span<const std::string_view> operands) {
  std::string bytes;
  std::uint32_t last = 0;
  for (const std::string_view operand : operands) {
    const auto range = range_of(operand);
    if (!range) return damaged();
    if (!bytes.empty() && range->first <= last) {
      CAIRN_ASSIGN(const TextPostings joined, join_text_operands(operands));
      return encode_text_operand(joined);
    }
    append_varint(bytes, range->first - last);
    bytes += range->rest;
    last = range->last;
  }
  return bytes;
}

std::string encode_text_statistics(const TextStatistics& statistics) {
  std::string bytes;
  append_varint(bytes, statistics.size());
  for (const TextFieldStatistics& field : statistics) {
    append_varint(bytes, field.documents);
    append_varint(bytes, field.words);
  }
  return bytes;
}

Result<TextStatistics> decode_text_statistics(std::string_view bytes) {
  NumberReader cursor(bytes);
  const std::uint64_t fields = cursor.read_varint();
  TextStatistics statistics;
  for (std::uint64_t i = 0; i < fields && !cursor.failed(); ++i) {
    const std::uint64_t documents = cursor.read_varint();
    statistics.push_back({documents, cursor.read_varint()});
  }
  if (!cursor.finished()) return corruption("statistics of a text index are damaged");
  return statistics;
}

std::string text_index_prefix(std::uint32_t index) {
  std::string key;
  append_big(key, index);
  return key;
}

std::string text_statistics_key(std::uint32_t index) {
  return text_index_prefix(index) + std::string(1, '\0');
}

std::string text_segment_key(std::uint32_t index, std::uint32_t number) {
  std::string key = text_statistics_key(index);
  append_big(key, number);
  return key;
}

std::string text_name_space_key(std::uint32_t index, std::uint32_t name_space) {
  std::string key = text_segment_key(index, no_segment);
  append_big(key, name_space);
  return key;
}

std::string text_terms_prefix(std::uint32_t index, std::uint8_t field, std::string_view beginning) {
  std::string key = text_index_prefix(index);
  key.push_back(static_cast<char>(field));
  key += beginning;
  return key;
}

std::string text_term_prefix(std::uint32_t index, std::uint8_t field, std::string_view term) {
  return text_terms_prefix(index, field, term) + std::string(1, '\0');
}

std::string text_chunk_key(std::uint32_t index, std::string_view name, std::uint64_t chunk) {
  std::string key;
  key.reserve(sizeof index + name.size() + 1 + chunk_bytes);
  append_big(key, index);
  key += name;
  key.push_back('\0');
  append_chunk(key, chunk);
  return key;
}

// index:4 | 00                          statistics
// index:4 | 00 | number:4               segment
// index:4 | 00 | ffffffff | number:4    statistics of a namespace
// index:4 | field:1 term.. 00 | chunk:6 postings
//
// A term is not empty and has no zero byte: the only zero before the chunk ends the term.
Result<TextKey> decode_text_key(std::string_view key) {
  const Error error = corruption("a key of the text index is damaged");
  ByteCursor cursor(key);
  TextKey result;
  result.index = cursor.read_big<std::uint32_t>();
  result.field = cursor.read_byte();
  result.name = key;
  if (result.field == 0) {
    if (!cursor.rest().empty()) result.segment = cursor.read_big<std::uint32_t>();
    if (result.segment == no_segment) {
      result.segment.reset();
      result.name_space = cursor.read_big<std::uint32_t>();
    }
    return cursor.finished() ? Result<TextKey>(result) : error;
  }
  const std::string_view rest = cursor.rest();
  if (rest.size() < 2 + chunk_bytes) return error;
  result.term = rest.substr(0, rest.size() - chunk_bytes - 1);
  result.name = key.substr(0, key.size() - chunk_bytes);
  const bool ends = rest[result.term.size()] == '\0' && result.term.find('\0') == result.term.npos;
  for (const char byte : key.substr(key.size() - chunk_bytes))
    result.chunk = result.chunk << 8 | static_cast<unsigned char>(byte);
  return ends ? Result<TextKey>(result) : error;
}

}  // namespace cairn::codec
