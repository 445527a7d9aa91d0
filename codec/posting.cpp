// Encodes chunks of posting lists. Most chunks of most values hold a few ids, so the small form has
// no header. A FlatBuffer costs some tens of bytes more and pays off from 33 ids on.
//
// 1 id      02 | id:2                          3 bytes
// 32 ids    02 | id:2 ...                     65 bytes
// more      03 | flatbuffer                   array up to 8 KiB, bitmap 8 KiB, or runs if smaller
//
// Writers are the committer (operands, and whole chunks when it compacts a frequently changed
// value) and the merge operator, which also runs on RocksDB's flush and compaction threads. So all
// functions here are stateless and throw nothing of their own. Readers are the posting reader and
// the integrity check. A decoder refuses what encoders do not write (order, form, count), because
// operations on bitmaps rely on these rules without checking them.
#include "codec/posting.hpp"

#include "codec/byte_io.hpp"
#include "codec/flatbuffer.hpp"
#include "codec/hex.hpp"
#include "codec/id_kernels.hpp"
#include "codec/schema/posting_generated.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <utility>

namespace cairn::codec {
namespace {

// Vectors of a flatbuffer are little-endian and are read in place.
static_assert(std::endian::native == std::endian::little);

using Values = std::vector<std::uint16_t>;
using Form = Container::Form;

constexpr char operand_tag = 0x01;
constexpr char small_tag = 0x02;
constexpr char folded_tag = 0x03;
constexpr std::size_t max_small = 32;
// A block is one table; its vectors hold only numbers.
constexpr VerifyLimits limits = {.depth_levels = 1, .tables = 1};

Error broken(std::string_view what) { return corruption("posting block: " + std::string(what)); }

bool strictly_ascending(std::span<const std::uint16_t> values) {
  return std::ranges::adjacent_find(values, std::ranges::greater_equal{}) == values.end();
}

void append_values(std::string& out, const Values& values) {
  for (std::uint16_t value : values) append_little(out, value);
}

// The count is only used if enough bytes are left, so a damaged count costs no memory.
Values read_values(ByteCursor& cursor, std::uint64_t count) {
  if (count > cursor.rest().size() / sizeof(std::uint16_t)) cursor.fail();
  Values values(cursor.failed() ? 0 : count);
  for (std::uint16_t& value : values) value = cursor.read_little<std::uint16_t>();
  return values;
}

// The small form has no header: its length gives the number of ids.
Result<Values> decode_small(std::string_view bytes) {
  if (bytes.size() > max_small * sizeof(std::uint16_t))
    return broken("too many ids for the small form");
  ByteCursor cursor(bytes);
  Values values = read_values(cursor, bytes.size() / sizeof(std::uint16_t));
  if (!cursor.finished()) return broken("it ends within an id");
  if (!strictly_ascending(values)) return broken("ids out of order");
  return values;
}

// Returns the items of a vector, or an empty span if the field is absent.
template <class T>
std::span<const T> span_of(const flatbuffers::Vector<T>* vector) {
  if (vector == nullptr) return {};
  return {vector->data(), vector->size()};
}

// Two-byte items need no alignment check: the verifier checks that the count before them is aligned
// to four bytes.
Result<Container> decode_array(const fb::PostingBlock& block) {
  const auto values = span_of(block.array());
  if (values.size() > Container::max_array) return broken("array too long");
  if (!strictly_ascending(values)) return broken("ids out of order");
  return Container::from_sorted(values);
}

// Forms follow cardinality (see container.hpp); a block that violates that rule is refused.
Result<Container> decode_bitmap(const fb::PostingBlock& block) {
  if (!has_aligned_items(block.words())) return broken("misaligned bitmap");
  const auto words = span_of(block.words());
  if (words.size() != Container::bitmap_words) return broken("bitmap of a wrong length");
  auto container = Container::from_words(words.first<Container::bitmap_words>());
  if (container.form() != Form::bitmap) return broken("bitmap of too few ids");
  return container;
}

// Runs neither overlap nor touch, so a set has exactly one list of runs.
Result<Container> decode_runs(const fb::PostingBlock& block) {
  const auto bounds = span_of(block.runs());
  if (bounds.empty() || bounds.size() % 2 != 0) return broken("a run without an end");
  std::vector<Container::Run> runs;
  runs.reserve(bounds.size() / 2);
  for (std::size_t i = 0; i < bounds.size(); i += 2) {
    if (bounds[i] > bounds[i + 1]) return broken("a run that ends before it begins");
    // Computed as int: no run can follow a run that ends at 65,535.
    if (i > 0 && bounds[i] <= bounds[i - 1] + 1) return broken("runs out of order");
    runs.push_back({bounds[i], bounds[i + 1]});
  }
  return Container::from_runs(runs);
}

Result<Container> decode_form(const fb::PostingBlock& block) {
  // An absent vector is null, an empty one is not. More than one present vector would mean two sets
  // in one block.
  const bool others =
      (block.array() != nullptr) + (block.words() != nullptr) + (block.runs() != nullptr) > 1;
  if (others) return broken("more than one form");
  switch (static_cast<Form>(block.form())) {
    case Form::array:
      return decode_array(block);
    case Form::bitmap:
      return decode_bitmap(block);
    case Form::runs:
      return decode_runs(block);
  }
  return broken("unknown form " + std::to_string(block.form()));
}

Result<Container> decode_folded(std::string_view bytes) {
  const AlignedBytes aligned(bytes);
  const auto* block = verified<fb::PostingBlock>(aligned, limits);
  if (block == nullptr) return broken("not a flatbuffer");
  CAIRN_ASSIGN(Container container, decode_form(*block));
  // A planner may read the stored count without decoding the ids, so it must be right.
  if (container.cardinality() != block->cardinality()) return broken("wrong number of ids");
  return container;
}

std::string encode_small(const Container& container) {
  std::string out(1, small_tag);
  container.for_each([&](std::uint16_t value) { append_little(out, value); });
  return out;
}

// Only the member of the container's form is written. The builder starts with a size above the
// result, so it does not grow while data is copied.
std::string encode_folded(const Container& container) {
  flatbuffers::FlatBufferBuilder builder(container.memory_bytes());
  flatbuffers::Offset<flatbuffers::Vector<std::uint16_t>> array;
  flatbuffers::Offset<flatbuffers::Vector<std::uint64_t>> words;
  flatbuffers::Offset<flatbuffers::Vector<std::uint16_t>> runs;
  switch (container.form()) {
    case Form::array:
      array = builder.CreateVector(container.array().data(), container.array().size());
      break;
    case Form::bitmap:
      words = builder.CreateVector(container.words().data(), container.words().size());
      break;
    case Form::runs: {
      Values bounds;
      for (Container::Run run : container.runs())
        bounds.insert(bounds.end(), {run.first, run.last});
      runs = builder.CreateVector(bounds);
    }
  }
  builder.Finish(fb::CreatePostingBlock(builder, static_cast<std::uint8_t>(container.form()),
                                        container.cardinality(), array, words, runs));
  std::string out(1, folded_tag);
  out.append(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
  return out;
}

Values without(const Values& values, const Values& others) {
  Values result;
  std::ranges::set_difference(values, others, std::back_inserter(result));
  return result;
}

Values together(const Values& values, const Values& others) {
  Values result;
  std::ranges::set_union(values, others, std::back_inserter(result));
  return result;
}

bool disjoint(const Values& a, const Values& b) {
  return b.empty() || without(a, b).size() == a.size();
}

char tag_of(std::string_view bytes) { return bytes.empty() ? '\0' : bytes.front(); }

}  // namespace

std::string encode_posting_delta(const PostingDelta& delta) {
  std::string out(1, operand_tag);
  append_varint(out, delta.removed.size());
  append_varint(out, delta.added.size());
  append_values(out, delta.removed);
  append_values(out, delta.added);
  return out;
}

// No id may be both added and removed: the outcome would depend on which of the two is applied
// last.
Result<PostingDelta> decode_posting_delta(std::string_view bytes) {
  if (!is_posting_delta(bytes)) return corruption("posting operand: unknown tag");
  ByteCursor cursor(bytes.substr(1));
  const std::uint64_t removed = cursor.read_varint();
  const std::uint64_t added = cursor.read_varint();
  PostingDelta delta;
  delta.removed = read_values(cursor, removed);
  delta.added = read_values(cursor, added);
  if (!cursor.finished()) return corruption("posting operand: wrong length");
  if (!strictly_ascending(delta.removed) || !strictly_ascending(delta.added) ||
      !disjoint(delta.added, delta.removed))
    return corruption("posting operand: ids out of order");
  return delta;
}

bool removes_ids(std::string_view operand) noexcept {
  if (!is_posting_delta(operand)) return false;
  ByteCursor cursor(operand.substr(1));
  return cursor.read_varint() > 0;
}

// first  +a -r        result   added   = (a without r') and a'
// second +a' -r'               removed = (r without a') and r'
// What `first` did remains unless `second` says otherwise. The operation is associative, which
// RocksDB requires of partial merges: operands may be combined in any grouping, but not in any
// order. Both lists stay disjoint: an id added by `second` is removed from the removed ids, and the
// reverse.
PostingDelta combine(const PostingDelta& first, const PostingDelta& second) {
  return {.added = together(without(first.added, second.removed), second.added),
          .removed = together(without(first.removed, second.added), second.removed)};
}

// Runs are only considered here, when a chunk is written to disk.
std::string encode_posting(const Container& container) {
  if (container.cardinality() <= max_small) return encode_small(container);
  return encode_folded(container.optimized());
}

Result<Container> decode_posting(std::string_view bytes) {
  if (tag_of(bytes) == folded_tag) return decode_folded(bytes.substr(1));
  if (tag_of(bytes) != small_tag) return broken("unknown tag");
  CAIRN_ASSIGN(const Values values, decode_small(bytes.substr(1)));
  return Container::from_sorted(values);
}

Result<Container> decode_posting_of(std::string_view index_key, std::string_view bytes) {
  auto container = decode_posting(bytes);
  if (container) return container;
  return corruption("index key " + hex_text(index_key) + ": " + container.error().message);
}

// The common case, a value that few nodes have, needs no container. `key` is the number of the
// chunk: ids are key * 65,536 + low.
Status add_posting(std::string_view bytes, std::uint64_t key, BitmapBuilder& ids) {
  if (tag_of(bytes) == small_tag) {
    CAIRN_ASSIGN(const Values values, decode_small(bytes.substr(1)));
    for (std::uint16_t value : values) ids.add(key << 16 | value);
    return {};
  }
  CAIRN_ASSIGN(Container container, decode_posting(bytes));
  ids.add_chunk(key, std::make_shared<const Container>(std::move(container)));
  return {};
}

bool is_posting_delta(std::string_view bytes) noexcept { return tag_of(bytes) == operand_tag; }

}  // namespace cairn::codec
