// Column segments in files. Reading checks everything on which memory safety depends.
//
// column     := ids:u64 escaped:runs shared:u8 [dictionary] chunks:u32 chunk{chunks}
// chunk      := 00                                                 no values
//             | 01 slots width:u8 base:u64 packed                  integers, above the least one; their bytes in memory
//             | 02 slots f64{values}                               floats
//             | 03 slots packed                                    codes of the shared dictionary
//             | 04 slots dictionary packed                         codes of its own dictionary
//             | 05 slots packed byte*                              lengths of the texts, and all texts
// dictionary := count:u32 (00 | 01 | 02 text){count}               false, true, texts
#include "codec/byte_io.hpp"
#include "codec/number_array.hpp"
#include "codec/packed_numbers.hpp"
#include "codec/segment_file.hpp"
#include "engine/segment/column_segment.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::engine {
namespace {

enum class ValuesForm : std::uint8_t {
  empty = 0,
  integers = 1,
  floats = 2,
  shared_codes = 3,
  own_codes = 4,
  texts = 5,
};

void append_form(std::string& out, ValuesForm form) {
  codec::append_little(out, static_cast<std::uint8_t>(form));
}

void append_dictionary(std::string& out, const std::vector<Value>& values) {
  codec::append_little(out, static_cast<std::uint32_t>(values.size()));
  for (const Value& value : values) {
    const std::string* const text = value.string();
    const std::uint8_t tag = text != nullptr ? 2 : value.as_bool() ? 1 : 0;
    codec::append_little(out, tag);
    if (text != nullptr) codec::append_text(out, *text);
  }
}

ColumnSegment::Values read_dictionary(codec::ByteCursor& cursor) {
  const auto count = cursor.read_little<std::uint32_t>();
  if (count > std::numeric_limits<std::uint16_t>::max()) cursor.fail();
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < count && !cursor.failed(); ++i) {
    const std::uint8_t tag = cursor.read_byte();
    if (tag > 2) cursor.fail();
    values.push_back(tag == 2 ? Value(std::string(cursor.read_text())) : Value(tag == 1));
  }
  return std::make_shared<const std::vector<Value>>(std::move(values));
}

}  // namespace

/// Appends the values of a chunk.
class ColumnSegment::FileWriter {
 public:
  FileWriter(std::string& out, const Values& shared) : out_(out), shared_(shared) {}

  void write(const Chunk& chunk) {
    std::visit([&](const auto& values) { write(chunk.slots, values); }, chunk.values);
  }

 private:
  void begin(const SlotIndex& slots, ValuesForm form) {
    append_form(out_, form);
    slots.append_to(out_);
  }
  void write(const SlotIndex&, std::monostate) { append_form(out_, ValuesForm::empty); }
  void write(const SlotIndex& slots, const Integers& integers) {
    begin(slots, ValuesForm::integers);
    std::visit(
        [&](const auto& above) {
          codec::append_little(out_, static_cast<std::uint8_t>(sizeof(above[0])));
          codec::append_little(out_, static_cast<std::uint64_t>(integers.base));
          codec::append_packed(out_, std::span(above));
        },
        integers.above);
  }
  void write(const SlotIndex& slots, const Floats& floats) {
    begin(slots, ValuesForm::floats);
    codec::append_numbers(out_, floats.values);
  }
  void write(const SlotIndex& slots, const Dictionary& dictionary) {
    const bool is_shared = dictionary.values == shared_;
    begin(slots, is_shared ? ValuesForm::shared_codes : ValuesForm::own_codes);
    if (!is_shared) append_dictionary(out_, *dictionary.values);
    codec::append_packed(out_, std::span(dictionary.codes));
  }
  void write(const SlotIndex& slots, const Texts& texts) {
    begin(slots, ValuesForm::texts);
    std::vector<std::uint32_t> lengths = texts.ends;
    for (std::size_t i = lengths.size(); i > 1; --i) lengths[i - 1] -= texts.ends[i - 2];
    codec::append_packed<std::uint32_t>(out_, lengths);
    out_ += texts.bytes;
  }

  std::string& out_;
  const Values& shared_;
};

void ColumnSegment::append_to(std::string& out) const {
  codec::append_little(out, std::uint64_t{count_});
  codec::append_runs(out, escaped_.to_vector());
  codec::append_little(out, static_cast<std::uint8_t>(dictionary_ != nullptr ? 1 : 0));
  if (dictionary_ != nullptr) append_dictionary(out, *dictionary_);
  codec::append_little(out, static_cast<std::uint32_t>(chunks_.size()));
  FileWriter writer(out, dictionary_);
  for (const Chunk& chunk : chunks_) writer.write(chunk);
}

/// Reads chunks. The cursor fails at damage.
class ColumnSegment::FileReader {
 public:
  FileReader(codec::ByteCursor& cursor, const Values& shared) : cursor_(cursor), shared_(shared) {}

  Chunk read() {
    Chunk chunk;
    const auto form = static_cast<ValuesForm>(cursor_.read_byte());
    if (form == ValuesForm::empty) return chunk;
    chunk.slots = SlotIndex::read(cursor_);
    count_ = chunk.slots.size();
    if (count_ == 0) cursor_.fail();
    if (!cursor_.failed()) read_values(form, chunk);
    return chunk;
  }

 private:
  void read_values(ValuesForm form, Chunk& chunk) {
    switch (form) {
      case ValuesForm::integers:
        chunk.values = read_integers();
        break;
      case ValuesForm::floats:
        chunk.values = Floats{codec::read_numbers<double>(cursor_, count_)};
        break;
      case ValuesForm::shared_codes:
        chunk.values = read_codes(shared_);
        break;
      case ValuesForm::own_codes:
        chunk.values = read_codes(read_dictionary(cursor_));
        break;
      case ValuesForm::texts:
        chunk.values = read_texts();
        break;
      default:
        cursor_.fail();
    }
  }
  Integers read_integers() {
    Integers integers;
    const std::uint8_t width = cursor_.read_byte();
    integers.base = static_cast<std::int64_t>(cursor_.read_little<std::uint64_t>());
    switch (width) {
      case 1:
        integers.above = codec::read_packed<std::uint8_t>(cursor_, count_);
        break;
      case 2:
        integers.above = codec::read_packed<std::uint16_t>(cursor_, count_);
        break;
      case 4:
        integers.above = codec::read_packed<std::uint32_t>(cursor_, count_);
        break;
      case 8:
        integers.above = codec::read_packed<std::uint64_t>(cursor_, count_);
        break;
      default:
        cursor_.fail();
    }
    return integers;
  }
  Dictionary read_codes(Values values) {
    Dictionary dictionary{std::move(values), codec::read_packed<std::uint16_t>(cursor_, count_)};
    const std::size_t size = dictionary.values == nullptr ? 0 : dictionary.values->size();
    if (std::ranges::any_of(dictionary.codes, [&](std::uint16_t code) { return code >= size; }))
      cursor_.fail();
    return dictionary;
  }
  Texts read_texts() {
    Texts texts;
    texts.ends = codec::read_packed<std::uint32_t>(cursor_, count_);  // still lengths
    std::uint64_t bytes = 0;
    for (std::uint32_t& end : texts.ends) {
      bytes += end;
      end = static_cast<std::uint32_t>(bytes);
    }
    if (bytes > std::numeric_limits<std::uint32_t>::max()) cursor_.fail();
    texts.bytes = cursor_.read_bytes(bytes);
    return texts;
  }
  codec::ByteCursor& cursor_;
  const Values& shared_;
  std::size_t count_ = 0;  // values of the current chunk
};

// An empty chunk takes one byte in the file and more in memory, so the size of the file does not bound the memory,
// which is counted separately.
Result<ColumnSegment::Ptr> ColumnSegment::read(std::string_view bytes, std::size_t most_bytes) {
  codec::ByteCursor cursor(bytes);
  std::shared_ptr<ColumnSegment> segment(new ColumnSegment());
  segment->count_ = cursor.read_little<std::uint64_t>();
  std::vector<std::uint64_t> escaped;
  codec::read_runs(cursor, most_bytes / sizeof(std::uint64_t), escaped);
  segment->escaped_ = codec::Bitmap::from_sorted(escaped);
  const std::uint8_t is_shared = cursor.read_byte();
  if (is_shared > 1) cursor.fail();
  if (is_shared == 1) segment->dictionary_ = read_dictionary(cursor);
  const auto chunks = cursor.read_little<std::uint32_t>();
  if (chunks > most_bytes / sizeof(Chunk)) return Ptr();
  FileReader reader(cursor, segment->dictionary_);
  std::size_t taken = 0;
  for (std::uint32_t i = 0; i < chunks && !cursor.failed(); ++i) {
    segment->chunks_.push_back(reader.read());
    taken += segment->chunks_.back().memory_bytes(segment->dictionary_);
    if (!cursor.failed() && taken > most_bytes) return Ptr();
  }
  if (!cursor.finished()) return codec::corruption("a column is damaged");
  segment->chunks_.shrink_to_fit();
  if (segment->memory_bytes() > most_bytes) return Ptr();
  return Ptr(std::move(segment));
}

}  // namespace cairn::engine
